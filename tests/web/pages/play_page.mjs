// Runs the playground, and prints, as JSON, what it shows after each of the user's actions.
//
// The first line of the input is the page's HTML. Each other line has actions of the same instant, and gets a line with
// the moments that follow, one for each change of the page, the URLs requested, and the texts copied. After the last
// action all timers ring, unless it is to wait for some milliseconds.

import { document, forget, load, open, receive, send, setPage, settle, visit, window } from "./document.mjs";
import { setImmediate as tick } from "node:timers/promises";

const PARTS = [
  ...["playing-bar", "playing", "set-up-bar", "setting-up", "act", "try-move", "play", "explain", "mistake"],
  ...["no-moves", "moves"],
];
const BUTTONS = ["undo", "play-from-here", "search-from-here"];

let moments = []; // as JSON
let fields = [];

const find = (id) => document.getElementById(id);
const text = (id) => find(id).textContent;
const buttons = (id) => [...find(id).querySelectorAll("button")];
const radio = (name, value) => fields.find((each) => each.name === name && each.value === value);
const chosen = (name) => fields.filter((each) => each.name === name && each.checked).map(({ value }) => value);

const cellOf = (button) => ({
  mark: button.dataset.mark,
  sign: button.dataset.worth,
  symbol: button.querySelector(".worth b").textContent,
  words: button.querySelector(".worth span").textContent,
  name: button.getAttribute("aria-label"),
  isDisabled: button.getAttribute("aria-disabled") === "true",
  tab: button.tabIndex,
  ...Object.fromEntries(["best", "winning", "last", "refused"].map((name) => [name, button.classList.contains(name)])),
});

const stepOf = (button) => ({
  number: button.querySelector(".ply").textContent,
  text: button.textContent,
  mark: button.dataset.mark,
  sign: button.querySelector(".mistake")?.textContent ?? "",
  name: button.getAttribute("aria-label"),
  told: button.closest("tr").querySelector("td").textContent,
  isCurrent: button.getAttribute("aria-current") === "step",
});

const lineIn = (place) =>
  [...place.querySelectorAll(".strip button")].map(({ textContent, dataset, ariaLabel }) => [
    ...[textContent, dataset.mark, ariaLabel],
  ]);

/** What the open panel explains, once it has all responses; null if it lists no moves. */
function explanation() {
  const place = find("explanation");
  if (find("explain").hidden || find("game").getAttribute("aria-busy") === "true" || !place.querySelector(".worths")) {
    return null;
  }
  const [why, cost] = place.querySelectorAll("p");
  return {
    why: why.textContent,
    headings: [...place.querySelectorAll("h4")].map((each) => each.textContent),
    line: lineIn(place),
    moves: [...place.querySelectorAll("li[data-worth]")].map((each) => [each.dataset.worth, each.textContent]),
    cost: cost.textContent,
    link: place.querySelector("a").getAttribute("href"),
  };
}

const endOf = (part) => ({
  title: part.querySelector("h4").textContent,
  line: lineIn(part),
  picture: part.querySelector("svg").outerHTML,
  outcome: part.dataset.outcome,
  result: part.querySelector("a").lastElementChild.textContent,
  href: part.querySelector("a").getAttribute("href"),
});

