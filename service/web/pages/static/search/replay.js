// A search as the events it went through, and how it stood at each.

import { CELL_NAMES, count, opponent } from "../words.js";

const LINES = {
  minimax: [
    ["enter", "value(node):"],
    ["leaf", "    if the game is over, or at full depth: return its score"],
    ["", "    best ← −∞ if MAX is to move, else +∞"],
    ["", "    for each move:"],
    ["", "        v ← value(node after the move)"],
    ["max", "        if MAX is to move: best ← max(best, v)"],
    ["min", "        else:              best ← min(best, v)"],
    ["end", "    return best"],
  ],
  alphabeta: [
    ["enter", "value(node, α, β):"],
    ["leaf", "    if the game is over, or at full depth: return its score"],
    ["", "    best ← −∞ if MAX is to move, else +∞"],
    ["", "    for each move:"],
    ["", "        v ← value(node after the move, α, β)"],
    ["max", "        if MAX is to move: best ← max(best, v); α ← max(α, best)"],
    ["min", "        else:              best ← min(best, v); β ← min(β, best)"],
    ["cut", "        if α ≥ β: break, since the other side will not come here"],
    ["end", "    return best"],
  ],
};

const LIMITS = { at_least: "at least", at_most: "at most" };

export class Replay {
  #tree;
  #algorithm;
  #events;

  constructor(tree, algorithm) {
    this.#tree = tree;
    this.#algorithm = algorithm;
    this.#events = [...this.#visit(tree.root), this.#event("end", tree.root, tree.root[algorithm])];
  }

  /** The number of the last step; the first is 0. */
  get last() {
    return this.#events.length - 1;
  }

  /**
   * A step of the search: its `kind` (`enter`, `leaf`, `back`, `cut` or `end`), its `node`, the `child` whose score is
   * backed up, and then the window and the best so far.
   */
  at(step) {
    return this.#events[step];
  }

  /** The number of the step that is the same event as one of an earlier replay. */
  find({ kind, node, child }) {
    return this.#events.findIndex((each) => each.kind === kind && each.node === node && each.child === child);
  }

