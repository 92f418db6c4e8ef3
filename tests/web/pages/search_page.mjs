// Runs the search page, and prints, as JSON, what it shows after the user's actions.
//
// Each line of the input has actions of the same instant, and gets a line with what the page shows then, also its
// drawing if one of the actions is `draw`, the URLs requested, the texts copied, and the files saved. After the last
// action all timers ring, unless it is to wait for some milliseconds.

import { document, forget, open, page, receive, resize, send, setPage, settle, visit, window } from "./document.mjs";

const LETTER = 6; // the width of a letter, where the page measures a text

const PARTS = [
  "merging",
  "whole",
  "position",
  "predict",
  "predict-question",
  "predict-onward",
  "predict-go",
  "embed-code",
];
const TEXTS = [
  ...["moment-sentence", "tree-count", "tree-all", "step-number", "step-play", "position-title", "position-cost"],
  ...["predict-text", "predict-facts", "predict-feedback", "predict-score", "predict-go", "shared", "announcement"],
  ...["embed-code", "comparison-note"],
];
const PRESSED = ["predicting", "merging", "whole"];

const find = (id) => document.getElementById(id);
const texts = (nodes) => [...nodes].map((each) => each.textContent);
const named = (name) => [...document.getElementsByName(name)];
const attributes = (node, names) => Object.fromEntries(names.map((name) => [name, node.getAttribute(name)]));
const nodeAt = (path) => document.querySelector(`.node[data-path="${path}"]`);

const shapeOf = (node) => ({
  name: node.tagName,
  ...Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value])),
  text: node.children.length ? "" : node.textContent,
});

const nodeOf = (node) => ({
  ...node.dataset,
  ...attributes(node, ["transform", "tabindex", "role"]),
  ...attributes(node, ["aria-label", "aria-level", "aria-setsize", "aria-posinset", "aria-expanded", "aria-selected"]),
  classes: [...node.classList],
  text: node.textContent,
  shapes: [...node.children].map(shapeOf),
});

const edgeOf = (edge) => ({
  state: edge.dataset.state,
  classes: [...edge.classList],
  ...Object.fromEntries([...edge.children].map((each) => [each.getAttribute("class"), each.getAttribute("d")])),
});

const choiceOf = ({ firstElementChild: label }) => ({
  text: label.textContent,
  isRight: label.classList.contains("right"),
  paths: label.dataset.paths ?? null,
  ...attributes(label.querySelector("input"), ["type", "value", "name"]),
});

/** The words that are visible and name nodes. */
const words = () => [...find("search").querySelectorAll("[data-paths]")].filter((each) => !each.closest("[hidden]"));

const wordOf = (word) => ({
  text: word.textContent,
  paths: JSON.parse(word.dataset.paths),
  isKept: word.ariaPressed === "true",
  isMarked: word.classList.contains("marked"),
});

function drawing() {
  const svg = document.querySelector("#drawing > svg");
  if (!svg) {
    return null;
  }
  const [edges, nodes, names] = svg.children;
  return {
    ...attributes(svg, ["viewBox", "width", "height", "class", "style"]),
    nodes: [...nodes.children].map(nodeOf),
    edges: [...edges.children].map(edgeOf),
    names: {
      ...attributes(names, ["transform"]),
      texts: [...names.querySelectorAll("text")].map((each) => [each.getAttribute("y"), each.textContent]),
    },
  };
}

const rowOf = (row) => ({
  ...row.dataset,
  nodes: row.querySelector("b").textContent,
  share: row.querySelector("i").style.getPropertyValue("--share"),
});

function focused() {
  const { id, dataset, parentElement } = document.activeElement;
  return dataset.path ?? (id || parentElement?.id);
}

