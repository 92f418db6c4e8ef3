// The game in the page's URL. Options have the API's names, and are omitted once their default values are chosen.

import { tellIgnored } from "../words.js";
import { boardOf, EMPTY, firstOf, lead, settingUp, starterOf, statusOf } from "./game.js";

const CHOICES = {
  starts: ["X", "O"],
  first: ["X", "O", "random"], // who starts each new game
  you: ["X", "O", "both", "nobody"],
  view: ["play", "explain"],
  analysis: ["true", "false"],
  set_up: ["true", "false"],
};

/**
 * Read a query string, with values in upper or lower case: return a game, and the parts that are ignored because they
 * are invalid. Moves are read up to the first that is illegal. `options` has the valid values of each option.
 */
export function read(query, options) {
  const parameters = new URLSearchParams(query);
  const values = {};
  for (const [name, choices] of Object.entries({ ...CHOICES, ...options })) {
    values[name] = choices.find((choice) => choice.toLowerCase() === parameters.get(name)?.toLowerCase());
  }
  const { first = "X", you = "X", view = "play" } = values;
  const board = parameters.get("board")?.toUpperCase();
  const start = /^[XO.]{9}$/.test(board) ? board : EMPTY;
  const cells = parameters.getAll("played").join().split(",").filter(Boolean);
  const starts = values.starts ?? (start === EMPTY ? firstOf(first) : starterOf(start));
  const played = legalMoves(cells, start, starts);
  const at = [...played.keys()].find((index) => String(index) === parameters.get("at")) ?? played.length;
  const chosen = Object.keys(options).filter((name) => values[name]);
  const game = {
    start,
    starts,
    played,
    at,
    first,
    you,
    view,
    isSetUp: false,
    hasHints: values.analysis === "true",
    options: Object.fromEntries(chosen.map((name) => [name, values[name]])),
  };
  const used = { ...values, board: start, at };
  parameters.set("played", cells.slice(played.length)); // leaves the moves that are ignored
  const ignored = [...parameters]
    .filter(([name, value]) => value && value.toLowerCase() !== String(used[name] ?? "").toLowerCase())
    .map(([name, value]) => `${tellIgnored(name, value)}${name === "board" ? " (not nine of X, O and .)" : ""}`);
  if (values.set_up !== "true") {
    return [game, ignored];
  }
  // Without moves, nothing says who started: `first` is only for new games.
  const setUp = settingUp(game);
  return [{ ...setUp, starts: values.starts ?? (played.length ? setUp.starts : "") }, ignored];
}

/** The relative URL of a game. */
export function addressOf(game) {
  const { start, starts, played, at, first, you, view, hasHints, isSetUp, options } = game;
  const isNew = start === EMPTY && !isSetUp;
  const shown = {
    ...(isNew ? {} : { board: start }),
    ...((isNew && starts === first) || !starts ? {} : { starts }),
    ...(played.length ? { played: played.join(",") } : {}),
    ...(at < played.length ? { at } : {}),
    ...(first === "X" ? {} : { first }),
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

/** The cells of a list of texts as numbers, up to the first that is not a legal move. */
function legalMoves(cells, start, starts) {
  const played = [];
  const isPossible = [0, starts === "X" ? 1 : -1].includes(lead(start)); // otherwise the service rejects the board
  for (const cell of isPossible ? cells : []) {
    const board = boardOf({ start, starts, played });
    if (!/^[0-8]$/.test(cell) || board[cell] !== "." || statusOf(board) !== "in_progress") {
      break;
    }
    played.push(Number(cell));
  }
  return played;
}
