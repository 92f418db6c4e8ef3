// The search in the page's URL: the number of a lesson, or a position, and the chosen options.

import { tellIgnored } from "../words.js";
import { lessonOf } from "./lessons.js";

const QUERY = ["board", "starts", "played", "scoring", "order", "max_depth"]; // sent to the service
const VIEW = ["algorithm", "merge", "whole", "predict", "compare", "step", "node"];
const DEFAULTS = {
  board: ".".repeat(9),
  scoring: "distance",
  order: "cells",
  max_depth: "9",
  algorithm: "alphabeta",
  merge: "false",
  step: "0",
};
const END = "9999"; // a step after the last step of every search

// The valid values of the parameters that the page checks; the service checks the position.
const FLAG = /^true$/;
const VALID = {
  __proto__: null, // so that no other name has a value
  scoring: /^(outcome|distance)$/,
  order: /^(cells|best_first|worst_first)$/,
  max_depth: /^[1-9]$/,
  algorithm: /^(minimax|alphabeta)$/,
  merge: /^(true|false)$/,
  whole: FLAG,
  predict: FLAG,
  compare: FLAG,
  step: /^\d{1,4}$/,
  node: /^[0-8](,[0-8]){0,8}$/,
};

const CAPITALS = ["board", "starts"];

/**
 * Read a search from a query string, with values in upper or lower case: the name of its `lesson`, which is null for a
 * position, and its other parameters as text.
 */
export function read(query) {
  const given = [...new URLSearchParams(query)].map(([name, value]) => [name, normal(name, value)]);
  const values = Object.fromEntries(given.filter(([name, value]) => value && (VALID[name]?.test(value) ?? true)));
  const chosen = lessonOf(values.lesson);
  const isFree = values.played || (values.board && !chosen?.boards.includes(values.board));
  // A node without a step is shown at the end of the search.
  const step = values.node && !values.step ? { step: END } : {};
  const lesson = isFree ? null : (chosen?.name ?? "1");
  return { ...initial(lesson), ...pick(values), ...step, lesson };
}

/** The parts of a query string that `read` ignores, as text. */
export function ignoredIn(query) {
  const used = read(query);
  return [...new URLSearchParams(query)]
    .filter(([name, value]) => value && normal(name, value) !== used[name])
    .map(([name, value]) => tellIgnored(name, value));
}

/** The URL of a search: its lesson or position, and the parameters that differ from their initial values. */
export function addressOf(state) {
  const start = initial(state.lesson);
  // With a node, the step is always written, because the node would otherwise be shown at the end of the search.
  const isWritten = (name, value) => value !== start[name] || (name === "step" && Boolean(state.node));
  const changed = Object.entries(pick(state)).filter(([name, value]) => isWritten(name, value));
  const first = state.lesson ? { lesson: state.lesson } : { board: state.board };
  // Commas are allowed in a query and are easier to read than `%2C`.
  return `?${new URLSearchParams({ ...first, ...Object.fromEntries(changed) }).toString().replaceAll("%2C", ",")}`;
}

/** The search as parameters of a request, without the algorithm. */
export const queryOf = (state) => pick(state, QUERY);

const normal = (name, value) => (CAPITALS.includes(name) ? value.toUpperCase() : value.toLowerCase());

const initial = (lesson) => ({ ...DEFAULTS, ...(lesson ? lessonOf(lesson).search : {}) });

const pick = (values, names = [...QUERY, ...VIEW]) =>
  Object.fromEntries(names.filter((name) => values[name]).map((name) => [name, values[name]]));
