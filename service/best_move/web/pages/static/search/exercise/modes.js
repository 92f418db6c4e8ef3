// The two modes of an exercise: it stops at one node after the other, or asks about the whole tree at once.
//
// Each mode has the `node` that it is about, the `step` that is drawn, the `fields` in the order of the search, whether it
// `isClosed` to answers, the `verdict` on each field, a `view` for the panel, and the choices that a `submit` leads to.

import { listed, sentence } from "../terms.js";
import { grade, gradeStop } from "./grading.js";
import { inWords, nameOf, reasonOf } from "./reasons.js";

const PARTS = { alpha: "window", beta: "window", value: "value" };
const STRICT = { true: "right", false: "wrong", undefined: "" };

const windowOf = (node) => ["alpha", "beta"].map((part) => ({ node, part }));
const cutOf = (node) => ({ node, part: "cut" });
const scoreOf = (node) => ({ node, part: "value" });
const capital = ([first, ...rest]) => [first.replace(/^[a-z]/, (letter) => letter.toUpperCase()), ...rest];

export class Whole {
  isClosed = false;

  constructor(tasks, answers, { graded }) {
    Object.assign(this, { tasks, answers, graded });
    this.decisions = grade(tasks, answers);
    this.node = tasks.top;
    this.step = tasks.stepsOf(tasks.top).enter;
    this.fields = [...this.#fieldsOf(tasks.top)];
  }

  verdict({ node, part }) {
    if (this.graded !== "all") {
      return "";
    }
    const isCut = part === "cut";
    const decision = this.#decision(isCut ? node.parent : node, PARTS[part] ?? "branches");
    // Of wrong branches, only those are marked that are wrong.
    const isSame = isCut && this.answers.isCut(node) === !this.tasks.result(node);
    const isMarked = decision && (decision.isExtra || isAnswer(decision)) && (decision.verdict === "right" || !isSame);
    return isMarked ? decision.verdict : "";
  }

  get view() {
    const isRevealed = this.graded === "all";
    const result = this.graded ? resultOf(this.decisions.filter(isAnswer)) : "";
    return {
      task: taskOf(this.tasks),
      button: "Check",
      canReveal: this.graded === "count",
      result: this.graded === "count" ? `${result} Look again, or show which.` : result,
      reasons: isRevealed ? this.#reasons : [],
      isDone: isRevealed,
    };
  }

  /** First only how many answers are right is shown. */
  submit() {
    const isDone = this.decisions.every(({ verdict }) => verdict === "right");
    return { graded: isDone ? "all" : "count" };
  }

  *#fieldsOf(node) {
    const { prunes } = this.tasks;
    yield* this.tasks.asksWindow(node) ? windowOf(node) : [];
    for (const child of node.children) {
      yield* prunes && child !== node.children[0] ? [cutOf(child)] : [];
      yield* child.children.length ? this.#fieldsOf(child) : [];
    }
    yield scoreOf(node);
  }

  #decision(node, part) {
    return this.decisions.find((each) => each.node === node && each.part === part);
  }

  /** The wrong decisions in the order of their steps, each with those that follow from it. */
  get #reasons() {
    const { wording } = this.tasks;
    const wrong = this.decisions.filter(({ verdict }) => verdict === "wrong");
    const reasons = wrong.map((decision) => {
      const isAlone = !wrong.some(({ node, part }) => node === decision.node && part === "branches");
      const { step, why } = reasonOf(this.tasks, { ...decision, isAlone }, this.answers);
      const following = this.decisions.filter(({ cause }) => cause === decision).map((each) => inWords(each, wording));
      const more = following.length ? sentence` From it follow: ${listed(following)}.` : "";
      return { step, said: sentence`${capital(inWords(decision, wording))}: ${why}${more}` };
    });
    return reasons.sort((one, other) => one.step - other.step);
  }
}

/** What a whole tree asks for, and the window of a search that begins with one. */
function taskOf({ top, given, prunes, asksWindows, wording }) {
  const start = given ? sentence`The search enters ${nameOf(top, wording)} with ${wording.window(given)}. ` : "";
  const branches = prunes
    ? ", and cut (○) the branches that it prunes. For a score that is only a bound, 2 and ≤ 2 are both right"
    : "";
  const windows = asksWindows ? " Type α and β of each node on entry, or the last ones." : "";
  return sentence`${start}Type the score that the search returns for each node${branches}.${windows}`;
}

/** Whether a decision is counted: not if nothing is answered, and there is nothing to cut, or no limit to type. */
const isAnswer = ({ isExtra, isBlank, verdict }) => !isExtra && !(isBlank && verdict === "right");

