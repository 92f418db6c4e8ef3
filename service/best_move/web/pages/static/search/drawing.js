// A tree as SVG: each node is a board or, in a wide ply, a small square, with a sign and a number for its score.

import { opponent } from "../words.js";
import { MEANINGS } from "./terms.js";
import { MARGIN, NAMES } from "./tree.js";

const SVG = "http://www.w3.org/2000/svg";
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
const LIMITS = { at_least: "≥", at_most: "≤" };
const BEND = 0.5; // the fraction of an edge's height at which it turns
const TICK = 0.6; // the parameter of an edge's curve, from 0 to 1, at which the tick of a cutoff crosses it

/** A new SVG element. */
export function shape(name, attributes = {}, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.textContent = text;
  return made;
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
export function numbered(board, last) {
  const numbers = [...board].map((mark, cell) => {
    const [x, y] = center(cell, 96 / 3.4);
    return /[XO]/.test(mark) ? "" : shape("text", { x: round(x), y: round(y + 4) }, cell);
  });
  const card = shape("rect", { class: "card", x: -48, y: -48, width: 96, height: 96, rx: 6 });
  return [card, ...marks(board, 96, last), ...numbers];
}

/**
 * The legend: each sign of the drawing, as a small drawing, its meaning in words, and the lesson that introduces it if the
 * lessons before do not show it.
 */
export function legend({ maximizer, isLimited }, algorithm) {
  const prunes = algorithm !== "minimax";
  const path = (name, d, transform = "") => shape("path", { class: name, d, transform });
  const sign = (outcome, text) => [12, { "data-outcome": outcome }, [path("sign", SIGNS[outcome])], text];
  const way = path("way", "M-11 0H11");
  const bounds = [path("bound", BOUNDS.at_most, "translate(-6 1)"), path("bound", BOUNDS.at_least, "translate(6 1)")];
  const card = () => shape("rect", { class: "card", x: -4.5, y: -4.5, width: 9, height: 9, rx: 1 });
  // Each sign: its width, attributes, shapes, text and lesson.
  return [
    sign("win", `win for ${maximizer}`),
    sign("draw", "draw"),
    sign("loss", `loss for ${maximizer}`),
    isLimited && sign("unknown", "estimate"),
    prunes && [26, {}, bounds, "only a bound", 4],
    [26, { class: "chosen" }, [way.cloneNode()], "best play"],
    prunes && [26, { "data-state": "never" }, [way, path("tick", "M-4 2.5l8-5")], "pruned: never visited", 4],
    [12, { "data-state": "later" }, [card()], "not visited yet"],
    [12, { class: "current" }, [card()], "being searched"],
  ]
    .filter(Boolean)
    .map(([width, attributes, shapes, text, from]) => {
      const viewBox = `${-width / 2} -6 ${width} 12`;
      const drawing = shape("svg", { width, height: 12, viewBox, "aria-hidden": "true", ...attributes });
      drawing.append(...shapes);
      return { drawing, text, from };
    });
}

export class Drawing {
  #shapes = new Map();
  #root;

  /** Draw a tree; the method `paint` shows the state of its nodes. */
  constructor(tree) {
    this.#root = tree.root;
    this.width = round(tree.width);
    this.height = round(tree.height);
    this.svg = shape("svg", {
      class: tree.focus ? "roomy" : "",
      viewBox: `0 0 ${this.width} ${this.height}`,
      role: "tree",
      "aria-label": "The tree of the search",
      "aria-orientation": "horizontal",
      translate: "no",
    });
    const edges = shape("g", { "aria-hidden": "true" });
    const nodes = shape("g", { role: "none" });
    for (const node of tree.nodes) {
      const made = { node: this.#node(node, tree), edge: node.parent && edge(node) };
      this.#shapes.set(node.path, made);
      nodes.append(made.node);
      edges.append(...(made.edge ? [made.edge] : []));
    }
    this.names = shape("g", { class: "names", "aria-hidden": "true" });
    this.names.append(...names(tree, this.height));
    this.svg.append(edges, nodes, this.names);
  }

  /** Keep the names of the plies and the root between `left` and `right`, the edges of the part that is visible. */
  keepInSight(left, right) {
    this.names.setAttribute("transform", `translate(${round(left)} 0)`);
    const { x, y, size, beside, drawn } = this.#root;
    const most = right - size / 2 - beside - MARGIN;
    const least = left + NAMES + size / 2;
    const root = { ...this.#root, x: Math.max(Math.min(x, most), least) };
    this.at("").setAttribute("transform", `translate(${round(root.x)} ${round(y)})`);
    for (const child of drawn) {
      const { node, edge: line } = this.#shapes.get(child.path);
      const moved = { ...child, parent: root };
      line.querySelector(".way").setAttribute("d", way(moved));
      for (const [name, value] of Object.entries(side(moved))) {
        node.querySelector(".move").setAttribute(name, value);
      }
    }
  }

  /** Mark the nodes at some paths, and the edges that lead to them; unmark the others. */
  mark(paths) {
    for (const [path, shapes] of this.#shapes) {
      for (const each of Object.values(shapes)) {
        each?.classList.toggle("marked", paths.has(path));
      }
    }
  }

  /** The shape of the node at a path. */
  at(path) {
    return this.#shapes.get(path).node;
  }

  /**
   * Show each node as `describe(path)` says. `state` is `done`, `open`, `later` or `never`. The flags say whether
   * the node is on the line of best play (`isChosen`), is pruned (`isCut`), is on the path from the root to the current
   * node (`isCurrent`), has its parent on this path or its score given (`isNear`), is highlighted as the current node
   * (`isAt`), and is in the tab order (`isSelected`).
   */
  paint(describe) {
    for (const [path, { node, edge: line }] of this.#shapes) {
      const shown = describe(path);
      const { outcome = "", bound = "", score = "", isCut = false } = shown;
      for (const each of [node, line].filter(Boolean)) {
        each.dataset.state = shown.state;
        each.classList.toggle("chosen", shown.isChosen);
        each.classList.toggle("cut", isCut);
        each.classList.toggle("current", shown.isCurrent);
      }
      node.dataset.outcome = outcome;
      node.dataset.bound = bound;
      node.querySelector(".sign").setAttribute("d", SIGNS[outcome] ?? "");
      const limit = node.querySelector(".bound");
      limit?.setAttribute("d", BOUNDS[bound] ?? "");
      node.querySelector(".score").textContent = (limit ? "" : (LIMITS[bound] ?? "")) + score;
      node.classList.toggle("near", shown.isNear);
      node.classList.toggle("at", shown.isAt);
      node.setAttribute("tabindex", shown.isSelected ? 0 : -1);
      node.setAttribute("aria-selected", shown.isSelected);
      node.setAttribute("aria-label", shown.name);
    }
  }

  #node(node, tree) {
    const { path, ply, parent, board, move, size, hasBoard, x, y, room, children, drawn, minimax } = node;
    const siblings = parent?.drawn ?? [node];
    const mirrors = tree.merged(node);
    const made = shape("g", {
      class: "node",
      transform: `translate(${round(x)} ${round(y)})`,
      role: "treeitem",
      "aria-level": ply + 1,
      "aria-setsize": siblings.length,
      "aria-posinset": siblings.indexOf(node) + 1,
    });
    const isFolded = !drawn.length && (children.length > 0 || Boolean(minimax.href));
    if (drawn.length || isFolded) {
      made.setAttribute("aria-expanded", !isFolded);
    }
    const wide = Math.max(size, Math.min(room, 40));
    const half = size / 2;
    made.dataset.path = path;
    made.append(
      shape("rect", { class: "reach", x: round(-wide / 2), y: -half - 8, width: round(wide), height: size + 16 }),
      shape("rect", { class: "card", x: -half, y: -half, width: size, height: size, rx: hasBoard ? 3 : 2 }),
      ...(hasBoard ? marks(board, size, move) : []),
      ...(parent ? [label(node, mirrors.length + 1), " "] : []), // the space separates the words
      shape("path", { class: "sign", transform: hasBoard ? `translate(${half + 8} -9)` : `scale(${0.075 * size})` }),
      ...(hasBoard ? [shape("path", { class: "bound", transform: `translate(${half + 18} -9)` })] : []),
      shape("text", hasBoard ? { class: "score", x: half + 2, y: 14 } : { class: "small score", y: half + 6.5 }),
    );
    if (isFolded) {
      made.append(shape("path", { class: "more", d: `M-3 ${half + 3}H3M0 ${half}v6` }));
    }
    return made;
  }
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

/** The place of a label, on the side where no edge arrives. */
const side = ({ x, parent }) => (x < parent.x ? { x: -4, "text-anchor": "end" } : { x: 4, "text-anchor": "start" });

/** The labels of the plies: the side to move, and MAX or MIN; `end` if all games of a ply are over. */
function names({ plies, maximizer }, height) {
  const ground = shape("rect", { class: "ground", width: 72, height });
  const texts = plies.map(({ y, side: player }) => {
    const name = player?.toUpperCase();
    const text = shape("text", { x: 8, y: round(y + 4) }, name ? "" : "end");
    if (!name) {
      return text;
    }
    text.append(shape("tspan", { class: "side" }, `${name} `));
    const mark = player === "max" ? maximizer : opponent(maximizer);
    text.append(shape("tspan", { "data-mark": mark }, mark));
    const group = shape("g");
    group.append(shape("title", {}, MEANINGS[name]), text);
    return group;
  });
  return [ground, ...texts];
}

/** The edge that leads to a node, with a tick that is visible only if the move is pruned. */
function edge(node) {
  const { parent, x, y, size } = node;
  const [top, bottom] = [parent.y + parent.size / 2, y - size / 2];
  const made = shape("g", { class: "edge" });
  // The point of the curve of way() at TICK.
  const across = parent.x + (x - parent.x) * (3 * TICK ** 2 * (1 - TICK) + TICK ** 3);
  const down = top + (bottom - top) * (3 * BEND * TICK * (1 - TICK) + TICK ** 3);
  made.append(
    shape("path", { class: "way", d: way(node) }),
    shape("path", { class: "tick", d: `M${round(across - 4)} ${round(down + 2.5)}l8-5` }),
  );
  return made;
}

/** The curve of the edge that leads to a node. */
function way({ parent, x, y, size }) {
  const [top, bottom] = [parent.y + parent.size / 2, y - size / 2];
  const turn = top + (bottom - top) * BEND;
  return `M${round(parent.x)} ${round(top)}C${round(parent.x)} ${round(turn)} ${round(x)} ${round(turn)} ${round(x)} ${round(bottom)}`;
}

const center = (cell, step) => [((cell % 3) - 1) * step, (Math.floor(cell / 3) - 1) * step];

const round = (number) => Math.round(100 * number) / 100;
