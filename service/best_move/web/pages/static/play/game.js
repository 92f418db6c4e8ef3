// A game on the page: its first board, the moves played, and how many of them are shown. No function changes a game.

import { opponent } from "../words.js";

export const EMPTY = ".".repeat(9);

/** The board shown: the first board with the marks of the first `at` moves, or of all moves if `at` is missing. */
export function boardOf({ start, starts, played, at }) {
  const marks = [...start];
  played.slice(0, at).forEach((cell, index) => {
    marks[cell] = moverOf({ start, starts }, index);
  });
  return marks.join("");
}

/** The side that makes the move at the given index: with an even number of marks on the board, the side that started. */
export const moverOf = ({ start, starts }, index) =>
  (start.replaceAll(".", "").length + index) % 2 ? opponent(starts) : starts;

/** The side to move on the board shown; empty if a board is being set up and the service is to infer the side. */
export const sideOf = (game) => game.starts && moverOf(game, game.at);

/** The rows of three, each as the numbers of its cells. */
const LINES = ["012", "345", "678", "036", "147", "258", "048", "246"];

/** The cells of three in a row on a board, as numbers; empty if there are none. */
export function winningLine(board) {
  const won = LINES.find(([a, b, c]) => board[a] !== "." && board[a] === board[b] && board[b] === board[c]) ?? "";
  return [...won].map(Number);
}

/** How many marks more X has than O. */
export const lead = (board) => board.split("X").length - board.split("O").length;

/** The status of a board, as in the API. */
export function statusOf(board) {
  const hasWon = (mark) => LINES.some((line) => [...line].every((cell) => board[cell] === mark));
  const unwon = board.includes(".") ? "in_progress" : "draw";
  return hasWon("X") ? "x_won" : hasWon("O") ? "o_won" : unwon;
}

/** The side that started if none is named, as in the API: X unless O has more marks, or as many and X has won. */
export const starterOf = (board) => (lead(board) < 0 || (lead(board) === 0 && statusOf(board) === "x_won") ? "O" : "X");

/** Whether a game has moves or began from another position than the empty board. */
export const hasBegun = ({ played, start }) => played.length > 0 || start !== EMPTY;

/** Whether an earlier position of the game is shown. */
export const isLookingBack = ({ played, at }) => at < played.length;

/** Whether the user plays a side. */
export const isYours = ({ you }, side) => you === "both" || you === side;

/** The side that starts a new game: X, O, or one of them at random. */
export const firstOf = (first) => (first === "random" ? "XO"[Math.floor(2 * Math.random())] : first);

/** A game of the same players from a position, which has the API's names. */
export function gameFrom(game, { board, starts }) {
  return { ...game, start: board, starts, played: [], at: 0, isSetUp: false };
}

/** A new game of the same players. */
export const newGame = (game) => gameFrom(game, { board: EMPTY, starts: firstOf(game.first) });

/** The game with a move made on the board shown; later moves are removed. */
export function withMove(game, cell) {
  const played = [...game.played.slice(0, game.at), cell];
  return { ...game, played, at: played.length };
}

/** The game without the moves after the board shown. */
export const cutHere = (game) => ({ ...game, played: game.played.slice(0, game.at) });

/** The game before the user's last move, or before the last move if the user only watches; null if there is none. */
export function undone(game) {
  for (let index = game.at - 1; index >= 0; index -= 1) {
    if (game.you === "nobody" || isYours(game, moverOf(game, index))) {
      return { ...game, played: game.played.slice(0, index), at: index };
    }
  }
  return null;
}

/** A game without moves, in which the board shown is being set up. Who started is kept if it cannot be inferred. */
export function settingUp(game) {
  const start = boardOf(game);
  const starts = game.starts === starterOf(start) ? "" : game.starts;
  return { ...game, start, starts, played: [], at: 0, isSetUp: true };
}

/** The game with a mark set on the board that is being set up, or removed from it. */
export function withMark(game, cell, mark) {
  const marks = [...game.start];
  marks[cell] = mark;
  return { ...game, start: marks.join("") };
}

/** The position shown, as parameters of a request. */
export const question = (game) => ({ board: boardOf(game), ...(game.starts ? { starts: game.starts } : {}) });
