// A number that runs to its next value.

import { count } from "../words.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const RUN = 500; // milliseconds

export class Counter {
  #output;
  #number = 0;

  constructor(output) {
    this.#output = output;
  }

  /** Run to a number; the first is shown at once. */
  run(number) {
    const from = this.#number;
    const began = performance.now();
    this.#number = number;
    const show = (now) => {
      const part = calm.matches || !from ? 1 : Math.min(1, Math.max(0, now - began) / RUN);
      if (this.#number === number) {
        this.#output.textContent = count(Math.round(from + (number - from) * part));
        if (part < 1) {
          requestAnimationFrame(show);
        }
      }
    };
    show(began);
  }
}
