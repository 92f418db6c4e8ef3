// The cards beside the tree: one with a lesson, or with facts on a position that belongs to no lesson, and one with the
// current step of the search: the board, the numbers and the sentence. Below the tree, the line of the algorithm.

import { element, find, write } from "../page.js";
import { count } from "../words.js";
import { numbered } from "./drawing.js";
import { EXERCISES, LESSONS, lessonOf } from "./lessons.js";
import { colored, coloredIn, linked, tell } from "./terms.js";

/** The URL of the exercise after the board's; of the first exercise if the board's is the last, or if it has none. */
export const exerciseAfter = (board) =>
  EXERCISES[(EXERCISES.findIndex((each) => each.includes(board)) + 1) % EXERCISES.length];

/** The path of the only branch that a lesson draws in full; null if it draws all, or if there is no lesson. */
export const focusOf = (lesson, isNarrow) => (isNarrow && lessonOf(lesson)?.narrow) || lessonOf(lesson)?.focus || null;

/** Show the lesson with the given name; if it has a text of its own for the board, show that text. */
export function showLesson(name, board) {
  const index = LESSONS.indexOf(lessonOf(name));
  const { number, title, why, text, other } = LESSONS[index];
  const shown = other?.dataset.board === board ? other : text;
  show(number, `Lesson ${number} of ${LESSONS.at(-1).number}`, title, coloredIn(shown), why);
  link("lesson-edit");
  const [back, next] = [LESSONS[index - 1], LESSONS[index + 1]];
  link("lesson-back", back && `?lesson=${back.name}`, "Back");
  link("lesson-next", next ? `?lesson=${next.name}` : EXERCISES[0], next ? "Next" : "Exercise");
}

/** Show the side to move in a position, and the cost of both searches; `tree` is null until both are known. */
export function showPosition(tree, { board, starts, played }) {
  const { minimax, alphabeta } = tree?.root ?? {};
  const cost = minimax && `Minimax visits ${count(minimax.nodes)} nodes, alpha-beta ${count(alphabeta.nodes)}.`;
  const isOver = minimax?.distance === 0;
  const title = isOver ? "The game is over" : `${tree?.maximizer} to move`;
  show(null, "Your own position", tree ? title : "…", colored(isOver ? "There is nothing to search." : (cost ?? "")));
  const query = new URLSearchParams({ board, ...(starts && { starts }), ...(played && { played }) });
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
    ...LESSONS.filter((each) => each.name === each.number).map((each) => {
      const to = element("a", each.name);
      const ariaLabel = `Lesson ${each.name}: ${each.title}`;
      const ariaCurrent = each.name === number ? "page" : null;
      Object.assign(to, { href: `?lesson=${each.name}`, title: each.title, ariaLabel, ariaCurrent });
      return element("li", to);
    }),
  );
}

function link(id, href, text = "") {
  find(id).hidden = !href;
  find(id).href = href || "";
  write(id, text);
}
