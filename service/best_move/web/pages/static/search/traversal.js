// The traversal of a tree by one algorithm: its replay as a sequence of events, and the state of its nodes after each.

export class Traversal {
  constructor(tree, algorithm) {
    this.tree = tree;
    this.algorithm = algorithm;
    this.replay = new Replay(tree, algorithm);
    this.wording = new tree.kind.Wording(tree, algorithm);
  }

  /** The nodes on the line of best play. */
  get line() {
    const line = [];
    for (let node = this.tree.root; node; ) {
      line.push(node);
      const { best } = node[this.algorithm];
      node = node.children.find(({ move }) => best !== null && move === best);
    }
    return line;
  }

  /**
   * Paint the state after a step, and highlight `selected` or the step's node; return the number of nodes visited. `given`
   * has by path what an exercise shows of nodes that are not visited yet.
   */
  paint(drawing, step, selected, given) {
    const { tree, replay, wording } = this;
    const { nodes, visited } = replay.results(step);
    const isEnd = step === replay.last;
    const line = new Set(isEnd ? this.line.map(({ path }) => path) : []);
    const node = selected ?? replay.at(step).node;
    const drawn = tree.standIn(node);
    // The path to the node; empty at the root, so that the last step highlights only the line of best play.
    const way = new Set();
    for (let each = node === tree.root ? null : drawn; each; each = each.parent) {
      way.add(each);
    }
    drawing.paint((path) => {
      const each = tree.at(path);
      const own = nodes.get(path);
      const result = own.state === "later" ? { ...own, ...given.get(path) } : own;
      return {
        ...result,
        score: wording.score(result.score),
        isChosen: line.has(path),
        isCurrent: way.has(each),
        isNear: each.parent === drawn || way.has(each.parent) || Boolean(result.isGiven),
        isAt: path === drawn.path && (!isEnd || selected !== null),
        isSelected: path === drawn.path,
        name: wording.name(each, result, path !== "" && line.has(path)),
      };
    });
    return visited;
  }

  /** The texts on a step or, if a node is selected, on this node: lines of numbers, and a sentence. */
  texts(step, selected) {
    const event = selected ? this.replay.lastAt(selected) : this.replay.at(step);
    return [this.wording.numbers(event), selected ? this.wording.summary(selected) : this.wording.step(event)];
  }
}

class Replay {
  #tree;
  #algorithm;
  #events;

  constructor(tree, algorithm) {
    this.#tree = tree;
    this.#algorithm = algorithm;
    const { root } = tree;
    const isOver = root[algorithm].nodes === 1;
    this.#events = [...this.#visit(root)];
    if (!isOver) {
      this.#events.push(this.#event("end", root, this.#events.at(-1)));
    }
  }

  /** The number of the last step; the first is 0. */
  get last() {
    return this.#events.length - 1;
  }

  /**
   * A step: its `kind` (`enter`, `leaf`, `back`, `cut` or `end`), its `node`, and `alpha`, `beta` and the `best` score
   * after it. A `back` step also has the `child` whose score is backed up, the best score `before`, and
   * whether the child's score `isBetter`.
   */
  at(step) {
    return this.#events[step];
  }

  /** The last event at a node up to a step; undefined if the search has not visited the node by then. */
  lastAt(node, step = this.last) {
    return this.#events.findLast((event, index) => event.node === node && index <= step);
  }

  /** The number of the next step of a kind after a step; undefined if there is none. */
  next(kind, step) {
    const found = this.#events.findIndex((event, index) => index > step && event.kind === kind);
    return found < 0 ? undefined : found;
  }

  /** Return the step that matches another replay's step, or the nearest earlier one that has a match; else 0. */
  like(other, step) {
    for (let before = step; before > 0; before -= 1) {
      const { kind, node, child } = other.at(before);
      const found = this.#events.findIndex(
        (each) => each.kind === kind && each.node.path === node.path && each.child?.path === child?.path,
      );
      if (found >= 0) {
        return found;
      }
    }
    return 0;
  }

  /**
   * Return the number of nodes visited up to a step and, by path, the `state` of each drawn node, its result if the
   * search has left it, and `isCut`, whether the move to it was pruned.
   */
  results(step) {
    const nodes = new Map();
    const cut = new Set();
    let visited = 0;
    for (const { kind, node, child } of this.#events.slice(0, step + 1)) {
      const own = node[this.#algorithm];
      const isCollapsed = kind === "leaf" && own.nodes > 1;
      visited += kind === "enter" ? 1 : 0;
      visited += isCollapsed ? own.nodes - 1 : 0;
      if (kind === "cut") {
        cut.add(node);
      } else if (kind === "back") {
        nodes.set(child.path, known(child[this.#algorithm]));
      } else {
        nodes.set(node.path, kind === "enter" ? { state: "open" } : known(own));
      }
    }
    for (const { parent, move, path } of this.#tree.nodes.slice(1)) {
      const isCut = cut.has(parent) && parent[this.#algorithm].cut.pruned.includes(move);
      const isNever = isCut || nodes.get(parent.path).state === "never";
      nodes.set(path, { state: isNever ? "never" : "later", ...nodes.get(path), isCut });
    }
    return { nodes, visited };
  }

  /** The line of pseudocode that a step executes. */
  line(step) {
    const { kind, node } = this.#events[step];
    return kind === "back" ? node[this.#algorithm].side : kind;
  }

  *#visit(node) {
    const own = node[this.#algorithm];
    const numbers = { alpha: own.alpha, beta: own.beta, best: null };
    yield this.#event("enter", node, numbers);
    const children = node.children.filter((child) => child[this.#algorithm]);
    if (!children.length) {
      if (own.nodes > 1) {
        tighten(numbers, own.side, own.score); // the collapsed children have tightened the window to this score
      }
      yield this.#event("leaf", node, { ...numbers, best: own.score });
    }
    for (const child of children) {
      yield* this.#visit(child);
      const { score } = child[this.#algorithm];
      const { best: before } = numbers;
      const isBetter = before === null || (own.side === "max" ? score > before : score < before);
      if (isBetter) {
        numbers.best = score;
        tighten(numbers, own.side, score);
      }
      yield { ...this.#event("back", node, numbers), child, isBetter, before };
    }
    if (own.cut && children.length) {
      yield this.#event("cut", node, numbers);
    }
  }

  #event(kind, node, { alpha, beta, best }) {
    return { kind, node, alpha, beta, best };
  }
}

/** Raise the alpha of a window, or lower its beta, to the score of a child. */
function tighten(window, side, score) {
  const [limit, tighter] = side === "max" ? ["alpha", Math.max] : ["beta", Math.min];
  window[limit] = tighter(window[limit] ?? score, score);
}

/** The state and the result of a node that the search has left. */
const known = ({ outcome, score, bound }) => ({ state: "done", outcome, score, bound: bound === "exact" ? "" : bound });
