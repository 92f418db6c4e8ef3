// The playground: a front end on the public contract, wired together.

import { check, chosen, copy, find, onClick, radios, setDisabled, write, writeWithMarks } from "../page.js";
import { CELL_NAMES } from "../words.js";
import { ignored } from "./address.js";
import { Board } from "./board.js";
import { boardToDraw, nextStep, sentence, status } from "./face.js";
import { boardOf, cutHere, EMPTY, newGame, question, settingUp, undone, withMark } from "./game.js";
import { CHOICES, drawOptions, howDeep, onOptions } from "./options.js";
import { drawStrip } from "./review.js";
import { Table } from "./table.js";
import { Tabs } from "./tabs.js";

const table = new Table(show);
const board = new Board(find("board"), pick);
const tabs = new Tabs(find("tabs"), (view) => change({ view }));

let leftOut = ignored(location.search, table.game, CHOICES);
let changed = ""; // the cell just set up
let beforeSetUp = null;

/** Change something about the game that is no move. */
const change = (parts) => table.go({ ...table.game, ...parts }, { isStep: false, isPaused: table.isPaused });

/** Draw everything anew. */
function show() {
  const { game, heard } = table;
  const { isSetUp, hasHints, view } = game;
  board.draw(boardToDraw(table));
  writeWithMarks("status", status(table));
  write("sentence", [sentence(table), ...leftOut.map((each) => `Ignored: ${each}.`)].filter(Boolean).join(" "));
  document.title = `${status(table).replace(/\.$/, "")} · Best Move`;
  find("game").setAttribute("aria-busy", String(table.isBusy));
  const step = nextStep(table);
  find("act").hidden = !step;
  find("act").textContent = step?.label ?? "";
  for (const id of ["playing-bar", "playing"]) {
    find(id).hidden = isSetUp;
  }
  for (const id of ["set-up-bar", "setting-up"]) {
    find(id).hidden = !isSetUp;
  }
  setDisabled("undo", !undone(game));
  setDisabled("play-from-here", Boolean(heard.fault));
  find("hints").setAttribute("aria-pressed", String(hasHints));
  check("you", game.you);
  check("to_move", isSetUp ? game.first : "");
  drawOptions(game.options);
  drawStrip(game, table.verdicts, (at) => table.go({ ...game, at }));
  tabs.select(view);
  if (!table.isBusy) {
    FILL[view]?.(table);
    speak();
  }
}

/** Another board in the place of the game's for as long as it is pointed at; null for the game's own. */
function preview(other) {
  board.draw({ ...boardToDraw(table), ...(other ? { board: other, moves: [], best: null } : {}) });
}

/** Fill the panel that is open. Its module is loaded when it is first asked for. */
const FILL = {
  async explain({ game, heard }) {
    const { explain } = await import("./explain.js");
    const search = `search?${new URLSearchParams({ ...question(game), ...howDeep(game.options) })}`;
    explain(find("explanation"), { advice: heard.advice?.answer, analysis: heard.analysis?.answer, search }, preview);
  },
  async compare({ game, heard }, options) {
    const { compare } = await import("./comparison.js");
    const isSound = heard.position && !heard.fault;
    compare(isSound ? { ...question(game), ...howDeep(game.options) } : null, options);
  },
  async api({ heard }) {
    const { drawCall } = await import("./call.js");
    drawCall(heard);
  },
};

/** Tell those who listen what has happened, once: a fault as an alert, anything else politely. */
function speak() {
  const { game, heard } = table;
  const isFailed = heard.fault && !game.isSetUp;
  write("problem", isFailed ? heard.fault.message : "");
  write("announcement", isFailed ? "" : [changed, sentence(table), changed ? "" : status(table)].join(" ").trim());
  changed = "";
}

/** A cell was chosen: play there, or while setting up change what stands there. */
function pick(cell, mark = null) {
  const { game } = table;
  leftOut = [];
  const shown = boardOf(game)[cell];
  if (game.isSetUp) {
    const wanted = mark ?? chosen("place");
    const next = mark === null && shown === wanted ? "." : wanted;
    changed = `${cell}, ${CELL_NAMES[cell]}: ${next === "." ? "empty" : next}.`;
    change(withMark(game, cell, next));
  } else if (mark === null && !table.play(cell) && /[XO]/i.test(shown)) {
    board.refuse(cell);
    write("announcement", `${cell}, ${CELL_NAMES[cell]}, is taken by ${shown.toUpperCase()}.`);
  }
}

const STEPS = {
  refresh: () => table.refresh(),
  restart: () => table.go(newGame(table.game)),
  cut: () => table.go(cutHere(table.game)),
  pause: () => table.pause(),
  resume: () => table.resume(),
};

onClick("act", () => {
  STEPS[nextStep(table).act]();
  if (find("act").hidden) {
    board.focus(); // the button pressed has gone
  }
});
onClick("new-game", () => table.go(newGame(table.game)));
onClick("undo", () => table.undo());
onClick("hints", () => change({ hasHints: !table.game.hasHints }));
onClick("set-up", () => {
  beforeSetUp = table.game;
  table.go(settingUp(table.game));
  board.focus();
});
onClick("clear", () => change({ start: EMPTY, first: "" }));
find("play-from-here").addEventListener("click", async () => {
  if (table.isBusy) {
    await table.refresh();
  }
  const { fault, position } = table.heard;
  if (fault) {
    write("problem", fault.message);
  } else {
    table.go({ ...table.game, start: position.board, first: position.to_move, isSetUp: false });
  }
  board.focus();
});
onClick("cancel", () => {
  table.go(beforeSetUp ?? newGame(table.game));
  board.focus();
});
onClick("copy-link", async () => {
  const said = await copy(location.href);
  write("announcement", said);
  write("copy-link", said === "Copied." ? "Copied" : "Address bar");
  setTimeout(() => write("copy-link", "Copy link"), 2_000);
});
onClick("again", () => FILL.compare(table, { again: true }));
onClick("copy", async () => write("copied", await copy(find("code").textContent, find("code"))));

onOptions((name, value) => {
  const { [name]: _, ...options } = table.game.options;
  leftOut = [];
  change({ options: value === undefined ? options : { ...options, [name]: value } });
});
for (const radio of radios("you")) {
  // Whoever chooses by arrow keys passes the other sides: the oracle waits until it is told to move.
  radio.addEventListener("change", () =>
    table.go({ ...table.game, you: radio.value }, { isStep: false, isPaused: true }),
  );
}
for (const radio of radios("to_move")) {
  radio.addEventListener("change", () => change({ first: radio.value }));
}
for (const radio of [...radios("call"), ...radios("form")]) {
  radio.addEventListener("change", () => FILL.api(table));
}
addEventListener("popstate", () => table.reread());
addEventListener("online", () => table.heard.fault?.mayPass && table.refresh());
addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input:not([type=radio]), select, textarea, summary");
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping) {
    return;
  }
  if (/^[0-8]$/.test(event.key)) {
    board.focus(Number(event.key));
    pick(Number(event.key));
  } else if (event.key === " " && event.target === document.body && table.game.you === "nobody") {
    event.preventDefault();
    find("act").click();
  }
});

table.refresh();
