// The comparison of all algorithms on one position.

import { find, write } from "../page.js";
import { ask } from "../service.js";
import { CELL_NAMES, count } from "../words.js";

const LINEAR = 50; // bars are logarithmic if the highest number of nodes is at least this many times the lowest

let latest = new AbortController();

/** Run each algorithm on a position, and show the nodes that it visits. */
export async function compare(query) {
  latest.abort();
  latest = new AbortController();
  const { signal } = latest;
  const rows = [...find("comparison").tBodies[0].rows];
  write("comparison-note", "Loading…");
  for (const row of rows) {
    fill(row, { nodes: "–", share: 0 });
  }
  try {
    const asked = rows.map(({ dataset: { algorithm } }) => ask({ ...query, algorithm }, signal));
    const { costs, note } = comparisonOf(await Promise.all(asked));
    for (const [index, row] of rows.entries()) {
      fill(row, costs[index]);
    }
    write("comparison-note", note);
  } catch (error) {
    if (!signal.aborted) {
      write("comparison-note", error.message);
    }
  }
}

/** The nodes and the bar of each algorithm's row, and the sentences below the table, from the algorithms' answers. */
export function comparisonOf(answers) {
  const visited = answers.map(({ nodes }) => nodes);
  const most = Math.max(...visited);
  const isLinear = most / Math.min(...visited) < LINEAR;
  const costs = visited.map((nodes) => ({
    nodes: count(nodes),
    share: isLinear ? nodes / most : Math.log(nodes) / Math.log(most),
  }));
  const [{ move, position }] = answers;
  if (move === null) {
    return { costs, note: "The game is over: there is one node to visit." };
  }
  const found = `All find the same move, ${position.to_move} ${move}, the ${CELL_NAMES[move]}.`;
  return { costs, note: isLinear ? found : `${found} The bars are as long as the logarithms of the nodes.` };
}

function fill(row, { nodes, share }) {
  const [number, bar] = row.querySelector("td").children;
  number.textContent = nodes;
  bar.style.setProperty("--share", share);
}
