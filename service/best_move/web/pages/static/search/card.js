// The cards beside the tree: one with a lesson, or with facts on a position that belongs to no lesson, and one with the
// current step of the search: the board, the numbers and the sentence. Below the tree, the line of the algorithm.

import { element, find, write } from "../page.js";
import { count, opponent } from "../words.js";
import { numbered } from "./drawing.js";
import { EXERCISES, lessonOf } from "./lessons.js";
import { linked, tell } from "./terms.js";

/** The URL of the exercise after the board's; of the first exercise if the board's is the last, or if it has none. */
export const exerciseAfter = (board) =>
  EXERCISES[(EXERCISES.findIndex((each) => each.includes(board)) + 1) % EXERCISES.length];

/** The path of the only branch that a lesson draws in full of its first board; null if it draws all. */
export function focusOf({ lesson, board }, isNarrow) {
  const { search, focus, narrow } = lessonOf(lesson) ?? {};
  return (search?.board === board && ((isNarrow && narrow) || focus)) || null;
}

/** Show the card of a lesson, with its text for the board; without a lesson, that of a position, with its links. */
export function showCard({ lesson, board, starts, played }) {
  for (const card of find("lessons").children) {
    card.hidden = card.dataset.lesson !== lesson;
  }
  for (const text of find("lessons").querySelectorAll("[data-board]")) {
    text.hidden = text.dataset.board !== board;
  }
  find("position").hidden = Boolean(lesson);
  for (const link of find("path").querySelectorAll("a")) {
    link.ariaCurrent = link.textContent === lesson ? "page" : null;
  }
  const query = new URLSearchParams({ board, ...(starts && { starts }), ...(played && { played }) });
  find("set-up").href = `./?${query}&set_up=true`;
  find("play-it").href = `./?${query}`;
}

/** The title of the card that is shown, and the lesson's place among the lessons. */
export function shownCard() {
  const card = find("lesson").querySelector("article:not([hidden])");
  return { place: card.querySelector(".place span").textContent, title: card.querySelector("h2").textContent };
}

/** Show the side to move in a position, and the cost of both searches; `tree` is null until both are known. */
export function showPosition(tree, title = "…") {
  const { minimax, alphabeta } = tree?.root ?? {};
  write("position-title", tree ? statusOf(tree) : title);
  if (minimax?.distance === 0) {
    write("position-cost", "There is nothing to search.");
  } else {
    const cost = minimax && `Minimax visits ${count(minimax.nodes)} nodes, alpha-beta ${count(alphabeta.nodes)}.`;
    write("position-cost", cost ?? "\u00a0");
  }
}

/** The side to move or, if the game is over, its result. */
function statusOf({ maximizer, root: { minimax } }) {
  if (minimax.distance !== 0) {
    return `${maximizer} to move`;
  }
  return minimax.outcome === "draw" ? "A draw" : `${opponent(maximizer)} won`;
}

/** Show the position of a node; `numbers` are lines about it, `sentence` says what happens there. */
export function showMoment({ board, move }, numbers, sentence) {
  find("moment-board").replaceChildren(...numbered(board, move));
  const place = find("moment-numbers");
  if (place.textContent !== numbers.join("")) {
    place.replaceChildren(...numbers.map((text) => element("p", linked(text))));
  }
  tell(find("moment-sentence"), sentence);
}

/** Show the lines of an algorithm, and highlight the line `live`; null highlights none. */
export function showLines(algorithm, live) {
  find("algorithm").dataset.algorithm = algorithm;
  for (const line of find("algorithm").children) {
    line.ariaCurrent = line.dataset.line === live ? "step" : null;
  }
}
