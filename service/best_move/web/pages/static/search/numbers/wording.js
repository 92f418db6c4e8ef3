// Sentences that say what a search of a tree of numbers does.

import { count } from "../../words.js";
import { listed, mention, nodes, sentence, Wording } from "../terms.js";

export class NumberWording extends Wording {
  /** A sentence that describes a step. */
  step({ kind, node, child, isBetter, before, alpha, beta }) {
    const own = node[this.algorithm];
    const [extreme, better] = own.side === "max" ? ["highest", "higher"] : ["lowest", "lower"];
    switch (kind) {
      case "enter":
        if (node.isEnd) {
          return sentence`The search comes to the leaf ${this.move(node)}.`;
        }
        return sentence`The search ${node.parent ? "enters" : "starts at"} ${this.move(node)}, a ${this.side(node)} node.`;
      case "leaf":
        return sentence`The number of ${this.move(node)} is ${this.score(own.score)}.`;
      case "back": {
        const backed = sentence`${this.move(child)} returns ${this.limit(child[this.algorithm])} to ${this.move(node)}`;
        const compared = isBetter ? `the ${extreme} so far` : `not ${better} than ${this.score(before)}`;
        const hasMet = this.algorithm === "alphabeta" && this.#meets(alpha, beta) && !own.cut;
        return sentence`${backed}: ${compared}.${hasMet ? ` α ${this.rule} β, but no branch is left to prune.` : ""}`;
      }
      case "cut":
        return this.cutoff(node);
      default:
        return sentence`${this.side(node)} takes ${this.move(childOf(node, own.best))}: the value is ${this.score(own.score)}.`;
    }
  }

  /** The reason why branches of a node were pruned, in numbers and in the service's words. */
  cutoff(node) {
    const own = node[this.algorithm];
    const [alpha, beta] = own.side === "max" ? [own.score, own.beta] : [own.alpha, own.score]; // after the cutoff
    const tie = alpha === beta ? " Equal is enough:" : "";
    const reason = own.cut.text.replace(/-/g, "−");
    const pruned = listed(own.cut.pruned.map((move) => this.move(childOf(node, move))));
    return sentence`Cutoff: α ${this.score(alpha)} ${this.rule} β ${this.score(beta)}.${tie} ${reason} Pruned: ${pruned}.`;
  }

  /** The result of the whole search at a node. */
  summary(node) {
    const own = node[this.algorithm];
    if (!own) {
      return sentence`Alpha-beta never visits ${this.move(node)}.`;
    }
    const below = own.nodes === 1 ? "" : `, ${nodes(own.nodes)} in this subtree`;
    const result = sentence`Visit ${count(own.visit)}${below}: ${this.move(node)} is ${this.limit(own)}.`;
    return sentence`${result}${own.cut ? sentence` ${this.cutoff(node)}` : ""}`;
  }

  /** The lines on a node at an event, such as `C is a MIN node` and `best so far −1`; none without an event. */
  numbers(event) {
    if (!event) {
      return [];
    }
    const { node, alpha, beta, best } = event;
    if (node.isEnd) {
      return [`${node.name} is a leaf`];
    }
    return [
      `${node.name} is a ${this.side(node)} node`,
      ...(this.algorithm === "alphabeta" && alpha !== undefined ? [this.window({ alpha, beta })] : []),
      ...(best === undefined ? [] : [`best so far ${this.score(best, "none")}`]),
    ];
  }

  /** The name of a node in a state: its letter, its result and its kind, as in `C: 2 or less, MIN, cutoff after 1 of 3`. */
  name(node, { state, score, bound }, isBest) {
    const is = { never: "never visited", later: "not visited yet", open: "being searched" }[state];
    const kind = node.isEnd ? "leaf" : this.side(node);
    const { cut } = node[this.algorithm] ?? {};
    const tried = node.children.length - (cut?.pruned.length ?? 0);
    const result = node.isEnd ? this.score(node.numbers) : (is ?? this.limit({ score, bound }));
    const rest = [
      node.isEnd && is,
      state === "done" && cut && `cutoff after ${tried} of ${node.children.length}`,
      isBest && "best",
    ];
    return [`${node.name}: ${result}`, kind, ...rest.filter(Boolean)].join(", ");
  }

  /** A score as text; if there is none, the parameter `none`. */
  score(number, none = "") {
    return number === null || number === undefined ? none : String(number).replace("-", "−");
  }

  /** A mention of a node by its letter. */
  move(node) {
    return mention(node.name, node);
  }

  /** The side to move at a node. */
  side(node) {
    return node.side.toUpperCase();
  }

  /** The sign of the rule for a cutoff. */
  get rule() {
    return this.tree.answer.cut === "above" ? ">" : "≥";
  }

  #meets(alpha, beta) {
    const hasBoth = alpha !== null && beta !== null;
    return hasBoth && (this.rule === ">" ? alpha > beta : alpha >= beta);
  }
}

const childOf = ({ children }, move) => children.find((child) => child.move === move);
