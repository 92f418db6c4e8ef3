// The search of the position on the board: its tree, drawn, by minimax or by alpha-beta.

import { Drawing } from "./drawing.js";
import { check, element, find, radios, write } from "./page.js";
import { askTree, follow } from "./service.js";
import { Tree } from "./tree.js";
import { count } from "./words.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const RUN = 500; // milliseconds that the counter runs

export class SearchView {
  #key;
  #tree;
  #drawing;
  #algorithm = "alphabeta";
  #counted = 0;

  /** `change(parts)` is called with what is chosen here, under the names of the game in the address. */
  constructor(change) {
    for (const radio of radios("tree")) {
      radio.addEventListener("change", () => change({ tree: radio.value }));
    }
    find("drawing").addEventListener("click", ({ target }) => {
      const path = target.closest(".node")?.dataset.path;
      if (path !== undefined) {
        this.#expand(this.#tree.at(path));
      }
    });
  }

  /** Show the search of a position: `question` is what is searched, null for nothing to search. */
  async show(question, { tree: algorithm }) {
    find("search").hidden = !question;
    this.#algorithm = algorithm;
    check("tree", algorithm);
    const key = JSON.stringify(question);
    if (key !== this.#key) {
      this.#key = key;
      this.#tree = null;
      find("drawing").replaceChildren();
      if (question) {
        await this.#ask(question, key);
      }
    }
    if (this.#tree) {
      this.#paint();
    }
  }

  async #ask(question, key) {
    try {
      const [minimax, alphabeta] = await Promise.all(
        ["minimax", "alphabeta"].map((algorithm) => askTree({ ...question, algorithm })),
      );
      if (key === this.#key) {
        this.#tree = new Tree(minimax, alphabeta);
        this.#draw();
      }
    } catch (error) {
      if (key === this.#key) {
        this.#key = undefined; // so that it is asked for again
        find("drawing").replaceChildren(element("p", error.message));
      }
    }
  }

  #draw() {
    this.#drawing = new Drawing(this.#tree);
    const frame = find("drawing");
    const isNew = !frame.querySelector("svg");
    frame.replaceChildren(this.#drawing.svg);
    if (isNew) {
      frame.scrollLeft = this.#tree.root.x - frame.clientWidth / 2;
    }
    const { maximizer } = this.#tree;
    write("tree-sides", `${maximizer} is to move and is MAX, ${maximizer === "X" ? "O" : "X"} is MIN.`);
    for (const [index, word] of ["win", "draw", "loss"].entries()) {
      find("tree-legend").children[index].lastChild.textContent = ` ${word} for ${maximizer}`;
    }
  }

  /** Ask for what was left out below a node, and draw the tree with it. */
  async #expand(node) {
    if (node.children.length || !node.minimax.href) {
      return;
    }
    const tree = this.#tree;
    try {
      const asked = [node.minimax.href, node.alphabeta?.href];
      const answers = await Promise.all(asked.map((href) => href && follow(href)));
      if (tree === this.#tree && !node.children.length) {
        tree.grow(node, ...answers);
        this.#draw();
        this.#paint();
      }
    } catch (error) {
      write("announcement", error.message);
    }
  }

  #paint() {
    const { root } = this.#tree;
    const algorithm = this.#algorithm;
    const line = chosen(root, algorithm);
    this.#drawing.paint((path) => {
      const node = this.#tree.at(path);
      const own = node[algorithm];
      return {
        state: own ? "done" : "never",
        outcome: own?.outcome,
        isChosen: line.has(path),
        isCut: Boolean(node.parent?.[algorithm]?.cut?.pruned.includes(node.move)),
        isCurrent: false,
      };
    });
    this.#count(root[algorithm].nodes);
    const [all, few] = [root.minimax.nodes, root.alphabeta.nodes].map(count);
    write("tree-note", `Minimax visits ${all} positions; alpha-beta finds the same move with ${few}.`);
  }

  /** Let the counter run to a number. */
  #count(number) {
    const from = this.#counted;
    const began = performance.now();
    const output = find("tree-count");
    this.#counted = number;
    const run = (now) => {
      const part = calm.matches || !from ? 1 : Math.min(1, (now - began) / RUN);
      if (this.#counted === number) {
        output.textContent = count(Math.round(from + (number - from) * part));
        if (part < 1) {
          requestAnimationFrame(run);
        }
      }
    };
    run(began);
  }
}

/** The paths of the nodes on the line that an algorithm chooses. */
function chosen(root, algorithm) {
  const paths = new Set();
  for (let node = root; node; ) {
    const { path, children } = node;
    const { best } = node[algorithm];
    paths.add(path);
    node = best === null ? null : children.find(({ move }) => move === best);
  }
  return paths;
}
