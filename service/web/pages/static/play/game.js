// A game as the page knows it: where it began, what was played since, and how much of that is on the board.
// All functions return a new game and leave the old one as it was.

import { opponent } from "../words.js";

/** The board without a mark. */
export const EMPTY = ".".repeat(9);

/** The marks on the board: those of the beginning and those of the moves shown. */
export function boardOf({ start, first, played, at }) {
  const marks = [...start];
  played.slice(0, at).forEach((cell, index) => {
    marks[cell] = moverOf({ first }, index);
  });
  return marks.join("");
}

/** The side that makes a move of the game, by its index. */
export const moverOf = ({ first }, index) => (index % 2 ? opponent(first) : first);

/** The side to move on the board shown; empty while only the service can tell. */
export const sideOf = (game) => game.first && moverOf(game, game.at);

const LINES = ["012", "345", "678", "036", "147", "258", "048", "246"];

/** Whether a board is full or has three in a row. */
export function isFinished(board) {
  const marks = board.toUpperCase();
  const isWon = ([a, b, c]) => "XO".includes(marks[a]) && marks[a] === marks[b] && marks[a] === marks[c];
  return !/[^XO]/.test(marks) || LINES.some(isWon);
}

/** Whether moves after the board shown have been played. */
export const isLookingBack = ({ played, at }) => at < played.length;

/** Whether a side is played by the person at the page. */
export const isYours = ({ you }, side) => you === "both" || you === side;

/** The same players with an empty board. */
export const newGame = (game) => ({ ...game, start: EMPTY, first: "X", played: [], at: 0, isSetUp: false });

/** The game with a move made on the board shown; what was played after it is gone. */
export function withMove(game, cell) {
  const played = [...game.played.slice(0, game.at), cell];
  return { ...game, played, at: played.length };
}

/** The game that ends with the board shown. */
export const cutHere = (game) => ({ ...game, played: game.played.slice(0, game.at) });

/** The game as it was before your last move, or any last move where you only watch; null without one. */
export function undone(game) {
  for (let index = game.at - 1; index >= 0; index -= 1) {
    if (game.you === "nobody" || isYours(game, moverOf(game, index))) {
      return { ...game, played: game.played.slice(0, index), at: index };
    }
  }
  return null;
}

/** The game begins with the board shown, which may now be changed by hand. */
export const settingUp = (game) => ({ ...game, start: boardOf(game), first: "", played: [], at: 0, isSetUp: true });

/** A board being set up, with a mark put on a cell or taken from it. */
export function withMark(game, cell, mark) {
  const marks = [...game.start.padEnd(9, ".").slice(0, 9)];
  marks[cell] = mark;
  return { ...game, start: marks.join("") };
}

/** The board shown, as a question to the service. */
export function question(game) {
  const side = sideOf(game);
  return { board: boardOf(game), ...(side ? { to_move: side } : {}) };
}
