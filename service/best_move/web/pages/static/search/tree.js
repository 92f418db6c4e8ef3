// The search of a position as a tree, and the place of each node in the drawing, which shows minimax's tree.

const ROOM = 1120; // the maximum width of a ply; a ply that would be wider has smaller nodes, and so have those below
export const NAMES = 78; // the width of the names of the plies, left of the tree
const BOARD = 44;
const LARGE = 24; // the size of the squares of a ply that is too wide for boards
const SMALL = 12; // their size in the widest plies, where neighbors that would overlap have two rows
const PITCH = 8; // the least distance between these
const ROW = 26; // the distance between the two rows
const GAP = 2;
const FAMILY = 12; // the additional gap after the last of several boards with the same parent, for its label
const BESIDE = 28; // the width of the sign and the score beside a board
const ROOMY = 45; // the same for three characters with a focus, where scores are larger at small scales (tree.css)
const BELOW = 9; // the height of the score below a small square
const EDGE = { board: 30, square: 28 }; // the height of the edges to a ply
export const MARGIN = 10; // around the tree; wider at the sides, for labels

// The eight symmetries of the board. Each lists the cells whose marks move to cell 0, cell 1 and so on.
const TURNS = ["012345678", "630741852", "876543210", "258147036", "210543876", "678345012", "036147258", "852741630"];

export class Tree {
  isMerged = false; // whether siblings that are rotations or mirror images of one board are drawn as one node
  focus = null; // the path of the only branch that is drawn in full; null if all branches are
  isNarrow = false; // whether siblings of the branch's ancestors, not its own, are left out if they have children
  #nodes = new Map();

  /** Join the responses of the two algorithms for one position. */
  constructor(minimax, alphabeta) {
    this.maximizer = minimax.maximizer;
    this.scoring = minimax.scoring;
    this.isLimited = minimax.tree.board.split(".").length - 1 > minimax.max_depth; // else no score is an estimate
    this.root = join(minimax.tree, alphabeta.tree, null);
    this.#place();
  }

  /** Place the nodes with other values of `isMerged`, `focus` and `isNarrow`; return whether any of them changed. */
  show(choices) {
    const isChanged = Object.entries(choices).some(([name, value]) => this[name] !== value);
    Object.assign(this, choices);
    if (isChanged) {
      this.#place();
    }
    return isChanged;
  }

  /** Whether any of the root's moves can be merged. */
  get hasMirrors() {
    return new Set(this.root.children.map(form)).size < this.root.children.length;
  }

  /** The moves to the rotations and mirror images that a drawn node represents besides itself. */
  merged({ likes = [] }) {
    return this.isMerged ? likes : [];
  }

  /** The drawn node that represents a node: itself, the node that it is merged with, or its parent's representative. */
  standIn(node) {
    let found = node;
    while (!this.#nodes.has(found.path)) {
      found = (this.isMerged && found.like) || found.parent;
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

  /** Insert the nodes omitted below a node, from the responses to the requests for this node. */
  grow(node, minimax, alphabeta) {
    const searches = { minimax: unfolded(node.minimax, minimax), alphabeta: unfolded(node.alphabeta, alphabeta) };
    join(searches.minimax, searches.alphabeta, node.parent, node);
    this.#place();
  }

  #place() {
    const plies = [];
    this.#nodes.clear();
    walk(this.root, "children", (node) => {
      const shown = this.#isInFocus(node) ? node.children.filter((child) => this.#isShown(child)) : [];
      node.drawn = this.isMerged ? merge(shown) : shown;
    });
    walk(this.root, "drawn", (node) => {
      this.#nodes.set(node.path, node);
      plies[node.ply] = [...(plies[node.ply] ?? []), node];
    });
    this.#size(plies);
    const [left, right] = this.isNarrow ? [2, 1] : [0, 3]; // a small drawing has larger names of plies
    this.width = NAMES + left * MARGIN + spread(this.root, NAMES + left * MARGIN) + right * MARGIN;
    let bottom = MARGIN;
    this.plies = plies.map((nodes, ply) => {
      const { size, hasBoard } = nodes[0];
      const rows = nodes.some(({ x }, index) => index && x - nodes[index - 1].x < size + GAP) ? 2 : 1;
      const y = bottom + (ply ? EDGE[hasBoard ? "board" : "square"] : 0) + size / 2;
      for (const [index, node] of nodes.entries()) {
        node.y = y + (index % rows) * ROW;
      }
      bottom = y + (rows - 1) * ROW + size / 2 + (hasBoard ? 0 : BELOW);
      const isEnd = nodes.every(({ minimax }) => minimax.distance === 0);
      return { y, side: isEnd ? null : nodes[0].minimax.side };
    });
    this.height = bottom + MARGIN;
  }

  /** Choose the nodes' sizes and the widths that they need. */
  #size(plies) {
    const beside = this.focus && this.scoring === "distance" ? ROOMY : BESIDE;
    const kinds = [
      { size: BOARD, hasBoard: true, beside, pitch: BOARD + beside + GAP },
      { size: LARGE, hasBoard: false, beside: 0, pitch: LARGE + GAP },
      { size: SMALL, hasBoard: false, beside: 0, pitch: PITCH },
    ];
    let kind = kinds[0];
    for (const nodes of plies) {
      kind = kinds.slice(kinds.indexOf(kind)).find(({ pitch }) => nodes.length * pitch <= ROOM) ?? kinds.at(-1);
      for (const node of nodes) {
        Object.assign(node, kind);
      }
    }
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

/** Join minimax's and alpha-beta's nodes of one position, and all below, into `node`; alpha-beta's may be missing. */
function join(minimax, alphabeta, parent, node = {}) {
  const { move, board } = minimax;
  const path = parent ? [...(parent.path ? [parent.path] : []), move].join(",") : "";
  const ply = parent ? parent.ply + 1 : 0;
  Object.assign(node, { path, ply, move, board, parent, minimax, alphabeta });
  const others = new Map(alphabeta?.children.map((child) => [child.move, child]));
  node.children = minimax.children.map((child) => join(child, others.get(child.move), node));
  return node;
}

/**
 * Return the siblings that are no rotation or mirror image of an earlier sibling. Set `like` on each dropped sibling to the one kept; set `likes` on
 * each kept one to the moves dropped.
 */
function merge(siblings) {
  const firsts = new Map();
  for (const each of siblings) {
    const key = form(each);
    each.like = firsts.get(key);
    each.likes = [];
    each.like?.likes.push(each.move);
    firsts.set(key, each.like ?? each);
  }
  return [...firsts.values()];
}

/** The canonical board of a node: the first in character order of its eight rotations and reflections. */
function form({ board }) {
  return TURNS.map((turn) => [...turn].map((cell) => board[cell]).join("")).sort()[0];
}

/** A node with the children from its own response, which also has its cutoff; visit numbers continue from the node's. */
function unfolded(node, answer) {
  if (!node || !answer) {
    return node;
  }
  const before = node.visit - 1;
  const counted = (below) => ({ ...below, visit: below.visit + before, children: below.children.map(counted) });
  const { cut, best, children } = answer.tree;
  return { ...node, href: null, cut, best, children: children.map(counted) };
}

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
  if (node.drawn.length > 1 && node.drawn[0].hasBoard) {
    room += FAMILY;
  }
  if (room < own) {
    walk(node, "drawn", (each) => {
      each.x += (own - room) / 2;
    });
  }
  const [first, last] = [node.drawn.at(0), node.drawn.at(-1)];
  node.x = first ? (first.x + last.x) / 2 : left + own / 2;
  node.room = Math.max(own, room);
  return node.room;
}
