// What the page calls things.

export const CELL_NAMES = [
  "top left", "top center", "top right",
  "middle left", "center", "middle right",
  "bottom left", "bottom center", "bottom right",
];

const OUTCOMES = { win: "Win", draw: "Draw", loss: "Loss", unknown: "Estimate" };

const whole = new Intl.NumberFormat("en-US");
const short = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

export const opponent = (mark) => (mark === "X" ? "O" : "X");

export const count = (number) => whole.format(number);

export const outcome = (word) => OUTCOMES[word] ?? word;

export const plies = (number) => (number === 1 ? "1 ply" : `${number} plies`);

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Names in the contract, such as `transposition_table`, as words. */
export const humane = (name) => capital(name.replaceAll("_", " ").replace("alphabeta", "alpha-beta"));

/** A value with its sign: +1, 0, −1, ≈ +0.13. */
export function value(number, isExact) {
  const size = short.format(Math.abs(number));
  const sign = size === "0" ? "" : number > 0 ? "+" : "−";
  return `${isExact ? "" : "≈ "}${sign}${size}`;
}

/** A time given in milliseconds, short enough for its place. */
export function milliseconds(number) {
  if (number >= 1000) {
    return `${(number / 1000).toFixed(2)} s`;
  }
  return `${number.toFixed(number < 10 ? 2 : 0)} ms`;
}

/** How a finished game ended, to the person who plays `you`. */
export function ending(status, you) {
  if (status === "draw") {
    return "A draw.";
  }
  const winner = status === "x_won" ? "X" : "O";
  if (you === "both") {
    return `${winner} has won.`;
  }
  return you === winner ? `You have won with ${winner}.` : `The oracle has won with ${winner}.`;
}
