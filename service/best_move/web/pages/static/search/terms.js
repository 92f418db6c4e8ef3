// Sentences in which sides and their moves are in color, and the terms of a search are links to their lessons.

import { coloredMark, element } from "../page.js";

/** The terms, and what they mean. */
export const MEANINGS = {
  MAX: "The side to move at the top. It wants a high score.",
  MIN: "The other side. It wants a low score.",
  α: "Alpha: the highest score that MAX is sure of so far.",
  β: "Beta: the lowest score that MIN is sure of so far.",
};
const EXPLAINED_IN = { MAX: 2, MIN: 2, α: 3, β: 3 };

/** A text as nodes, with sides and moves in color. */
export const colored = (text) =>
  text.split(/(\b[XO] \d\b|\b[XO]\b)/).map((part, index) => (index % 2 ? coloredMark(part) : part));

/** A text as nodes, with sides in color and terms as links. */
export const linked = (text) =>
  text.split(/(\bMAX\b|\bMIN\b|α|β)/).flatMap((part, index) => (index % 2 ? link(part) : colored(part)));

/** Write a text, with sides and moves in color, unless it is there already: each change of a live region is announced. */
export function tell(place, text) {
  if (place.textContent !== text) {
    place.replaceChildren(...colored(text));
  }
}

function link(term) {
  const href = `?lesson=${EXPLAINED_IN[term]}`;
  return Object.assign(element("a", term, "term"), { href, title: MEANINGS[term] });
}
