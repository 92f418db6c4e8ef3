// An exercise: the search stops before some events, and the user predicts their results.

import { element, find, write } from "../page.js";
import { count } from "../words.js";
import { colored, sentence, tell } from "./terms.js";

const NOTHING = new Map();

export class Predict {
  #onChange;
  #read;
  #questions = [];
  #index = 0;
  #isAnswered = false;
  #answers = 0;
  #right = 0;

  /** `onChange()` is called after each answer and at each next question; `read(text)` returns a text's score, or NaN. */
  constructor(onChange, read) {
    this.#onChange = onChange;
    this.#read = read;
    find("predict").addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.#isAnswered) {
        this.#next();
      } else {
        this.#grade();
      }
    });
  }

  /** Whether there is an exercise, even one without questions. */
  get isOn() {
    return !find("predict").hidden;
  }

  /** The current question; undefined if there is none. */
  get question() {
    return this.#questions[this.#index];
  }

  /** The step of the question or, once it is answered, the step of the answer; undefined if there is no question. */
  get step() {
    return this.#isAnswered ? this.question?.answered : this.question?.step;
  }

  /** Whether a question waits for its answer. */
  get isOpen() {
    return Boolean(this.question) && !this.#isAnswered;
  }

  /** The scores that the open question gives for nodes not reached yet, by path; empty if no question is open. */
  get scores() {
    return this.isOpen ? this.question.scores : NOTHING;
  }

  /** Start with the first question at or after a step; if there is none, start with the first question of all. */
  begin(questions, step) {
    const first = questions.findIndex((each) => each.step >= step);
    this.#questions = questions.slice(Math.max(0, first));
    this.#answers = 0;
    this.#right = 0;
    find("predict").hidden = false;
    find("predict-question").hidden = !questions.length;
    find("predict-onward").hidden = questions.length > 0;
    this.#ask(0);
  }

  end() {
    this.#questions = [];
    find("predict").hidden = true;
  }

  #ask(index) {
    this.#index = index;
    this.#isAnswered = false;
    tell(find("predict-feedback"), this.question ? "" : "There is nothing to predict: all moves have the same score.");
    if (this.question) {
      const { type, text, facts, choices, isOrdered } = this.question;
      tell(find("predict-text"), text);
      tell(find("predict-facts"), facts);
      const inputs = type === "text" ? [field()] : choices.map((choice) => option(choice, type));
      find("predict-choices").replaceChildren(...inputs.map((each) => element("li", each)));
      find("predict-choices").classList.toggle("ordered", Boolean(isOrdered));
      find("predict-choices").parentElement.disabled = false;
      this.#showScore();
    }
  }

  /** The user's answer: the values chosen or the score typed; null if nothing is chosen or no score is typed. */
  get #answer() {
    const inputs = [...find("predict-choices").querySelectorAll("input")];
    if (inputs[0].type === "text") {
      const score = this.#read(inputs[0].value);
      return Number.isNaN(score) ? null : [score];
    }
    const values = inputs.flatMap(({ checked }, index) => (checked ? [this.question.choices[index].value] : []));
    return values.length ? values : null;
  }

  #grade() {
    const { choices, right, why } = this.question;
    const answer = this.#answer;
    if (!answer) {
      const isTyped = find("predict-choices").querySelector("[type=text]");
      tell(find("predict-feedback"), isTyped ? "Type a score, such as 0 or −1." : "Choose an answer.");
      return;
    }
    const isRight = answer.length === right.length && answer.every((value) => right.includes(value));
    this.#isAnswered = true;
    this.#answers += 1;
    this.#right += isRight ? 1 : 0;
    for (const [index, label] of find("predict-choices").querySelectorAll(".choice").entries()) {
      label.classList.toggle("right", right.includes(choices[index].value));
    }
    tell(find("predict-feedback"), sentence`${isRight ? "Right." : "Wrong."} ${why}`);
    this.#showScore();
    find(this.#isLast ? "predict-again" : "predict-go").focus();
    find("predict-choices").parentElement.disabled = true;
    this.#onChange();
  }

  #next() {
    this.#ask(this.#index + 1);
    find("predict-choices").querySelector("input").focus();
    this.#onChange();
  }

  get #isLast() {
    return this.#index + 1 === this.#questions.length;
  }

  #showScore() {
    const isDone = this.#isLast && this.#isAnswered;
    write("predict-go", this.#isAnswered ? "Next question" : "Answer");
    find("predict-go").hidden = isDone;
    find("predict-onward").hidden = !isDone;
    const score = this.#answers ? ` · ${count(this.#right)} of ${count(this.#answers)} right` : "";
    write("predict-score", `Question ${this.#index + 1} of ${this.#questions.length}${score}`);
  }
}

/** A choice: a radio button, or a checkbox if several answers may be right; it marks the node that it names. */
function option({ value, text, paths }, type) {
  const input = Object.assign(element("input"), { type, name: "predicted", value });
  const label = element("label", [input, element("span", colored(text))], "choice");
  Object.assign(label.dataset, paths && { paths: JSON.stringify(paths) });
  return label;
}

/** A field for a score. */
function field() {
  return element("label", ["Score ", Object.assign(element("input"), { type: "text", autocomplete: "off", size: 6 })]);
}
