// The algorithms side by side, run one after the other so that none slows down another.

import { find, write } from "../page.js";
import { ask } from "../service.js";
import { CELL_NAMES, count, milliseconds } from "../words.js";

let shown = ""; // the question that the rows answer, or soon will
let comparisons = 0;

/** Run every algorithm on a position and draw its cost, unless the rows show it already; null empties the rows. */
export async function compare(question, { again = false } = {}) {
  if (shown === JSON.stringify(question) && !again) {
    return;
  }
  clear();
  if (!question) {
    return;
  }
  shown = JSON.stringify(question);
  write("compare-note", "Asking…");
  const mine = comparisons;
  const rows = [...find("bars").tBodies[0].rows];
  const answers = [];
  try {
    for (const { dataset } of rows) {
      const { answer } = await ask({ ...question, algorithm: dataset.algorithm }, { again: true });
      answers.push(answer);
    }
  } catch (fault) {
    if (mine === comparisons) {
      shown = "";
      write("compare-note", fault.message);
    }
    return;
  }
  if (mine === comparisons) {
    const most = Math.max(...answers.map(({ nodes }) => nodes));
    for (const [index, answer] of answers.entries()) {
      fill(rows[index], answer, most);
    }
    write("compare-note", conclusion(rows, answers, most));
  }
}

/** Empty the rows, which are about another position. */
function clear() {
  comparisons += 1;
  shown = "";
  for (const row of find("bars").tBodies[0].rows) {
    fill(row, null, 1);
  }
  write("compare-note", "");
}

function conclusion(rows, answers, most) {
  const [{ move }] = answers;
  if (move === null) {
    return "The game is over: there is one node to visit.";
  }
  const least = Math.min(...answers.map(({ nodes }) => nodes));
  const name = (nodes) => rows[answers.findIndex((answer) => answer.nodes === nodes)].cells[0].textContent;
  const saved = `${name(most)} visited ${count(most)} nodes, ${name(least)} ${count(least)}.`;
  const agree = answers.every((answer) => answer.move === move)
    ? `All find the same move, ${CELL_NAMES[move]}.`
    : "Their moves differ, and are equally good.";
  return `${agree} ${most === least ? "Each visited as many nodes." : saved}`;
}

/** Fill a row, or empty it. The bar has the length of the logarithm of the nodes. */
function fill(row, answer, most) {
  const [, { children }, time] = row.cells;
  const [amount, ratio, bar] = children;
  const part = answer ? Math.round(most / answer.nodes) : 1;
  amount.textContent = answer ? count(answer.nodes) : "–";
  ratio.textContent = part > 1 ? `1 in ${count(part)}` : "";
  time.textContent = answer ? milliseconds(answer.elapsed_ms) : "–";
  const share = answer ? (1 + Math.log10(answer.nodes)) / (1 + Math.log10(most)) : 0;
  bar.style.setProperty("--share", share);
}
