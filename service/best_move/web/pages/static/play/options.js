// How the oracle plays: a form whose fields are parameters of the request. Their defaults are in the HTML.

import { find } from "../page.js";

const MAX_SEED = Number.MAX_SAFE_INTEGER;

/** Whether a text is a seed: an integer that JavaScript can represent. */
const isSeed = (text) => /^\d{1,16}$/.test(text) && Number(text) <= MAX_SEED;

const initial = (field) =>
  field.options ? [...field.options].find((option) => option.defaultSelected).value : field.defaultValue;

/** How the position is searched, as parameters of a request. */
export function howItSearches({ algorithm, ...options }) {
  return { ...(algorithm ? { algorithm } : {}), ...howDeep(options) };
}

/** What a search should find, independent of the algorithm, as parameters of a request. */
export function howDeep({ scoring, max_depth }) {
  return { ...(scoring ? { scoring } : {}), ...(max_depth ? { max_depth } : {}) };
}

export class Options {
  #form;
  #fields;

  constructor(form) {
    this.#form = form;
    this.#fields = [...form.elements].filter(({ name }) => name);
    /** A test for the values of each option, by its name. */
    this.choices = Object.fromEntries(
      this.#fields.map((field) => {
        const values = field.options && [...field.options].map((option) => option.value);
        const tests = { max_depth: (text) => /^[1-9]$/.test(text), seed: isSeed };
        return [field.name, tests[field.name] ?? ((text) => values.includes(text))];
      }),
    );
  }

  /** How the oracle chooses its own move, as parameters of a request. */
  howItPlays(options) {
    const { difficulty, tie_break } = Object.fromEntries(this.#fields.map((field) => [field.name, initial(field)]));
    return { difficulty, tie_break, ...options };
  }

  /** Show the options of a game. */
  draw(options) {
    for (const field of this.#fields) {
      const isBeingTyped = field.type === "text" && field === document.activeElement;
      if (!isBeingTyped && !field.matches("[aria-invalid=true]")) {
        field.value = options[field.name] ?? initial(field);
      }
    }
    this.#drawDepth();
  }

  /** Call `change(name, value)` on each valid choice; the value of a default is undefined. */
  onChange(change) {
    for (const field of this.#fields) {
      field.addEventListener("change", () => {
        const isSound = field.value === initial(field) || this.choices[field.name](field.value);
        if (field.name === "seed") {
          field.setAttribute("aria-invalid", String(!isSound));
          find("about-seed").textContent = isSound
            ? "A number that makes random choices repeatable."
            : `A seed is a whole number from 0 to ${MAX_SEED}. The last one still holds.`;
        }
        if (isSound) {
          change(field.name, field.value === initial(field) ? undefined : field.value);
        }
      });
    }
    this.#form.max_depth.addEventListener("input", () => this.#drawDepth());
    this.#form.addEventListener("submit", (event) => event.preventDefault());
  }

  #drawDepth() {
    const { max_depth: field } = this.#form;
    find("depth").textContent = field.value;
    field.setAttribute("aria-valuetext", field.value === "1" ? "1 move" : `${field.value} moves`);
  }
}
