// The explanation of a position: a sentence on the result of best play, the line of best play, and each move's outcome.

import { button, element } from "../page.js";
import { CELL_NAMES, count, firstSentence, opponent, signed, worth } from "../words.js";
import { lineOf } from "./line.js";

/**
 * Explain a position in an element of the page. `search` is the URL of the position's search; `back` is null or a
 * function that goes to the position before the last move; `preview` shows another position, as in line.js.
 */
export function explain(place, { advice, analysis, error, search, back }, preview) {
  if (!analysis || advice.move === null) {
    place.replaceChildren(element("p", error?.message ?? advice?.text));
    if (advice?.move === null && back) {
      place.append(button("Explain the position before the last move", back));
    }
    return;
  }
  const { position, algorithm, nodes } = advice;
  const why = element("p", `${prospect(advice)} ${firstSentence(advice.text)}`);
  const name = algorithm.replace("alphabeta", "alpha-beta").replaceAll("_", " ");
  const cost = element("p", `To find this, ${name} visited ${count(nodes)} nodes.`, "note");
  const link = element("a", "See how the search found this");
  link.href = search;
  place.replaceChildren(
    why,
    element("h4", "The line of best play, by both sides"),
    lineOf({ start: position.board, starts: position.starts, played: advice.principal_variation }, 0, preview),
    element("h4", `Every move of ${position.to_move}, the best first`),
    list(analysis.moves),
    cost,
    link,
  );
}

function list(moves) {
  const items = element("ul", "", "worths");
  for (const move of moves) {
    const [symbol, words] = worth(move);
    const sign = element("b", symbol);
    sign.ariaHidden = "true";
    const item = element("li", [sign, ` ${words}: ${move.move}, ${CELL_NAMES[move.move]}`]);
    item.dataset.worth = symbol;
    items.append(item);
  }
  return items;
}

/** A sentence on what best play leads to from a position. */
function prospect({ outcome, distance, value, max_depth: depth, position }) {
  const side = position.to_move;
  const winner = outcome === "win" ? side : opponent(side);
  const turns = Math.ceil(distance / 2);
  const wins = distance === null ? "can force a win" : `can force a win within ${turns} of its own moves`;
  const forced = turns === 1 ? "wins on the next move" : wins;
  return {
    win: `${winner} ${forced}.`,
    draw: "With best play by both sides, nobody wins.",
    loss: `${winner} ${forced}, whatever ${side} does.`,
    unknown: `Undecided at depth ${depth}. Estimate for ${side}: ${signed(value)}, from −1 (certain loss) to +1 (certain win).`,
  }[outcome];
}
