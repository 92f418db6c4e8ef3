// Tabs: arrow keys move between them and show the panel.

const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

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
        const next = ends[event.key] ?? (index + STEPS[event.key] + last + 1) % (last + 1);
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
