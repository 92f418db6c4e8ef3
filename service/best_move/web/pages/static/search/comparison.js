// The comparison of all algorithms on one position. They run one after another, so that none slows down the others.

import { find, write } from "../page.js";
import { ask } from "../service.js";
import { CELL_NAMES, count } from "../words.js";

const RUNS = 5;
const LINEAR = 50; // bars are logarithmic if the highest number of nodes is at least this many times the lowest

let latest = new AbortController();

/** Run each algorithm `RUNS` times on a position, and show its nodes and its shortest time. */
export async function compare(query) {
  latest.abort();
  latest = new AbortController();
  const { signal } = latest;
  const rows = [...find("comparison").tBodies[0].rows];
  const answers = rows.map(() => []);
  write("comparison-note", "Loading…");
  for (const row of rows) {
    fill(row, { nodes: "–", time: "–", share: 0 });
  }
  try {
    for (let run = 0; run < RUNS; run += 1) {
      for (const [index, { dataset }] of rows.entries()) {
        const { algorithm } = dataset;
        answers[index].push(await ask({ ...query, algorithm }, signal, { cache: "no-store" }));
      }
    }
  } catch (error) {
    if (!signal.aborted) {
      write("comparison-note", error.message);
    }
    return;
  }
  const { costs, note } = comparisonOf(answers);
  for (const [index, row] of rows.entries()) {
    fill(row, costs[index]);
  }
  write("comparison-note", note);
}

/** The cells of each algorithm's row and the sentences below the table, from the answers of each algorithm. */
export function comparisonOf(answers) {
  const visited = answers.map(([{ nodes }]) => nodes);
  const most = Math.max(...visited);
  const isLinear = most / Math.min(...visited) < LINEAR;
  const costs = answers.map((runs) => {
    const [{ nodes }] = runs;
    const times = runs.map(({ elapsed_ms: elapsed }) => elapsed);
    return {
      nodes: count(nodes),
      time: `${short(Math.min(...times))} ms`,
      share: isLinear ? nodes / most : Math.log(nodes) / Math.log(most),
    };
  });
  const [[{ move, position }]] = answers;
  if (move === null) {
    return { costs, note: "The game is over: there is one node to visit." };
  }
  const found = `All find the same move, ${position.to_move} ${move}, the ${CELL_NAMES[move]}.`;
  return { costs, note: isLinear ? found : `${found} The bars are as long as the logarithms of the nodes.` };
}

function fill(row, { nodes, time, share }) {
  const [amount, least] = row.querySelectorAll("td");
  amount.firstElementChild.textContent = nodes;
  amount.lastElementChild.style.setProperty("--share", share);
  least.textContent = time;
}

const short = (number) => String(Number(number.toPrecision(2)));
