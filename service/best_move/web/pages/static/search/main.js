// The page that shows a search. The URL has all choices; everything else follows from them.

import { find, write } from "../page.js";
import { load } from "../service.js";
import { count } from "../words.js";
import { addressOf, END, ignoredIn, queryOf, read, UNANSWERED } from "./address.js";
import {
  failure,
  focusOf,
  hideLater,
  nameDocument,
  showCard,
  showKey,
  showLines,
  showMoment,
  shownCard,
  showPosition,
} from "./card.js";
import { connect, Steps, setReady, showCosts, showOptions, showView } from "./controls.js";
import { Drawing, legend } from "./drawing.js";
import { Frame } from "./frame.js";
import { Mentions, nodes, tell } from "./terms.js";
import { Traversal } from "./traversal.js";

const NARROW = matchMedia("screen and (width < 58rem)"); // a window in which a whole branch would be illegible
const NOTHING = new Map();
const REST = 300; // milliseconds before a change is written into the URL, because browsers limit the rate

let state = read(location.search);
let requestKey = ""; // of the request for `tree`, which is null until the response arrives
let tree = null;
let drawing = null; // the drawing of `tree`
let traversal = null; // the traversal of `tree` by the chosen algorithm
let previous = null; // the replay and the step shown before the search was changed, to continue at the same step
let exercise = null; // until it is loaded
let settling;
let asking;

const frame = new Frame(find("drawing"), { select, unfold });
const page = {
  go,
  edit,
  choose,
  restart,
  select,
  zoom: (steps) => frame.zoom(steps),
  leave: (path) => drawing.at(path).focus({ preventScroll: true }),
  restore() {
    state.tree = tree.text;
    requestKey = JSON.stringify(queryOf(state));
    settle();
  },
  get state() {
    return state;
  },
  view: {
    address: () => addressOf(state),
    drawn: (draw) => tree && frame.unscrolled(() => draw(tree, drawing, traversal)),
    moment: () => [shownCard().title, `step ${stepNow()} of ${traversal.replay.last}`],
  },
};
const mentions = new Mentions(frame, () => go({ whole: "true" }));
const steps = new Steps((step) => go({ [state.aside ? "aside" : "step"]: String(step), node: "" }));

const stepChosen = () => Math.min(Number(state.aside || state.step), traversal.replay.last);

/** The exercise, if it is shown instead of a step; otherwise null. */
const asked = () => (exercise?.isOn ? exercise : null);

/** The step that is shown: that of the exercise, otherwise the chosen step. */
const stepNow = () => asked()?.step ?? stepChosen();

/** Change some choices, and show the result. */
function go(parts) {
  state = { ...state, ...parts };
  settle();
  show();
}

/** Write the choices into the URL once they have not changed for `REST` milliseconds. */
function settle() {
  clearTimeout(settling);
  settling = setTimeout(() => history.replaceState(null, "", addressOf(state)), REST);
}

/** Choose another search of the same position, and continue at the same step. */
function choose(parts) {
  steps.stop();
  previous = traversal && { replay: traversal.replay, step: stepNow() };
  restart(parts);
}

/** Change some choices, and remove the answers of an exercise. */
function restart(parts) {
  go({ ...parts, ...UNANSWERED, node: "" });
}

/** Read the choices from the URL. */
function reread() {
  clearTimeout(settling);
  steps.stop();
  previous = null;
  state = read(location.search);
  if (JSON.stringify(queryOf(state)) !== requestKey) {
    showPosition(null);
  }
  showStart();
  show();
}

/** Show the chosen search; load a new one first, a changed tree after a `wait`, in which the earlier one is shown. */
function show(wait = null) {
  showOptions(state);
  if (state.compare && !find("costs")?.open) {
    showCosts(page);
  }
  const key = JSON.stringify(queryOf(state));
  if (key !== requestKey) {
    requestKey = key;
    clearTimeout(asking);
    if (wait === null || !tree) {
      tree = null;
      drawing = null;
      setReady(false);
      loadAndShow(key);
    } else {
      asking = setTimeout(loadAndShow, wait, key);
    }
  }
  if (state.predict && !exercise) {
    loadExercise();
  } else if (tree) {
    draw();
    paint();
  }
}

/** Load the tree and show it, or show the error; neither if another search has been chosen meanwhile. */
async function loadAndShow(key) {
  let kind;
  let found;
  let error;
  try {
    kind = await (state.tree ? load("./search/numbers/numbers.js", fail) : load("./search/boards/boards.js", fail));
    found = Object.assign(await kind.load(queryOf(state), state.node), { kind });
  } catch (caught) {
    error = caught;
  }
  if (key !== requestKey) {
    return;
  }
  if (found) {
    const at = document.activeElement.dataset?.path; // of a node in the drawing, which is replaced
    tree = found;
    drawing = null;
    show();
    if (tree.at(at)) {
      drawing.at(at).focus({ preventScroll: true });
    }
  } else if (tree) {
    requestKey = ""; // so that the next step tries again
    kind.reject(page, error);
  } else {
    requestKey = "";
    find("search").classList.add("failed");
    showPosition(null, error.heading);
    nameDocument(state);
    frame.fill(...failure(error, () => show()));
    kind?.showControls?.(page, null);
  }
}

function fail(text) {
  throw Object.assign(new Error(text), { heading: "No connection", isRetryable: true });
}

