// The search in the page's URL: the number of a lesson, a position or a tree of numbers, and the chosen options.

import { tellIgnored } from "../words.js";
import { lessonOf } from "./card.js";

export const END = "9999"; // a step after the last step of every search
const FLAG = /^true$/;

/** The choices of an exercise that nobody has begun to answer. */
export const UNANSWERED = { answers: "", graded: "", results: "", aside: "" };

// What both kinds of trees have.
const VALID = {
  algorithm: /^(minimax|alphabeta)$/,
  step: /^\d{1,4}$/,
  predict: FLAG,
  at_once: FLAG,
  windows: FLAG,
  answers: /^[\d.]*[abvx].{0,2000}$/,
  graded: /^(count|all)$/,
  results: /^[01-]{1,99}$/,
  aside: /^\d{1,4}$/, // the step that is shown instead of the exercise
};
const EXERCISE = ["at_once", "windows", "answers", "graded", "results", "aside"];
const VIEW = ["algorithm", "merge", "whole", "predict", "compare", "step", "node", ...EXERCISE];

// The kinds of trees: the parameters that are sent to the service, which checks the position or the tree; the initial
// values; and the valid values of the other parameters.
const BOARDS = {
  sent: ["board", "starts", "played", "scoring", "order", "max_depth"],
  initial: {
    board: ".".repeat(9),
    scoring: "distance",
    order: "cells",
    max_depth: "9",
    algorithm: "alphabeta",
    merge: "false",
    step: "0",
  },
  valid: {
    __proto__: null, // so that no other name has a value
    ...VALID,
    scoring: /^(outcome|distance)$/,
    order: /^(cells|best_first|worst_first)$/,
    max_depth: /^[1-9]$/,
    merge: /^(true|false)$/,
    whole: FLAG,
    compare: FLAG,
    node: /^[0-8](,[0-8]){0,8}$/,
  },
};
const NUMBERS = {
  sent: ["tree", "root", "cut", "order", "algorithm", "alpha", "beta"],
  initial: { root: "max", cut: "at_least", order: "given", algorithm: "alphabeta", step: END },
  valid: {
    __proto__: null,
    ...VALID,
    root: /^(max|min)$/,
    cut: /^(at_least|above)$/,
    order: /^(given|best_first|worst_first)$/,
    node: /^\d(,\d){0,7}$/,
  },
};

const CAPITALS = ["board", "starts"];
const READABLE = /%(2C|5B|5D|28|29)/g; // the codes of commas, brackets and parentheses, which a query may have

/** Read a search from a query string: the name of its `lesson`, or null, and its other parameters as text. */
export function read(query) {
  const given = [...new URLSearchParams(query)].map(([name, value]) => [name, normal(name, value)]);
  const { lesson: number, tree, board, played } = Object.fromEntries(given.filter(([, value]) => value));
  const chosen = lessonOf(number);
  const isFree = tree ? !chosen?.search.tree : played || (board && !chosen?.boards.includes(board));
  const lesson = isFree ? null : (chosen?.name ?? "1");
  const kind = kindOf(lesson ? lessonOf(lesson).search : { tree });
  const values = Object.fromEntries(given.filter(([name, value]) => value && (kind.valid[name]?.test(value) ?? true)));
  // A node without a step is shown at the end of the search.
  const step = values.node && !values.step ? { step: END } : {};
  return { ...initial(kind, lesson), ...pick(values, kind), ...step, lesson };
}

/** The parts of a query string that `read` ignores, as text. */
export function ignoredIn(query) {
  const used = read(query);
  return [...new URLSearchParams(query)]
    .filter(([name, value]) => value && normal(name, value) !== used[name])
    .map(([name, value]) => tellIgnored(name, value));
}

/** The URL of a search: its lesson, position or tree, and the parameters that differ from their initial values. */
export function addressOf(state) {
  const kind = kindOf(state);
  const start = initial(kind, state.lesson);
  // With a node, the step is always written, because the node would otherwise be shown at the end of the search.
  const isWritten = (name, value) => value !== start[name] || (name === "step" && Boolean(state.node));
  const changed = Object.entries(pick(state, kind)).filter(([name, value]) => isWritten(name, value));
  const { lesson, tree, board } = state;
  const first = lesson ? { lesson } : tree ? { tree } : { board };
  const text = new URLSearchParams({ ...first, ...Object.fromEntries(changed) }).toString();
  return `?${text.replace(READABLE, decodeURIComponent)}`;
}

/** The search as parameters of a request; that of a position without the algorithm. Minimax has no window. */
export const queryOf = ({ alpha, beta, ...state }) =>
  pick({ ...state, ...(state.algorithm !== "minimax" && { alpha, beta }) }, kindOf(state), []);

const normal = (name, value) => (CAPITALS.includes(name) ? value.toUpperCase() : value.toLowerCase());

const kindOf = ({ tree }) => (tree ? NUMBERS : BOARDS);

const initial = (kind, lesson) => ({ ...kind.initial, ...(lesson ? lessonOf(lesson).search : {}) });

const pick = (values, { sent }, view = VIEW) =>
  Object.fromEntries([...sent, ...view].filter((name) => values[name]).map((name) => [name, values[name]]));
