// The search of a position as a tree, which shows minimax's tree: the boards of its nodes, their sizes, and mirror images.

import { ROOM, Tree } from "../tree.js";

const GAP = 2;
const BESIDE = 28; // the width of the sign and the score beside a board
const ROOMY = 45; // the same for three characters with a focus, where scores are larger at small scales (tree.css)
const FIELDS = { values: 58, windows: 116 }; // the width of the fields of an exercise beside a board
const EDGES = { values: 60, windows: 96 }; // the height of edges with buttons
const WIDE = 2000; // the maximum width of a ply in an exercise
// The kinds of nodes. A ply has the first of them that its width permits; neighbors of the last kind may have two rows.
const BOARD = { size: 44, hasBoard: true, edge: 30, below: 0, family: 12 };
const SQUARE = { hasBoard: false, beside: 0, edge: 28, below: 9, family: 0 };
const LARGE = { ...SQUARE, size: 24, pitch: 24 + GAP };
const SMALL = { ...SQUARE, size: 12, pitch: 8 };

// The eight symmetries of the board. Each lists the cells whose marks move to cell 0, cell 1 and so on.
const TURNS = ["012345678", "630741852", "876543210", "258147036", "210543876", "678345012", "036147258", "852741630"];

export class BoardTree extends Tree {
  isMerged = false; // whether sibling moves that lead to mirror images of one board are drawn as one node

  /** Join the responses of the two algorithms for one position. */
  constructor(minimax, alphabeta) {
    super(join(minimax.tree, alphabeta.tree, null));
    this.maximizer = minimax.maximizer;
    this.scoring = minimax.scoring;
    this.isLimited = minimax.tree.board.split(".").length - 1 > minimax.max_depth; // else no score is an estimate
    this.place();
  }

  /** Whether any of the root's moves can be merged. */
  get hasMirrors() {
    return new Set(this.root.children.map(form)).size < this.root.children.length;
  }

  /** The lowest scale at which all nodes are legible. */
  get least() {
    if (this.fields) {
      return 0.8;
    }
    return this.nodes.every(({ hasBoard }) => hasBoard) ? 0.38 : 0.66;
  }

  /** Whether scores have up to three characters. */
  get hasLongScores() {
    return this.scoring === "distance" && !this.isLimited;
  }

  /** The moves to the mirror images that a drawn node represents besides itself. */
  merged({ likes = [] }) {
    return this.isMerged ? likes : [];
  }

  standIn(node) {
    let found = node;
    while (!this.at(found.path)) {
      found = (this.isMerged && found.like) || found.parent;
    }
    return found;
  }

  /** Insert the nodes omitted below a node, from the responses to the requests for this node. */
  grow(node, minimax, alphabeta) {
    const searches = { minimax: unfolded(node.minimax, minimax), alphabeta: unfolded(node.alphabeta, alphabeta) };
    join(searches.minimax, searches.alphabeta, node.parent, node);
    this.place();
  }

  drawn(siblings) {
    return this.isMerged ? merge(siblings) : siblings;
  }

  size(plies) {
    const beside = this.focus && this.scoring === "distance" ? ROOMY : BESIDE;
    const kinds = [{ ...BOARD, beside, pitch: BOARD.size + beside + GAP }, LARGE, SMALL];
    const room = this.fields ? WIDE : ROOM;
    let kind = kinds[0];
    for (const nodes of plies) {
      kind = kinds.slice(kinds.indexOf(kind)).find(({ pitch }) => nodes.length * pitch <= room) ?? kinds.at(-1);
      for (const node of nodes) {
        const aside = this.hasFields(node) ? FIELDS[this.fields] - kind.beside : 0;
        const edge = node.parent && this.hasFields(node.parent) ? EDGES[this.fields] : kind.edge;
        Object.assign(node, kind, { aside, edge });
      }
    }
  }
}

/** Join minimax's and alpha-beta's nodes of one position, and all below, into `node`; alpha-beta's may be missing. */
function join(minimax, alphabeta, parent, node = {}) {
  const { move, board } = minimax;
  const path = parent ? [...(parent.path ? [parent.path] : []), move].join(",") : "";
  const ply = parent ? parent.ply + 1 : 0;
  const { side } = minimax;
  const isEnd = minimax.distance === 0;
  Object.assign(node, { path, ply, move, board, side, isEnd, parent, minimax, alphabeta });
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
