// The controls around the drawing: the options of the search, the menu to share it, and the steps.

import { check, chosen, find, onClick, radios, setDisabled, write } from "../page.js";
import { load } from "../service.js";
import { count } from "../words.js";
import { queryOf } from "./address.js";
import { focusOf } from "./card.js";
import { tell } from "./terms.js";

/** Connect the controls with the functions of main.js; `view` is what share.js needs. */
export function connect(page) {
  const { go, choose, restart, zoom, view } = page;
  for (const name of ["algorithm", "scoring"]) {
    for (const radio of radios(name)) {
      radio.addEventListener("change", () => choose({ [name]: radio.value }));
    }
  }
  find("order").addEventListener("change", ({ target }) => choose({ order: target.value }));
  find("depth").addEventListener("change", ({ target }) => choose({ max_depth: target.value }));
  onClick("merging", () => go({ merge: page.state.merge === "true" ? "false" : "true" }));
  onClick("comparing", () => go({ compare: "true" }));
  onClick("whole", () => go({ whole: page.state.whole ? "" : "true" }));
  onClick("predicting", () => restart({ predict: page.state.predict ? "" : "true" }));
  onClick("zoom-in", () => zoom(1));
  onClick("zoom-out", () => zoom(-1));
  onClick("zoom-fit", () => zoom(0));
  connectMenu(find("share"), view);
}

/** Show the chosen options. */
export function showOptions({ algorithm, scoring, order, max_depth: depth, predict, tree }) {
  check("algorithm", algorithm);
  check("scoring", scoring);
  const [first] = find("order").options;
  Object.assign(first, tree ? { value: "given", text: "As given" } : { value: "cells", text: "By number" });
  find("order").value = order;
  find("depth").value = depth;
  find("predicting").ariaPressed = Boolean(predict);
}

/** Show the buttons that change what is drawn of a tree. */
export function showView(tree, state) {
  find("merging").hidden = !tree.hasMirrors || Boolean(state.predict);
  find("merging").ariaPressed = tree.isMerged;
  find("whole").hidden = !focusOf(state) || Boolean(state.predict);
  find("whole").ariaPressed = !tree.focus;
}

/** Show the cost of the search with each algorithm, in a dialog. */
export async function showCosts(page) {
  const { order, ...query } = queryOf(page.state); // the costs come from /best-move, which has no `order`
  const end = () => page.go({ compare: "" });
  const { compare } = await load("./search/comparison.js", (text) => {
    end();
    tell(find("moment-sentence"), text);
  });
  if (page.state.compare) {
    compare?.(query, end);
  }
}

/** Enable or disable the steps, and mark the drawing as loaded or still loading. */
export function setReady(isReady) {
  find("drawing").ariaBusy = !isReady;
  find("steps").inert = !isReady;
}

function connectMenu(menu, view) {
  const share = async (id) => {
    const { act } = await load("./search/share.js", (text) => write("shared", text));
    act?.(id, view);
  };
  menu.addEventListener("toggle", () => share());
  for (const each of menu.querySelectorAll("button")) {
    each.addEventListener("click", () => share(each.id));
  }
  addEventListener("click", ({ target }) => {
    menu.open &&= menu.contains(target);
  });
  menu.addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && menu.open) {
      menu.open = false;
      menu.firstElementChild.focus();
    }
  });
}

const BEAT = 700; // milliseconds from step to step at normal speed

// The functions of the buttons, which return the step to go to; undefined if there is none.
const WAYS = {
  first: () => 0,
  back: (_, step) => Math.max(step - 1, 0),
  forward: ({ last }, step) => Math.min(step + 1, last),
  last: ({ last }) => last,
  cutoff: (replay, step) => replay.next("cut", step),
};
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

export class Steps {
  #go;
  #replay;
  #step = 0;
  #timer;

  /** `go(step)` is called for each step that the user or the timer goes to. */
  constructor(go) {
    this.#go = go;
    for (const way of Object.keys(WAYS)) {
      onClick(`step-${way}`, () => {
        this.stop();
        this.#take(way);
      });
    }
    onClick("step-play", () => this.#play());
    find("step").addEventListener("input", ({ target }) => {
      this.stop();
      go(target.valueAsNumber);
    });
    addEventListener("keydown", (event) => this.#press(event));
  }

  get isPlaying() {
    return this.#timer !== undefined;
  }

  show(replay, step) {
    this.#replay = replay;
    this.#step = step;
    const slider = find("step");
    slider.max = replay.last;
    slider.value = step;
    slider.setAttribute("aria-valuetext", `${step} of ${replay.last}`);
    write("step-number", `${count(step)} / ${count(replay.last)}`);
    for (const way of Object.keys(WAYS)) {
      setDisabled(`step-${way}`, [undefined, step].includes(WAYS[way](replay, step)));
    }
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    write("step-play", "Run");
  }

  #take(way) {
    this.#go(WAYS[way](this.#replay, this.#step));
  }

  #play() {
    if (this.isPlaying) {
      this.stop();
      return;
    }
    write("step-play", "Pause");
    if (this.#step === this.#replay.last) {
      this.#go(0);
    }
    this.#await();
  }

  #await() {
    this.#timer = setTimeout(() => {
      this.#take("forward");
      if (this.#step === this.#replay.last) {
        this.stop();
      } else {
        this.#await();
      }
    }, BEAT / chosen("speed"));
  }

  /** Space runs and pauses the search; arrow keys, Home and End go to other steps, unless the focused control uses the key. */
  #press(event) {
    const { key, target } = event;
    const isTaken = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
    const isSlider = target === find("step");
    if (isTaken || find("steps").inert || !this.#replay || (target.closest("input, select, textarea") && !isSlider)) {
      return;
    }
    if (key === " " && !target.closest("button, a, summary")) {
      event.preventDefault();
      this.#play();
    } else if (KEYS[key] && !isSlider) {
      event.preventDefault();
      this.stop();
      this.#take(KEYS[key]);
    }
  }
}
