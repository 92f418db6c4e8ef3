// Searches of positions. All kinds of trees have modules with these exports.

import { askTree, follow } from "../../service.js";
import { count, opponent } from "../../words.js";
import { LIMITS, round, shape, side } from "../drawing.js";
import { BoardTree } from "./tree.js";

export { BoardWording as Wording } from "./wording.js";

/** The sign of each outcome, as a path around the origin. */
const SIGNS = {
  win: "M0-4 4.6 4H-4.6Z",
  draw: "M-4-3.2H4V-.8H-4ZM-4 .8H4V3.2H-4Z",
  loss: "M0 4 4.6-4H-4.6Z",
  unknown: "M0-4 4 0 0 4-4 0Z",
};
const BOUNDS = {
  at_least: "M-2.6-3.4 2.4-1.2-2.6 1M-2.6 3.4H2.6",
  at_most: "M2.6-3.4-2.4-1.2 2.6 1M-2.6 3.4H2.6",
};

/** Return the tree of a position, with all nodes on a path and the children of the path's last node. */
export async function load(query, path) {
  const trees = ["minimax", "alphabeta"].map((algorithm) => askTree({ ...query, algorithm }));
  const tree = new BoardTree(...(await Promise.all(trees)));
  // Each prefix of the path that ends in a whole move.
  for (const place of path ? path.matchAll(/,|$/g) : []) {
    const node = tree.at(path.slice(0, place.index));
    if (node && isCollapsed(node)) {
      await grow(tree, node);
    }
  }
  return tree;
}

/** Whether nodes below a node are omitted. */
export const isCollapsed = ({ children, minimax }) => !children.length && Boolean(minimax.href);

/** Request the nodes omitted below a node, and insert them into the tree. */
export async function grow(tree, node) {
  const { minimax, alphabeta } = node;
  const answers = await Promise.all([minimax.href, alphabeta?.href].map((href) => href && follow(href)));
  if (isCollapsed(node)) {
    tree.grow(node, ...answers);
  }
}

/** The side to move or, if the game is over, its result. */
export function title({ maximizer, root: { minimax } }) {
  if (minimax.distance !== 0) {
    return `${maximizer} to move`;
  }
  return minimax.outcome === "draw" ? "A draw" : `${opponent(maximizer)} won`;
}

/** The boards of the exercises, which appear in no lesson. */
const EXERCISES = ["O.X.X.O..", "X...O.OX.", "X....O.XO", "O.XX....O"];

/** The link to the next exercise: the first one after the last, and for a board that is none of them. */
export function exerciseAfter({ root: { board } }) {
  const next = EXERCISES[(EXERCISES.indexOf(board) + 1) % EXERCISES.length];
  return { href: `?board=${next}&scoring=outcome&predict=true`, text: "Another position" };
}

/** The cost of both searches. */
export function cost({ root: { minimax, alphabeta } }) {
  if (minimax.distance === 0) {
    return "There is nothing to search.";
  }
  return `Minimax visits ${count(minimax.nodes)} nodes, alpha-beta ${count(alphabeta.nodes)}.`;
}

/** The position of a tree as text, and in the name of a file. */
export const notation = ({ root }) => root.board;
export const fileName = notation;

/** The shapes of a node, of which the class `score` gets its score. */
export function content(node, tree) {
  const { board, move, size, hasBoard, parent } = node;
  const half = size / 2;
  return [
    shape("rect", { class: "card", x: -half, y: -half, width: size, height: size, rx: hasBoard ? 3 : 2 }),
    ...(hasBoard ? marks(board, size, move) : []),
    ...(parent ? [label(node, tree.merged(node).length + 1), " "] : []), // the space separates the words
    shape("path", { class: "sign", transform: hasBoard ? `translate(${half + 8} -9)` : `scale(${0.075 * size})` }),
    ...(hasBoard ? [shape("path", { class: "bound", transform: `translate(${half + 18} -9)` })] : []),
    shape("text", hasBoard ? { class: "score", x: half + 2, y: 14 } : { class: "small score", y: half + 6.5 }),
  ];
}

