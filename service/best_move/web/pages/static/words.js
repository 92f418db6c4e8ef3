// Names, numbers, outcomes and mistakes in words.

/** The names of the cells, by number; the service's sentences use the same names. */
export const CELL_NAMES = [
  "top-left corner",
  "top side",
  "top-right corner",
  "left side",
  "center",
  "right side",
  "bottom-left corner",
  "bottom side",
  "bottom-right corner",
];

const whole = new Intl.NumberFormat("en-US");
const short = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

/** The first sentence of a text from the service. */
export const firstSentence = (text) => text.replace(/\. .*/, ".");

const LONG = 40; // characters

/** A part of the URL that a page ignores, as text; a long one is cut. */
export function tellIgnored(name, value) {
  const text = `${name}=${value}`;
  return text.length > LONG ? `${text.slice(0, LONG)}…` : text;
}

/** The other side's mark. */
export const opponent = (mark) => (mark === "X" ? "O" : "X");

/** A number with thousands separators. */
export const count = (number) => whole.format(number);

/** The outcome of a move for the side that makes it: a symbol, and words that count only this side's turns. */
export function worth({ outcome, distance, value }) {
  const turns = Math.ceil(distance / 2);
  const when = distance === null ? "" : ` in ${turns} turns`;
  return {
    win: ["▲", turns === 1 ? "Wins now" : `Wins${when}`],
    draw: ["=", "Draws"],
    loss: ["▼", turns === 1 ? "Loses next turn" : `Loses${when}`],
    unknown: ["≈", `About ${signed(value)}`],
  }[outcome];
}

/** How a game ended, for a user who plays `you`. */
export function ending(status, you) {
  if (status === "draw") {
    return "A draw.";
  }
  const winner = status === "x_won" ? "X" : "O";
  if (you === winner) {
    return `You won with ${winner}.`;
  }
  return you === opponent(winner) ? `You lost: ${winner} won.` : `${winner} won.`;
}

/** A score with its sign. */
export function signed(value) {
  const size = short.format(Math.abs(value));
  if (size === "0") {
    return "0";
  }
  return `${value > 0 ? "+" : "−"}${size}`;
}

/** The name of the cell to play instead of a mistake. */
export const better = ({ best_moves: [cell] }) => CELL_NAMES[cell];

/** What the game would have come to without a mistake. */
export const instead = (mistake) =>
  `the ${better(mistake)} would have ${mistake.best_outcome === "win" ? "won" : "drawn"}`;

/**
 * A sentence on the last mistake of a finished game, or that there was none, for a user who plays `you`. The last
 * mistake decided how the game ended, because the outcome did not change after it.
 */
export function tellMistake(mistake, you) {
  if (!mistake) {
    return "Nobody made a mistake.";
  }
  const { player, move, outcome } = mistake;
  const cell = CELL_NAMES[move];
  const isYou = you === player;
  if (outcome === "draw") {
    return `${isYou ? "You" : player} gave a win away with the ${cell}: ${instead(mistake)}.`;
  }
  return `${isYou ? "Your" : `${player}'s`} mistake was the ${cell}: ${instead(mistake)}.`;
}
