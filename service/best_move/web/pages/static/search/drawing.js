// A tree as SVG. What its nodes contain depends on the kind of tree.

import { MEANINGS } from "./terms.js";
import { MARGIN, NAMES } from "./tree.js";

const SVG = "http://www.w3.org/2000/svg";
/** The signs of bounds. */
export const LIMITS = { at_least: "≥", at_most: "≤" };
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

/**
 * The legend: each sign of the drawing, as a small drawing, its meaning in words, and the lesson that introduces it if the
 * lessons before do not show it.
 */
export function legend(tree, algorithm) {
  const prunes = algorithm !== "minimax";
  const path = (name, d) => shape("path", { class: name, d });
  const way = path("way", "M-11 0H11");
  const card = () => shape("rect", { class: "card", x: -4.5, y: -4.5, width: 9, height: 9, rx: 1 });
  // Each sign: its width, attributes, shapes, text and lesson.
  return [
    ...tree.kind.signs(tree, algorithm),
    [26, { class: "chosen" }, [way.cloneNode()], "best play"],
    prunes && [26, { "data-state": "never" }, [way, path("tick", "M-4 2.5l8-5")], "pruned: never visited"],
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
  #kind;
  #root;
  #hasFields;

  /** Draw a tree; the method `paint` shows the state of its nodes. */
  constructor(tree) {
    this.#kind = tree.kind;
    this.#root = tree.root;
    this.#hasFields = tree.fields !== "";
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
    if (this.#hasFields) {
      return; // they are at the root's place
    }
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

  /** The point of the edge to the node at a path where a cutoff would be marked. */
  tickOf(path) {
    const [x, y] = this.#shapes
      .get(path)
      .edge.querySelector(".tick")
      .getAttribute("d")
      .match(/-?[\d.]+/g)
      .map(Number);
    return [x + 4, y - 2.5];
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
      const { bound = "", isCut = false } = shown;
      for (const each of [node, line].filter(Boolean)) {
        each.dataset.state = shown.state;
        each.classList.toggle("chosen", shown.isChosen);
        each.classList.toggle("cut", isCut);
        each.classList.toggle("current", shown.isCurrent);
      }
      node.dataset.bound = bound;
      this.#kind.paint(node, { ...shown, score: shown.score ?? "" });
      node.classList.toggle("near", shown.isNear);
      node.classList.toggle("at", shown.isAt);
      node.setAttribute("tabindex", shown.isSelected ? 0 : -1);
      node.setAttribute("aria-selected", shown.isSelected);
      node.setAttribute("aria-label", shown.name);
    }
  }

  #node(node, tree) {
    const { path, ply, parent, size, x, y, room, children, drawn } = node;
    const siblings = parent?.drawn ?? [node];
    const made = shape("g", {
      class: "node",
      transform: `translate(${round(x)} ${round(y)})`,
      role: "treeitem",
      "aria-level": ply + 1,
      "aria-setsize": siblings.length,
      "aria-posinset": siblings.indexOf(node) + 1,
    });
    const isFolded = !drawn.length && (children.length > 0 || tree.kind.isCollapsed(node));
    if (drawn.length || isFolded) {
      made.setAttribute("aria-expanded", !isFolded);
    }
    const wide = Math.max(size, Math.min(room, 40));
    const half = size / 2;
    made.dataset.path = path;
    made.append(
      shape("rect", { class: "reach", x: round(-wide / 2), y: -half - 8, width: round(wide), height: size + 16 }),
      ...tree.kind.content(node, tree),
    );
    if (isFolded) {
      made.append(shape("path", { class: "more", d: `M-3 ${half + 3}H3M0 ${half}v6` }));
    }
    return made;
  }
}

/** The labels of the plies: the side to move, and MAX or MIN; `end` if all games of a ply are over. */
function names(tree, height) {
  const ground = shape("rect", { class: "ground", width: 72, height });
  const texts = tree.plies.map(({ y, side: player }) => {
    const text = shape("text", { x: 8, y: round(y + 4) });
    text.append(...tree.kind.sideName(player, tree));
    if (!player) {
      return text;
    }
    const group = shape("g");
    group.append(shape("title", {}, MEANINGS[player.toUpperCase()]), text);
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

/** The place of a label, on the side where no edge arrives. */
export const side = ({ x, parent }) =>
  x < parent.x ? { x: -4, "text-anchor": "end" } : { x: 4, "text-anchor": "start" };

/** A number with at most two decimals. */
export const round = (number) => Math.round(100 * number) / 100;
