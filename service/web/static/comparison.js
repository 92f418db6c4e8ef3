// The algorithms side by side, one after the other so that none slows another down.

import { ask } from "./service.js";
import { CELL_NAMES, count, humane, milliseconds } from "./words.js";

const find = (id) => document.getElementById(id);

let comparisons = 0;

/** Make a row for each algorithm. */
export function listAlgorithms(names) {
  find("bars").tBodies[0].replaceChildren(...names.map(row));
}

/** Empty the rows: what they said, or are about to say, is about another position. */
export function clearComparison() {
  comparisons += 1;
  for (const cell of find("bars").querySelectorAll("td")) {
    fill(cell, "–", 0);
  }
  find("compare-note").textContent = "The same position, the same move. Only the cost differs.";
}

/** Ask every algorithm the same question, and draw what it cost. */
export async function compare(question) {
  clearComparison();
  const mine = comparisons;
  const rows = [...find("bars").tBodies[0].rows];
  const answers = [];
  try {
    for (const { dataset } of rows) {
      const { answer } = await ask({ ...question, algorithm: dataset.algorithm }, { again: true });
      answers.push(answer);
    }
  } catch (fault) {
    find("compare-note").textContent = fault.message;
    return;
  }
  if (mine !== comparisons) {
    return;
  }
  const most = { nodes: 1, elapsed_ms: 0.001 };
  for (const name of Object.keys(most)) {
    most[name] = Math.max(most[name], ...answers.map((answer) => answer[name]));
  }
  answers.forEach(({ nodes, elapsed_ms: time }, index) => {
    const [nodesCell, timeCell] = rows[index].querySelectorAll("td");
    fill(nodesCell, count(nodes), nodes / most.nodes);
    fill(timeCell, milliseconds(time), time / most.elapsed_ms);
  });
  find("compare-note").textContent = agreement(answers.map(({ move }) => move));
}

/** Measure the first move of minimax and of alpha-beta. */
export async function measureFirstMove() {
  const times = {};
  try {
    for (const algorithm of ["minimax", "alphabeta"]) {
      const { answer } = await ask({ board: ".........", algorithm }, { again: true });
      times[algorithm] = answer.elapsed_ms;
      find(`now-${algorithm}`).textContent = milliseconds(answer.elapsed_ms);
    }
  } catch (fault) {
    find("measure-note").textContent = fault.message;
    return;
  }
  find("now-ratio").textContent = `${Math.round(times.minimax / times.alphabeta)} times`;
  find("measure-note").textContent = "Measured just now, in the service, the search alone.";
}

function agreement(moves) {
  const [move] = moves;
  if (move === null) {
    return "The game is over: there is one node to visit.";
  }
  return moves.every((other) => other === move)
    ? `All find the same move, ${CELL_NAMES[move]}. Only the cost differs.`
    : "The moves differ, since the choice among equal ones is random.";
}

function row(name) {
  const made = document.createElement("tr");
  made.dataset.algorithm = name;
  made.innerHTML = '<th scope="row"></th>' + '<td><span class="amount"></span><span class="bar"></span></td>'.repeat(2);
  made.cells[0].textContent = humane(name);
  for (const cell of made.querySelectorAll("td")) {
    fill(cell, "–", 0);
  }
  return made;
}

function fill(cell, text, share) {
  const [amount, bar] = cell.children;
  amount.textContent = text;
  bar.style.setProperty("--share", share);
}
