// The cards beside the tree: one with a lesson, or with facts on a position that belongs to no lesson, and one with the
// current step of the search: the board, the numbers and the sentence. Below the tree, the line of the algorithm.

import { element, find, write } from "../page.js";
import { count } from "../words.js";
import { numbered } from "./drawing.js";
import { EXERCISES, LESSONS } from "./lessons.js";
import { colored, coloredIn, linked, tell } from "./terms.js";

/** The URL of the exercise after the board's; of the first exercise if the board's is the last, or if it has none. */
export const exerciseAfter = (board) =>
  EXERCISES[(EXERCISES.findIndex((each) => each.includes(board)) + 1) % EXERCISES.length];

/** The path of the only branch that a lesson draws in full; null if it draws all, or if there is no lesson. */
export function focusOf(number, isNarrow) {
  const { focus, narrow } = LESSONS[number - 1] ?? {};
  return (isNarrow && narrow) || focus || null;
}

/** Show the lesson with the given number, from 1; if it has a text of its own for the board, show that text. */
export function showLesson(number, board) {
  const { title, why, text, other } = LESSONS[number - 1];
  const shown = other?.dataset.board === board ? other : text;
  show(number, `Lesson ${number} of ${LESSONS.length}`, title, coloredIn(shown), why);
  link("lesson-edit");
  link("lesson-back", number > 1 && `?lesson=${number - 1}`, "Back");
  const isLast = number === LESSONS.length;
  link("lesson-next", isLast ? EXERCISES[0] : `?lesson=${number + 1}`, isLast ? "Exercise" : "Next");
}

/** Show the side to move in a position, and the cost of both searches; `tree` is null until both are known. */
export function showPosition(tree, { board, to_move, played }) {
  const { minimax, alphabeta } = tree?.root ?? {};
  const cost = minimax && `Minimax visits ${count(minimax.nodes)} nodes, alpha-beta ${count(alphabeta.nodes)}.`;
  const isOver = minimax?.distance === 0;
  const title = isOver ? "The game is over" : `${tree?.maximizer} to move`;
  show(null, "Your own position", tree ? title : "…", colored(isOver ? "There is nothing to search." : (cost ?? "")));
  const query = new URLSearchParams({ board, ...(to_move && { to_move }), ...(played && { played }) });
  link("lesson-edit", `./?${query}&set_up=true`, "Set up");
  link("lesson-back", `./?${query}`, "Play it");
  link("lesson-next", "?lesson=1", "Lessons");
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

function show(number, place, title, nodes, why = "") {
  write("lesson-place", place);
  write("lesson-title", title);
  write("lesson-why", why);
  find("lesson-why").hidden = !why;
  find("lesson-text").replaceChildren(...nodes);
  document.title = `${title} · ${place} · Best Move`;
  find("lesson-path").replaceChildren(
    ...LESSONS.map((lesson, index) => {
      const to = element("a", index + 1);
      const ariaLabel = `Lesson ${index + 1}: ${lesson.title}`;
      const ariaCurrent = index + 1 === number ? "page" : null;
      Object.assign(to, { href: `?lesson=${index + 1}`, title: lesson.title, ariaLabel, ariaCurrent });
      return element("li", to);
    }),
  );
}

function link(id, href, text = "") {
  find(id).hidden = !href;
  find(id).href = href || "";
  write(id, text);
}
