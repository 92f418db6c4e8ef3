// An exercise on a search: it stops where a node is to be backed up, or before its moves are cut, and asks what comes.

import { element, find, write } from "../page.js";
import { count } from "../words.js";

const MOST = 10; // questions on a search, those nearest to its root

/** The questions on the drawing of a search, in the search's order, each with the step it is asked at and the one that answers it. */
export function questionsOf(tree, replay, algorithm) {
  const stops = new Map();
  for (let step = 0; step <= replay.last; step += 1) {
    const { kind, node } = replay.at(step);
    stops.set(node, { ...stops.get(node), [kind]: step });
  }
  return [...stops]
    .filter(([node]) => tree.at(node.path))
    .map(([node, stop]) => askCut(replay, node, stop, algorithm) ?? askValue(replay, node, stop, algorithm))
    .filter(Boolean)
    .sort((one, other) => one.node.ply - other.node.ply || one.step - other.step)
    .slice(0, MOST)
    .sort((one, other) => one.step - other.step);
}

/** Ask on entry which moves are never tried, given what they are worth; null where the window could not cut any. */
function askCut(replay, node, { enter, back, cut }, algorithm) {
  const own = node[algorithm];
  const [name, limit, side] = own.side === "max" ? ["β", own.beta, "more"] : ["α", own.alpha, "less"];
  if (algorithm === "minimax" || back === undefined || limit === null || node.children.length < 2) {
    return null;
  }
  const bound = `${name}, ${replay.score(limit)},`;
  return {
    node,
    step: enter,
    answered: cut ?? back,
    text: `Which of ${replay.mover(node)}'s moves will be cut, if this is what they are worth?`,
    given: "They are tried in this order. If none will be cut, choose none.",
    choices: node.children.map(({ move, minimax }) => ({ value: move, text: `${move}: ${replay.value(minimax)}` })),
    signs: new Map(node.children.map(({ path, minimax }) => [path, { outcome: minimax.outcome }])),
    right: own.cut?.pruned ?? [],
    isMany: true,
    why: own.cut
      ? replay.sentence(replay.at(cut))
      : `Nothing is cut: no move before the last comes to ${bound} or ${side}.`,
  };
}

/** Ask what a node comes to, once all its moves are known; null where they all come to the same. */
function askValue(replay, node, { back, cut }, algorithm) {
  const own = node[algorithm];
  const known = new Map(node.children.map((child) => child[algorithm]).map((each) => [each?.score, each]));
  if (back === undefined || cut !== undefined || known.size < 2) {
    return null;
  }
  const came = node.children.map((child) => `${child.move} to ${replay.limit(child[algorithm])}`).join(", ");
  return {
    node,
    step: back,
    answered: back + 1,
    text: "What does this position come to?",
    given: `${replay.mover(node)}'s moves have come to these: ${came}.`,
    choices: [...known.values()]
      .sort((one, other) => other.score - one.score)
      .map((each) => ({ value: each.score, text: replay.value({ ...each, bound: "exact" }) })),
    signs: new Map(),
    right: [own.score],
    isMany: false,
    why: `${own.side.toUpperCase()} takes the ${own.side === "max" ? "highest" : "lowest"}. ${replay.sentence(replay.at(back + 1))}`,
  };
}

export class Predict {
  #show;
  #questions = [];
  #index = 0;
  #isAnswered = false;
  #answers = 0;
  #right = 0;

  /** `show()` is called whenever the exercise goes on to something else to see. */
  constructor(show) {
    this.#show = show;
    find("predict").addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.#isAnswered) {
        this.#next();
      } else {
        this.#answer();
      }
    });
  }

  /** The question that is asked; undefined without one. */
  get asked() {
    return this.#questions[this.#index];
  }

  /** The step to be shown: the one asked about or, once that is answered, its answer. */
  get step() {
    return this.#isAnswered ? this.asked?.answered : this.asked?.step;
  }

  /** Whether a question waits for its answer. */
  get isOpen() {
    return Boolean(this.asked) && !this.#isAnswered;
  }

  /** What is given away of nodes that the search has not come to, by path. */
  get given() {
    return this.isOpen ? this.asked.signs : new Map();
  }

  /** Begin with the first question from a step on, and from the start where there is none. */
  begin(questions, step) {
    this.#questions = questions;
    this.#answers = 0;
    this.#right = 0;
    find("predict").hidden = false;
    find("predict-question").hidden = !questions.length;
    const index = questions.findIndex((each) => each.step >= step);
    this.#ask(Math.max(0, index));
  }

  /** Ask nothing more. */
  end() {
    this.#questions = [];
    find("predict").hidden = true;
  }

  #ask(index) {
    this.#index = index;
    this.#isAnswered = false;
    write("predict-told", this.asked ? "" : "There is nothing to predict: every move leads to the same.");
    if (this.asked) {
      const { text, given, choices, isMany } = this.asked;
      write("predict-text", text);
      write("predict-given", given);
      find("predict-choices").replaceChildren(...choices.map((choice) => input(choice, isMany)));
      find("predict-choices").parentElement.disabled = false;
      this.#score();
    }
  }

  #answer() {
    const { choices, right, isMany, why } = this.asked;
    const inputs = [...find("predict-choices").querySelectorAll("input")];
    if (!isMany && !inputs.some(({ checked }) => checked)) {
      write("predict-told", "Choose one of them.");
      return;
    }
    const isRight = inputs.every(({ checked }, index) => checked === right.includes(choices[index].value));
    this.#isAnswered = true;
    this.#answers += 1;
    this.#right += isRight ? 1 : 0;
    inputs.forEach((each, index) => {
      each.parentElement.classList.toggle("right", right.includes(choices[index].value));
    });
    write("predict-told", `${isRight ? "Right." : "Not so."} ${why}`);
    this.#score();
    find("predict-go").focus();
    find("predict-choices").parentElement.disabled = true;
    this.#show();
  }

  #next() {
    if (this.#index + 1 < this.#questions.length) {
      this.#ask(this.#index + 1);
    } else {
      this.begin(this.#questions, 0);
    }
    find("predict-choices").querySelector("input").focus();
    this.#show();
  }

  #score() {
    const [at, all] = [this.#index + 1, this.#questions.length];
    const onward = at < all ? "Next question" : "Begin again";
    write("predict-go", this.#isAnswered ? onward : "Answer");
    const score = this.#answers ? ` · ${count(this.#right)} of ${count(this.#answers)} right` : "";
    write("predict-score", `Question ${at} of ${all}${score}`);
  }
}

/** A choice: one of several to be made, or any number of them. */
function input({ value, text }, isMany) {
  const label = element("label");
  const made = element("input");
  Object.assign(made, { type: isMany ? "checkbox" : "radio", name: "predicted", value });
  label.append(made, element("span", text));
  return label;
}
