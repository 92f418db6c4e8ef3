// The mistake that decided a finished game, and a better move: each as the last board of the best play that follows it.

import { element } from "../page.js";
import { ask } from "../service.js";
import { worth } from "../words.js";
import { write } from "./address.js";
import { center, through } from "./board.js";
import { boardOf, LINES, moverOf, question, statusOf, withMove } from "./game.js";

const GRID = "M100 3V297M200 3V297M3 100H297M3 200H297";
const MARKS = { X: "m-22-22 44 44m0-44-44 44", O: "m-25 0a25 25 0 1 0 50 0a25 25 0 1 0-50 0" };
const RESULTS = { x_won: "X wins", o_won: "O wins", draw: "Draw" };

await new Promise((resolve, reject) => {
  const href = new URL("mistake.css", import.meta.url);
  document.head.append(Object.assign(element("link"), { rel: "stylesheet", href, onload: resolve, onerror: reject }));
});

/** Return the two drawings for a mistake of a game; throw an error if the service does not respond. */
export function endsOf(game, { index, player, move, outcome, best_moves: [better], best_outcome: best }) {
  const who = game.you === player ? "You" : player;
  const before = { ...game, at: index };
  const after = { ...game, at: index + 1 };
  return Promise.all([
    endOf(before, move, { title: `${who} played ${move}`, outcome, explained: after }),
    endOf(before, better, { title: `Better: ${better}`, outcome: best, explained: before }),
  ]);
}

/** Draw the two boards in an element. Each is a link to the explanation of its line of best play. */
export function drawEnds(place, ends) {
  const links = ends.map(({ title, picture, outcome, result, href }) => {
    const board = element("span");
    board.innerHTML = picture;
    const sign = element("b", worth({ outcome, distance: null })[0]);
    sign.ariaHidden = "true";
    const link = element("a", [element("b", title), board, element("span", [sign, ` ${result}`])]);
    link.dataset.outcome = outcome;
    link.href = href;
    return link;
  });
  place.replaceChildren(
    ...links,
    element("p", "Numbers show best play to the end. Choose a board to explain it.", "note"),
  );
}

/** The board after a move and the line of best play that follows it, as SVG, and the result. */
async function endOf(before, move, { title, outcome, explained }) {
  const after = withMove(before, move);
  const { principal_variation: line } = await ask(question(after));
  const played = [...after.played, ...line];
  const end = { ...after, played, at: played.length };
  return {
    title,
    outcome,
    picture: pictureOf(end, before.at),
    result: RESULTS[statusOf(boardOf(end))],
    href: write({ ...explained, view: "explain" }),
  };
}

/** A finished game's board as SVG: the moves from an index on are numbered, and three in a row are struck through. */
function pictureOf(game, first) {
  const board = boardOf(game);
  const line = game.played.slice(first);
  const [x, y] = center(line[0]);
  const won = LINES.find(([a, b, c]) => board[a] !== "." && board[a] === board[b] && board[b] === board[c]);
  const marks = [...board].map((mark, cell) => {
    const name = line.includes(cell) ? ` data-mark="${mark}"` : "";
    return mark === "." ? "" : `<path${name} d="M${center(cell).join(" ")}${MARKS[mark]}"/>`;
  });
  const numbers = line.map((cell, index) => {
    const [right, down] = center(cell);
    return `<text x="${right + 34}" y="${down + 41}">${index + 1}</text>`;
  });
  const moves = line.map((cell, index) => `${moverOf(game, first + index)} ${cell}`);
  const strike = won ? `<path class="won" data-mark="${board[won[0]]}" d="${through(won[0], won[2])}"/>` : "";
  return `<svg viewBox="0 0 300 300" role="img" aria-label="${moves.join(", ")}"><rect x="${x - 47}" y="${y - 47}"
    width="94" height="94"/><path class="grid" d="${GRID}"/>${marks.join("")}${strike}${numbers.join("")}</svg>`;
}
