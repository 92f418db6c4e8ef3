// The lessons, read from the page's HTML, which also shows them without scripts.

import { find } from "../page.js";

/**
 * Each lesson: its `title`; `why`, the reason for it; the element with its `text`; the element with its `other` text,
 * which is shown with another board; its `search`; and `focus`, the path of the only branch to draw, or null to draw
 * all branches. Some lessons have no reason or no other text.
 */
export const LESSONS = [...find("lessons").children].map((item) => ({
  title: item.querySelector("h2").textContent,
  why: item.querySelector(".why")?.textContent,
  text: item.querySelector(".text"),
  other: item.querySelector(".other"),
  search: Object.fromEntries(new URLSearchParams(item.dataset.search)),
  focus: item.dataset.focus ?? null,
}));

/** The URLs of the exercises, whose positions appear in no lesson. */
export const EXERCISES = ["O.X.X.O..", "X...O.OX.", "X....O.XO", "O.XX....O"].map(
  (board) => `?board=${board}&to_move=X&scoring=outcome&predict=true`,
);
