// The cards beside the tree: one with a lesson, or with facts on a position that belongs to no lesson, and one with the
// current step of the search: the board, the numbers and the sentence. Below the tree, the line of the algorithm.

import { button, element, find, write } from "../page.js";
import { asButton, colored, linked, readMarks, tell } from "./terms.js";

find("lessons").querySelectorAll("[data-paths]").forEach(asButton);

/**
 * The lessons. `boards` are those that the card has texts for; `focus` is the path of the only branch to draw, and
 * `narrow` the same in a narrow window.
 */
const LESSONS = [...find("lessons").children].map(({ dataset }) => {
  const search = Object.fromEntries(new URLSearchParams(dataset.search));
  const { lesson: name, other, focus, narrow } = dataset;
  return { name, search, boards: [search.board, other], focus, narrow };
});

/** The lesson with a name, which is its number as text; undefined if there is none. */
export const lessonOf = (name) => LESSONS.find((each) => each.name === name);

/** The path of the only branch that a lesson draws in full of its first board; null if it draws all. */
export function focusOf({ lesson, board }, isNarrow) {
  const { search, focus, narrow } = lessonOf(lesson) ?? {};
  return (search?.board === board && ((isNarrow && narrow) || focus)) || null;
}

/**
 * Show the card of a lesson, with its text for the board; without a lesson, that of a position, with its links. Hide what
 * only later lessons introduce, and what belongs to the other kind of trees.
 */
export function showCard(state) {
  const { lesson, tree, board, starts, played } = state;
  hideLater(state);
  readMarks(!tree);
  const { classList } = find("search");
  classList.toggle("numbers", Boolean(tree));
  classList.toggle("own", !lesson);
  classList.toggle("plain", ["1", "2"].includes(lesson));
  for (const card of find("lessons").children) {
    card.hidden = card.dataset.lesson !== lesson;
  }
  for (const text of find("lessons").querySelectorAll("[data-board]")) {
    text.hidden = text.dataset.board !== board;
  }
  find("position").hidden = Boolean(lesson);
  find("position").querySelector("span").textContent = tree ? "A tree of numbers" : "A position";
  for (const link of find("path").querySelectorAll("a")) {
    link.ariaCurrent = link.textContent === lesson ? "page" : null;
  }
  if (!tree) {
    const query = new URLSearchParams({ board, ...(starts && { starts }), ...(played && { played }) });
    find("set-up").href = `./?${query}&set_up=true`;
    find("play-it").href = `./?${query}`;
  }
  nameDocument(state);
}

/** The title of the card that is shown, and the lesson's place among the lessons. */
export function shownCard() {
  const card = find("lesson").querySelector("article:not([hidden])");
  return { place: card.querySelector(".place span").textContent, title: card.querySelector("h2").textContent };
}

/** Give the document the title of the card that is shown. */
export function nameDocument({ lesson }) {
  const { place, title } = shownCard();
  document.title = `${title} · ${lesson ? place : "Search"} · Best Move`;
}

/** Show the title and the cost of a search; `tree` is null until it is known. */
export function showPosition(tree, title = "…") {
  tell(find("position-title"), tree?.kind.title(tree) ?? title);
  write("position-cost", tree?.kind.cost(tree) ?? "\u00a0");
}

/** Show the picture of a node; `numbers` are lines about it, `sentence` says what happens there. */
export function showMoment(picture, numbers, sentence) {
  find("moment-board").replaceChildren(...picture);
  const place = find("moment-numbers");
  if (place.textContent !== numbers.join("")) {
    place.replaceChildren(...numbers.map((text) => element("p", linked(text))));
  }
  tell(find("moment-sentence"), sentence);
}

/** The reason why there is no tree, with a button that calls `again` or, for a position, a link to correct it. */
export function failure({ message, isRetryable }, again) {
  const correct = Object.assign(element("a", "Correct the board"), { href: find("set-up").href });
  const isNumbers = find("search").classList.contains("numbers"); // a tree is corrected on the page
  const reason = element("p", [message, ...(isRetryable || isNumbers ? [] : [" ", correct])]);
  reason.role = "alert";
  return [reason, ...(isRetryable ? [button("Try again", again, "primary")] : [])];
}

const PSEUDOCODE = find("algorithm").innerHTML; // for positions

/** Fill the legend with the signs of a drawing, and the pseudocode with the lines for a kind of tree. */
export function showKey(signs, tree) {
  find("legend").replaceChildren(...signs.map(entry));
  find("algorithm").innerHTML = PSEUDOCODE;
  tree.kind.changeLines?.(find("algorithm"), tree);
}

/** An entry of the legend. */
function entry({ drawing, text, from }) {
  const item = element("li", [drawing, " ", ...colored(text)]);
  Object.assign(item.dataset, from && { from });
  return item;
}

/** Hide the parts of the page that only later lessons introduce. */
export function hideLater({ lesson }) {
  for (const part of document.querySelectorAll("[data-from]")) {
    part.hidden = Boolean(lesson) && Number(lesson) < Number(part.dataset.from);
  }
}

/** Show the lines of an algorithm, and highlight the line `live`; null highlights none. */
export function showLines(algorithm, live) {
  find("algorithm").dataset.algorithm = algorithm;
  for (const line of find("algorithm").children) {
    line.ariaCurrent = line.dataset.line === live ? "step" : null;
  }
}
