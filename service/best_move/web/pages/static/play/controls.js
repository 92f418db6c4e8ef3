// Controls beside the board: the options of the oracle, and tabs.

const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

const initial = ({ options }) => [...options].find((option) => option.defaultSelected).value;

/** How the oracle plays: a form whose fields are parameters of the request. Their defaults are in the HTML. */
export class Options {
  #fields;

  constructor(form) {
    this.#fields = [...form.elements].filter(({ name }) => name);
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

/** Tabs: arrow keys move between them and show the panel. */
export class Tabs {
  #tabs;

  /** Handle events of a list of tabs. `choose(name)` is called with the ID of the chosen panel. */
  constructor(element, choose) {
    this.#tabs = [...element.querySelectorAll("[role=tab]")];
    this.#tabs.forEach((tab, index) => {
      tab.addEventListener("click", () => choose(panelOf(tab).id));
      tab.addEventListener("keydown", (event) => {
        const last = this.#tabs.length - 1;
        const ends = { Home: 0, End: last };
        const next = ends[event.key] ?? (index + STEPS[event.key] + last + 1) % (last + 1); // NaN for any other key
        if (this.#tabs[next]) {
          event.preventDefault();
          this.#tabs[next].focus();
          choose(panelOf(this.#tabs[next]).id);
        }
      });
    });
  }

  /** Show one panel and hide the others. */
  select(name) {
    for (const tab of this.#tabs) {
      const isSelected = panelOf(tab).id === name;
      tab.setAttribute("aria-selected", String(isSelected));
      tab.tabIndex = isSelected ? 0 : -1;
      panelOf(tab).hidden = !isSelected;
    }
  }
}

const panelOf = (tab) => document.getElementById(tab.getAttribute("aria-controls"));
