// Searches of trees of numbers: how they are loaded, placed and drawn.

import { follow } from "../../service.js";
import { side as aside, LIMITS, round, shape } from "../drawing.js";
import { listed } from "../terms.js";
import { ROOM, Tree } from "../tree.js";
import { Editing, nextRandom, randomIn } from "./editing.js";

export { NumberWording as Wording } from "./wording.js";

const INNER = { size: 44, beside: 0, pitch: 56, edge: 34, below: 0, family: 10 };
const LEAF = { ...INNER, size: 34, pitch: 44 };
const SMALL = { ...INNER, size: 28, pitch: 32, below: 12 }; // a leaf among many, with its letter below it
const CLOSE = { pitch: 42, family: 0 }; // a leaf in a narrow window, where it is as wide as a target must be
// The pitches in an exercise, for buttons of neighboring branches and for fields, and the height of edges with buttons.
const FIELDS = { values: { leaf: 66, inner: 66, edge: 76 }, windows: { leaf: 66, inner: 168, edge: 76 } };

/** Return the tree of a search by one algorithm. */
export async function load(query) {
  const tree = new NumberTree(await follow(`number-tree?${new URLSearchParams(query)}`));
  return Object.assign(tree, { text: query.tree });
}

/** Make the controls of the page, which are described there. */
export function prepare(page) {
  page.controls ??= new Editing(page);
}

/** Show the controls of a tree, and of the node that is selected in its drawing, if any. */
export function showControls(page, tree, node, drawing) {
  prepare(page);
  page.controls.show(tree, node, drawing);
}

/** Show why a change of the tree is rejected. */
export const reject = (page, error) => page.controls.reject(error);

/** Focus the field of a leaf. */
export const enter = (page, node) => page.controls.enter(node);

/** Change the pseudocode of positions to that of trees of numbers. */
export function changeLines(lines, { answer: { cut } }) {
  const code = [...lines.querySelectorAll("code")];
  code[1].textContent = "leaf? return its number";
  code[3].textContent = "for each branch:";
  code[4].firstChild.data = "v ← value(branch";
  lines.querySelector("[data-line=cut] code").textContent = `if α ${cut === "above" ? ">" : "≥"} β: break`;
}

/** No node is omitted. */
export const isCollapsed = () => false;

export class NumberTree extends Tree {
  keepsZoom = true; // because the next tree is a change of this one
  hasLongScores = false;
  isDrawnInFull = true;

  constructor(answer) {
    const nodes = named(JSON.parse(answer.numbers), answer.root);
    if (answer.order !== "given") {
      sort(nodes, answer.order);
    }
    join(nodes[0], answer.tree, answer.algorithm);
    super(nodes[0]);
    this.numbers = answer.numbers;
    this.answer = answer;
    this.place();
  }

  /** The lowest scale at which all nodes are legible. */
  get least() {
    return this.fields || this.nodes.some(({ size }) => size === SMALL.size) ? 0.8 : 0.57;
  }

  size(plies) {
    const leaves = plies.flat().filter(({ isEnd }) => isEnd);
    const isMany = leaves.length * LEAF.pitch > ROOM;
    const isClose = this.isNarrow && !this.fields && !isMany;
    const leaf = isMany ? SMALL : { ...LEAF, ...(isClose && CLOSE) };
    const inner = { ...INNER, ...(isClose && { family: 0 }) };
    const { leaf: narrow, inner: wide, edge } = FIELDS[this.fields] ?? {};
    for (const node of plies.flat()) {
      Object.assign(node, node.isEnd ? leaf : inner, edge && { edge, pitch: node.isEnd ? narrow : wide });
    }
  }
}

/** Return the nodes of a tree level by level, from the root on, with their letters in this order: A, B, …, Z, AA, … */
function named(numbers, root) {
  const nodes = [{ path: "", ply: 0, move: null, side: root, parent: null, numbers }];
  for (const node of nodes) {
    const { path, ply, side } = node;
    node.name = letters(nodes.indexOf(node));
    node.isEnd = !Array.isArray(node.numbers);
    node.children = (node.isEnd ? [] : node.numbers).map((each, move) => ({
      path: path ? `${path},${move}` : String(move),
      ...{ ply: ply + 1, move, side: side === "max" ? "min" : "max", parent: node, numbers: each },
    }));
    nodes.push(...node.children);
  }
  return nodes;
}

