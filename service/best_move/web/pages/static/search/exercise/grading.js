// The grading of answers: each decision is right, wrong, or follows from a wrong one before it.

import { readScore } from "./answers.js";

const isSame = (some, others) => some.length === others.length && some.every((each) => others.includes(each));
const low = (alpha) => alpha ?? Number.NEGATIVE_INFINITY;
const high = (beta) => beta ?? Number.POSITIVE_INFINITY;
const limits = ({ alpha, beta }) => ({ alpha: low(alpha), beta: high(beta) });
const hasLimits = ({ alpha, beta }) => alpha !== null || beta !== null;
const clamp = (score, { alpha, beta }) => Math.min(Math.max(score, alpha), beta);

/** The side's bound of a score after a cutoff. */
const open = (side) => (side === "max" ? "at_least" : "at_most");

/** The windows of a node that are right answers: that on entry, and the last. */
function windowsOf(tasks, node) {
  return [tasks.result(node), tasks.replay.lastAt(node)].map(limits);
}

/** The window that is answered; a blank field means no limit, as its placeholder does. */
function windowIn(answers, node, unit) {
  const [alpha, beta] = ["alpha", "beta"].map((part) => readScore(answers.of(node, part), unit).number);
  return limits({ alpha, beta });
}

const isOneOf = (windows, { alpha, beta }) => windows.some((each) => each.alpha === alpha && each.beta === beta);

/** Whether a score that is answered is that of the search, as fail-soft or as fail-hard alpha-beta returns it. */
function isRightScore({ score, bound, ...window }, answer) {
  const isSigned = ["", bound].includes(answer.bound);
  const hard = clamp(score, limits(window));
  return isSigned && (answer.number === score || (bound !== "exact" && answer.number === hard));
}

/** Grade the answers at one stop: by the names of its parts, whether they are right. */
export function gradeStop(tasks, stop, answers) {
  const { node, window, branches, value, isCutoff } = stop;
  const { unit } = tasks.wording;
  const marked = branches.filter((each) => answers.isCut(each));
  const pruned = isCutoff ? tasks.pruned(node) : [];
  return {
    ...(window && { window: isOneOf(windowsOf(tasks, node), windowIn(answers, node, unit)) }),
    ...(branches.length && { branches: isSame(marked, pruned) }),
    ...(value && { value: isRightScore(tasks.result(node), readScore(answers.of(node, "value"), unit)) }),
  };
}

/**
 * Grade all answers. A decision has its `node`, its `part` (`window`, `branches` or `value`), its `verdict` (`right`,
 * `wrong` or `follows`), and whether it `isBlank`: nothing is typed or cut. If it follows, its `cause` is the wrong
 * decision that it follows from. An answer on a node that the search never visits is `isExtra`: it is no decision of the
 * search.
 */
export function grade(tasks, answers) {
  const grading = new Grading(tasks, answers);
  grading.visit(tasks.top, limits(tasks.result(tasks.top)), null);
  for (const decision of grading.decisions) {
    decision.cause &&= origin(decision.cause);
  }
  return grading.decisions;
}

/** The wrong decision that a decision follows from, or the decision itself if it is wrong. */
const origin = (decision) => (decision.verdict === "follows" ? origin(decision.cause) : decision);

/** Follows the search as the answers describe it, with their scores, and without the branches that they cut. */
class Grading {
  decisions = [];
  #tasks;
  #answers;

  constructor(tasks, answers) {
    this.#tasks = tasks;
    this.#answers = answers;
  }

