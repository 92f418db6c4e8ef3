// Runs the script of the board in chats, and prints, as JSON, what the board shows and posts after each event.
//
// Argument: the folder of the static files. Each line of the input has an event, and gets a line.

import { createInterface } from "node:readline";
import { setImmediate as tick } from "node:timers/promises";

// The document, as far as the script uses it. Only one timer runs at a time.
class Element extends EventTarget {
  attributes = {};
  classes = new Set();
  classList = {
    add: (name) => this.classes.add(name),
    remove: (name) => this.classes.delete(name),
    toggle: (name, isOn) => (isOn ? this.classes.add(name) : this.classes.delete(name)),
  };
  dataset = {};
  hidden = false;
  style = { setProperty() {} };
  tabIndex = -1;
  textContent = "";

  focus() {
    this.dispatchEvent(new Event("focus"));
  }

  getAttribute(name) {
    return this.attributes[name] ?? null;
  }

  setAttribute(name, value) {
    this.attributes[name] = value;
  }

  matches() {
    return true;
  }
}

let elements;
let posted;
let receive;
let press;
let ring;

const element = (id) => {
  if (!elements.has(id)) {
    elements.set(id, new Element());
  }
  return elements.get(id);
};

Object.assign(globalThis, {
  document: { getElementById: element, documentElement: new Element() },
  parent: { postMessage: (message) => posted.push(message) },
  ResizeObserver: class {
    observe() {}
  },
  addEventListener(name, handle) {
    ({ message: () => (receive = handle), keydown: () => (press = handle) })[name]();
  },
  setTimeout: (act, _, ...parameters) => (ring = () => act(...parameters)),
  clearTimeout() {
    ring = null;
  },
});

const EVENTS = {
  async open({ levels, capabilities }, number) {
    [elements, posted] = [new Map(), []];
    const buttons = Array.from({ length: 9 }, () => new Element());
    buttons[0].tabIndex = 0;
    const worth = { children: [new Element(), new Element()] };
    for (const button of buttons) {
      button.querySelector = () => worth;
    }
    Object.assign(element("board"), { querySelectorAll: () => buttons, querySelector: () => element("strike") });
    Object.assign(element("level"), { options: levels.map((value) => ({ value })), value: levels[0] });
    const opened = import(`${process.argv[2]}/chat/main.js?${number}`);
    while (!posted.length) {
      await tick();
    }
    EVENTS.receive({ id: posted[0].id, result: { hostCapabilities: capabilities, hostContext: {} } });
    await opened;
  },
  receive: (message) => receive({ source: parent, data: { jsonrpc: "2.0", ...message } }),
  click: (cell) => element("board").querySelectorAll()[cell].dispatchEvent(new Event("click")),
  key: (key) => press({ key, target: element("body") }),
  press: (id) => element(id).dispatchEvent(new Event("click")),
  choose(level) {
    element("level").value = level;
    element("level").dispatchEvent(new Event("change"));
  },
  wait: () => ring?.(),
};

/** What the board shows now, and the messages that it has posted since the last event. */
function shown() {
  const cells = element("board").querySelectorAll();
  return {
    cells: cells.map(({ attributes, classes, dataset }) => ({
      mark: dataset.mark,
      name: attributes["aria-label"],
      isOffered: attributes["aria-disabled"] === "false",
      isWinning: classes.has("winning"),
    })),
    isWaiting: ring !== null,
    level: element("level").value,
    buttons: ["act", "new-game"].filter((id) => !element(id).hidden).map((id) => element(id).textContent || id),
    hasBoard: !element("board").hidden,
    hasLevel: !element("level-field").hidden,
    ...Object.fromEntries(
      ["status", "sentence", "problem", "announcement"].map((id) => [id, element(id).textContent]),
    ),
    posted: posted.splice(0),
  };
}

let number = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const [name, value] = JSON.parse(line);
  number += 1;
  await EVENTS[name](value, number);
  await tick();
  process.stdout.write(`${JSON.stringify(shown())}\n`);
}
