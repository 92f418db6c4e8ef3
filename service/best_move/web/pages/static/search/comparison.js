// The comparison of all algorithms on one position. They run one after another, so that none slows down the others.

import { find, write } from "../page.js";
import { ask } from "../service.js";
import { CELL_NAMES, count } from "../words.js";
import { nodes } from "./wording.js";

const RUNS = 5;
const LINEAR = 50; // bars are logarithmic if the highest number of nodes is at least this many times the lowest

let latest = new AbortController();

/** Run each algorithm `RUNS` times on a position, and show its nodes and its shortest and longest time. */
export async function compare(query) {
  latest.abort();
  latest = new AbortController();
  const { signal } = latest;
  const rows = [...find("comparison").tBodies[0].rows];
  const answers = rows.map(() => []);
  write("comparison-note", "Loading…");
  for (const row of rows) {
    fill(row, null, 0);
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
  const costs = answers.map(([{ nodes: visited }]) => visited);
  const [least, most] = [Math.min(...costs), Math.max(...costs)];
  const share = (number) => (most / least < LINEAR ? number / most : (1 + Math.log10(number)) / (1 + Math.log10(most)));
  for (const [index, row] of rows.entries()) {
    fill(row, answers[index], share(costs[index]));
  }
  const [[{ move, position }]] = answers;
  const [, byNumber, ordered] = costs;
  const found = `All find the same move, ${position.to_move} ${move}, the ${CELL_NAMES[move]}.`;
  const loss =
    ordered > byNumber ? ` A guess can be wrong: here ordering costs ${nodes(ordered - byNumber)} more.` : "";
  const scale = most / least < LINEAR ? "" : " The bars are as long as the logarithms of the nodes.";
  write("comparison-note", move === null ? "The game is over: there is one node to visit." : found + loss + scale);
}

function fill(row, answers, share) {
  const [amount, time] = row.querySelectorAll("td");
  const times = answers?.map(({ elapsed_ms: elapsed }) => elapsed).sort((one, other) => one - other);
  amount.firstElementChild.textContent = answers ? count(answers[0].nodes) : "–";
  amount.lastElementChild.style.setProperty("--share", share);
  time.textContent = times ? `${short(times.at(0))} to ${short(times.at(-1))} ms` : "–";
}

const short = (number) => String(Number(number.toPrecision(2)));
