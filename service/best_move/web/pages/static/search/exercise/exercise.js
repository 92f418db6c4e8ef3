// An exercise on a search, which is answered in its tree: node by node, or the whole tree at once.

import { addStyles } from "../../service.js";
import { Answers, readScore } from "./answers.js";
import { Fields } from "./fields.js";
import { Stops, Whole } from "./modes.js";
import { FORM, Panel } from "./panel.js";
import { pagesOf } from "./paper.js";
import { branchIn, Tasks } from "./tasks.js";

await addStyles(new URL("exercise.css", import.meta.url));

const NOTHING =
  "There is nothing to answer: no branch has two moves to choose from and is small enough to be drawn in full.";
const EMPTY = { task: "", button: "", canReveal: false, score: "", result: "", reasons: [], onward: null };

export class Exercise {
  #page;
  #state = {};
  #traversal = null;
  #tasks = null; // null if there is nothing to ask
  #answers = new Answers();
  #mode = null; // null if there is nothing to ask, or if the exercise is set aside
  #panel;
  #fields;
  #pages = null; // of the print that is being made
  #hasKey = false;

  /**
   * The functions of the `page`: `go(parts)` changes some choices of the URL, `restart(parts)` also removes all answers,
   * `link(parts)` returns the URL with other choices, and `onward()` the link to the next exercise.
   */
  constructor(page) {
    this.#page = page;
    const { go, restart } = page;
    this.#panel = new Panel({
      submit: () => this.#submit(),
      reveal: () => {
        go({ graded: "all" });
        this.#panel.focus("#exercise-reasons a");
      },
      print: (hasKey) => this.#print(hasKey),
      choose: restart,
    });
    this.#fields = new Fields(FORM, {
      change: ({ node, part }, answer) => go({ answers: this.#answers.with(node, part, answer), graded: "" }),
      select: ({ path }) => path !== this.#state.node && go({ node: path }),
    });
    addEventListener("beforeprint", () => this.#addPages());
    addEventListener("afterprint", () => this.#pages?.remove());
  }

  /** How a tree is drawn: with room for fields, and in full only the branch that is asked about. */
  layout(tree, focus, { windows }) {
    return { isMerged: false, focus: focus ?? branchIn(tree), isNarrow: true, fields: windows ? "windows" : "values" };
  }

  /** Show the exercise as some choices say; `drawing` is that of the traversal's tree. */
  show(state, traversal, drawing) {
    if (traversal !== this.#traversal || state.windows !== this.#state.windows) {
      const tasks = Tasks.of(traversal, Boolean(state.windows));
      this.#tasks = tasks?.stops.length ? tasks : null;
    }
    const isReturn = this.#traversal !== null && Boolean(state.aside) !== Boolean(this.#state.aside);
    this.#state = state;
    this.#traversal = traversal;
    this.#answers = new Answers(state.answers);
    const Mode = state.at_once ? Whole : Stops;
    this.#mode = state.aside || !this.#tasks ? null : new Mode(this.#tasks, this.#answers, state);
    const back = this.#page.link({ aside: "" });
    this.#panel.toggle(true, { asks: this.#mode !== null, isAside: Boolean(state.aside), back });
    if (this.#mode) {
      this.#fields.show(drawing, traversal.wording, this.#mode.fields);
      this.#fields.update(this.#answers, this.#mode);
    } else {
      this.#fields.remove();
    }
    if (!state.aside) {
      this.#panel.showChoices(state, this.#rule);
      this.#panel.show(this.#view);
    }
    if (isReturn) {
      this.#panel.focus();
    }
  }

  /** Remove the exercise from the page. */
  end() {
    this.#mode = null;
    this.#traversal = null;
    this.#fields.remove();
    this.#panel.toggle(false);
  }

  /** Whether the exercise is shown, and not a step. */
  get isOn() {
    return this.#mode !== null;
  }

  /** The step that is drawn. */
  get step() {
    return this.#mode.step;
  }

  /** The node that the exercise is about. */
  get node() {
    return this.#mode.node;
  }

  /** By path, what is drawn of nodes that the search has not reached: the scores of leaves, and branches that are cut. */
  get given() {
    const { tree, top } = this.#tasks;
    const given = new Map();
    for (const node of tree.nodes.filter(({ path }) => path.startsWith(top.path))) {
      if (this.#answers.isOut(node) && !this.#mode.isClosed) {
        given.set(node.path, { state: "never", isCut: this.#answers.isCut(node) });
      } else if (!node.children.length && node.numbers === undefined) {
        const { outcome, score } = node.minimax;
        given.set(node.path, { outcome, score, isGiven: true });
      }
    }
    return given;
  }

  /** The lines on a node in the card: also α and β on entry, unless the exercise asks for them. */
  lines(node) {
    const { wording } = this.#traversal;
    const isTold = node === this.node && !this.#state.at_once && !this.#tasks.asksWindow(node);
    const { alpha, beta } = this.#tasks.result(node) ?? {};
    return wording.numbers(isTold ? { node, alpha, beta } : { node });
  }

  get #rule() {
    const { algorithm, wording } = this.#traversal;
    return algorithm === "minimax" ? "" : `A cutoff if α ${wording.rule} β`;
  }

  get #view() {
    if (!this.#mode) {
      return { ...EMPTY, result: NOTHING, onward: this.#onward };
    }
    const { reasons, isDone, ...view } = this.#mode.view;
    const href = (step) => this.#page.link({ aside: String(step), node: "" });
    return {
      ...EMPTY,
      ...view,
      reasons: reasons.map((each) => ({ ...each, href: href(each.step) })),
      onward: isDone ? this.#onward : null,
    };
  }

  /** The link to the next exercise, in the same mode: its URL and its text. */
  get #onward() {
    const { at_once, windows } = this.#state;
    const { href, text } = this.#page.onward();
    return { href: `${href}${at_once ? "&at_once=true" : ""}${windows ? "&windows=true" : ""}`, text };
  }

  #submit() {
    const { isClosed, fields } = this.#mode;
    const typed = fields.filter(({ part }) => part === "value").map(({ node }) => this.#answers.of(node, "value"));
    const unread = typed.find((text) => !Number.isFinite(readScore(text, 1).number));
    if (!this.#state.at_once && !isClosed && unread !== undefined) {
      this.#fields.focus(".value"); // shows its node, and clears the message
      this.#panel.say(`${unread && `“${unread}” is no score. `}Type a score, such as 0, −1 or ≤ 0.`);
      return;
    }
    this.#page.go({ ...this.#mode.submit(), node: "" });
    if (isClosed) {
      this.#fields.focus();
    } else {
      this.#panel.focus();
    }
  }

  #print(hasKey) {
    this.#hasKey = hasKey;
    print();
    this.#hasKey = false;
  }

  /** Add the pages to print, also those that the browser's own command prints. */
  #addPages() {
    this.#pages?.remove();
    if (this.#mode) {
      const source = new URL(this.#page.link({ answers: "", graded: "", results: "", node: "" }), location.href).href;
      this.#pages = pagesOf(this.#traversal, this.#tasks, { rule: this.#rule, source, hasKey: this.#hasKey });
      document.body.append(this.#pages);
    }
  }
}
