// A line of moves as buttons that step through it on the large board.

import { button, element, find } from "../page.js";
import { CELL_NAMES } from "../words.js";
import { boardOf, moverOf, winningLine } from "./game.js";

/**
 * A button for each move of a game from an index on. While it has the pointer or the focus, `preview(content)` shows the
 * position after the move on the large board; `preview(null)` shows the page's own position again.
 */
export function lineOf(game, first, preview) {
  const strip = element("ol", "", "strip");
  game.played.slice(first).forEach((cell, index) => {
    const mark = moverOf(game, first + index);
    const board = boardOf({ ...game, at: first + index + 1 });
    const content = { board, moves: [], best: null, last: cell, line: winningLine(board) };
    const step = button(`${mark} ${cell}`, () => {
      preview(content);
      find("board").scrollIntoView({ block: "nearest" }); // on a phone the board may be out of sight
    });
    step.dataset.mark = mark;
    step.setAttribute("aria-label", `${mark} ${cell}, ${CELL_NAMES[cell]}`);
    for (const type of ["pointerenter", "focus"]) {
      step.addEventListener(type, () => preview(content));
    }
    for (const type of ["pointerleave", "blur"]) {
      step.addEventListener(type, () => preview(null));
    }
    strip.append(element("li", step));
  });
  strip.addEventListener("keydown", ({ key, target }) => {
    const { previousElementSibling, nextElementSibling } = target.parentElement;
    const next = { ArrowLeft: previousElementSibling, ArrowRight: nextElementSibling }[key];
    next?.firstElementChild.focus();
  });
  return strip;
}
