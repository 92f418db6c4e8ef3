// A browser for the scripts of a page: a document of jsdom, without layout, and a clock that does not wait.
//
// Argument of each program: the folder of the static files. A program reads and writes lines of JSON. Each request
// whose response is not known yet writes a line with its `url`, its `method` and its `body`, and reads a line with the
// response: its `status`, its `type` and its `body`, which is JSON or a text; null instead if the connection is lost.

import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { setImmediate as tick } from "node:timers/promises";

const LETTER = 6; // the width of a letter, where a page measures a text

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/** Read a line; undefined at the end of the input. */
export async function receive() {
  const { value, done } = await lines.next();
  return done ? undefined : JSON.parse(value);
}

export const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

export const load = (name) => import(`${process.argv[2]}/${name}.js`);

// The clock: the next timer rings as soon as nothing else is to be done.
const timers = new Map();
let now = 0; // milliseconds
let numbers = 0;

globalThis.setTimeout = (act, delay = 0, ...parameters) => {
  numbers += 1;
  timers.set(numbers, { at: now + Number(delay), act: () => act(...parameters) });
  return numbers;
};
globalThis.clearTimeout = (number) => timers.delete(number);

// What jsdom, but no page, does at each frame: it takes the focus from an element that is hidden.
const frames = new Map();

globalThis.setInterval = (act) => {
  numbers += 1;
  frames.set(numbers, act);
  return numbers;
};
globalThis.clearInterval = (number) => frames.delete(number);

function render() {
  for (const act of [...frames.values()]) {
    act();
  }
}

const { JSDOM, VirtualConsole } = createRequire(import.meta.url)("jsdom");
const virtualConsole = new VirtualConsole();
virtualConsole.on("jsdomError", (error) => {
  if (error.type === "not-implemented") {
    visit.left = document.activeElement.getAttribute("href") ?? "link"; // that the page left to the browser
    return;
  }
  process.nextTick(() => {
    throw error.cause ?? error; // an error in an event's listener
  });
});
export const { window } = new JSDOM("", { url: "http://localhost/", virtualConsole });
export const { document } = window;

/**
 * A visit: the queries that match its `media` and their `lists`, the `urls` requested, the texts `copied`, the files
 * `saved`, the messages `posted` to the client around the page, the page for which this one was `left`, and the `depth`
 * of its history. A `proxy` is what is received in place of the service's responses: null if the connection is lost, and
 * "silence" if nothing arrives.
 */
export const visit = { media: [], lists: [], urls: [], copied: [], saved: [], posted: [], left: "", depth: 0 };
const responses = new Map();
let pending = 0; // requests, and steps back in the history
let latest; // response
let settling = Promise.withResolvers(); // no response arrives before it
let listeners = [];
let observers = [];

for (const target of [window, document]) {
  const add = target.addEventListener.bind(target);
  target.addEventListener = (...parameters) => {
    listeners.push(() => target.removeEventListener(...parameters));
    add(...parameters);
  };
}

const { history, location } = window;
const { pushState, back } = history;
history.pushState = (...parameters) => {
  visit.depth += 1;
  pushState.apply(history, parameters);
};
history.back = () => {
  visit.depth -= 1;
  pending += 1;
  latest = new Promise((resolve) => window.addEventListener("popstate", resolve, { once: true }));
  latest.then(() => (pending -= 1));
  back.apply(history);
};

Math.random = () => (visit.media.includes("high dice") ? 0.99 : 0);
AbortSignal.timeout = (delay) => {
  const controller = new AbortController();
  if (visit.proxy === "silence") {
    setTimeout(() => controller.abort(new Error("timeout")), delay);
  }
  return controller.signal;
};

// The page's styles, of which it waits for one, are loaded at once.
new window.MutationObserver((changes) => {
  const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
  added.forEach((link) => link.dispatchEvent(new window.Event("load")));
}).observe(document.head, { childList: true });