  /**
   * How the nodes stand after a step, by path: `state`, `outcome`, its `bound` where it is no more than one, `isCut`. And
   * how many have been visited.
   */
  standing(step) {
    const nodes = new Map();
    const cut = new Set();
    let visited = 0;
    for (const { kind, node, child } of this.#events.slice(0, step + 1)) {
      const own = node[this.#algorithm];
      const hasFolded = kind === "leaf" && own.nodes > 1;
      visited += kind === "enter" ? 1 : 0;
      visited += hasFolded ? own.nodes - 1 : 0;
      if (kind === "cut") {
        cut.add(node);
      } else if (kind === "back") {
        nodes.set(child.path, known(child[this.#algorithm]));
      } else {
        nodes.set(node.path, kind === "enter" ? { state: "open" } : known(own));
      }
    }
    for (const node of this.#tree.nodes.slice(1)) {
      const { parent, move, path } = node;
      const isCut = cut.has(parent) && parent[this.#algorithm].cut.pruned.includes(move);
      const isNever = isCut || nodes.get(parent.path).state === "never";
      nodes.set(path, { state: isNever ? "never" : "later", outcome: "", ...nodes.get(path), isCut });
    }
    return { nodes, visited };
  }

  /** The line that is live at a step, and all lines of the algorithm. */
  lines(step) {
    const { kind, node } = this.#events[step];
    const live = kind === "back" ? node[this.#algorithm].side : kind;
    return LINES[this.#algorithm].map(([name, text]) => ({ text, isLive: name === live }));
  }

  /** How a node's numbers stood at a step, in a line such as `MIN (O) · α 0 · β +∞ · best so far −92`, or without a best. */
  numbers({ node, alpha, beta, best }) {
    const window = [`α ${this.score(alpha, "−∞")}`, `β ${this.score(beta, "+∞")}`];
    return [
      `${node[this.#algorithm].side.toUpperCase()} (${this.mover(node)})`,
      ...(this.#algorithm === "alphabeta" ? window : []),
      ...(best === undefined ? [] : [`best so far ${this.score(best, "none")}`]),
    ].join(" · ");
  }

  /** What happens at a step, in a sentence. */
  sentence({ kind, node, child, better, before }) {
    const own = node[this.#algorithm];
    const mover = this.mover(node);
    const move = `${node.move}, the ${CELL_NAMES[node.move]}`;
    switch (kind) {
      case "enter":
        return node.parent ? `${opponent(mover)} plays ${move}.` : `The search begins: ${mover} is to move.`;
      case "leaf":
        if (own.nodes > 1) {
          return `${count(own.nodes - 1)} positions below are folded up. They come to ${this.value(own)}.`;
        }
        return own.distance === 0
          ? `The game is over: ${this.value(own)}.`
          : `No deeper: the position is estimated at ${this.value(own)}.`;
      case "back": {
        const came = `${mover} ${child.move} comes to ${this.value(child[this.#algorithm])}`;
        if (better) {
          return `${came}, the best for ${mover} so far.`;
        }
        return `${came}, no better for ${mover} than ${this.score(before)}.`;
      }
      case "cut":
        return `Cut: ${own.cut.text} Never tried: ${own.cut.pruned.join(", ")}.`;
      default:
        return `${mover} plays ${own.best}: ${this.value(own)}.`;
    }
  }

  /** What a node came to in the whole search, in a sentence. */
  summary(node) {
    const own = node[this.#algorithm];
    if (!own) {
      return "Alpha-beta never comes here.";
    }
    const visits = `Visit ${count(own.visit)}, ${count(own.nodes)} in all from here on`;
    return `${visits}: ${this.value(own)}. ${own.cut ? `${own.cut.text} Never tried: ${own.cut.pruned.join(", ")}.` : ""}`;
  }

  /** What to call a node that stands as given, such as `O 3: loss for X, cut after 1 of 4`. */
  name(node, { state, outcome, bound }) {
    const own = node[this.#algorithm];
    const merged = this.#tree.merged(node);
    const likes = merged.length ? ` and its mirror images ${merged.join(", ")}` : "";
    const start = node.parent ? `${opponent(this.mover(node))} ${node.move}${likes}` : `${this.mover(node)} to move`;
    const states = { never: "never visited", later: "not visited yet", open: "being searched" };
    const plain = outcome === "unknown" ? `about ${this.score(own?.score)}` : `${outcome} for ${this.#tree.maximizer}`;
    const worth = bound ? `${LIMITS[bound]} ${outcome === "unknown" ? "" : "a "}${plain}` : plain;
    const parts = [`${start}: ${states[state] ?? worth}`];
    if (state === "done" && own.cut) {
      parts.push(`cut after ${node.children.length - own.cut.pruned.length} of ${node.children.length}`);
    }
    return parts.join(", ");
  }

  /** A score and what it means, such as `at most +93, a win for X or worse`. */
  value({ score, bound, outcome }) {
    const isOpen = { exact: false, at_least: outcome !== "win", at_most: outcome !== "loss" }[bound];
    const rest = isOpen ? { at_least: " or better", at_most: " or worse" }[bound] : "";
    const meaning = outcome === "unknown" ? "" : `, a ${outcome} for ${this.#tree.maximizer}${rest}`;
    return `${this.limit({ score, bound })}${meaning}`;
  }

  /** A score with the bound that it is, such as `at most +93`. */
  limit({ score, bound }) {
    return `${bound === "exact" ? "" : `${LIMITS[bound]} `}${this.score(score)}`;
  }

  /** A score as it is compared. */
  score(number, none = "") {
    if (number === null || number === undefined) {
      return none;
    }
    const shown = this.#tree.scoring === "outcome" ? number / 100 : number;
    return `${shown > 0 ? "+" : ""}${shown}`.replace("-", "−");
  }

  /** The side to move at a node. */
  mover(node) {
    const { maximizer } = this.#tree;
    return node.minimax.side === "max" ? maximizer : opponent(maximizer);
  }

  *#visit(node) {
    const own = node[this.#algorithm];
    const numbers = { alpha: own.alpha, beta: own.beta, best: null };
    yield this.#event("enter", node, numbers);
    const children = node.children.filter((child) => child[this.#algorithm]);
    if (!children.length) {
      yield this.#event("leaf", node, { ...numbers, best: own.score });
    }
    for (const child of children) {
      yield* this.#visit(child);
      const { score } = child[this.#algorithm];
      const { best: before } = numbers;
      const better = before === null || (own.side === "max" ? score > before : score < before);
      if (better) {
        numbers.best = score;
        const [limit, tighter] = own.side === "max" ? ["alpha", Math.max] : ["beta", Math.min];
        numbers[limit] = tighter(numbers[limit] ?? score, score);
      }
      yield { ...this.#event("back", node, numbers), child, better, before };
    }
    if (own.cut && children.length) {
      yield this.#event("cut", node, numbers);
    }
  }

  #event(kind, node, { alpha, beta, best }) {
    return { kind, node, alpha, beta, best: kind === "end" ? node[this.#algorithm].score : best };
  }
}

/** How a node stands once its search is over. */
const known = ({ outcome, bound }) => ({ state: "done", outcome, bound: bound === "exact" ? "" : bound });