/** Note what the page shows now, unless it shows the same as at the moment before. */
function note() {
  const { winner = "", side } = find("board").dataset;
  const moment = JSON.stringify({
    ...{ address: window.location.search, depth: visit.depth, title: document.title, left: visit.left },
    ...Object.fromEntries(
      ["status", "sentence", "problem", "announcement", "score", "act", "copy-link"].map((id) => [id, text(id)]),
    ),
    heading: text("this-game"),
    isBusy: find("game").getAttribute("aria-busy") === "true",
    cells: buttons("board").map(cellOf),
    ...{ side, winner, isSetUp: find("board").classList.contains("set-up") },
    strike: document.querySelector(".strike path").getAttribute("d"),
    shown: PARTS.filter((id) => !find(id).hidden),
    disabled: BUTTONS.filter((id) => find(id).getAttribute("aria-disabled") === "true"),
    hints: find("hints").getAttribute("aria-pressed"),
    chosen: Object.fromEntries(["you", "starts", "place"].map((name) => [name, chosen(name)])),
    options: Object.fromEntries(
      fields.filter(({ type }) => type === "select-one").map((each) => [each.name || each.id, each.value]),
    ),
    tabs: buttons("tabs").map((each) => [each.getAttribute("aria-selected"), each.tabIndex]),
    call: find("this-call").getAttribute("href"),
    steps: buttons("moves").map(stepOf),
    explanation: explanation(),
    panel: find("explain").hidden ? "" : text("explanation"),
    mistake: [...find("mistake").querySelectorAll(":scope > div")].map(endOf),
    isPanelBusy: find("panel").hasAttribute("aria-busy"),
    focused: buttons("board").indexOf(document.activeElement),
    explored: buttons("explanation").indexOf(document.activeElement),
  });
  if (moment !== moments.at(-1)) {
    moments.push(moment);
  }
}

const press = (element, key, modifier = "", type = "keydown") =>
  element.dispatchEvent(new window.KeyboardEvent(type, { key, bubbles: true, cancelable: true, [modifier]: true }));

const choose = (select, value) => {
  select.value = value;
  select.dispatchEvent(new window.Event("change", { bubbles: true }));
};

/** The user's actions. */
const ACTIONS = {
  visit([query, media]) {
    window.sessionStorage.clear();
    window.history.replaceState(null, "", query || "/");
    Object.assign(visit, { depth: 1, media, left: "" });
    return ACTIONS.reload();
  },
  async reload() {
    await open("play/main");
    fields = [...document.querySelectorAll("input, select")];
  },
  click: (cell) => buttons("board")[cell].click(),
  press([place, key, modifier]) {
    const [id, value] = place.split("=");
    press(value ? radio(id, value) : id ? find(id) : document.body, key, modifier);
  },
  focus: (cell) => buttons("board")[cell].focus(),
  key: ([cell, key, modifier]) => press(buttons("board")[cell], key, modifier),
  button: (id) => find(id).click(),
  tap(selector) {
    const control = document.querySelector(selector);
    if (!control.closest("[hidden]")) {
      control.click();
    }
  },
  back: () => history.back(),
  tab: ([index, key]) => (key ? press(buttons("tabs")[index], key) : buttons("tabs")[index].click()),
  option: ([name, value]) => choose(document.querySelector(`select[name="${name}"], select#${name}`), value),
  at: (at) => buttons("moves")[at - 1].click(),
  radio: ([name, value]) => radio(name, value).click(),
  arrow([name, value]) {
    const place = radio(name, value);
    press(place, "ArrowRight");
    place.click();
    press(place, "ArrowRight", "", "keyup");
  },
  preview: ([index, type]) => buttons("explanation")[index].dispatchEvent(new window.Event(type)),
  explained: () => buttons("explanation")[0].click(),
  explore: (index) => buttons("explanation")[index].focus(),
  press_on: (key) => press(document.activeElement, key),
  noticed([type, hidden]) {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    (type === "online" ? window : document).dispatchEvent(new window.Event(type));
  },
  forget,
  wait: (milliseconds) => settle(note, milliseconds),
};

setPage(await receive());
const loading = Promise.all(["play/explain", "play/mistake"].map(load));
let styles;
do {
  await tick();
  styles = document.querySelector("link[href$='mistake.css']");
} while (!styles);
styles.dispatchEvent(new window.Event("load"));
await loading;

for (let actions = await receive(); actions; actions = await receive()) {
  moments = [];
  visit.urls = [];
  visit.copied = [];
  for (const [name, value] of actions) {
    await ACTIONS[name](value);
    await new Promise((resolve) => process.nextTick(resolve)); // promises come before the next event, as in a browser
    note();
  }
  if (actions.at(-1)[0] !== "wait") {
    await settle(note);
  }
  process.stdout.write(
    `{"moments": [${moments}], "urls": ${JSON.stringify(visit.urls)}, "copied": ${JSON.stringify(visit.copied)}}\n`,
  );
}
