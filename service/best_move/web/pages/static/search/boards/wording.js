// Sentences that say what a search does.

import { CELL_NAMES, count, opponent } from "../../words.js";
import { listed, mention, nodes, sentence, Wording } from "../terms.js";

export class BoardWording extends Wording {
  /** A sentence that describes a step. */
  step({ kind, node, child, isBetter, before, alpha, beta }) {
    const own = node[this.algorithm];
    const mover = this.mover(node);
    switch (kind) {
      case "enter":
        if (node.parent) {
          return sentence`${this.move(node, " plays")}, the ${CELL_NAMES[node.move]}.`;
        }
        return own.distance === 0 ? "The game is over." : `The search starts: ${mover} is to move.`;
      case "leaf":
        if (own.nodes > 1) {
          return `${nodes(own.nodes - 1)} below, collapsed: score ${this.value(own)}.`;
        }
        return own.distance === 0
          ? `${own.outcome === "draw" ? "A draw" : `${opponent(mover)} wins`}: score ${this.score(own.score)}.`
          : `Depth limit: the estimate is ${this.limit(own)}.`;
      case "back": {
        const scored = sentence`${this.move(child)} scores ${this.value(child[this.algorithm])}`;
        const compared = isBetter
          ? `the best for ${mover} so far`
          : `no better for ${mover} than ${this.score(before)}`;
        const hasMet = this.algorithm === "alphabeta" && alpha !== null && beta !== null && alpha >= beta && !own.cut;
        return sentence`${scored}: ${compared}.${hasMet ? " α ≥ β, but no move is left to prune." : ""}`;
      }
      case "cut":
        return this.cutoff(node);
      default:
        return sentence`${this.move(childOf(node, own.best), " plays")}: score ${this.value(own)}.`;
    }
  }

  /** The reason why moves of a node were pruned, in numbers and in the service's words. */
  cutoff(node) {
    const own = node[this.algorithm];
    const [alpha, beta] = own.side === "max" ? [own.score, own.beta] : [own.alpha, own.score]; // after the cutoff
    const tie = alpha === beta ? " Equal is enough:" : "";
    // The only numbers in the text are estimates.
    const reason = own.cut.text.replace(/-?\d+/g, (estimate) => this.score(Number(estimate)));
    const pruned = listed(own.cut.pruned.map((move) => this.move(childOf(node, move))));
    return sentence`Cutoff: α ${this.score(alpha)} ≥ β ${this.score(beta)}.${tie} ${reason} Pruned: ${pruned}.`;
  }

  /** The result of the whole search at a node. */
  summary(node) {
    const own = node[this.algorithm];
    if (!own) {
      return "Alpha-beta never visits this node.";
    }
    const visits =
      own.nodes === 1 ? `Visit ${count(own.visit)}` : `Visit ${count(own.visit)}, ${nodes(own.nodes)} in this subtree`;
    return sentence`${visits}: score ${this.value(own)}.${own.cut ? sentence` ${this.cutoff(node)}` : ""}`;
  }

  /** The lines on a node at an event, such as `MIN (O) is to move` and `best so far −1`; none without an event. */
  numbers(event) {
    if (!event) {
      return [];
    }
    const { node, alpha, beta, best } = event;
    const { nodes, distance, side } = node[this.algorithm] ?? node.minimax;
    if (nodes === 1) {
      return [distance === 0 ? "End of the game" : "Depth limit"];
    }
    return [
      `${side.toUpperCase()} (${this.mover(node)}) is to move`,
      ...(this.algorithm === "alphabeta" && alpha !== undefined ? [this.window({ alpha, beta })] : []),
      ...(best === undefined ? [] : [`best so far ${this.score(best, "none")}`]),
    ];
  }

  /** The name of a node in a state: its label and its result, as in `O 3: −1, a loss for X, cutoff after 1 of 4`. */
  name(node, state, isBest) {
    const mirrors = this.tree.merged(node);
    const times = mirrors.length ? ` ×${mirrors.length + 1}` : "";
    const likes = mirrors.length ? `, with rotations and mirror images ${mirrors.join(", ")}` : "";
    return `${this.move(node).text}${times}: ${this.#result(node, state)}${isBest ? ", best" : ""}${likes}`;
  }

  #result(node, { state, outcome, score, bound, isGiven }) {
    if (isGiven) {
      return `${this.value({ outcome, score })}, given`;
    }
    const states = { never: "never visited", later: "not visited yet", open: "being searched" };
    const { cut } = node[this.algorithm] ?? {};
    const tried = node.children.length - (cut?.pruned.length ?? 0);
    const when = state === "done" && cut ? `, cutoff after ${tried} of ${node.children.length}` : "";
    return `${states[state] ?? this.value({ outcome, score, bound })}${when}`;
  }

  /** A score and what it means, such as `−92, a loss for X`, `+1, an estimate` or `+93 or less for X`. */
  value({ score, bound, outcome }) {
    const { maximizer } = this.tree;
    // A bound leaves the outcome open, unless no outcome lies beyond it.
    const isOpen = { at_least: outcome !== "win", at_most: outcome !== "loss" }[bound] ?? false;
    const amount = this.limit({ score, bound });
    if (isOpen) {
      return `${amount} for ${maximizer}`;
    }
    const meaning = { draw: "a draw", unknown: "an estimate" }[outcome] ?? `a ${outcome} for ${maximizer}`;
    return `${amount}, ${meaning}`;
  }

  /** A score as text, with its sign; if there is no score, the parameter `none`. */
  score(number, none = "") {
    if (number === null || number === undefined) {
      return none;
    }
    const shown = number / this.unit;
    return `${shown > 0 ? "+" : ""}${shown}`.replace("-", "−");
  }

  /** The service's score that is shown as 1: 100, a win's, if scores can only be 100, 0 and −100; otherwise 1. */
  get unit() {
    return this.tree.scoring === "outcome" && !this.tree.isLimited ? 100 : 1;
  }

  /** A mention of a node by its move, such as `X 1`, or `X plays 1` with a verb; of the root by the side to move. */
  move(node, verb = "") {
    const { parent, move } = node;
    return mention(parent ? `${this.mover(parent)}${verb} ${move}` : `${this.mover(node)} to move`, node);
  }

  /** The side to move at a node. */
  mover(node) {
    const { maximizer } = this.tree;
    return node.minimax.side === "max" ? maximizer : opponent(maximizer);
  }
}

const childOf = ({ children }, move) => children.find((child) => child.move === move);