/** Draw the tree and build the replay, each only if choices that it depends on changed; show or end the exercise. */
function draw() {
  const focus = focusOf(state, NARROW.matches);
  const plain = {
    isMerged: state.merge === "true",
    focus: state.whole ? null : focus,
    isNarrow: NARROW.matches,
    fields: "",
  };
  if (tree.show(state.predict ? exercise.layout(tree, focus, state) : plain) || !drawing) {
    drawing = new Drawing(tree);
    frame.show(tree, drawing);
    traversal = null;
    showAround();
  }
  if (traversal?.algorithm !== state.algorithm) {
    traversal = new Traversal(tree, state.algorithm);
    showKey(legend(tree, state.algorithm), tree);
    hideLater(state);
    if (previous) {
      state.step = String(traversal.replay.like(previous.replay, previous.step));
      previous = null;
      settle();
    }
  }
  if (state.predict) {
    steps.stop();
    exercise.show(state, traversal, drawing);
  } else {
    exercise?.end();
  }
  find("search").classList.toggle("asked", asked() !== null);
  write("position-cost", asked() ? "\u00a0" : tree.kind.cost(tree)); // it would tell what an exercise asks
  find("steps").hidden = asked() !== null;
  find("steps").inert = asked() !== null;
  find("lesson").classList.toggle("brief", Boolean(state.predict));
}

/** Load the exercise and show it; if it cannot be loaded, show the search without it. */
async function loadExercise() {
  const { Exercise } = await load("./search/exercise/exercise.js", (text) => {
    go({ predict: "" });
    tell(find("moment-sentence"), text);
  });
  if (Exercise && !exercise) {
    const link = (parts) => addressOf({ ...state, ...parts });
    exercise = new Exercise({
      go,
      restart,
      link,
      onward: () => tree.kind.exerciseAfter(tree),
    });
    show();
  }
}

/** Update the buttons and the card around a new drawing. */
function showAround() {
  setReady(true);
  tree.kind.prepare?.(page);
  find("search").classList.remove("failed");
  showPosition(tree);
  nameDocument(state);
  showView(tree, state);
}

/** Show the step or, if a node is selected, this node. */
function paint() {
  const { replay } = traversal;
  const step = stepNow();
  const selected = (state.node && tree.find(state.node)) || null;
  const shown = selected ?? asked()?.node ?? null;
  const node = shown ?? replay.at(step).node;
  const visited = traversal.paint(drawing, step, shown, asked()?.given ?? NOTHING);
  const texts = asked() ? [asked().lines(node), ""] : traversal.texts(step, selected);
  find("moment-sentence").ariaLive = steps.isPlaying ? "off" : "polite";
  find("moment-sentence").hidden = asked() !== null;
  showMoment(tree.kind.picture(node), ...texts);
  showLines(state.algorithm, selected ? null : replay.line(step));
  steps.show(replay, step);
  write("tree-count", count(visited));
  write("tree-all", nodes(tree.root[state.algorithm].nodes));
  const { child } = replay.at(step); // the child whose score the step compares
  frame.follow(shown ?? (step === replay.last ? traversal.line[1] : child) ?? node);
  tree.kind.showControls?.(page, tree, selected, drawing);
  mentions.show(tree, drawing, selected);
}

/** Select a node. */
function select(path) {
  steps.stop();
  go({ node: path });
}

/** Change the tree, and show the end of its search after a number of milliseconds. */
function edit(parts, wait = 0) {
  steps.stop();
  state = { ...state, ...parts, step: END };
  settle();
  show(wait);
}

/** Draw the nodes that the lesson leaves out below a node, or load those that the response omits; keep the step. */
async function unfold(node) {
  if (state.predict) {
    return;
  }
  if (node.children.length && !node.drawn.length) {
    go({ whole: "true" });
    return;
  }
  tree.kind.enter?.(page, node);
  if (!tree.kind.isCollapsed(node)) {
    return;
  }
  const grown = tree;
  try {
    await tree.kind.grow(grown, node);
  } catch (error) {
    tell(find("moment-sentence"), error.message);
    return;
  }
  if (grown === tree) {
    const hadFocus = find("drawing").contains(document.activeElement);
    previous = { replay: traversal.replay, step: stepNow() };
    drawing = null;
    show();
    if (hadFocus) {
      drawing.at(node.path).focus({ preventScroll: true });
    }
  }
}

/** Show the card of the lesson or of the position, and what the page ignores of the URL. */
function showStart() {
  const ignored = ignoredIn(location.search).map((each) => `Ignored: ${each}.`);
  write("ignored", ignored.join(" "));
  showCard(state);
}

connect(page);
for (const id of ["lesson", "moment-numbers", "exercise"]) {
  find(id).addEventListener("click", follow);
}

/** Follow a link to another search without loading the page again. */
function follow(event) {
  const link = event.target.closest("a[href^='?']");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey) {
    event.preventDefault();
    clearTimeout(settling);
    history.replaceState(null, "", addressOf(state));
    history.pushState(null, "", link.href);
    reread();
    const { place, title } = shownCard();
    tell(find("announcement"), `${place}: ${title}.`);
  }
}
addEventListener("popstate", reread);
NARROW.addEventListener("change", () => show());

document.documentElement.classList.toggle("framed", window !== window.parent);
showStart();
show();
