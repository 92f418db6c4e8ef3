// Sentences as lists of texts and mentions, which are words that name nodes of the tree; and terms as links to lessons.
// Pointing at a mention marks its nodes in the tree, and pointing at a node marks the mentions of it.

import { coloredMark, element, find } from "../page.js";
import { count } from "../words.js";

/** The terms, and what they mean. */
export const MEANINGS = {
  MAX: "The side that wants the most.",
  MIN: "The side that wants the least.",
  α: "Alpha: the highest score that MAX is sure of so far.",
  β: "Beta: the lowest score that MIN is sure of so far.",
};
const EXPLAINED_IN = { MAX: 3, MIN: 3, α: 4, β: 4 };

/** A number of nodes in words, such as `1 node`. */
export const nodes = (number) => `${count(number)} ${number === 1 ? "node" : "nodes"}`;

/** Words that name some nodes. */
export const mention = (text, ...nodes) => ({ text, paths: nodes.map(({ path }) => path) });

/** The tag of a template whose values are texts, mentions and other sentences: its parts. */
export const sentence = ([first, ...texts], ...values) =>
  [first, ...texts.flatMap((text, index) => [values[index], text])].flat();

/** Sentences with commas between them, as one sentence. */
export const listed = (sentences) => sentences.flatMap((each, index) => [index ? ", " : "", each].flat());

const NAMES = /(\bMAX\b|\bMIN\b)/;
const MARKS = /(\b[XO] \d\b|\b[XO]\b|\bMAX\b|\bMIN\b)/;
let names = MARKS;

/** Choose whether X and O in texts are marks; in a tree of numbers they are letters of nodes. */
export const readMarks = (areMarks) => {
  names = areMarks ? MARKS : NAMES;
};

/** A text as nodes, with sides and moves in color, and with MAX and MIN protected from translation. */
export const colored = (text) => text.split(names).map((part, index) => (index % 2 ? name(part) : part));

const name = (part) =>
  part.startsWith("M") ? Object.assign(element("span", part), { translate: false }) : coloredMark(part);

/** A text as nodes, with sides in color and terms as links. */
export const linked = (text) =>
  text.split(/(\bMAX\b|\bMIN\b|α|β)/).flatMap((part, index) => (index % 2 ? link(part) : colored(part)));

/** Make words that name nodes a button, which `Mentions` wires. Text wraps around it as around words. */
export const asButton = (word) => Object.assign(word, { role: "button", tabIndex: 0, ariaPressed: "false" });

const TOLD = new WeakMap(); // the sentence in each place, as text

/** Write a sentence, with sides and moves in color, unless it is there already: each change of a live region is announced. */
export function tell(place, said) {
  const parts = [said].flat();
  const key = JSON.stringify(parts);
  if (TOLD.get(place) !== key) {
    TOLD.set(place, key);
    place.replaceChildren(...parts.flatMap(written));
  }
}

function written(part) {
  if (!part.paths) {
    return colored(part);
  }
  const word = element("span", colored(part.text), "mention");
  word.dataset.paths = JSON.stringify(part.paths);
  return asButton(word);
}

function link(term) {
  const href = `?lesson=${EXPLAINED_IN[term]}`;
  return Object.assign(element("a", term, "term"), { href, title: MEANINGS[term], translate: false });
}

const LIMITS = { at_least: " or more", at_most: " or less" };

/** What the sentences on a search share: the tree, and scores as the method `score(number, none)` of a subclass writes them. */
export class Wording {
  constructor(tree, algorithm) {
    this.tree = tree;
    this.algorithm = algorithm;
  }

  /** The score that is shown as 1. */
  get unit() {
    return 1;
  }

  /** How alpha compares with beta at a cutoff. */
  get rule() {
    return "≥";
  }

  /** A window, such as `α −1 β +1`. */
  window({ alpha, beta }) {
    return `α ${this.score(alpha, "−∞")}\u2003β ${this.score(beta, "+∞")}`;
  }

  /** A score as text, which shows whether it is only a bound, such as `+93 or less`. */
  limit({ score, bound }) {
    return this.score(score) + (LIMITS[bound] ?? "");
  }
}

const PLACE = "[data-paths], .node";
const KEPT = "[data-paths]:is([aria-pressed=true], :has(:checked)):not([hidden] *)";

export class Mentions {
  #page = find("search");
  #frame;
  #unfold;
  #tree = null;
  #drawing;
  #selected = []; // the path of the selected node, if any
  #pointed = null; // the words or the node under the pointer

  /** `unfold()` is called to draw the branches that a lesson leaves out. */
  constructor(frame, unfold) {
    this.#frame = frame;
    this.#unfold = unfold;
    const listen = (type, act) => this.#page.addEventListener(type, act);
    listen("pointerover", ({ target }) => this.#point(target.closest(PLACE)));
    listen("pointerleave", () => this.#point(null));
    listen("focusin", ({ target }) => this.#follow(target.closest(PLACE)));
    listen("focusout", () => this.#mark());
    listen("change", () => this.#mark());
    listen("click", ({ target }) => this.#press(target.closest(".mention")));
    listen("keydown", (event) => {
      if (["Enter", " "].includes(event.key) && event.target.matches(".mention")) {
        event.preventDefault();
        this.#press(event.target);
      }
    });
  }

  /** Mark the nodes of a drawing, one of which may be selected, and the words on the page. */
  show(tree, drawing, selected) {
    this.#tree = tree;
    this.#drawing = drawing;
    this.#selected = selected ? [selected.path] : [];
    this.#mark();
  }

  #point(place) {
    if (place !== this.#pointed) {
      this.#pointed = place;
      this.#follow(place);
    }
  }

  /** Mark all that is pointed at, focused, kept or selected; if `place` is words, scroll to their first node. */
  #follow(place) {
    this.#mark();
    const node = place?.dataset.paths && this.#tree?.find(pathsOf(place)[0]);
    if (node) {
      this.#frame.follow(node);
    }
  }

  /** Keep the mark of a word or, if it is kept, remove it; draw and announce its nodes. */
  #press(word) {
    if (word && this.#tree) {
      const isKept = word.ariaPressed !== "true";
      word.ariaPressed = String(isKept);
      if (this.#tree.leavesOut(pathsOf(word))) {
        this.#unfold();
      }
      this.#follow(word);
      const names = [...this.#tree.shown(pathsOf(word))].map((path) => this.#drawing.at(path).ariaLabel);
      tell(find("announcement"), isKept ? names.join("; ") : "");
    }
  }

  #mark() {
    if (!this.#tree) {
      return;
    }
    const focused = this.#page.querySelector(":focus-visible")?.closest(PLACE);
    const places = [focused, this.#pointed, ...this.#page.querySelectorAll(KEPT)].filter((each) => each?.isConnected);
    const marked = this.#tree.shown([...places.flatMap(pathsOf), ...this.#selected]);
    this.#drawing.mark(marked);
    for (const word of this.#page.querySelectorAll("[data-paths]")) {
      const isMarked = [...this.#tree.shown(pathsOf(word))].some((path) => marked.has(path));
      word.classList.toggle("marked", isMarked);
    }
  }
}

const pathsOf = ({ dataset: { paths, path } }) => (paths ? JSON.parse(paths) : [path]);
