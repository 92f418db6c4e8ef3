// Sentences in which the terms of a search are explained, and sides and their moves are in color.

import { coloredMark, element } from "../page.js";

/** The terms, and what they mean. */
export const MEANINGS = {
  MAX: "The side to move at the top. It wants a high score.",
  MIN: "The other side. It wants a low score.",
  α: "Alpha: the highest score that MAX is sure of so far.",
  β: "Beta: the lowest score that MIN is sure of so far.",
};

/** A text as nodes, with its terms explained. */
export function explained(text) {
  return text
    .split(/(\bMAX\b|\bMIN\b|α|β|\b[XO] \d\b|\b[XO]\b)/)
    .map((part, index) => (index % 2 ? marked(part) : part));
}

/** A copy of the content of an element, with the terms in its texts explained. */
export function explainedIn({ childNodes }) {
  return [...childNodes].flatMap((node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      return explained(node.data);
    }
    const made = node.cloneNode();
    made.append(...explainedIn(node));
    return made;
  });
}

/** Write a text, with its terms explained, unless it is there already: each change of a live region is announced. */
export function tell(place, text) {
  if (place.textContent !== text) {
    place.replaceChildren(...explained(text));
  }
}

function marked(part) {
  if (part in MEANINGS) {
    const term = element("abbr", part);
    term.dataset.meaning = MEANINGS[part];
    return term;
  }
  return coloredMark(part);
}
