// The lessons, which the page's HTML has as cards.

import { find } from "../page.js";
import { asButton } from "./terms.js";

find("lessons").querySelectorAll("[data-paths]").forEach(asButton);

/**
 * The lessons. `boards` are those that the card has texts for; `focus` is the path of the only branch to draw, and
 * `narrow` the same in a narrow window.
 */
const LESSONS = [...find("lessons").children].map(({ dataset }) => {
  const search = Object.fromEntries(new URLSearchParams(dataset.search));
  const { lesson: name, other, focus, narrow } = dataset;
  return { name, search, boards: [search.board, other], focus, narrow };
});

/** The lesson with a name, which is its number as text; undefined if there is none. */
export const lessonOf = (name) => LESSONS.find((each) => each.name === name);

/** The URLs of the exercises, whose positions appear in no lesson. */
export const EXERCISES = ["O.X.X.O..", "X...O.OX.", "X....O.XO", "O.XX....O"].map(
  (board) => `?board=${board}&scoring=outcome&predict=true`,
);
