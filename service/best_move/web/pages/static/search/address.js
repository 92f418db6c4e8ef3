// The search in the page's URL: the number of a lesson, or a position, and the chosen options.

import { LESSONS } from "./lessons.js";

const ASKED = ["board", "to_move", "played", "scoring", "order", "max_depth"]; // sent to the service
const SHOWN = ["algorithm", "merge", "whole", "predict", "compare", "step", "node"];
const DEFAULTS = { board: ".".repeat(9), algorithm: "alphabeta", step: "0" };
const OPTIONS = { scoring: "distance", order: "cells", max_depth: "9" };
const END = "9999"; // a step after the last step of every search

// The valid values of the parameters that the page checks; the service checks the other parameters.
const FLAG = /^true$/;
const UNDERSTOOD = {
  algorithm: /^(minimax|alphabeta)$/,
  ...{ merge: FLAG, whole: FLAG, predict: FLAG, compare: FLAG },
  step: /^\d{1,4}$/,
  node: /^[0-8](,[0-8]){0,8}$/,
};

/** Read a search from a query string: its `lesson`, which is null for a position, and its other parameters as text. */
export function read(query) {
  const given = Object.fromEntries(
    [...new URLSearchParams(query)].filter(([name, value]) => value && (UNDERSTOOD[name]?.test(value) ?? true)),
  );
  const chosen = LESSONS[given.lesson - 1];
  const isFree = given.played || (given.board && given.board !== chosen?.other?.dataset.board);
  // A node without a step is shown at the end of the search.
  const step = given.node && !given.step ? { step: END } : {};
  const lesson = isFree ? null : chosen ? Number(given.lesson) : 1;
  return { ...initial(lesson), ...pick(given), ...step, lesson };
}

/** The URL of a search: its lesson or position, and the parameters that differ from their initial values. */
export function addressOf(state) {
  const start = initial(state.lesson);
  const shown = Object.entries(pick(state)).filter(([name, value]) => value !== start[name]);
  const first = state.lesson ? { lesson: state.lesson } : { board: state.board };
  // Commas are allowed in a query and are easier to read than `%2C`.
  return `?${new URLSearchParams({ ...first, ...Object.fromEntries(shown) }).toString().replaceAll("%2C", ",")}`;
}

/** The search as parameters of a request, without the algorithm. */
export const question = (state) => pick(state, ASKED);

const initial = (lesson) => ({ ...DEFAULTS, ...OPTIONS, ...(lesson ? LESSONS[lesson - 1].search : {}) });

const pick = (values, names = [...ASKED, ...SHOWN]) =>
  Object.fromEntries(names.filter((name) => values[name]).map((name) => [name, values[name]]));