  /**
   * Grade the answers on a node and below it. `entry` is the window with which they enter the node, and `cause` the wrong
   * decision that they may follow from, or null. Return the node's `score` by the answers, and its own `cause`.
   */
  visit(node, entry, cause) {
    const { prunes } = this.#tasks;
    const isAsked = Boolean(this.#tasks.result(node));
    const { side } = node;
    const window = this.#add(node, "window", isAsked && this.#tasks.asksWindow(node));
    const branches = this.#add(node, "branches", isAsked && prunes && node.children.length > 1);
    const now = { ...entry };
    const expected = []; // the branches that the answers should cut
    let best = null;
    let since = cause;
    for (const [index, child] of node.children.entries()) {
      if (index > 0 && this.#tasks.meets(now.alpha, now.beta)) {
        expected.push(child);
      }
      if (this.#isCut(child)) {
        this.#skip(child, branches);
        continue;
      }
      const isForgotten = isAsked && !this.#tasks.result(child);
      const found = this.#score(child, { ...now }, isForgotten ? branches : since);
      since ??= found.cause;
      best = side === "max" ? Math.max(best ?? found.score, found.score) : Math.min(best ?? found.score, found.score);
      if (prunes) {
        now.alpha = side === "max" ? Math.max(now.alpha, best) : now.alpha;
        now.beta = side === "min" ? Math.min(now.beta, best) : now.beta;
      }
    }
    const earlier = since === branches ? cause : since;
    if (isAsked) {
      this.#gradeWindow(window, [entry, now], earlier);
      this.#gradeBranches(branches, expected, earlier);
    }
    const isCut = this.decisions.includes(branches) && branches.verdict !== "right";
    return this.#gradeValue(node, best, entry, since ?? (isCut ? branches : null));
  }

  /** Return a new decision, which counts if it `isAsked`. */
  #add(node, part, isAsked, more = {}) {
    const decision = { node, part, verdict: "", cause: null, isBlank: false, isExtra: false, ...more };
    if (isAsked) {
      this.decisions.push(decision);
    }
    return decision;
  }

  #isCut(child) {
    return child !== child.parent.children[0] && this.#answers.isCut(child);
  }

  /** The score of a child by the answers. */
  #score(child, window, cause) {
    return child.children.length
      ? this.visit(child, window, cause)
      : { score: child.numbers ?? child.minimax.score, cause: null };
  }

  /** Grade what is missing below a branch that the answers cut: nothing if the search prunes it, too. */
  #skip(node, cause) {
    if (!node.children.length || !this.#tasks.result(node)) {
      return;
    }
    const more = { verdict: "follows", cause };
    this.#add(node, "window", this.#tasks.asksWindow(node) && hasLimits(this.#tasks.result(node)), more);
    this.#add(node, "branches", this.#tasks.pruned(node).length > 0, more);
    this.#add(node, "value", true, more);
    for (const child of node.children) {
      this.#skip(child, cause);
    }
  }

  #gradeWindow(decision, own, cause) {
    const answer = windowIn(this.#answers, decision.node, this.#tasks.wording.unit);
    decision.isBlank = ["alpha", "beta"].every((part) => !this.#answers.of(decision.node, part));
    judge(decision, isOneOf(windowsOf(this.#tasks, decision.node), answer), isOneOf(own, answer), cause);
  }

  #gradeBranches(decision, expected, cause) {
    const marked = decision.node.children.filter((child) => this.#isCut(child));
    const isRight = isSame(marked, this.#tasks.pruned(decision.node));
    decision.isBlank = marked.length === 0;
    judge(decision, isRight, isSame(marked, expected), cause);
  }

  #gradeValue(node, best, entry, cause) {
    const result = this.#tasks.result(node);
    const answer = readScore(this.#answers.of(node, "value"), this.#tasks.wording.unit);
    const isBlank = answer.number === null;
    const isExpected = [best, clamp(best, entry)].includes(answer.number);
    const score = isExpected || !Number.isFinite(answer.number) ? best : answer.number;
    if (!result) {
      this.#add(node, "value", !isBlank, { verdict: "follows", cause, isExtra: true });
      return { score, cause };
    }
    const decision = this.#add(node, "value", true, { isBlank });
    const bounds = ["", ...(node.children.some((child) => this.#isCut(child)) ? [open(node.side)] : [])];
    const isOwn = isExpected && bounds.includes(answer.bound);
    judge(decision, isRightScore(result, answer), isOwn, cause);
    // An answer can be right by fail-hard alone: the score that is carried on may then still follow from a wrong one.
    const carried = answer.number === score ? null : cause;
    const origins = { right: carried, follows: cause, wrong: isBlank ? (cause ?? decision) : decision };
    return { score, cause: origins[decision.verdict] };
  }
}

/** Set the verdict on a decision. An answer that `isOwn` is what the earlier answers lead to. */
function judge(decision, isRight, isOwn, cause) {
  decision.verdict = isRight ? "right" : isOwn && cause ? "follows" : "wrong";
  decision.cause = decision.verdict === "follows" ? cause : null;
}