/** What the page shows now. */
function shown(hasDrawing) {
  const card = find("lesson").querySelector("article:not([hidden])");
  const place = find("drawing");
  return {
    ...{ address: window.location.search, entries: window.history.length, title: document.title, left: visit.left },
    ...Object.fromEntries(TEXTS.map((id) => [id, find(id).textContent])),
    numbers: texts(find("moment-numbers").children),
    links: [...document.querySelectorAll("#moment-numbers a")].map((each) => [
      each.textContent,
      each.getAttribute("href"),
      each.title,
    ]),
    board: [...find("moment-board").children].map(shapeOf),
    live: find("moment-sentence").getAttribute("aria-live"),
    hidden: PARTS.filter((id) => find(id).hidden),
    pressed: PRESSED.filter((id) => find(id).getAttribute("aria-pressed") === "true"),
    disabled: [...find("steps").querySelectorAll("[aria-disabled=true]")].map(({ id }) => id),
    slider: { ...attributes(find("step"), ["aria-valuetext"]), max: find("step").max, value: find("step").value },
    isInert: Boolean(find("steps").inert),
    isBusy: place.getAttribute("aria-busy") === "true",
    classes: [...find("search").classList],
    isBrief: find("lesson").classList.contains("brief"),
    card: { place: card.querySelector(".place span").textContent, title: card.querySelector("h2").textContent },
    lessonTexts: [...find("lessons").querySelectorAll("[data-board]:not([hidden])")].map((each) => each.dataset.board),
    current: texts(find("path").querySelectorAll("[aria-current]")),
    later: [...document.querySelectorAll("[data-from][hidden]")].map((each) => each.dataset.from),
    hrefs: Object.fromEntries(["set-up", "play-it", "predict-again"].map((id) => [id, find(id).getAttribute("href")])),
    algorithm: find("algorithm").dataset.algorithm,
    line: [...find("algorithm").querySelectorAll("[aria-current]")].map((each) => each.dataset.line),
    chosen: Object.fromEntries(
      ["algorithm", "scoring"].map((name) => [name, named(name).find(({ checked }) => checked)?.value]),
    ),
    selects: { order: find("order").value, max_depth: find("depth").value },
    legend: [...find("legend").children].map((each) => ({
      ...shapeOf(each.firstElementChild),
      text: each.textContent,
      shapes: [...each.querySelectorAll("path, rect")].map(shapeOf),
    })),
    choices: [...find("predict-choices").children].map(choiceOf),
    isOrdered: find("predict-choices").classList.contains("ordered"),
    words: words().map(wordOf),
    isAnswered: find("predict-choices").parentElement.disabled,
    hasCosts: find("costs").hasAttribute("open"),
    rows: [...find("comparison").tBodies[0].rows].map(rowOf),
    hasMenu: find("share").open,
    message: place.querySelector("svg") ? [] : texts(place.children),
    scrolled: [place.scrollLeft, place.scrollTop],
    focused: focused(),
    isFramed: document.documentElement.classList.contains("framed"),
    drawing: hasDrawing ? drawing() : null,
  };
}

const press = (element, key, modifier = "") => {
  const event = new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, [modifier]: true });
  element.dispatchEvent(event);
};

const choose = (element, value, type = "change") => {
  element.value = value;
  element.dispatchEvent(new window.Event(type, { bubbles: true }));
};

let hasDrawing = false;

/** The user's actions. */
const ACTIONS = {
  async visit([query, media]) {
    Object.assign(visit, { media, left: "" });
    window.history.replaceState(null, "", `/search${query}`);
    setPage(await page(`search${query}`));
    return open("search/main");
  },
  click: (id) => find(id).click(),
  link: ([id, href, modifier = ""]) => {
    const link = document.querySelector(`#${id} a[href="${href}"]`);
    link.dispatchEvent(new window.MouseEvent("click", { bubbles: true, cancelable: true, [modifier]: true }));
  },
  radio: ([name, value]) =>
    named(name)
      .find((each) => each.value === value)
      .click(),
  choose: ([id, value]) => choose(find(id), value),
  slide: (step) => choose(find("step"), step, "input"),
  node: (path) => nodeAt(path).dispatchEvent(new window.MouseEvent("click", { bubbles: true })),
  point(place) {
    const pointed = typeof place === "number" ? words()[place] : place === null ? find("search") : nodeAt(place);
    pointed.dispatchEvent(new window.MouseEvent("pointerover", { bubbles: true }));
  },
  leave: () => find("search").dispatchEvent(new window.MouseEvent("pointerleave")),
  word: (index) => words()[index].click(),
  hit: ([index, key]) => press(words()[index], key),
  key: ([path, key, modifier]) => press(path === null ? document.body : nodeAt(path), key, modifier),
  press: ([id, key, modifier]) => press(find(id), key, modifier),
  answer(values) {
    for (const input of find("predict-choices").querySelectorAll("input")) {
      if (input.type === "text") {
        [input.value] = values;
      } else if (values.includes(input.value) !== input.checked) {
        input.click();
      }
    }
    find("predict").dispatchEvent(new window.Event("submit", { cancelable: true }));
  },
  again: () => find("drawing").querySelector("button").click(),
  back: () => history.back(),
  close() {
    find("costs").removeAttribute("open");
    find("costs").dispatchEvent(new window.Event("close"));
  },
  toggle: () => find("share").dispatchEvent(new window.Event("toggle")),
  menu: (isOpen) => Object.assign(find("share"), { open: isOpen }),
  size: ([width, height]) => resize(width, height),
  scroll([left, top]) {
    Object.assign(find("drawing"), { scrollLeft: left, scrollTop: top });
    find("drawing").dispatchEvent(new window.Event("scroll"));
  },
  event: (type) => window.dispatchEvent(new window.Event(type)),
  media(media) {
    visit.media = media;
    visit.lists.map((list) => list.dispatchEvent(new Event("change")));
  },
  draw: () => (hasDrawing = true),
  wait: (milliseconds) => settle(() => {}, milliseconds),
  forget,
};

window.SVGElement.prototype.getComputedTextLength = function () {
  return LETTER * this.textContent.length;
};

for (let actions = await receive(); actions; actions = await receive()) {
  Object.assign(visit, { urls: [], copied: [], saved: [] });
  for (const [name, value] of actions) {
    await ACTIONS[name](value);
  }
  if (actions.at(-1)[0] !== "wait") {
    await settle(() => {});
  }
  const saved = await Promise.all(visit.saved.map((file) => file.text()));
  const now = shown(hasDrawing);
  hasDrawing = false;
  send({ shown: now, urls: visit.urls, copied: visit.copied, saved });
}
