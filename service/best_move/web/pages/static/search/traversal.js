// The traversal of a tree by one algorithm.

import { Replay } from "./replay.js";

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
