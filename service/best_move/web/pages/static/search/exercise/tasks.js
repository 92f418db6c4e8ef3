// What an exercise asks: in which branch, about which nodes, and at which steps of the search.

const MOST = 30; // nodes of the branch; nobody fills in more boards

const inner = ({ children }) => children.length > 0;

function* walk(node) {
  yield node;
  for (const child of node.children) {
    yield* walk(child);
  }
}

/**
 * The path of the branch of a tree that an exercise asks about, or null if there is none. All of its nodes can be drawn. It
 * is the whole tree if that is small, and else the branch with the most cutoffs.
 */
export function branchIn(tree) {
  if (tree.isDrawnInFull) {
    return "";
  }
  const small = [...walk(tree.root)].filter((node) => {
    const below = [...walk(node)];
    return inner(node) && node.alphabeta && below.length <= MOST && below.every(({ minimax }) => !minimax.href);
  });
  const cutoffs = (node) => [...walk(node)].filter(({ alphabeta }) => alphabeta?.cut).length;
  const rank = (node) => (node === tree.root ? Number.POSITIVE_INFINITY : cutoffs(node));
  // The first of equal ones, which comes before those below it.
  const [best] = small.sort((one, other) => rank(other) - rank(one));
  return best ? best.path : null;
}

export class Tasks {
  #steps = new Map(); // by node

  /** The tasks on the branch in focus of a tree; null if there is none. */
  static of(traversal, asksWindows) {
    const { tree } = traversal;
    return tree.focus === null ? null : new Tasks(traversal, tree.find(tree.focus), asksWindows);
  }

  /** The tasks on the branch below the node `top`; `asksWindows` tells whether they ask for α and β, if the search has any. */
  constructor({ tree, algorithm, replay, wording }, top, asksWindows) {
    this.prunes = algorithm === "alphabeta";
    Object.assign(this, { tree, algorithm, replay, wording, top, asksWindows: asksWindows && this.prunes });
    this.isStrict = wording.rule === ">";
    /** The inner nodes of the branch, also those that the search prunes, each before the nodes below it. */
    this.nodes = [...walk(top)].filter(inner);
    /** The leaves from left to right, which is the order of the search. */
    this.leaves = [...walk(top)].filter((node) => !inner(node));
    for (let step = 0; step <= replay.last; step += 1) {
      const { kind, node, child } = replay.at(step);
      this.#note(node, { [kind]: step });
      if (kind === "back") {
        this.#note(child, { left: step });
      }
    }
    this.stops = [...this.#stopsAt(top)];
  }

  #note(node, steps) {
    this.#steps.set(node, { ...this.#steps.get(node), ...steps });
  }

  /**
   * The numbers of the steps at which the search does something at a node: `enter`, the last `back`, `cut`, and `left`, the
   * step at which the node's parent gets its score; the root's is `end`.
   */
  stepsOf(node) {
    const { end, ...steps } = this.#steps.get(node);
    return { left: end, ...steps };
  }

  /** A node's result in the search; undefined if the search never visits it. */
  result(node) {
    return node[this.algorithm];
  }

  /** The children of a node whose branches the search prunes. */
  pruned(node) {
    return node.children.filter((child) => !this.result(child));
  }

  /** Whether the window of a node is asked: not if the search of the branch begins with it, so that it cannot be known. */
  asksWindow(node) {
    return this.asksWindows && !(node === this.top && this.given);
  }

  /** The window with which the search enters the branch, if that has limits; else null. */
  get given() {
    const { alpha, beta } = this.result(this.top);
    return this.prunes && (alpha !== null || beta !== null) ? { alpha, beta } : null;
  }

  /** Whether a window leads to a cutoff. */
  meets(alpha, beta) {
    return this.prunes && (this.isStrict ? alpha > beta : alpha >= beta);
  }

  /**
   * The stops of the search at a node and below it, in their order. At a stop, the `node`'s `value`, its `window`, or which
   * of its `branches` are cut can be told from what is drawn at a `step`; at the step `answered` the result is drawn. A
   * score below which there is only one is not asked.
   */
  *#stopsAt(node) {
    const { enter, cut, left } = this.stepsOf(node);
    const { side, alpha, beta } = this.result(node);
    const canCut = this.prunes && (side === "max" ? beta : alpha) !== null;
    let stop = { node, step: enter, window: this.asksWindow(node), branches: [], value: false };
    let isCut = false;
    // The branches that are still to be told; the first is never cut.
    const untold = () => node.children.slice(Math.max(1, node.children.indexOf(stop.after) + 1));
    for (const [index, child] of node.children.entries()) {
      const isPruned = !this.result(child);
      if (inner(child) && !isCut) {
        const asked = { ...stop, branches: canCut && index > 0 ? untold() : [] };
        if (asked.window || asked.branches.length) {
          yield { ...asked, isCutoff: isPruned, next: child, answered: isPruned ? cut : this.stepsOf(child).enter };
        }
        isCut = isPruned;
        if (!isPruned) {
          yield* this.#stopsAt(child);
        }
        stop = { ...stop, window: false, after: child, step: isPruned ? cut : this.stepsOf(child).left };
      }
    }
    const branches = isCut || !this.prunes ? [] : untold();
    const isCutoff = this.pruned(node).length > 0 && !isCut;
    const next = branches.findLast((each) => this.result(each));
    if (stop.window || node.children.length > 1) {
      yield { ...stop, branches, isCutoff, next, value: node.children.length > 1, answered: left };
    }
  }
}
