// Changes of a tree of numbers: a field over each leaf, the branches of the selected node, the tree as text, random trees.

import { check, element, find, onClick, radios, setDisabled, write } from "../../page.js";
import { addStyles } from "../../service.js";

const PAUSE = 150; // milliseconds after the last key until the service is asked
const MOST = { branches: 10, plies: 8, number: 999 }; // the seed is a number, too
const VALID = `A leaf is a whole number from −${MOST.number} to ${MOST.number}.`;

const OPTIONS = `<div class="segments of-numbers" role="radiogroup" aria-label="Root" data-from="2" translate="no">
  <label><input type="radio" name="root" value="max"><span>MAX first</span></label>
  <label><input type="radio" name="root" value="min"><span>MIN first</span></label>
</div>
<div class="segments of-numbers" role="radiogroup" aria-label="Rule for cutoffs" data-from="2" translate="no">
  <label title="Cut if α is at least β"><input type="radio" name="cut" value="at_least"><span>α ≥ β</span></label>
  <label title="Cut only if α is above β"><input type="radio" name="cut" value="above"><span>α &gt; β</span></label>
</div>`;

const options = (numbers, name, chosen) =>
  numbers.map((each) => `<option value="${each}"${each === chosen ? " selected" : ""}>${name(each)}</option>`).join("");

const TOOLS = `<div class="bar">
  <button type="button" class="quiet" id="add-branch" data-from="2">Add a branch</button>
  <button type="button" class="quiet" id="split-leaf" data-from="2">Split</button>
  <button type="button" class="quiet" id="remove-branch" data-from="2">Remove</button>
  <button type="button" class="quiet" id="move-earlier" data-from="2">Earlier</button>
  <button type="button" class="quiet" id="move-later" data-from="2">Later</button>
  <button type="button" id="undo">Undo</button>
  <p class="note" id="edited" role="status"></p>
</div>
<form class="bar" id="tree-form" data-from="2">
  <label>Tree <input type="text" id="tree-text" spellcheck="false" autocomplete="off" autocapitalize="off"></label>
  <button>Show</button>
</form>
<form class="bar" id="random-form" data-from="2">
  <select id="branches" aria-label="Branches">${options([2, 3, 4, 5, 6, 7, 8, 9, 10], (number) => `${number} branches`, 3)}</select>
  <select id="plies" aria-label="Depth of the tree">${options([2, 3, 4, 5, 6], (number) => `Depth ${number}`, 2)}</select>
  <label><input id="uneven" type="checkbox"> Uneven</label>
  <label>Seed <input class="number" id="seed" type="number" min="0" max="${MOST.number}" value="1" required></label>
  <button>Random tree</button>
</form>`;

const SHAPE = ["branches", "plies", "seed"];

/** The kind of a random tree, its branches, plies and seed, by the tree's text; null if this is no random tree. */
export const randomIn = (text) => /^\s*(random|uneven)\W+(\d+)\W+(\d+)\W+(\d+)/.exec(text)?.slice(1) ?? null;

const randomText = ([kind, ...shape]) => `${kind}(${shape})`;

/** The text of the random tree with the next seed. */
export const nextRandom = ([kind, branches, plies, seed]) =>
  randomText([kind, branches, plies, (Number(seed) + 1) % (MOST.number + 1)]);

/** The lists of a tree at a path of moves. */
const at = (lists, moves) => moves.reduce((list, move) => list[move], lists);

/**
 * The changes of the branches at a node: whether each is possible, and how it changes the lists of its parent or, to add a
 * branch, of the node itself. The change returns the path of the node to select, as moves.
 */
const CHANGES = {
  "add-branch": [
    (node) => (node.isEnd ? node.parent : node).numbers.length < MOST.branches,
    (lists, moves, { isEnd }) => {
      const way = isEnd ? moves.slice(0, -1) : moves;
      const branches = at(lists, way);
      const place = isEnd ? moves.at(-1) + 1 : branches.length;
      branches.splice(place, 0, 0);
      return [...way, place];
    },
  ],
  "split-leaf": [
    (node) => node.isEnd && node.ply < MOST.plies,
    (lists, moves, { numbers }) => {
      at(lists, moves.slice(0, -1))[moves.at(-1)] = [numbers, numbers];
      return moves;
    },
  ],
  "remove-branch": [
    (node) => node.parent?.numbers.length > 1,
    (lists, moves) => {
      at(lists, moves.slice(0, -1)).splice(moves.at(-1), 1);
      return moves.slice(0, -1);
    },
  ],
  "move-earlier": [(node) => node.move > 0, (lists, moves) => move(lists, moves, -1)],
  "move-later": [(node) => node.move < node.parent?.numbers.length - 1, (lists, moves) => move(lists, moves, 1)],
};

