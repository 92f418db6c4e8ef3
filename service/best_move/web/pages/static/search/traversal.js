// The traversal of a tree by one algorithm.

import { Replay } from "./replay.js";
import { Wording } from "./wording.js";

export class Traversal {
  constructor(tree, algorithm) {
    this.tree = tree;
    this.algorithm = algorithm;
    this.replay = new Replay(tree, algorithm);
    this.wording = new Wording(tree, algorithm);
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

  /** Paint the state after a step, and highlight `looked` or the step's node; return the number of nodes visited. */
  paint(drawing, step, looked, given) {
    const { tree, replay, wording } = this;
    const { nodes, visited } = replay.standing(step);
    const isEnd = step === replay.last;
    const line = new Set(isEnd ? this.line.map(({ path }) => path) : []);
    const node = looked ?? replay.at(step).node;
    const drawn = tree.standIn(node);
    const way = new Set();
    for (let each = drawn; each && node !== tree.root; each = each.parent) {
      way.add(each);
    }
    drawing.paint((path) => {
      const each = tree.at(path);
      const stands = { ...nodes.get(path), ...given.get(path) };
      return {
        ...stands,
        score: wording.score(stands.score),
        isChosen: line.has(path),
        isCurrent: way.has(each),
        isNear: each.parent === drawn || way.has(each.parent) || given.has(path),
        isAt: path === drawn.path && (!isEnd || looked !== null),
        isLooked: path === drawn.path,
        name: wording.name(each, stands, { isBest: path !== "" && line.has(path), given: given.get(path) }),
      };
    });
    return visited;
  }

  /** The texts on a step or, if a node is selected, on this node: lines of numbers, and a sentence. */
  told(step, looked) {
    const event = looked ? this.replay.lastAt(looked) : this.replay.at(step);
    return [this.wording.numbers(event), looked ? this.wording.summary(looked) : this.wording.step(event)];
  }

  /** The texts on a step or on the selected node in an exercise, without the answer to the question on `node`. */
  hinted(step, looked, { node, isOpen, given }) {
    const { replay, wording } = this;
    if (looked && looked !== node) {
      const stands = replay.standing(step).nodes.get(looked.path);
      const name = wording.name(looked, stands, { given: given.get(looked.path) });
      return [wording.numbers(replay.lastAt(looked, step)), `${name}.`];
    }
    const { alpha, beta } = node[this.algorithm];
    return [wording.numbers(isOpen ? { node, alpha, beta } : replay.lastAt(node, step)), ""];
  }
}