const letters = (number) =>
  (number < 26 ? "" : letters(Math.floor(number / 26) - 1)) + String.fromCharCode(65 + (number % 26));

/** Give all branches, also those of nodes that are never visited, the order of the search. */
function sort(nodes, order) {
  for (const node of nodes.toReversed()) {
    const sign = node.side === "max" ? -1 : 1;
    node.children.sort((one, other) => sign * (one.value - other.value));
    node.value = node.isEnd ? node.numbers : node.children[0].value; // by minimax
    if (order === "worst_first") {
      node.children.reverse();
    }
  }
}

/** Give a node and those visited below it their results. */
function join(node, result, algorithm) {
  node[algorithm] = result;
  for (const each of result.children) {
    const child = node.children.find(({ move }) => move === each.move);
    join(child, each, algorithm);
  }
}

/** The title of a tree: the side to move. */
export const title = ({ root }) => `${root.side.toUpperCase()} to move`;

/** Which leaves the search evaluates. */
export function cost({ answer: { algorithm, evaluated, never_evaluated: never } }) {
  const all = evaluated.length + never.length;
  if (algorithm === "minimax") {
    return `Minimax evaluates all ${all} leaves.`.replace("all 1 leaves", "the only leaf");
  }
  const rest = listed(never.map(({ name, score }) => `${name} (${shown(score)})`)).join("");
  return `Alpha-beta evaluates ${evaluated.length} of ${all} leaves. Never evaluated: ${rest || "none"}.`;
}

/** The link to the next exercise, on the next random tree. */
export function exerciseAfter({ text, answer: { root, cut } }) {
  const tree = nextRandom(randomIn(text) ?? ["random", 3, 2, 0]);
  return { href: `?tree=${tree}&root=${root}&cut=${cut}&predict=true`, text: "Another tree" };
}

/** The tree as text. */
export const notation = ({ numbers }) => numbers;

/** The tree in the name of a file. */
export const fileName = () => "of-numbers";

/** A number with the minus sign of print. */
export const shown = (number) => String(number).replace("-", "−");

/** The picture of a node beside the step: none, because the tree shows it. */
export const picture = () => [];

/** The shapes of a node: a leaf's number in a square, or a triangle with a score. */
export function content(node) {
  const { name, side, size, isEnd, numbers } = node;
  const half = size / 2;
  return [
    isEnd
      ? shape("rect", { class: "card", x: -half, y: -half, width: size, height: size, rx: 3 })
      : shape("path", { class: "card", "data-side": side, d: triangle(side, half) }),
    shape("text", { class: "move", ...placeOf(node) }, name),
    " ", // separates the letter from the number
    isEnd
      ? shape("text", { class: "leaf value", y: 5 }, shown(numbers))
      : shape("text", { class: "score value", y: side === "max" ? 14 : -3 }),
  ];
}

/** The place of a node's letter. */
function placeOf(node) {
  const { side, size, parent, below } = node;
  const half = size / 2;
  if (!parent) {
    return { x: side === "max" ? 12 : half + 6, y: 12 - half };
  }
  return below ? { x: 0, y: half + below - 1, "text-anchor": "middle" } : { ...aside(node), y: -half - 4 };
}

/** A triangle with its point at the top for MAX, or at the bottom for MIN. */
function triangle(side, half) {
  const sign = side === "max" ? 1 : -1;
  const [width, height] = [round(half * 1.1), half * sign];
  return `M0 ${-height}L${width} ${height}H${-width}Z`;
}

/** Show a node's score, which may be a bound. */
export function paint(node, { bound, score }) {
  const place = node.querySelector(".score");
  if (place) {
    place.textContent = `${LIMITS[bound] ?? ""}${score && bound ? " " : ""}${score}`;
  }
}

/** The name of the side to move at a ply; null if all nodes are leaves. */
export const sideName = (side) => [{ max: "MAX ▲", min: "MIN ▼" }[side] ?? "leaves"];

/** The signs of the legend that only trees of numbers have: the width, attributes, shapes, text and lesson of each. */
export function signs(_, algorithm) {
  const sign = (side, text) => [
    12,
    { "data-side": side },
    [shape("path", { class: "card", d: triangle(side, 5) })],
    text,
  ];
  const limits = shape("text", { class: "limits", y: 4 }, "≤ ≥");
  return [
    sign("max", "MAX takes the highest"),
    sign("min", "MIN takes the lowest"),
    algorithm !== "minimax" && [26, {}, [limits], "or less, or more"],
  ];
}