/** Show the outcome, the bound and the score of a node. */
export function paint(node, { outcome = "", bound, score }) {
  node.dataset.outcome = outcome;
  node.querySelector(".sign").setAttribute("d", SIGNS[outcome] ?? "");
  const limit = node.querySelector(".bound");
  limit?.setAttribute("d", BOUNDS[bound] ?? "");
  node.querySelector(".score").textContent = (limit ? "" : (LIMITS[bound] ?? "")) + score;
}

/** The grid and the marks of a board of this size around the origin; the mark of the last move is a separate path. */
function marks(board, size, last = null) {
  const step = size / 3.4;
  const reach = size * 0.085;
  const [near, far] = [round(step / 2), round(step * 1.45)];
  const grid = [-near, near].map((at) => `M${at} ${-far}V${far}M${-far} ${at}H${far}`).join("");
  const draw = {
    X: (x, y) =>
      `M${round(x - reach)} ${round(y - reach)}l${round(2 * reach)} ${round(2 * reach)}m0 ${round(-2 * reach)}l${round(-2 * reach)} ${round(2 * reach)}`,
    O: (x, y) => {
      const r = round(reach * 1.1);
      return `M${round(x - r)} ${round(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
    },
  };
  const paths = { X: "", O: "", last: "" };
  [...board].forEach((mark, cell) => {
    if (mark in draw) {
      paths[cell === last ? "last" : mark] += draw[mark](...center(cell, step));
    }
  });
  return [
    shape("path", { class: "grid", d: grid }),
    shape("path", { class: "mark", d: paths.X + paths.O }),
    ...(last === null ? [] : [shape("path", { class: "mark last", "data-mark": board[last], d: paths.last })]),
  ];
}

/** The large board of the current step, with the numbers of the empty cells. */
export function picture({ board, move: last }) {
  const numbers = [...board].map((mark, cell) => {
    const [x, y] = center(cell, 96 / 3.4);
    return /[XO]/.test(mark) ? "" : shape("text", { x: round(x), y: round(y + 4) }, cell);
  });
  const card = shape("rect", { class: "card", x: -48, y: -48, width: 96, height: 96, rx: 6 });
  return [card, ...marks(board, 96, last), ...numbers];
}

/** The name of the side to move at a ply: MAX or MIN, and its mark; null if all games are over. */
export function sideName(side, { maximizer }) {
  if (!side) {
    return ["end"];
  }
  const mark = side === "max" ? maximizer : opponent(maximizer);
  return [shape("tspan", { class: "side" }, `${side.toUpperCase()} `), shape("tspan", { "data-mark": mark }, mark)];
}

/** The signs of the legend that only positions have: the width, attributes, shapes, text and lesson of each. */
export function signs({ maximizer, isLimited }, algorithm) {
  const path = (name, d, transform = "") => shape("path", { class: name, d, transform });
  const sign = (outcome, text) => [12, { "data-outcome": outcome }, [path("sign", SIGNS[outcome])], text];
  const bounds = [path("bound", BOUNDS.at_most, "translate(-6 1)"), path("bound", BOUNDS.at_least, "translate(6 1)")];
  return [
    sign("win", `win for ${maximizer}`),
    sign("draw", "draw"),
    sign("loss", `loss for ${maximizer}`),
    isLimited && sign("unknown", "estimate"),
    algorithm !== "minimax" && [26, {}, bounds, "only a bound", 5],
  ];
}

/** The label above a node: the move, or only the cell at a small square. */
function label({ board, move, size, hasBoard, x, parent }, count) {
  const place = { ...side({ x, parent }), y: -size / 2 - 4, "data-mark": board[move] };
  if (!hasBoard) {
    return shape("text", { class: "small move", ...place }, move);
  }
  const made = shape("text", { class: "move", ...place }, `${board[move]} ${move}`);
  made.append(...(count > 1 ? [" ", shape("tspan", { class: "times" }, `×${count}`)] : []));
  return made;
}

const center = (cell, step) => [((cell % 3) - 1) * step, (Math.floor(cell / 3) - 1) * step];