// What jsdom lacks, and what is watched.
const browser = {
  ...{ window, document, sessionStorage: window.sessionStorage, XMLSerializer: window.XMLSerializer },
  addEventListener: (...parameters) => window.addEventListener(...parameters),
  Event: window.Event,
  getSelection: () => window.getSelection(),
  parent: {
    postMessage(message) {
      visit.posted.push(message);
      visit.answered();
    },
  },
  getComputedStyle: (element) => window.getComputedStyle(element),
  print: () => {
    window.dispatchEvent(new window.Event("beforeprint"));
    visit.print();
    window.dispatchEvent(new window.Event("afterprint"));
  },
  location: new Proxy({}, { get: (_, name) => (name === "assign" ? (url) => (visit.left = url) : location[name]) }),
  history,
  navigator: {
    clipboard: {
      async writeText(text) {
        if (visit.media.includes("no clipboard")) {
          throw new Error("not allowed");
        }
        visit.copied.push(text);
      },
    },
  },
  matchMedia(query) {
    const list = new window.EventTarget();
    Object.defineProperty(list, "matches", { get: () => visit.media.includes(query) });
    visit.lists.push(list);
    return list;
  },
  ResizeObserver: class {
    constructor(report) {
      observers.push(report);
    }

    observe() {}

    disconnect() {}
  },
  async fetch(url, { signal, method, body: sent } = {}) {
    visit.urls.push(url);
    if (visit.proxy === "silence") {
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    }
    pending += 1;
    try {
      latest = settling.promise.then(tick).then(() => respond(url, method, sent)); // after all that is due
      const found = await latest;
      if (found === null) {
        throw new TypeError("The connection is lost.");
      }
      const { status, type, body } = found;
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const headers = { get: (name) => ({ "Content-Type": type })[name] };
      return { ok: status < 400, status, headers, json: async () => JSON.parse(text), text: async () => text };
    } finally {
      pending -= 1;
      signal?.throwIfAborted();
    }
  },
};
for (const [name, value] of Object.entries(browser)) {
  Object.defineProperty(globalThis, name, { value, configurable: true });
}
Object.assign(window.HTMLDialogElement.prototype, {
  showModal() {
    this.setAttribute("open", "");
  },
  close() {
    this.removeAttribute("open");
    this.dispatchEvent(new window.Event("close"));
  },
});
Object.defineProperty(window.HTMLElement.prototype, "inert", {
  get() {
    return this.hasAttribute("inert");
  },
  set(isInert) {
    this.toggleAttribute("inert", isInert);
  },
});
window.SVGElement.prototype.getComputedTextLength = function () {
  return LETTER * this.textContent.length;
};
Object.defineProperty(window, "parent", { get: () => (visit.media.includes("a frame around it") ? null : window) });
window.Element.prototype.scrollIntoView = function () {
  visit.seen = this.id;
};
URL.createObjectURL = (file) => {
  visit.saved.push(file);
  return "blob:";
};
URL.revokeObjectURL = () => {};

const respond = (...request) => (visit.proxy === undefined ? response(...request) : visit.proxy);

/** The response to a request, which is asked for once unless it is an error of the server or the connection. */
function response(url, method, body) {
  const key = JSON.stringify([url, method, body]);
  if (!responses.has(key)) {
    send({ url, method, body });
    const received = receive();
    responses.set(key, received);
    received.then((found) => {
      if (!found || found.status >= 500) {
        responses.delete(key);
      }
    });
  }
  return responses.get(key);
}

/** The HTML at a URL. */
export const page = async (url) => (await response(url)).body;

/** Forget all responses. */
export const forget = () => responses.clear();

let pristine;
let parsed; // the HTML of it
let scripts = []; // the URLs of the page's scripts
let runs = 0;

/** Set the HTML of the next visits. */
export function setPage(html) {
  if (html === parsed) {
    return;
  }
  parsed = html;
  pristine = new window.DOMParser().parseFromString(html, "text/html").documentElement;
  scripts = [...pristine.querySelectorAll("script[type=module]")].map(urlOf);
  for (const element of pristine.querySelectorAll("script, style:not([id])")) {
    element.remove();
  }
}

/** The URL of a script that is a file or, as on the board in chats, a part of the page. */
const urlOf = ({ src, textContent }) =>
  src ? src.replace(/.*\/static\/\w+/, process.argv[2]) : `data:text/javascript,${encodeURIComponent(textContent)}`;

/** Open the page at its present address, by default with its own scripts, as after a reload. */
export async function open(script) {
  settling = Promise.withResolvers();
  timers.clear();
  for (const remove of listeners) {
    remove();
  }
  listeners = [];
  observers = [];
  visit.lists = [];
  document.replaceChild(document.importNode(pristine, true), document.documentElement);
  runs += 1;
  const paths = script ? [`${process.argv[2]}/${script}.js`] : scripts;
  for (const path of paths) {
    const { promise, resolve } = Promise.withResolvers();
    visit.answered = resolve; // in a chat, the script waits for the client
    await Promise.race([import(path + (path.startsWith("data:") ? `//${runs}` : `?run=${runs}`)), promise]);
  }
}

/** Report the size of the observed element. */
export function resize(width, height) {
  for (const report of observers) {
    report([{ contentRect: { width, height } }]);
  }
}

/** Let responses arrive and timers ring, those due in so many milliseconds; call `note()` after each. */
export async function settle(note, duration = Number.POSITIVE_INFINITY) {
  const end = now + duration;
  settling.resolve();
  for (;;) {
    do {
      await latest?.catch(() => {});
      await tick();
      render();
      note();
    } while (pending > 0);
    const [[number, timer] = []] = [...timers].sort(([, one], [, other]) => one.at - other.at);
    if (!timer || timer.at > end) {
      now = Number.isFinite(end) ? end : now;
      return;
    }
    timers.delete(number);
    now = timer.at;
    timer.act();
    await tick();
    render();
    note();
  }
}
