// The lessons, read from the page's HTML, which also shows them without scripts.

import { find } from "../page.js";

/** The lessons: `other` is the text for another board, `focus` the path of the only branch to draw, `narrow` in a narrow window. */
export const LESSONS = [...find("lessons").children].map((item) => ({
  title: item.querySelector("h2").textContent,
  why: item.querySelector(".why")?.textContent,
  text: item.querySelector(".text"),
  other: item.querySelector(".other"),
  search: Object.fromEntries(new URLSearchParams(item.dataset.search)),
  focus: item.dataset.focus,
  narrow: item.dataset.narrow,
}));

/** The URLs of the exercises, whose positions appear in no lesson. */
export const EXERCISES = ["O.X.X.O..", "X...O.OX.", "X....O.XO", "O.XX....O"].map(
  (board) => `?board=${board}&to_move=X&scoring=outcome&predict=true`,
);
