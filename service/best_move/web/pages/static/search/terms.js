// Sentences with the terms of a search explained, and the sides and their moves in color.

import { element } from "../page.js";

const MEANINGS = {
  MAX: "The side to move at the top. It wants a high score.",
  MIN: "The other side. It wants a low score.",
  α: "Alpha: the highest score that MAX is sure of so far.",
  β: "Beta: the lowest score that MIN is sure of so far.",
};

/** The meaning of a term. */
export const meaning = (term) => MEANINGS[term];

/** A text as nodes. */
export function explained(text) {
  return text
    .split(/(\*[^*]+\*|\[[^\]]+\]\([^)]+\)|\bMAX\b|\bMIN\b|α|β|\b[XO] \d\b|\b[XO]\b)/)
    .map((part, index) => (index % 2 ? marked(part) : part));
}

/** Write a text with its terms explained, only if it is another, since a live region speaks with each change. */
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
  if (part.startsWith("[")) {
    const [text, href] = part.slice(1, -1).split("](");
    const link = element("a", text);
    link.href = href;
    return link;
  }
  if (part.startsWith("*")) {
    return element("b", explained(part.slice(1, -1)));
  }
  const mark = element("b", part);
  [mark.dataset.mark] = part;
  return mark;
}
