// The controls of the steps of a search: slider, buttons, timer and keys.

import { chosen, find, onClick, setDisabled, write } from "../page.js";
import { count } from "../words.js";

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
