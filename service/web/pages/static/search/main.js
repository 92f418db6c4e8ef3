// The page that shows a search: what is chosen stands in the address, and everything else follows from it.

import { check, element, find, onClick, radios, write } from "../page.js";
import { askTree, follow } from "../service.js";
import { count } from "../words.js";
import { write as address, question, read } from "./address.js";
import { Drawing, legend } from "./drawing.js";
import { Frame } from "./frame.js";
import { showLesson, showPosition } from "./lesson.js";
import { showLines, showMoment } from "./moment.js";
import { Predict } from "./predict.js";
import { questionsOf } from "./questions.js";
import { Replay } from "./replay.js";
import { picture } from "./save.js";
import { wireShare } from "./share.js";
import { Steps } from "./steps.js";
import { Tree } from "./tree.js";
import { Wording } from "./wording.js";

const REST = 300; // milliseconds before a change is written into the address: browsers allow only so many

let state = read(location.search);
let tree = null; // the answers to the question `asked`
let asked = "";
let search = null; // the tree, as one algorithm goes through it: its replay, its wording, its drawing
let left = null; // the replay and the step that the user left for another search of the position
let settling;

const frame = new Frame(find("drawing"), { look, unfold });
const steps = new Steps((step) => go({ step: String(step), node: "" }));
const exercise = new Predict(
  () => go({ step: String(exercise.asked.step), node: "" }),
  (text) => readScore(text),
);

/** Change what is chosen, and show it. */
function go(parts) {
  state = { ...state, ...parts };
  clearTimeout(settling);
  settling = setTimeout(() => history.replaceState(null, "", address(state)), REST);
  return show();
}

/** Choose another search of the same position, which goes on where this one stands. */
function choose(parts) {
  steps.stop();
  left = search && { replay: search.replay, step: stepNow() };
  go({ ...parts, node: "" });
}

/** Read what is chosen from the address. */
function reread() {
  clearTimeout(settling);
  steps.stop();
  left = null;
  state = read(location.search);
  showCard();
  return show();
}

/** Show what is chosen. */
async function show() {
  check("algorithm", state.algorithm);
  check("scoring", state.scoring);
  find("order").value = state.order;
  find("predicting").setAttribute("aria-pressed", String(Boolean(state.predict)));
  const key = JSON.stringify(question(state));
  if (key !== asked || !tree) {
    asked = key;
    tree = null;
    search = null;
    setReady(false);
    if (!(await ask(key)) || !(await reach(state.node ?? "", tree))) {
      return;
    }
  }
  if (tree && key === asked) {
    draw();
    paint();
  }
}

/** Ask for the search by both algorithms; return whether there is an answer, and the question is still the same. */
async function ask(key) {
  try {
    const asking = question(state);
    const answers = await Promise.all(["minimax", "alphabeta"].map((algorithm) => askTree({ ...asking, algorithm })));
    if (key === asked) {
      tree = new Tree(...answers);
    }
  } catch (error) {
    if (key === asked) {
      const again = element("button", "Try again", "primary");
      again.type = "button";
      again.addEventListener("click", show);
      const message = element("p", error.message);
      message.role = "alert";
      frame.fill(message, again);
    }
  }
  return key === asked && tree !== null;
}

/** Ask for what is left out on the way to a node, and just below it; return whether the tree is still the same. */
async function reach(path, from) {
  for (const place of path.matchAll(/,|$/g)) {
    const node = from.at(path.slice(0, place.index));
    if (node && path && !(await grow(node, from))) {
      return false;
    }
  }
  return from === tree;
}

/** Ask for what is left out below a node, if anything is; return whether the tree is still the same. */
async function grow(node, from) {
  const { minimax, alphabeta, children } = node;
  if (!children.length && minimax.href) {
    try {
      const answers = await Promise.all([minimax.href, alphabeta?.href].map((href) => href && follow(href)));
      if (from === tree && !node.children.length) {
        from.grow(node, ...answers);
        search = null;
      }
    } catch (error) {
      write("announcement", error.message);
    }
  }
  return from === tree;
}

/** Draw the tree, and begin or end the exercise, if what is drawn is another. */
function draw() {
  const { algorithm } = state;
  const isMerged = Boolean(state.merge);
  const isPredicting = Boolean(state.predict);
  const isDrawn = search && search.isMerged === isMerged;
  if (!isDrawn) {
    tree.isMerged = isMerged;
    const drawing = new Drawing(tree);
    frame.show(tree, drawing);
    search = { tree, isMerged, drawing };
    showAround();
  }
  if (search.algorithm !== algorithm) {
    Object.assign(search, { algorithm, replay: new Replay(tree, algorithm), wording: new Wording(tree, algorithm) });
    if (left) {
      state.step = String(search.replay.like(left.replay, left.step));
      left = null;
    }
    search.isPredicting = undefined;
  }
  if (search.isPredicting !== isPredicting) {
    search.isPredicting = isPredicting;
    if (isPredicting) {
      steps.stop();
      exercise.begin(questionsOf(search), stepChosen());
    } else {
      exercise.end();
    }
    find("steps").inert = Boolean(exercise.asked);
    find("lesson").hidden = isPredicting;
  }
}

/** Show what belongs to the tree around it. */
function showAround() {
  setReady(true);
  if (!state.lesson) {
    showPosition(tree, state);
  }
  find("merging").hidden = !tree.hasMirrors;
  find("merging").setAttribute("aria-pressed", String(tree.isMerged));
  find("legend").replaceChildren(
    ...legend(tree.maximizer).map(({ drawing, text }) => {
      const item = element("li");
      item.append(drawing, ` ${text}`);
      return item;
    }),
  );
}

