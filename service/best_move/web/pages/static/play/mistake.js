// The mistake that decided a finished game, as a part of the search tree: the position before it, the mistake with the
// reply that punishes it, and a better move. Each board is a link to its node on the search page.

import { element } from "../page.js";
import { marks, SIGNS, shape } from "../search/drawing.js";
import { CELL_NAMES, opponent } from "../words.js";
import { question } from "./game.js";

const SIZE = 72; // of a board
const HALF = SIZE / 2;
const COLUMNS = [40, 164, 288]; // the centers of the boards after no, one and two moves
const [UPPER, CENTER, LOWER] = [57, 110, 163]; // the centers of the rows
const EDGES = { current: "M76 110C102 110 102 57 128 57M200 57H252", chosen: "M76 110C102 110 102 163 128 163" };

// The drawing has the styles of the search page.
await new Promise((resolve, reject) => {
  const href = new URL("../search/tree.css", import.meta.url);
  document.head.append(Object.assign(element("link"), { rel: "stylesheet", href, onload: resolve, onerror: reject }));
});

/** Draw a mistake of a game in an element; `verdicts` are the reviews of all moves of the game. */
export function drawMistake(place, game, verdicts, { index, player, move, outcome, best_moves, best_outcome: best }) {
  const { move: played, best_moves: replies } = verdicts[index + 1];
  const reply = replies.includes(played) ? played : replies[0];
  const node = nodesAfter(question({ ...game, at: index }), player);
  place.replaceChildren(
    group("svg", { viewBox: "-2 0 332 222", role: "group", "aria-label": "The mistake and a better move" }, [
      ...Object.entries(EDGES).map(([name, d]) => group("g", { class: name }, [shape("path", { class: "way", d })])),
      ...node([], CENTER, best),
      ...node([move], UPPER, outcome),
      ...node([move, reply], UPPER, outcome, true),
      ...node([best_moves[0]], LOWER, best, true),
    ]),
  );
}

/** Return a function that draws the board after some moves, and at the end of a branch the outcome for the player. */
function nodesAfter({ board, starts }, player) {
  return (moves, y, outcome, isEnd = false) => {
    const marked = moves.reduce((cells, cell, ply) => cells.with(cell, ply ? opponent(player) : player), [...board]);
    const last = moves.at(-1) ?? null;
    const made = last === null ? "" : `${marked[last]} ${last}`;
    const result = { win: `${player} wins`, draw: "Draw", loss: `${player} loses` }[outcome];
    const place = { "data-outcome": outcome, transform: `translate(${COLUMNS[moves.length]} ${y})` };
    const shown = made ? `node=${moves}` : "step=9999"; // both are shown after the last step
    const link = {
      class: "node",
      href: `search?board=${board}&starts=${starts}&algorithm=minimax&${shown}`,
      "aria-label": `${made ? `${made}, ${CELL_NAMES[last]}` : `${player} to move`}: ${result}`,
    };
    const ending = [
      shape("path", { class: "sign", d: SIGNS[outcome], transform: `translate(${5 - HALF} ${HALF + 11})` }),
      shape("text", { class: "score", x: 14 - HALF, y: HALF + 15 }, result),
    ];
    return [
      group("a", { ...link, ...place }, [
        shape("rect", { class: "reach", x: -HALF - 4, y: -HALF - 18, width: SIZE + 8, height: SIZE + 40 }),
        shape("rect", { class: "card", x: -HALF, y: -HALF, width: SIZE, height: SIZE, rx: 4 }),
        ...marks(marked.join(""), SIZE, last),
        shape("text", { class: "move", x: -HALF, y: -HALF - 5, "data-mark": made[0] ?? "" }, made),
      ]),
      ...(isEnd ? [group("g", { ...place, "aria-hidden": "true" }, ending)] : []),
    ];
  };
}

/** A new SVG element with others inside. */
function group(name, attributes, shapes) {
  const made = shape(name, attributes);
  made.append(...shapes);
  return made;
}
