// The last mistake of a finished game, and a better move: each as the last board of the best play that follows it.

import { element } from "../page.js";
import { addStyles, ask } from "../service.js";
import { worth } from "../words.js";
import { addressOf } from "./address.js";
import { center, through } from "./board.js";
import { boardOf, moverOf, question, statusOf, winningLine, withMove } from "./game.js";
import { lineOf } from "./line.js";

const GRID = "M100 3V297M200 3V297M3 100H297M3 200H297";
const MARKS = { X: "m-22-22 44 44m0-44-44 44", O: "m-25 0a25 25 0 1 0 50 0a25 25 0 1 0-50 0" };
const RESULTS = { x_won: "X wins", o_won: "O wins", draw: "Draw" };

await addStyles(new URL("mistake.css", import.meta.url));

/**
 * Return the two drawings for a mistake of a reviewed game; throw an error if the service does not respond. The first
 * follows the game as long as its moves are among the best.
 */
export function endsOf(game, { index, player, move, outcome, best_moves: [better], best_outcome: best }, verdicts) {
  const who = game.you === player ? "You" : player;
  const before = { ...game, at: index };
  const after = { ...game, at: index + 1 };
  const worse = verdicts.findIndex((each, at) => at > index && !each.best_moves.includes(each.move));
  const followed = { ...game, at: worse < 0 ? game.played.length : worse };
  return Promise.all([
    endOf(followed, index, { title: `${who} played ${move}`, outcome, explained: after }),
    endOf(withMove(before, better), index, { title: `Better: ${better}`, outcome: best, explained: before }),
  ]);
}

/**
 * Draw the two boards in an element, each below the moves that lead to it. A board is a link to the explanation of its
 * line of best play. `preview` shows another position on the large board, as in line.js.
 */
export function drawEnds(place, ends, preview) {
  const boards = ends.map(({ title, picture, outcome, result, href, end, first }) => {
    const board = element("span");
    board.innerHTML = picture;
    const sign = element("b", worth({ outcome, distance: null })[0]);
    sign.ariaHidden = "true";
    const link = element("a", [board, element("span", [sign, ` ${result}`])]);
    link.href = href;
    const part = element("div", [element("h4", title), lineOf(end, first, preview), link]);
    part.dataset.outcome = outcome;
    return part;
  });
  place.replaceChildren(
    ...boards,
    element(
      "p",
      "Best play to the end. Choose a move to see it on the large board, or a small board to explain it.",
      "note",
    ),
  );
}

/** The last board of the best play that follows a position, as SVG, and the result. Moves are numbered from `first`. */
async function endOf(game, first, { title, outcome, explained }) {
  const { principal_variation: line } = await ask(question(game));
  const end = line.reduce(withMove, game);
  return {
    title,
    outcome,
    picture: pictureOf(end, first),
    result: RESULTS[statusOf(boardOf(end))],
    href: addressOf({ ...explained, view: "explain" }),
    end,
    first,
  };
}

/** A finished game's board as SVG: the moves from an index on are numbered, and three in a row are struck through. */
function pictureOf(game, first) {
  const board = boardOf(game);
  const line = game.played.slice(first);
  const [x, y] = center(line[0]);
  const [from, , to] = winningLine(board);
  const marks = [...board].map((mark, cell) => {
    const name = line.includes(cell) ? ` data-mark="${mark}"` : "";
    return mark === "." ? "" : `<path${name} d="M${center(cell).join(" ")}${MARKS[mark]}"/>`;
  });
  const numbers = line.map((cell, index) => {
    const [right, down] = center(cell);
    return `<text x="${right + 34}" y="${down + 41}">${index + 1}</text>`;
  });
  const moves = line.map((cell, index) => `${moverOf(game, first + index)} ${cell}`);
  const strike = to ? `<path class="won" data-mark="${board[to]}" d="${through(from, to)}"/>` : "";
  return `<svg viewBox="0 0 300 300" role="img" aria-label="${moves.join(", ")}"><rect x="${x - 47}" y="${y - 47}"
    width="94" height="94"/><path class="grid" d="${GRID}"/>${marks.join("")}${strike}${numbers.join("")}</svg>`;
}
