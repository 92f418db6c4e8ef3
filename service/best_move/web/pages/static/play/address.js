// The game in the page's URL. Options have the API's names, and are omitted if they have their default values.

import { boardOf, EMPTY, firstOf, moverOf } from "./game.js";

const PLAYERS = ["X", "O", "both", "nobody"];
const STARTS = ["X", "O", "random"];
const VIEWS = ["play", "explain"];
const OTHERS = ["board", "to_move", "at", "analysis", "set_up"];

/** Read a game from a query string. `choices` has the valid values of each option; other values are ignored. */
export function read(query, choices) {
  const parameters = new URLSearchParams(query);
  const start = parameters.get("board") ?? EMPTY;
  const cells = (parameters.get("played") ?? "").split(",").filter(Boolean);
  const starts = STARTS.includes(parameters.get("starts")) ? parameters.get("starts") : "X";
  const unnamed = start === EMPTY ? firstOf(starts) : "";
  const first = parameters.has("to_move") ? moverBefore(parameters.get("to_move"), cells.length) : unnamed;
  const played = readMoves(cells, start, first);
  const at = parameters.has("at") ? Number(parameters.get("at")) : played.length;
  const game = {
    start,
    first,
    played,
    at: Number.isInteger(at) && at >= 0 && at < played.length ? at : played.length,
    starts,
    you: PLAYERS.includes(parameters.get("you")) ? parameters.get("you") : "X",
    view: VIEWS.includes(parameters.get("view")) ? parameters.get("view") : "play",
    hasHints: parameters.get("analysis") === "true",
    isSetUp: parameters.get("set_up") === "true",
    options: Object.fromEntries(
      Object.entries(choices)
        .filter(([name, values]) => values.includes(parameters.get(name)))
        .map(([name]) => [name, parameters.get(name)]),
    ),
  };
  return game.isSetUp ? { ...game, start: boardOf(game), played: [], at: 0 } : game;
}

/** List the parts of a query string that `read` ignores, except values of the parameters in OTHERS. */
export function ignored(query, { played, you, starts, view, options }) {
  const used = { played: played.join(","), you, starts, view, ...options };
  return [...new URLSearchParams(query)]
    .filter(([name, value]) => !OTHERS.includes(name) && value !== used[name])
    .map(([name, value]) => `${name}=${value}`);
}

/** The relative URL of a game. */
export function write(game) {
  const { start, first, played, at, starts, you, view, hasHints, isSetUp, options } = game;
  const shown = {
    ...(start === EMPTY && !isSetUp ? {} : { board: start }),
    ...((start === EMPTY && first === starts) || !first ? {} : { to_move: moverOf(game, played.length) }),
    ...(played.length ? { played: played.join(",") } : {}),
    ...(at < played.length ? { at } : {}),
    ...(starts === "X" ? {} : { starts }),
    ...(you === "X" ? {} : { you }),
    ...(hasHints ? { analysis: "true" } : {}),
    ...(isSetUp ? { set_up: "true" } : {}),
    ...options,
    ...(view === "play" ? {} : { view }),
  };
  // Commas are allowed in a query and are easier to read than `%2C`.
  const query = new URLSearchParams(shown).toString().replaceAll("%2C", ",");
  return query ? `?${query}` : location.pathname;
}

/** The side that makes the first move if `side` is to move after `moves` moves; `side` itself if it is no mark. */
const moverBefore = (side, moves) => (["X", "O"].includes(side) ? moverOf({ first: side }, moves) : side);

/** Read the moves of a URL; return none if any cell is invalid or taken, or if the side that moves first is unknown. */
function readMoves(cells, start, first) {
  const isSound =
    "XO".includes(first) &&
    new Set(cells).size === cells.length &&
    cells.every((cell) => /^[0-8]$/.test(cell) && /[._ -]/.test(start[cell] ?? "X"));
  return first && isSound ? cells.map(Number) : [];
}
