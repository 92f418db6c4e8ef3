// The lessons, read from the page's HTML, which also shows them without scripts.

import { find } from "../page.js";

/**
 * The cards of the lessons. `name` is the lesson's number, with a letter on its second card; `other` is the text for
 * another board; `focus` is the path of the only branch to draw, and `narrow` the same in a narrow window.
 */
export const LESSONS = [...find("lessons").children].map((item) => ({
  name: item.dataset.lesson,
  number: item.dataset.lesson[0],
  title: item.querySelector("h2").textContent,
  why: item.querySelector(".why")?.textContent,
  text: item.querySelector(".text"),
  other: item.querySelector(".other"),
  search: Object.fromEntries(new URLSearchParams(item.dataset.search)),
  focus: item.dataset.focus,
  narrow: item.dataset.narrow,
}));

/** The card with a name; undefined if there is none. */
export const lessonOf = (name) => LESSONS.find((each) => each.name === name);

/** The URLs of the exercises, whose positions appear in no lesson. */
export const EXERCISES = ["O.X.X.O..", "X...O.OX.", "X....O.XO", "O.XX....O"].map(
  (board) => `?board=${board}&scoring=outcome&predict=true`,
);
