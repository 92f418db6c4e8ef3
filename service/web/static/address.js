// The game in the address of the page: the position, how it came about, who plays, and the options that differ from
// the contract's defaults, under the contract's names.

export const OPTIONS = ["difficulty", "tie_break", "algorithm", "scoring", "max_depth", "seed"];

const EMPTY = ".".repeat(9);

export const newGame = (game, first) => ({ ...game, board: EMPTY, toMove: first, moves: [], isSetUp: false });

/** Read a game from a query string. What the service would refuse is kept, for the service to say what is wrong. */
export function read(query) {
  const given = new URLSearchParams(query);
  const board = given.get("board") ?? EMPTY;
  const moves = [...(given.get("moves") ?? "")].map(Number);
  return {
    board,
    toMove: given.get("to_move") ?? (board === EMPTY ? "X" : ""),
    moves: follows(board, moves) ? moves : [],
    you: ["O", "both"].includes(given.get("you")) ? given.get("you") : "X",
    isAnalysed: given.get("analysis") !== "false",
    isSetUp: given.get("set_up") === "true",
    options: Object.fromEntries(OPTIONS.filter((name) => given.has(name)).map((name) => [name, given.get(name)])),
  };
}

/** Write a game as an address. */
export function write(game) {
  const isUntouched = game.board === EMPTY && game.toMove === "X";
  const shown = new URLSearchParams({
    ...(isUntouched ? {} : { board: game.board }),
    ...(isUntouched || !game.toMove ? {} : { to_move: game.toMove }),
    ...(game.moves.length ? { moves: game.moves.join("") } : {}),
    ...(game.you === "X" ? {} : { you: game.you }),
    ...(game.isAnalysed ? {} : { analysis: "false" }),
    ...(game.isSetUp ? { set_up: "true" } : {}),
    ...game.options,
  }).toString();
  return shown ? `?${shown}` : location.pathname;
}

/** The moves lead to the board if their marks are on it, in turn. */
function follows(board, moves) {
  const marks = moves.map((cell) => board[cell]);
  return (
    new Set(moves).size === moves.length &&
    marks.every((mark, ply) => (mark === "X" || mark === "O") && mark !== marks[ply - 1])
  );
}
