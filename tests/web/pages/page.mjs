// Runs any page of the service, and prints, as JSON, what it shows after a user's actions.
//
// Argument: the folder of the static files. Each line of the input has `actions` of the same instant, which ACTIONS
// lists, and gets a line with what the page then shows, or with all moments until then if it `isWatched`, and with what
// the page did. After the last action all timers ring, unless it is to wait for some time.

import { readdirSync, readFileSync } from "node:fs";
import { setImmediate as tick } from "node:timers/promises";
import { document, forget, load, open, page, receive, resize, setPage, settle, visit, window } from "./document.mjs";

/** What a visitor may have, as media queries. "no clipboard" forbids to copy; "high dice" makes random numbers high. */
const MEDIA = {
  "a mouse": "(hover: hover) and (pointer: fine)",
  "less motion": "(prefers-reduced-motion: reduce)",
  "a narrow window": "screen and (width < 58rem)",
};

//  What an action is done to: a control by the name that users perceive, or an element by a CSS selector.

const CONTROLS = "button, a[href], input, select, textarea, summary, [role=treeitem]";
const GROUPS = ":is([role=radiogroup], [role=group], form, section, nav):is([aria-label], [aria-labelledby])";

const tidy = (text) => text.replace(/\s+/g, " ").trim();
const isVisible = (element) => !element.closest("[hidden], dialog:not([open])");
const isUsable = (element) => isVisible(element) && !element.closest("[inert]");

/** The name of an element: that of its ARIA attributes, else of its label, else its text. */
function nameOf(element) {
  const { ariaLabel } = element;
  const title = document.getElementById(element.getAttribute("aria-labelledby"));
  const label = element.closest("label");
  if (ariaLabel === null && !title && label && !element.matches("input")) {
    const texts = [...label.childNodes].filter(({ nodeType }) => nodeType === window.Node.TEXT_NODE);
    return tidy(texts.map(({ textContent }) => textContent).join(""));
  }
  return tidy(ariaLabel ?? (title ?? label ?? element).textContent);
}

/** The only visible element of some kinds with a name, or whose name begins with it. */
function named(name, kinds, place = document) {
  const all = [...place.querySelectorAll(kinds)].map((each) => [each, nameOf(each)]);
  const tests = [(text) => text === name, (text) => text.startsWith(`${name},`), (text) => text.startsWith(name)];
  for (const isNamed of tests) {
    const found = all.filter(([each, text]) => isNamed(text) && isVisible(each));
    if (found.length === 1) {
      return found[0][0];
    }
    if (found.length > 1) {
      throw new Error(`${found.length} of the page's controls are named "${name}".`);
    }
  }
  const names = all.filter(([each]) => isVisible(each)).map(([, text]) => text);
  throw new Error(`None of the page's controls is named "${name}", only: ${names.join(" | ")}`);
}