/** Say whether there is a search to go through. */
function setReady(isReady) {
  find("drawing").setAttribute("aria-busy", String(!isReady));
  find("steps").inert = !isReady;
}

const stepChosen = () => Math.min(Number(state.step), search.replay.last);

/** The step that is shown: the one chosen, or in an exercise that of the question or its answer. */
const stepNow = () => exercise.step ?? stepChosen();

/** Show the step, or the node that is looked at instead. */
function paint() {
  const { replay, wording, drawing, algorithm } = search;
  const step = stepNow();
  const event = replay.at(step);
  const looked = (state.node && tree.at(state.node)) || null;
  const node = looked ?? event.node;
  const { nodes, visited } = replay.standing(step);
  const isEnd = step === replay.last;
  const line = isEnd ? best(tree.root, algorithm) : [];
  const onLine = new Set(line.map(({ path }) => path));
  const { given } = exercise;
  const way = new Set();
  const drawn = tree.standIn(node);
  for (let each = drawn; each && node !== tree.root; each = each.parent) {
    way.add(each.path);
  }
  drawing.paint((path) => {
    const stands = { ...nodes.get(path), ...given.get(path) };
    return {
      ...stands,
      score: wording.score(stands.score),
      isChosen: onLine.has(path),
      isCurrent: way.has(path),
      isAt: path === drawn.path && (!isEnd || Boolean(looked)),
      isLooked: path === drawn.path,
      name: wording.name(tree.at(path), nodes.get(path), path !== "" && onLine.has(path)),
    };
  });
  find("moment-sentence").ariaLive = steps.isPlaying ? "off" : "polite";
  showMoment(node, ...told(event, looked, nodes));
  showLines(replay.lines(step).map(({ text, isLive }) => ({ text, isLive: isLive && !looked })));
  steps.show(replay, step);
  write("tree-count", count(visited));
  write("tree-all", count(tree.root[algorithm].nodes));
  frame.follow(isEnd && !looked ? (line[1] ?? node) : node);
}

/** What to say of a step, or of the node that is looked at instead: its numbers, and a sentence. */
function told(event, looked, nodes) {
  const { wording, algorithm } = search;
  const { asked: question_, isOpen } = exercise;
  if (question_) {
    // Nothing that is asked about may be read elsewhere.
    const { alpha, beta } = question_.node[algorithm];
    const numbers = wording.numbers(isOpen ? { node: question_.node, alpha, beta } : event);
    return [numbers, looked ? `${wording.name(looked, nodes.get(looked.path))}.` : ""];
  }
  const own = looked?.[algorithm];
  return [
    wording.numbers(own ? { ...own, node: looked, best: own.score } : event),
    looked ? wording.summary(looked) : wording.step(event),
  ];
}

/** The nodes on the line of best play. */
function best(root, algorithm) {
  const line = [];
  for (let node = root; node; ) {
    line.push(node);
    const { best: move } = node[algorithm];
    node = node.children.find((child) => move !== null && child.move === move);
  }
  return line;
}

/** Look at a node. */
function look(path) {
  steps.stop();
  go({ node: path });
}

/** Draw what is left out below a node, at the same step of the search. */
async function unfold(node) {
  const before = { replay: search.replay, step: stepNow() };
  const hasMore = !node.children.length && node.minimax.href && !state.predict;
  if (hasMore && (await grow(node, tree)) && node.children.length) {
    const hadFocus = find("drawing").contains(document.activeElement);
    left = before;
    await go({});
    if (hadFocus) {
      search.drawing.at(node.path).focus({ preventScroll: true });
    }
  }
}

/** The score that a text says, as the search compares it; NaN if it says none. */
function readScore(text) {
  const plain = text.trim().replace("−", "-").replace("+", "");
  return plain ? Number(plain) * (tree.scoring === "outcome" ? 100 : 1) : Number.NaN;
}

/** Show the card of the lesson, or of a position that is still unknown. */
function showCard() {
  if (state.lesson) {
    showLesson(state.lesson);
  } else {
    showPosition(null, state);
  }
}

for (const name of ["algorithm", "scoring"]) {
  for (const radio of radios(name)) {
    radio.addEventListener("change", () => choose({ [name]: radio.value }));
  }
}
find("order").addEventListener("change", ({ target }) => choose({ order: target.value }));
onClick("merging", () => go({ merge: state.merge ? "" : "true" }));
onClick("predicting", () => go({ predict: state.predict ? "" : "true", node: "" }));
onClick("zoom-in", () => frame.zoom(1));
onClick("zoom-out", () => frame.zoom(-1));
onClick("zoom-fit", () => frame.zoom(0));
wireShare(
  () => new URL(address(state), location.href).href,
  () => {
    const title = find(state.lesson ? "lesson-title" : "lesson-text").textContent;
    const numbers = [...find("moment-numbers").children].map((line) => line.textContent).join(" · ");
    const step = `${tree.root.board}, step ${stepNow()} of ${search.replay.last}`;
    return {
      svg: picture(search.drawing, {
        title,
        text: `${step}. ${numbers}. ${find("moment-sentence").textContent}`,
        maximizer: tree.maximizer,
      }),
      name: `search-tree-${tree.root.board}-${state.algorithm}.svg`,
    };
  },
);
find("lesson").addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='?']");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey) {
    event.preventDefault();
    clearTimeout(settling);
    history.replaceState(null, "", address(state));
    history.pushState(null, "", link.href);
    reread();
    write("announcement", `${find("lesson-place").textContent}: ${find("lesson-title").textContent}.`);
  }
});
addEventListener("popstate", reread);

showCard();
show();
