// The fields of an exercise over a drawing: scores at nodes, and buttons that cut branches.

import { element } from "../../page.js";

const GAP = 3; // between a node and its fields

const NAMES = { value: "Score of", alpha: "α of", beta: "β of", cut: "Cut the branch to" };
const PLACEHOLDERS = { value: "", alpha: "−∞", beta: "+∞" };

/**
 * Put an element over a drawing, whatever its scale is: on the edge to a node where a cutoff would be, beside its board, or
 * in its triangle, with α and β at its sides.
 */
export function put(made, drawing, node, part) {
  const kind = part === "cut" || node.hasBoard ? "beside" : "within";
  made.classList.add("field", part, kind);
  const [x, y] = part === "cut" ? drawing.tickOf(node.path) : PLACES[kind](node)[part];
  made.style.left = `${(100 * x) / drawing.width}%`;
  made.style.top = `${(100 * y) / drawing.height}%`;
  return made;
}

const PLACES = {
  beside({ x, y, size }) {
    const place = [x + size / 2 + GAP, y];
    return { value: place, alpha: place, beta: place };
  },
  within({ x, y, size, side }) {
    const half = 0.55 * size + GAP; // triangles are wider than high
    return { value: [x, side === "max" ? y + size / 8 : y - size / 8], alpha: [x - half, y], beta: [x + half, y] };
  },
};

/** The name of a field, with the moves that lead to its node. */
function nameOf({ node, part }, wording) {
  const way = [];
  for (let each = node; each.parent; each = each.parent) {
    way.unshift(wording.move(each).text);
  }
  const label = node.name ?? (way.join(", ") || "the root");
  return `${NAMES[part]} ${label}${part === "value" ? ` (${node.side.toUpperCase()})` : ""}`;
}

export class Fields {
  #layer = element("div", "", "fields");
  #frame = element("div", this.#layer, "fielded");
  #on;
  #form;
  #drawing = null;
  #key = "";
  #fields = [];

  /** `on.change(field, answer)` is called for each answer, `on.select(node)` if a field of a node gets the focus. */
  constructor(form, on) {
    this.#form = form;
    this.#on = on;
  }

  /** Show fields over a drawing: of each its `node` and its `part`, in the order of the Tab key. */
  show(drawing, wording, asked) {
    if (drawing.svg.parentElement !== this.#frame) {
      drawing.svg.replaceWith(this.#frame);
      this.#frame.replaceChildren(drawing.svg, this.#layer);
    }
    const key = asked.map(({ node, part }) => `${node.path} ${part}`).join();
    if (key !== this.#key || drawing !== this.#drawing) {
      this.#key = key;
      this.#drawing = drawing;
      this.#layer.classList.toggle(
        "windowed",
        asked.some(({ part }) => part === "alpha"),
      );
      this.#fields = asked.map((field) => ({ ...field, name: nameOf(field, wording), made: this.#made(field) }));
      this.#layer.replaceChildren(...this.#fields.map(({ made, node, part }) => put(made, drawing, node, part)));
    }
  }

  /** Show the answers and the verdicts of a mode on them. */
  update(answers, mode) {
    for (const { node, part, name, made } of this.#fields) {
      const verdict = mode.verdict({ node, part });
      made.dataset.verdict = verdict;
      made.ariaLabel = name + (verdict && `, ${verdict}`);
      if (part === "cut") {
        made.ariaPressed = String(answers.isCut(node));
        made.ariaDisabled = String(mode.isClosed);
      } else {
        made.readOnly = mode.isClosed;
        made.value = made.value === answers.of(node, part) ? made.value : answers.of(node, part);
      }
      made.hidden = answers.isOut(part === "cut" ? node.parent : node);
    }
  }

  /** Focus the first field, or the first that matches a selector. */
  focus(selector = "*") {
    this.#layer.querySelector(`${selector}:not([hidden])`)?.focus();
  }

  /** Leave the drawing as it was. */
  remove() {
    const svg = this.#frame.querySelector("svg");
    if (svg && this.#frame.isConnected) {
      this.#frame.replaceWith(svg);
    }
  }

  #made(field) {
    const isCut = field.part === "cut";
    const made = element(isCut ? "button" : "input");
    made.type = isCut ? "button" : "text";
    made.addEventListener("focus", () => this.#on.select(isCut ? field.node.parent : field.node));
    if (isCut) {
      made.addEventListener("click", () => {
        if (made.ariaDisabled !== "true") {
          this.#on.change(field, made.ariaPressed !== "true");
        }
      });
    } else {
      Object.assign(made, { autocomplete: "off", placeholder: PLACEHOLDERS[field.part] });
      made.setAttribute("form", this.#form);
      made.addEventListener("input", () => this.#on.change(field, made.value));
    }
    return made;
  }
}