/** Exchange a branch with a neighbor. */
function move(lists, moves, by) {
  const [way, from] = [moves.slice(0, -1), moves.at(-1)];
  const branches = at(lists, way);
  const to = from + by;
  [branches[from], branches[to]] = [branches[to], branches[from]];
  return [...way, to];
}

await addStyles(new URL("numbers.css", import.meta.url));

export class Editing {
  #page;
  #tree = null;
  #node = null; // the selected node, or else the root
  #drawing = null;
  #told = ""; // the text of the tree that is shown
  #layer = element("div", "", "layer"); // over the drawing, and of its size
  #covered = null; // that drawing
  #sizes = new ResizeObserver(
    ([
      {
        contentRect: { width, height },
      },
    ]) => {
      Object.assign(this.#layer.style, { width: `${width}px`, height: `${height}px` });
    },
  );
  #fields = new Map(); // by path
  #past = []; // earlier trees as text, each with the place that was changed then

  /**
   * `page` has the `state`, and functions: `edit(parts, wait)` shows another tree, `restore()` the last one that was shown,
   * `choose(parts)` other options, `select(path)` a node, and `leave(path)` moves the focus from a field to the tree.
   */
  constructor(page) {
    this.#page = page;
    find("options").firstElementChild.insertAdjacentHTML("afterend", OPTIONS);
    find("editing").innerHTML = TOOLS;
    for (const name of ["root", "cut"]) {
      for (const radio of radios(name)) {
        // A random tree depends on the root, so it becomes one with these numbers.
        radio.addEventListener("change", () => page.choose({ tree: this.#text, [name]: radio.value }));
      }
    }
    for (const [id, [, change]] of Object.entries(CHANGES)) {
      onClick(id, () => this.#change(id, change));
    }
    onClick("undo", () => this.#undo());
    on("tree-form", () => this.#edit(find("tree-text").value, "text", ""));
    on("random-form", () => {
      const random = [find("uneven").checked ? "uneven" : "random", ...SHAPE.map((id) => find(id).value)];
      const isShown = String(random) === String(randomIn(page.state.tree));
      this.#edit(isShown ? nextRandom(random) : randomText(random), "random", "");
    });
  }

  /** Show the fields and the buttons for a tree and its selected node; without a tree, only its text. */
  show(tree, node, drawing) {
    for (const name of ["root", "cut"]) {
      check(name, this.#page.state[name]);
    }
    this.#tree = tree;
    this.#drawing = drawing;
    this.#node = node ?? tree?.root ?? null;
    const text = tree?.text ?? this.#page.state.tree;
    if (text !== this.#told) {
      this.#told = text; // until another tree is shown, a text that was rejected stays, so that it can be corrected
      find("tree-text").value = tree?.numbers ?? text;
      showRandom(randomIn(text));
      this.#say("");
    }
    for (const [id, [isPossible]] of Object.entries(CHANGES)) {
      setDisabled(id, !(this.#node && isPossible(this.#node)));
    }
    setDisabled("undo", !this.#past.length);
    const leaves = tree?.nodes.filter(({ isEnd }) => isEnd) ?? [];
    const paths = new Set(leaves.map(({ path }) => path));
    for (const [path, field] of this.#fields) {
      if (!paths.has(path)) {
        field.remove();
        this.#fields.delete(path);
      }
    }
    if (tree) {
      this.#cover(drawing.svg);
    }
    const over = this.#layer;
    const isPending = tree?.text !== this.#page.state.tree;
    for (const [index, leaf] of leaves.entries()) {
      const field = this.#fields.get(leaf.path) ?? this.#made(leaf.path);
      // A field that is in its place stays there, because it may have the focus.
      if (over.children[index] !== field) {
        over.insertBefore(field, over.children[index] ?? null);
      }
      place(field, leaf, drawing);
      // A number that is being typed stays: one that is none, or that the service has not answered yet.
      const isTyping = field === document.activeElement && (isPending || !field.validity.valid);
      if (!isTyping && field.valueAsNumber !== leaf.numbers) {
        field.value = leaf.numbers;
      }
    }
  }

  /** Focus the field of a leaf. */
  enter({ path }) {
    this.#fields.get(path)?.focus();
  }

  /** Show why the service rejected a change, which it never will accept, or why it did not answer. */
  reject({ message, isRetryable }) {
    this.#say(message);
    if (!isRetryable) {
      this.#past.pop();
      this.#page.restore();
      this.show(this.#tree, this.#node, this.#drawing);
    }
  }

  #say(text) {
    write("edited", text);
  }

  /** Keep the fields over a drawing, whatever its scale is. */
  #cover(svg) {
    if (this.#layer.previousSibling !== svg) {
      svg.after(this.#layer); // else it stays in place, because a field may have the focus
    }
    if (svg !== this.#covered) {
      this.#covered = svg;
      this.#sizes.disconnect();
      this.#sizes.observe(svg);
    }
  }

  #made(path) {
    const field = Object.assign(element("input", "", "leaf"), { type: "number", min: -MOST.number, max: MOST.number });
    field.required = true;
    field.dataset.paths = JSON.stringify([path]);
    field.addEventListener("input", () => this.#type(field, path));
    // The first click into a field selects its number, as the Tab key does.
    let isFirst = false;
    field.addEventListener("focus", () => {
      isFirst = true;
      field.select();
      this.#page.select(path);
    });
    field.addEventListener("click", () => {
      if (isFirst) {
        field.select();
      }
      isFirst = false;
    });
    field.addEventListener("blur", () => this.#leave(field, path));
    field.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") {
        this.#page.leave(path);
      }
    });
    this.#fields.set(path, field);
    return field;
  }

  #type(field, path) {
    this.#say(field.validity.valid ? "" : VALID);
    if (field.validity.valid) {
      const lists = JSON.parse(this.#text);
      const moves = movesOf(path);
      at(lists, moves.slice(0, -1))[moves.at(-1)] = field.valueAsNumber;
      this.#edit(JSON.stringify(lists), path, path, PAUSE);
    }
  }

  /** Restore the number of a leaf if the text in its field is none. */
  #leave(field, path) {
    if (!field.validity.valid) {
      field.value = at(JSON.parse(this.#text), movesOf(path));
      this.#say("");
    }
  }

  #change(id, change) {
    const lists = JSON.parse(this.#text);
    const moves = change(lists, movesOf(this.#node.path), this.#node);
    this.#edit(JSON.stringify(lists), id, moves.join());
  }

  #undo() {
    const { tree } = this.#past.pop();
    this.#page.edit({ tree, node: "" });
  }

  /** Show another tree, and select a node of it. Changes of one leaf in a row are one step of Undo. */
  #edit(tree, place, node, wait = 0) {
    const before = this.#past.at(-1);
    if (before?.place !== place || !wait) {
      this.#past.push({ tree: this.#page.state.tree, place });
    }
    this.#page.edit({ tree, node }, wait);
  }

  /** The tree as JSON, with changes that the service has not answered yet. */
  get #text() {
    const { tree } = this.#page.state;
    return tree === this.#tree?.text ? this.#tree.numbers : tree;
  }
}

/** Put a field over its leaf; it is larger, so that a finger can hit it. */
function place(field, { name, size, pitch, x, y }, { width, height }) {
  field.ariaLabel = `Leaf ${name}`;
  const parts = { left: x / width, top: y / height, width: pitch / width, height: (1.5 * size) / height };
  for (const [side, part] of Object.entries(parts)) {
    field.style[side] = `${100 * part}%`;
  }
}

/** Show the choices that a random tree was made from. */
function showRandom(random) {
  if (random) {
    const [kind, ...shape] = random;
    find("uneven").checked = kind === "uneven";
    for (const [index, id] of SHAPE.entries()) {
      find(id).value = Number(shape[index]);
    }
  }
}

const movesOf = (path) => (path ? path.split(",").map(Number) : []);

function on(form, act) {
  find(form).addEventListener("submit", (event) => {
    event.preventDefault();
    act();
  });
}