const isSelector = (target) => /^[#.[]/.test(target);

/** The element of a target such as "New game", "Send in Try GET /best-move", "You play: X" or "#act". */
function find(target, kinds = CONTROLS) {
  if (isSelector(target)) {
    return document.querySelector(target);
  }
  const [, name, group] = /^(.*?)(?: in (.*))?$/.exec(target);
  const place = group ? find(group, GROUPS) : document;
  const [field, value] = name.split(": ");
  return value === undefined ? named(name, kinds, place) : named(value, "input", named(field, GROUPS, place));
}

const dispatch = (element, type, Kind = window.Event, more = {}) =>
  element.dispatchEvent(new Kind(type, { bubbles: true, cancelable: true, ...more }));

/** A key or a click with its modifiers, such as "Ctrl+4", as the key's name and the event's properties. */
function keys(text) {
  const [key, ...modifiers] = text.split("+").reverse();
  return [key, Object.fromEntries(modifiers.map((each) => [`${each.toLowerCase()}Key`, true]))];
}

/** Focus an element, and note where the page has not moved the focus itself. */
function focus(element) {
  const before = document.activeElement;
  element.focus();
  visit.focused = document.activeElement === before ? before : element;
}

function click(element, modifiers = "") {
  const [, more] = keys(`${modifiers}click`);
  focus(element);
  if (element.matches("[method=dialog] button")) {
    element.closest("dialog").close();
  } else {
    dispatch(element, "click", window.MouseEvent, more);
  }
}

const SCROLLING = /^(Arrow.*|Home|End)$/;

/** Press a key, which also does what a browser does with it on buttons and on radio buttons. */
function press(text, element) {
  const [name, more] = keys(text);
  const key = name === "Space" ? " " : name;
  const isLeft = dispatch(element, "keydown", window.KeyboardEvent, { key, ...more });
  if (isLeft && SCROLLING.test(key) && element.matches("body, [tabindex], button")) {
    visit.scrolled = text;
  }
  if (isLeft && element.matches("button, a, summary") && (key === "Enter" || key === " ")) {
    element.click();
  } else if (isLeft && element.type === "radio" && key.startsWith("Arrow")) {
    const all = [...document.getElementsByName(element.name)];
    const step = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
    click(all.at((all.indexOf(element) + step) % all.length));
  }
  dispatch(document.activeElement, "keyup", window.KeyboardEvent, { key, ...more });
}

/** Choose an option of a list, or a radio button of a group. */
function choose(target, text) {
  const field = find(target, `select, ${GROUPS}`);
  if (!field.options) {
    click(named(text, "input", field));
    return;
  }
  field.selectedIndex = [...field.options].findIndex((each) => [each.value, tidy(each.textContent)].includes(text));
  if (field.selectedIndex < 0) {
    throw new Error(`"${target}" has no "${text}".`);
  }
  dispatch(field, "change");
}

function type(target, text = "") {
  const field = find(target);
  field.value = text;
  dispatch(field, "input");
}

const AsyncFunction = (async () => {}).constructor;

/** Run code in JavaScript, and note what it requests, how it reads the response, and what it prints. */
async function run(code) {
  const read = (kind) => async () => kind;
  const answer = { json: read("json"), text: read("text"), blob: read("blob") };
  const request = async (url, options) => {
    visit.ran = { url, ...options };
    return answer;
  };
  await new AsyncFunction("fetch", "console", code)(request, { log: (text) => (visit.ran.printed = text) });
}

const mediaOf = (names) => names.split(", ").map((each) => MEDIA[each] ?? each);

async function reload() {
  await open();
  visit.focused = document.activeElement;
}

/** The user's actions, and events that happen to the page. */
const ACTIONS = [
  [
    /^visit (\S+)(?: with (.+))?$/,
    async (url, media = "") => {
      window.sessionStorage.clear();
      window.history.replaceState(null, "", url);
      Object.assign(visit, { depth: 1, proxy: undefined });
      visit.media = mediaOf(media);
      setPage(await page(url));
      await reload();
    },
  ],
  [/^reload$/, reload],
  [/^back$/, () => (visit.depth > 1 ? history.back() : Object.assign(visit, { left: "back" }))],
  [/^(\w+\+)?click (.+)$/, (modifiers, target) => click(find(target), modifiers)],
  [/^tap (.+)$/, (target) => [find(target)].filter((each) => each && isUsable(each)).forEach((each) => click(each))],
  [/^press (\S+)(?: on (.+))?$/, (key, target) => press(key, target ? find(target) : document.activeElement)],
  [/^focus (.+)$/, (target) => focus(find(target))],
  [/^choose (.+?): (.*)$/, choose],
  [/^type (.+?):(?: (.*))?$/, type],
  [/^hover (.+)$/, (target) => ["pointerover", "pointerenter"].forEach((each) => dispatch(find(target), each))],
  [/^leave (.+)$/, (target) => ["pointerout", "pointerleave"].forEach((each) => dispatch(find(target), each))],
  [/^event (\w+)$/, (name) => window.dispatchEvent(new window.Event(name))],
  [
    /^(hide|show) the page$/,
    (which) => {
      Object.defineProperty(document, "hidden", { value: which === "hide", configurable: true });
      dispatch(document, "visibilitychange");
    },
  ],
  [
    /^prefer (.*)$/,
    (media) => {
      visit.media = mediaOf(media);
      visit.lists.forEach((list) => list.dispatchEvent(new window.Event("change")));
    },
  ],
  [/^lose the connection$/, () => intercept(null)],
  [/^no response arrives$/, () => intercept("silence")],
  [/^connect$/, () => intercept(undefined)],
  [/^another program responds (\d+) (.*)$/, (status, body) => intercept({ status: Number(status), body })],
  [/^resize to (\d+) x (\d+)$/, (width, height) => resize(Number(width), Number(height))],
  [/^run (.+)$/, (target) => run(find(target).textContent)],
  [/^receive (.+)$/, (text) => window.dispatchEvent(message(JSON.parse(text)))],
  [
    /^scroll (\S+) to (\d+), (\d+)$/,
    (target, left, top) => {
      Object.assign(find(target), { scrollLeft: Number(left), scrollTop: Number(top) });
      dispatch(find(target), "scroll");
    },
  ],
  [/^wait ([\d.]+) s$/, (seconds) => settle(watch, Math.round(1000 * seconds))],
];

const message = (data) => Object.assign(new window.Event("message"), { source: globalThis.parent, data });

function intercept(proxy) {
  visit.proxy = proxy;
  forget();
}

async function perform(text) {
  for (const [pattern, act] of ACTIONS) {
    const found = pattern.exec(text);
    if (found) {
      await act(...found.slice(1));
      return;
    }
  }
  throw new Error(`Unknown action: ${text}`);
}

//  What the page shows.

const VOID = /<((?:input|img|br|hr|link|meta|wbr)\b(?:[^">]|"[^"]*")*)>/g;

let marked = null; // the element with the attribute live-focus

/** The body of the page as XML. Attributes named live-… have what HTML does not: values, choices and the focus. */
function xml() {
  for (const name of ["input", "select", "textarea"]) {
    for (const field of document.getElementsByTagName(name)) {
      if (field.getAttribute("live-value") !== field.value) {
        field.setAttribute("live-value", field.value); // only if it has changed, because each change costs time
      }
      if (field.hasAttribute("live-checked") !== Boolean(field.checked)) {
        field.toggleAttribute("live-checked");
      }
    }
  }
  for (const place of document.getElementsByClassName("drawing")) {
    place.setAttribute("live-scroll", [place.scrollLeft, place.scrollTop].map(Math.round).join(", "));
  }
  const { activeElement, body } = document;
  marked?.removeAttribute("live-focus");
  marked = activeElement === body ? null : activeElement;
  marked?.setAttribute("live-focus", "");
  return body.outerHTML.replace(VOID, "<$1/>").replaceAll("&nbsp;", "&#160;");
}

let moments = [];
let isWatched = false;

/** Note what the page shows now, unless it shows the same as at the moment before. */
function note() {
  const { pathname, search, hash } = window.location;
  const moment = JSON.stringify({
    url: pathname + search + hash,
    title: document.title,
    classes: document.documentElement.className,
    left: visit.left,
    seen: visit.seen,
    html: xml(),
  });
  if (moment !== moments.at(-1)) {
    moments.push(moment);
  }
}

visit.print = () => {
  visit.printed = xml();
};

// Modules that the pages load on first use. Reading them would take time, but the clock does not wait.
const files = readdirSync(process.argv[2], { recursive: true }).filter((each) => each.endsWith(".js"));
const texts = files.map((each) => readFileSync(`${process.argv[2]}/${each}`, "utf8"));
const later = texts.flatMap((text) => [...text.matchAll(/\bload\("\.\/(.*?)\.js"/g)]).map(([, name]) => name);
await Promise.all(later.map(load));

const watch = () => isWatched && note();

async function performAll(actions) {
  for (const action of actions) {
    await perform(action);
    await new Promise((resolve) => process.nextTick(resolve)); // promises come before the next event, as in a browser
    watch();
  }
  if (!actions.at(-1).startsWith("wait ")) {
    await settle(watch);
  }
  if (!isWatched && !actions.at(-1).startsWith("run ")) {
    note();
  }
}

for (let request = await receive(); request; request = await receive()) {
  moments = [];
  isWatched = request.isWatched;
  Object.assign(visit, { left: "", seen: "", scrolled: "", urls: [], copied: [], saved: [], posted: [], ran: null, printed: "" });
  const error = await performAll(request.actions).catch(({ stack }) => stack);
  const { urls, copied, posted, ran, printed, scrolled } = visit;
  const saved = await Promise.all(visit.saved.map((file) => file.text()));
  const { activeElement, body } = document;
  const focus = activeElement === visit.focused ? "" : activeElement === body ? "nothing" : nameOf(activeElement);
  visit.focused = activeElement;
  const selected = String(window.getSelection());
  const did = JSON.stringify({ error, urls, copied, posted, ran, printed, saved, focus, selected, scrolled });
  process.stdout.write(`{"moments": [${moments}], "did": ${did}}\n`);
}
