// Pointing at words that name nodes marks the nodes in the tree, and pointing at a node marks the words that name it.

import { find } from "../page.js";
import { tell } from "./terms.js";

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