/** How many decisions are right, wrong and so on. */
function resultOf(decisions) {
  const count = (test) => decisions.filter(test).length;
  // A branch that is not cut is an answer.
  const isMissing = ({ verdict, isBlank, part }) => verdict === "wrong" && isBlank && part !== "branches";
  const blank = count(isMissing);
  const wrong = count(({ verdict }) => verdict === "wrong") - blank;
  const follows = count(({ verdict }) => verdict === "follows");
  const parts = [
    wrong && `${wrong} ${wrong === 1 ? "is" : "are"} wrong`,
    follows && `${follows} ${follows === 1 ? "follows" : "follow"} from wrong answers`,
    blank && `${blank} ${blank === 1 ? "is" : "are"} blank`,
  ].filter(Boolean);
  const { length } = decisions;
  return parts.length
    ? `${count(({ verdict }) => verdict === "right")} of ${length} answers are right; ${parts.join(", ")}.`
    : `All ${length} answers are right.`;
}

export class Stops {
  #stop;
  #index;
  #grades;

  /** The stop is the first at or after the chosen step or, if there is none, the first of all. */
  constructor(tasks, answers, { graded, results = "", step }) {
    Object.assign(this, { tasks, answers, results });
    const found = tasks.stops.findIndex((stop) => stop.step >= Number(step));
    this.#index = Math.max(0, found);
    this.#stop = tasks.stops[this.#index];
    this.#grades = gradeStop(tasks, this.#stop, answers);
    this.isClosed = graded === "all";
    const { node, window, branches, value, answered } = this.#stop;
    this.node = node;
    this.step = this.isClosed ? answered : this.#stop.step;
    this.fields = [...(window ? windowOf(node) : []), ...branches.map(cutOf), ...(value ? [scoreOf(node)] : [])];
  }

  verdict({ node, part }) {
    const { branches, [PARTS[part]]: isRight } = this.#grades;
    if (!this.isClosed || part !== "cut") {
      return this.isClosed ? STRICT[isRight] : "";
    }
    const isPruned = this.#stop.isCutoff && !this.tasks.result(node);
    return branches ? "right" : this.answers.isCut(node) === isPruned ? "" : "wrong";
  }

  get view() {
    const { stops } = this.tasks;
    const known = this.results.replaceAll("-", "");
    const right = known.replaceAll("0", "").length;
    const isLast = this.#index === stops.length - 1;
    return {
      task: this.#task,
      button: this.isClosed ? (isLast ? "" : "Next") : "Check",
      score: `Question ${this.#index + 1} of ${stops.length}${known ? ` · ${right} of ${known.length} right` : ""}`,
      result: this.isClosed ? (this.#isRight ? "Right." : "Wrong.") : "",
      reasons: this.isClosed ? this.#reasons : [],
      isDone: this.isClosed && isLast,
    };
  }

  submit() {
    const { stops } = this.tasks;
    if (this.isClosed) {
      return { step: String(stops[this.#index + 1].step), answers: "", graded: "" };
    }
    const before = this.results.padEnd(this.#index, "-").slice(0, this.#index);
    return { step: String(this.#stop.step), graded: "all", results: before + (this.#isRight ? "1" : "0") };
  }

  get #isRight() {
    return Object.values(this.#grades).every(Boolean);
  }

  get #task() {
    const { node, window, branches, value } = this.#stop;
    const name = nameOf(node, this.tasks.wording);
    const parts = [
      window && sentence`Type α and β with which the search enters ${name}.`,
      branches.length && !value && sentence`Cut (○) the branches of ${name} that the search prunes now, if any.`,
      branches.length && value && sentence`Cut (○) the branches of ${name} that the search prunes, if any.`,
      value && sentence`Type the score that the search returns for ${name}.`,
    ].filter(Boolean);
    return parts.flatMap((each, index) => [index ? " " : "", each].flat());
  }

  /** The reason for each part of the stop. */
  get #reasons() {
    const { node, branches, isCutoff, next } = this.#stop;
    return Object.entries(this.#grades).map(([part, isRight]) => {
      const about = part === "branches" ? { branches, isCutoff, next } : { isAlone: branches.length === 0 };
      const { step, why } = reasonOf(this.tasks, { node, part, ...about }, this.answers);
      return {
        step,
        said: sentence`${capital(inWords({ node, part }, this.tasks.wording))}, ${STRICT[isRight]}: ${why}`,
      };
    });
  }
}
