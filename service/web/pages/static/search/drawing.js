// A tree as SVG: boards above, marks below, each with a sign for what it is worth to MAX.

const SVG = document.querySelector("svg").namespaceURI;
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
const BEND = 0.5; // where an edge turns, as a part of its height
const TICK = 0.72; // where the mark of a cut crosses it

const PAINT = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "visibility"];

/** A new element of SVG. */
export function shape(name, attributes = {}) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  return made;
}

/** The marks of a board, around the middle of a square of a size. */
export function marks(board, size) {
  const step = size / 3.4;
  const reach = size * 0.085;
  const paths = { X: "", O: "" };
  const [near, far] = [round(step / 2), round(step * 1.45)];
  const grid = [-near, near].map((at) => `M${at} ${-far}V${far}M${-far} ${at}H${far}`).join("");
  [...board].forEach((mark, cell) => {
    const x = ((cell % 3) - 1) * step;
    const y = (Math.floor(cell / 3) - 1) * step;
    if (mark === "X") {
      paths.X += `M${round(x - reach)} ${round(y - reach)}l${round(2 * reach)} ${round(2 * reach)}m0 ${round(-2 * reach)}l${round(-2 * reach)} ${round(2 * reach)}`;
    } else if (mark === "O") {
      const r = round(reach * 1.1);
      paths.O += `M${round(x - r)} ${round(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
    }
  });
  return [
    shape("path", { class: "grid", d: grid }),
    shape("path", { class: "crosses", d: paths.X }),
    shape("path", { class: "noughts", d: paths.O }),
  ];
}

export class Drawing {
  #shapes = new Map();

  /** Draw a tree. `paint` says what of it is to be seen. */
  constructor(tree) {
    const { width, height } = tree;
    this.svg = shape("svg", {
      viewBox: `0 0 ${round(width)} ${round(height)}`,
      width: round(width),
      height: round(height),
    });
    const edges = shape("g", { "aria-hidden": "true" });
    const nodes = shape("g", { role: "none" });
    for (const node of tree.nodes) {
      const made = { node: this.#node(node, tree.merged(node)), edge: node.parent && edge(node) };
      this.#shapes.set(node.path, made);
      nodes.append(made.node);
      edges.append(...(made.edge ? [made.edge] : []));
    }
    for (const [name, value] of [
      ["role", "tree"],
      ["aria-label", "The tree of the search"],
      ["aria-orientation", "horizontal"],
    ]) {
      this.svg.setAttribute(name, value);
    }
    this.svg.append(edges, nodes);
  }

  /** The shape of a node. */
  at(path) {
    return this.#shapes.get(path).node;
  }

  /**
   * Show each node as a function says: its `state` (`done`, `open`, `later` or `never`), its `outcome` where it has one,
   * its `bound` where that is no more than one (`at_least` or `at_most`), whether it is chosen, whether the edge to it is cut, whether it is current or leads to what is,
   * whether it is the one looked at, and its name.
   */
  paint(look) {
    for (const [path, { node, edge: line }] of this.#shapes) {
      const { state, outcome = "", bound = "", isChosen, isCut = false, isCurrent, isAt, isLooked, name } = look(path);
      for (const each of [node, line].filter(Boolean)) {
        each.dataset.state = state;
        each.classList.toggle("chosen", isChosen);
        each.classList.toggle("cut", isCut);
        each.classList.toggle("current", isCurrent);
      }
      node.dataset.outcome = outcome;
      node.dataset.bound = bound;
      node.querySelector(".sign").setAttribute("d", SIGNS[outcome] ?? "");
      node.querySelector(".bound").setAttribute("d", BOUNDS[bound] ?? "");
      node.classList.toggle("at", isAt);
      node.setAttribute("tabindex", isLooked ? 0 : -1);
      node.setAttribute("aria-selected", isLooked);
      node.setAttribute("aria-label", name);
    }
  }

  /** The drawing as a file of its own: its colours and lines stand in it. */
  toText() {
    const copy = this.svg.cloneNode(true);
    const shapes = [this.svg, ...this.svg.querySelectorAll("*")];
    [copy, ...copy.querySelectorAll("*")].forEach((each, index) => {
      const style = getComputedStyle(shapes[index]);
      for (const name of [...each.getAttributeNames()].filter((one) =>
        /^(class|role|tabindex|aria-|data-)/.test(one),
      )) {
        each.removeAttribute(name);
      }
      for (const name of each.tagName === "g" ? ["opacity"] : PAINT) {
        each.setAttribute(name, style.getPropertyValue(name));
      }
    });
    return new XMLSerializer().serializeToString(copy);
  }

  #node({ path, ply, parent, board, size, hasBoard, x, y, room, children, minimax }, merged) {
    const siblings = parent?.drawn ?? [{ path }];
    const made = shape("g", {
      class: "node",
      transform: `translate(${round(x)} ${round(y)})`,
      role: "treeitem",
      "aria-level": ply + 1,
      "aria-setsize": siblings.length,
      "aria-posinset": siblings.findIndex((each) => each.path === path) + 1,
    });
    if (children.length || minimax.href) {
      made.setAttribute("aria-expanded", children.length > 0);
    }
    const wide = Math.min(room, Math.max(size, 40));
    const half = size / 2;
    made.dataset.path = path;
    made.append(
      shape("rect", { class: "reach", x: round(-wide / 2), y: -half - 8, width: round(wide), height: size + 16 }),
      shape("rect", { class: "card", x: -half, y: -half, width: size, height: size, rx: hasBoard ? 3 : 2 }),
      ...(hasBoard ? marks(board, size) : []),
      shape("path", { class: "sign", transform: hasBoard ? `translate(${half + 6.5} ${half - 5})` : "scale(.9)" }),
      shape("path", { class: "bound", transform: `translate(${hasBoard ? `${half + 6.5} ${half - 16}` : "7 -11"})` }),
    );
    if (merged.length) {
      const times = shape("text", { "font-size": 9, "font-family": "sans-serif", x: half + 2, y: 2 - half });
      times.textContent = `×${merged.length + 1}`;
      made.append(times);
    }
    if (minimax.href && !children.length) {
      made.append(shape("path", { class: "more", d: `M-3 ${half + 3}H3M0 ${half}v6` }));
    }
    return made;
  }
}

/** The edge that leads to a node, with the tick that is shown where it is cut. */
function edge({ parent, x, y, size }) {
  const [top, bottom] = [parent.y + parent.size / 2, y - size / 2];
  const turn = top + (bottom - top) * BEND;
  const made = shape("g", { class: "edge" });
  const curve = `M${round(parent.x)} ${round(top)}C${round(parent.x)} ${round(turn)} ${round(x)} ${round(turn)} ${round(x)} ${round(bottom)}`;
  const [far, near] = [TICK ** 3 + 3 * TICK ** 2 * (1 - TICK), TICK];
  const [across, down] = [
    parent.x + (x - parent.x) * far,
    top + (bottom - top) * (1.5 * near * (1 - near) + near ** 3),
  ];
  made.append(
    shape("path", { class: "way", d: curve }),
    shape("path", { class: "tick", d: `M${round(across - 4)} ${round(down + 2.5)}l8-5` }),
  );
  return made;
}

const round = (number) => Math.round(100 * number) / 100;
