// How the oracle plays: a form whose fields are parameters of the request. Their defaults are in the HTML.

const initial = ({ options }) => [...options].find((option) => option.defaultSelected).value;

export class Options {
  #fields;

  constructor(form) {
    this.#fields = [...form.elements].filter(({ name }) => name);
    form.addEventListener("submit", (event) => event.preventDefault());
    /** The possible values of each option, by the option's name. */
    this.choices = Object.fromEntries(
      this.#fields.map(({ name, options }) => [name, [...options].map(({ value }) => value)]),
    );
  }

  /** How the oracle chooses its own move, as parameters of a request. */
  howItPlays(options) {
    return { ...Object.fromEntries(this.#fields.map((field) => [field.name, initial(field)])), ...options };
  }

  /** Show the options of a game. */
  draw(options) {
    for (const field of this.#fields) {
      field.value = options[field.name] ?? initial(field);
    }
  }

  /** Call `change(name, value)` on each choice; `value` is undefined if it is the option's default. */
  onChange(change) {
    for (const field of this.#fields) {
      field.addEventListener("change", () => {
        change(field.name, field.value === initial(field) ? undefined : field.value);
      });
    }
  }
}
