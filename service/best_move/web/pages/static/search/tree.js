// A search as a tree, and the place of each node in the drawing.

export const ROOM = 1120; // the maximum width of a ply; a ply that would be wider has smaller nodes, and so have those below
export const NAMES = 78; // the width of the names of the plies, left of the tree
const ROW = 26; // the distance between the two rows of a ply whose neighbors would overlap
const GAP = 2;
export const MARGIN = 10; // around the tree; wider at the sides, for labels

/**
 * A tree whose nodes have a `path`, a `ply`, the `side` to move, a `parent` and `children`. `size(plies)` of a subclass
 * gives them their `size`, the `pitch` to the next one, the room `beside`, above (`edge`) and `below` them, and the gap
 * after a `family`. The module `kind` has what is drawn and said of them.
 */
export class Tree {
  focus = null; // the path of the only branch that is drawn in full; null if all branches are
  fields = ""; // the fields that an exercise has beside inner nodes: `values`, or also `windows`; empty without one
  isNarrow = false; // whether siblings of the branch's ancestors, not its own, are left out if they have children
  #nodes = new Map();

  constructor(root) {
    this.root = root;
  }

  /** Place the nodes with other values of `isMerged`, `focus`, `isNarrow` and `fields`; return whether any of them changed. */
  show(choices) {
    const isChanged = Object.entries(choices).some(([name, value]) => this[name] !== value);
    Object.assign(this, choices);
    if (isChanged) {
      this.place();
    }
    return isChanged;
  }

  /** The drawn node that represents a node: itself, the node that it is merged with, or its parent's representative. */
  standIn(node) {
    let found = node;
    while (!this.#nodes.has(found.path)) {
      found = found.parent;
    }
    return found;
  }

  /** The nodes that are drawn, from the root on, each before the nodes below it. */
  get nodes() {
    return [...this.#nodes.values()];
  }

  /** The drawn node that a path of moves, such as `1,3`, leads to; the root's path is empty. Undefined if not drawn. */
  at(path) {
    return this.#nodes.get(path);
  }

  /** The node that a path leads to, drawn or not; undefined if there is none. */
  find(path) {
    const next = (node, move) => node?.children.find((child) => child.move === Number(move));
    return (path ? path.split(",") : []).reduce(next, this.root);
  }

  /** The paths of the drawn nodes that represent the nodes at some paths. */
  shown(paths) {
    const found = paths.map((path) => this.find(path)).filter(Boolean);
    return new Set(found.map((node) => this.standIn(node).path));
  }

  /** Whether a node at one of some paths is drawn neither itself nor by a symmetric node, but by a node above it. */
  leavesOut(paths) {
    const found = paths.map((path) => this.find(path)).filter(Boolean);
    return found.some((node) => this.standIn(node).ply < node.ply);
  }

  /** Place the nodes. */
  place() {
    const plies = [];
    this.#nodes.clear();
    walk(this.root, "children", (node) => {
      const shown = this.#isInFocus(node) ? node.children.filter((child) => this.#isShown(child)) : [];
      node.drawn = this.drawn?.(shown) ?? shown;
    });
    walk(this.root, "drawn", (node) => {
      this.#nodes.set(node.path, node);
      plies[node.ply] = [...(plies[node.ply] ?? []), node];
    });
    this.size(plies);
    const [left, right] = this.isNarrow ? [2, 1] : [0, 3]; // a small drawing has larger names of plies
    this.width = NAMES + left * MARGIN + spread(this.root, NAMES + left * MARGIN) + right * MARGIN;
    let bottom = MARGIN;
    this.plies = plies.map((nodes, ply) => {
      const { below } = nodes[0];
      const size = Math.max(...nodes.map((node) => node.size));
      const rows = nodes.some((node, index) => index && overlap(nodes[index - 1], node)) ? 2 : 1;
      const y = bottom + (ply ? Math.max(...nodes.map(({ edge }) => edge)) : 0) + size / 2;
      for (const [index, node] of nodes.entries()) {
        node.y = y + (index % rows) * ROW;
      }
      bottom = y + (rows - 1) * ROW + size / 2 + below;
      const inner = nodes.find(({ isEnd }) => !isEnd);
      return { y, side: inner?.side ?? null };
    });
    this.height = bottom + MARGIN;
  }

  /** Whether an exercise has fields at a node. */
  hasFields(node) {
    return this.fields !== "" && node.drawn.length > 0 && node.path.startsWith(this.focus ?? "");
  }

  #isShown(node) {
    const isBesideAncestor = node.path.length < (this.focus ?? "").length && !this.#isInFocus(node);
    return !this.isNarrow || !isBesideAncestor || !node.children.length;
  }

  /** Whether a node is on the way to the branch in focus, or in it. */
  #isInFocus({ path }) {
    const [one, other] = [this.focus ?? "", path].toSorted((a, b) => a.length - b.length);
    return other.startsWith(one);
  }
}

const overlap = (one, next) => next.x - one.x < (one.size + next.size) / 2 + GAP;

function walk(node, below, visit) {
  visit(node);
  for (const child of node[below]) {
    walk(child, below, visit);
  }
}

/** Place a node and all nodes drawn below it from `left` to the right; return their width. */
function spread(node, left) {
  const own = node.pitch;
  let room = 0;
  for (const child of node.drawn) {
    room += spread(child, left + room);
  }
  if (node.drawn.length > 1) {
    room += node.drawn[0].family;
  }
  if (room < own) {
    walk(node, "drawn", (each) => {
      each.x += (own - room) / 2;
    });
  }
  const [first, last] = [node.drawn.at(0), node.drawn.at(-1)];
  node.x = first ? (first.x + last.x) / 2 : left + own / 2;
  node.room = Math.max(own, room);
  return node.room + Math.max(0, (node.aside ?? 0) - (node.room - own) / 2);
}
