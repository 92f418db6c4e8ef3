// The comparison of all algorithms on one position, in a dialog.

import { element, find, write } from "../page.js";
import { addStyles, ask } from "../service.js";
import { CELL_NAMES, count } from "../words.js";

// The names of the algorithms in requests, and what they are in words.
const ALGORITHMS = {
  minimax: ["Minimax", "Visits every node."],
  alphabeta: ["Alpha-beta", "Skips moves that cannot change the result."],
  ordered_alphabeta: [
    "Ordered alpha-beta",
    `Alpha-beta that tries first a winning move, a block, the center, the corners. Only the moves of the position itself
    are tried by number.`,
  ],
  transposition_table: [
    "Transposition table",
    `Ordered alpha-beta that stores scores and looks up positions it has seen, or their rotations and mirror images. No
    drawing: different orders of the same moves share one entry.`,
  ],
  iterative_deepening: [
    "Iterative deepening",
    `Searches with a table to depth 1, then 2, and so on. Each search first tries the best move of the search before. No
    drawing: it has one tree per depth.`,
  ],
};

const REASONS = `<h3>Why</h3>
<ul>
  <li>Minimax is for games of two players in which nothing is hidden, chance plays no part, and one player's gain is the
    other's loss.</li>
  <li><code>V(s)</code>, the value of a position <code>s</code>, is its score if the game is over. Otherwise it is the
    highest <code>V</code> that a move leads to if <span translate="no">MAX</span> is to move, and the lowest if
    <span translate="no">MIN</span> is. To compute it, minimax calls itself for each move: this is <em>recursion</em>, at
    most nine calls deep.</li>
  <li>With <code>b</code> moves in each position and <code>m</code> moves to the end, minimax visits about
    <code>b<sup>m</sup></code> nodes. Alpha-beta visits about <code>b<sup>m/2</sup></code> if the best move always comes
    first. Here <code>b</code> falls from 9 to 1, and many games end early: there are 255,168 games from the empty board,
    and 549,946 nodes.</li>
  <li>Each of nine cells is empty, X or O, which makes 3<sup>9</sup> = 19,683 boards. Only 5,478 of them occur in a game
    that X starts, and 765 remain if rotations and mirror images count as one.</li>
</ul>`;

const LINEAR = 50; // bars are logarithmic if the highest number of nodes is at least this many times the lowest

let latest = new AbortController();

await addStyles(new URL("comparison.css", import.meta.url));

/** Show the dialog with the nodes that each algorithm visits on a position; call `onClose` when it is closed. */
export async function compare(query, onClose) {
  const dialog = find("costs") ?? build(onClose);
  dialog.showModal();
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

function build(onClose) {
  const rows = Object.entries(ALGORITHMS).map(
    ([algorithm, [name, text]]) => `<tr data-algorithm="${algorithm}"><th scope="row">${name}<small>${text}</small></th>
      <td><b></b><i></i></td></tr>`,
  );
  const dialog = element("dialog", "", "costs");
  Object.assign(dialog, {
    id: "costs",
    innerHTML: `
    <form method="dialog"><h2 id="costs-title">What it costs</h2><button>Close</button></form>
    <table id="comparison">
      <thead><tr><th scope="col">Search</th><th scope="col">Nodes</th></tr></thead>
      <tbody>${rows.join("")}</tbody>
    </table>
    <p id="comparison-note" role="status"></p>
    ${REASONS}`,
  });
  dialog.setAttribute("aria-labelledby", "costs-title");
  dialog.addEventListener("close", onClose);
  find("search").after(dialog);
  return dialog;
}

/** The nodes and the bar of each algorithm's row, and the sentences below the table, from the algorithms' answers. */
function comparisonOf(answers) {
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
