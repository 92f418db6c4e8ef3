// The search of the position on the board: its tree, drawn, by minimax or by alpha-beta, and gone through step by step.

import { check, element, find, onClick, radios, setDisabled, write } from "../page.js";
import { askTree, follow } from "../service.js";
import { count, opponent } from "../words.js";
import { Counter } from "./counter.js";
import { Drawing, marks, shape } from "./drawing.js";
import { Predict, questionsOf } from "./predict.js";
import { Replay } from "./replay.js";
import { Tree } from "./tree.js";

const BEAT = 700; // milliseconds from step to step
const REST = 300; // milliseconds before a step is written into the address

export class SearchView {
  #change;
  #key;
  #tree;
  #drawing;
  #replay;
  #algorithm;
  #step = null; // null for the last
  #node = null; // the path of the node looked at instead of the step's
  #isPredicting = false;
  #predict = new Predict(() => this.#turn());
  #counter = new Counter(find("tree-count"));
  #playing;
  #settling;

  /** `change(parts)` is called with what is chosen here, under the names of the game in the address. */
  constructor(change) {
    this.#change = change;
    for (const radio of radios("algorithm")) {
      radio.addEventListener("change", () => {
        this.#unsettle();
        change({ algorithm: radio.value, step: null });
      });
    }
    const slider = find("step");
    slider.addEventListener("input", () => this.#go(slider.valueAsNumber));
    slider.addEventListener("keydown", (event) => {
      if (event.key === " ") {
        event.preventDefault();
        this.#play();
      }
    });
    onClick("step-first", () => this.#go(0));
    onClick("step-back", () => this.#go(this.#shown - 1));
    onClick("step-forward", () => this.#go(this.#shown + 1));
    onClick("step-last", () => this.#go(this.#replay.last));
    onClick("step-play", () => this.#play());
    onClick("merging", () => change({ isMerged: !this.#tree.isMerged }));
    onClick("predicting", () => change({ isPredicting: !this.#isPredicting }));
    onClick("save-tree", () => this.#save());
    find("drawing").addEventListener("keydown", (event) => this.#press(event));
    find("drawing").addEventListener("click", ({ target }) => {
      const path = target.closest(".node")?.dataset.path;
      if (path !== undefined) {
        this.#look(path);
        this.#unfold(this.#tree.at(path));
      }
    });
  }

  /** Move through the tree: down into it and up again, and sideways along a ply. */
  #press(event) {
    const path = event.target.closest(".node")?.dataset.path;
    const node = path === undefined ? null : this.#tree.at(path);
    if (!node || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const ply = this.#tree.nodes.filter((each) => each.ply === node.ply);
    const reached = {
      ArrowDown: () => node.children[0],
      ArrowUp: () => node.parent,
      ArrowRight: () => ply[ply.indexOf(node) + 1],
      ArrowLeft: () => ply[ply.indexOf(node) - 1],
      Home: () => this.#tree.root,
      End: () => ply.at(-1),
      Enter: () => node,
      " ": () => node,
    }[event.key];
    if (!reached) {
      return;
    }
    event.preventDefault();
    const next = reached();
    if (next && next !== node) {
      this.#look(next.path);
      this.#drawing.at(next.path).focus({ preventScroll: true });
      this.#follow(next);
    } else if (["ArrowDown", "Enter", " "].includes(event.key)) {
      this.#unfold(node);
    }
  }

  /** Give the drawing away as a file. */
  #save() {
    const link = element("a");
    link.href = URL.createObjectURL(new Blob([this.#drawing.toText()], { type: "image/svg+xml" }));
    link.download = `search-tree-${this.#tree.root.board}-${this.#algorithm}.svg`;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  /** Show the search of a position: `question` is what is searched, null for nothing to search. */
  async show(question, { algorithm, step, node, isPredicting, isMerged }) {
    find("search").hidden = !question;
    const key = JSON.stringify(question);
    const isOther = key !== this.#key || algorithm !== this.#algorithm;
    if (isOther) {
      this.#stop();
      this.#unsettle();
    }
    this.#algorithm = algorithm;
    check("algorithm", algorithm);
    find("predicting").setAttribute("aria-pressed", String(isPredicting));
    if (key !== this.#key) {
      this.#key = key;
      this.#tree = null;
      this.#predict.end();
      find("steps").inert = true;
      find("drawing").replaceChildren();
      if (question) {
        await this.#ask(question, key);
        await this.#reach(node ?? "");
      }
    } else if (isOther && this.#tree) {
      this.#replay = new Replay(this.#tree, algorithm);
    }
    if (this.#tree && key === this.#key && !this.#settling) {
      if (isMerged !== this.#tree.isMerged) {
        this.#tree.isMerged = isMerged;
        this.#draw();
      }
      if (isOther || isPredicting !== this.#isPredicting || step !== this.#step) {
        this.#isPredicting = isPredicting;
        if (isPredicting) {
          this.#stop();
          this.#predict.begin(questionsOf(this.#tree, this.#replay, algorithm), step ?? 0);
        } else {
          this.#predict.end();
        }
      }
      this.#step = step;
      this.#node = node !== null && this.#tree.at(node) ? node : null;
      this.#paint();
      if (isOther) {
        this.#teach();
        this.#follow(this.#node === null ? this.#replay.at(this.#shown).node : this.#tree.at(this.#node));
      }
    }
  }

  /** Tell what there is to see, where the address is a lesson's. */
  #teach() {
    const lesson = [...find("lessons").querySelectorAll("a")].find(({ search }) => search === location.search);
    write("lesson", lesson?.parentElement.textContent ?? "");
    if (lesson) {
      find("search").scrollIntoView();
    }
  }

  get #shown() {
    return this.#predict.step ?? Math.min(this.#step ?? this.#replay.last, this.#replay.last);
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
    find("steps").inert = false;
    this.#drawing = new Drawing(this.#tree);
    this.#replay = new Replay(this.#tree, this.#algorithm);
    find("drawing").replaceChildren(this.#drawing.svg);
    find("merging").hidden = !this.#tree.hasMirrors && !this.#tree.isMerged;
    find("merging").setAttribute("aria-pressed", String(this.#tree.isMerged));
    const { maximizer, scoring } = this.#tree;
    write("tree-sides", `${maximizer} is to move and is MAX, ${opponent(maximizer)} is MIN.`);
    const quick = `0 is a draw, 100 less the number of the last move a win, the same below 0 a loss`;
    const plain = "+1 is a win, 0 a draw, −1 a loss";
    write("tree-scores", `Scores are ${maximizer}'s: ${scoring === "outcome" ? plain : quick}.`);
    for (const [index, word] of ["win", "draw", "loss"].entries()) {
      find("tree-legend").children[index].lastChild.textContent = ` ${word} for ${maximizer}`;
    }
  }

  /** Ask for what was left out below a node, and draw the tree with it. */
  async #unfold(node) {
    if (node.children.length || !node.minimax.href || this.#isPredicting) {
      return;
    }
    const tree = this.#tree;
    const answers = await this.#askBelow(node);
    if (answers && tree === this.#tree && !node.children.length) {
      const event = this.#replay.at(this.#shown);
      const hadFocus = find("drawing").contains(document.activeElement);
      tree.grow(node, ...answers);
      this.#draw();
      const same = this.#replay.find(event);
      this.#step = this.#step === null || same < 0 ? null : same;
      this.#paint();
      this.#settle();
      if (hadFocus) {
        this.#drawing.at(node.path).focus({ preventScroll: true });
      }
    }
  }

  /** Ask for what was left out on the way to a node, and just below it, and draw the tree with it. */
  async #reach(path) {
    const tree = this.#tree;
    for (const place of path.matchAll(/,|$/g)) {
      const node = tree?.at(path.slice(0, place.index));
      if (node && !node.children.length && node.minimax.href) {
        const answers = await this.#askBelow(node);
        if (!answers || tree !== this.#tree) {
          return;
        }
        tree.grow(node, ...answers);
        this.#draw();
      }
    }
  }

  /** Ask both searches for what is below a node; say so if there is no answer. */
  async #askBelow({ minimax, alphabeta }) {
    try {
      return await Promise.all([minimax.href, alphabeta?.href].map((href) => href && follow(href)));
    } catch (error) {
      write("announcement", error.message);
      return null;
    }
  }

  /** Go to a step. */
  #go(step) {
    const { last } = this.#replay;
    this.#step = step >= last ? null : Math.max(0, step);
    this.#node = null;
    if (this.#step === null) {
      this.#stop();
    }
    this.#paint();
    this.#settle();
    this.#follow(this.#replay.at(this.#shown).node);
  }

  /** Go where the exercise goes; the question stands in the address. */
  #turn() {
    this.#step = this.#predict.asked.step;
    this.#node = null;
    this.#paint();
    this.#settle();
    this.#follow(this.#replay.at(this.#shown).node);
  }

  /** Look at a node. */
  #look(path) {
    this.#stop();
    this.#node = path || null;
    this.#paint();
    this.#settle();
  }

  /** Write nothing more of where we were: it belongs to the search before. */
  #unsettle() {
    clearTimeout(this.#settling);
    this.#settling = undefined;
  }

  /** Write where we are into the address, once it does not change so soon again. */
  #settle() {
    clearTimeout(this.#settling);
    const key = this.#key;
    this.#settling = setTimeout(() => {
      this.#settling = undefined;
      if (key === this.#key) {
        this.#change({ step: this.#step, node: this.#node });
      }
    }, REST);
  }

  #play() {
    if (this.#playing) {
      this.#stop();
      return;
    }
    this.#playing = setInterval(() => this.#go(this.#shown + 1), BEAT);
    write("step-play", "Pause");
    this.#go(this.#step === null ? 0 : this.#shown + 1);
  }

  #stop() {
    clearInterval(this.#playing);
    this.#playing = undefined;
    write("step-play", "Play");
  }

  /** Scroll the frame so that a node is in sight. */
  #follow(node) {
    const { x } = this.#tree.standIn(node);
    const frame = find("drawing");
    const left = x - frame.scrollLeft;
    if (left < 40 || left > frame.clientWidth - 40) {
      frame.scrollLeft = x - frame.clientWidth / 2;
    }
  }

  #paint() {
    const { root } = this.#tree;
    const step = this.#shown;
    const event = this.#replay.at(step);
    const looked = this.#node === null ? event.node : this.#tree.at(this.#node);
    const { nodes, visited } = this.#replay.standing(step);
    const line = event.kind === "end" ? chosen(root, this.#algorithm) : new Set();
    const given = this.#predict.given;
    const way = new Set();
    const drawn = this.#tree.standIn(looked);
    for (let node = drawn; node && looked !== root; node = node.parent) {
      way.add(node.path);
    }
    this.#drawing.paint((path) => ({
      ...nodes.get(path),
      ...given.get(path),
      isChosen: line.has(path),
      isCurrent: way.has(path),
      isAt: path === drawn.path && (event.kind !== "end" || this.#node !== null),
      isLooked: path === drawn.path,
      name: this.#replay.name(this.#tree.at(path), nodes.get(path)),
    }));
    this.#tell(event, looked, this.#replay.name(drawn, nodes.get(drawn.path)), step);
    this.#counter.run(visited);
    const [all, few] = [root.minimax.nodes, root.alphabeta.nodes].map(count);
    write("tree-note", `Minimax visits ${all} positions; alpha-beta finds the same move with ${few}.`);
  }

  /** Tell the step, or what is known of the node looked at instead. */
  #tell(event, node, name, step) {
    const { last } = this.#replay;
    const own = node[this.#algorithm];
    const isStep = this.#node === null;
    const { asked } = this.#predict;
    if (asked) {
      // Nothing that a question is about is to be read elsewhere.
      const { alpha, beta } = asked.node[this.#algorithm];
      write("moment-numbers", this.#replay.numbers(this.#predict.isOpen ? { node: asked.node, alpha, beta } : event));
      write("moment-sentence", isStep ? "" : `${name}.`);
    } else if (isStep || !own) {
      write("moment-numbers", this.#replay.numbers(event));
      write("moment-sentence", isStep ? this.#replay.sentence(event) : this.#replay.summary(node));
    } else {
      write("moment-numbers", this.#replay.numbers({ ...own, node, best: own.score }));
      write("moment-sentence", this.#replay.summary(node));
    }
    const card = shape("rect", { class: "card", x: -48, y: -48, width: 96, height: 96, rx: 4 });
    find("moment-board").replaceChildren(card, ...marks(node.board, 96));
    find("algorithm").replaceChildren(
      ...this.#replay.lines(step).map(({ text, isLive }) => {
        const item = element("li");
        item.append(element("code", text));
        if (isLive && isStep) {
          item.setAttribute("aria-current", "step");
        }
        return item;
      }),
    );
    find("steps").hidden = Boolean(asked);
    const slider = find("step");
    slider.max = last;
    slider.value = step;
    slider.setAttribute("aria-valuetext", `${step} of ${last}: ${this.#replay.sentence(event)}`);
    write("step-number", `${count(step)} of ${count(last)}`);
    for (const id of ["step-first", "step-back"]) {
      setDisabled(id, step === 0);
    }
    for (const id of ["step-forward", "step-last"]) {
      setDisabled(id, step === last);
    }
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
