// Connects the parts of the playground, which is a client of the public API.

import { copy } from "../clipboard.js";
import { check, chosen, element, find, onClick, radios, setDisabled, write, writeWithMarks } from "../page.js";
import { load } from "../service.js";
import { CELL_NAMES } from "../words.js";
import { Board } from "./board.js";
import { Options, Tabs } from "./controls.js";
import { boardToDraw, moveToTry, nextStep, refusal, sentence, status, title, tryAgain } from "./face.js";
import { boardOf, EMPTY, gameFrom, newGame, question, settingUp, undone, withMark } from "./game.js";
import { drawMoves, showMistake } from "./review.js";
import { countGame, tellScore } from "./score.js";
import { Table } from "./table.js";

const LATE = 600; // milliseconds until the explanation's panel shows that it is loading

const optionForm = new Options(find("options"));
const table = new Table(optionForm, show, countGame);
const board = new Board(find("board"), pick);
const tabs = new Tabs(find("tabs"), (view) => table.change({ view }));

let changed = ""; // the sentence on the cell that was just set up
let isByArrow = false; // whether a side is being chosen by an arrow key
let loadingTimer;
let beforeSetUp = null;

/** Draw everything again. */
function show() {
  const { game, responses } = table;
  const { isSetUp, hasHints, view } = game;
  board.draw(boardToDraw(table));
  writeWithMarks("status", status(table));
  const text = refusal(table) || sentence(table);
  write("sentence", [text, ...table.ignored.map((each) => `Ignored: ${each}.`)].filter(Boolean).join(" "));
  document.title = title(table);
  find("game").setAttribute("aria-busy", String(table.isBusy));
  const step = nextStep(table);
  find("act").hidden = !step;
  find("act").textContent = step?.label ?? "";
  find("try-move").hidden = moveToTry(table) === undefined;
  write("score", tellScore(game.you));
  for (const id of ["playing-bar", "playing"]) {
    find(id).hidden = isSetUp;
  }
  for (const id of ["set-up-bar", "setting-up"]) {
    find(id).hidden = !isSetUp;
  }
  setDisabled("undo", !undone(game));
  for (const id of ["play-from-here", "search-from-here"]) {
    setDisabled(id, Boolean(responses.error));
  }
  find("hints").setAttribute("aria-pressed", String(hasHints));
  check("you", game.you);
  check("starts", isSetUp ? game.starts : "");
  find("first").value = game.first;
  find("this-call").href = `docs?${new URLSearchParams(question(game))}#getBestMove`;
  optionForm.draw(game.options);
  drawMoves(table);
  showMistake(table, preview);
  tabs.select(view);
  clearTimeout(loadingTimer);
  if (table.isBusy) {
    loadingTimer = setTimeout(() => find("explanation").replaceChildren(element("p", "Loading…", "note")), LATE);
  } else {
    find("panel").removeAttribute("aria-busy");
    fill();
    announce(text);
  }
}

/** Fill the explanation's panel if it is open. Its module is loaded on first use; if that fails, the panel says so. */
async function fill() {
  const { game, responses } = table;
  if (game.view !== "explain") {
    return;
  }
  const { explain } = await load("./play/explain.js", (text) => write("explanation", text));
  const search = `search?${new URLSearchParams(question(game))}`;
  const goBack = () => {
    table.go({ ...game, at: game.at - 1 });
    board.focus(); // the pressed button disappears
  };
  const back = game.at ? goBack : null;
  explain?.(find("explanation"), { ...responses, search, back }, preview);
}

/** Show other content on the board; if it is null, show the game's again. */
const preview = (content) => board.draw({ ...boardToDraw(table), ...content });

/** Announce the result of a change to screen readers: an error outside of setup as an alert, all else as a status. */
function announce(text) {
  const { game, responses } = table;
  const isFailed = responses.error && !game.isSetUp;
  const texts = table.isOver ? [status(table), text] : [text, status(table)];
  write("problem", isFailed ? responses.error.message : "");
  write("announcement", isFailed ? "" : (changed ? [changed, text] : texts).join(" ").trim());
  changed = "";
}

/** On a click, even while the button is disabled, call `leave` with the board's position, or announce its error. */
function onLeaveSetUp(id, leave) {
  find(id).addEventListener("click", async () => {
    if (table.isBusy) {
      await table.refresh();
    }
    const { error, position } = table.responses;
    if (error) {
      write("announcement", error.message);
    } else if (position) {
      leave(position); // without a position, a later action has aborted the request
    }
    board.focus();
  });
}

/** Handle a chosen cell: play it, or change its mark if the board is being set up. */
function pick(cell, mark = null) {
  const { game } = table;
  const shown = boardOf(game)[cell];
  if (game.isSetUp) {
    const wanted = mark ?? chosen("place");
    const next = mark === null && shown === wanted ? "." : wanted;
    changed = `${cell}, ${CELL_NAMES[cell]}: ${next === "." ? "empty" : next}.`;
    table.change(withMark(game, cell, next));
  } else if (mark === null && !table.play(cell)) {
    board.refuse(cell);
    write("announcement", refusal(table));
    write("sentence", refusal(table));
  }
}

onClick("act", () => {
  nextStep(table).act();
  if (find("act").hidden) {
    board.focus(); // the pressed button has disappeared
  }
});
onClick("try-move", () => {
  tryAgain(table);
  board.focus();
});
onClick("new-game", () => {
  table.begin(newGame(table.game));
  board.focus(); // number keys work only there
});
onClick("undo", () => table.undo());
onClick("hints", () => table.change({ hasHints: !table.game.hasHints }));
onClick("set-up", () => {
  beforeSetUp = table.game;
  table.go(settingUp(table.game));
  board.focus();
});
onClick("clear", () => table.change({ start: EMPTY, starts: "" }));
onLeaveSetUp("play-from-here", (position) => table.begin(gameFrom(table.game, position)));
onLeaveSetUp("search-from-here", ({ board: set, starts }) =>
  location.assign(`search?${new URLSearchParams({ board: set, starts })}`),
);
onClick("cancel", () => {
  if (beforeSetUp) {
    table.go(beforeSetUp);
  } else {
    table.begin(newGame(table.game));
  }
  board.focus();
});
onClick("copy-link", async () => {
  const message = await copy(location.href);
  write("announcement", message);
  write("copy-link", message === "Copied." ? "Copied" : "Address bar");
  setTimeout(() => write("copy-link", "Copy link"), 2_000);
});

optionForm.onChange((name, value) => {
  const { [name]: _, ...others } = table.game.options;
  table.change({ options: value === undefined ? others : { ...others, [name]: value } });
});
// An arrow key selects each side that it passes, so after an arrow key the oracle waits to be started.
for (const radio of radios("you")) {
  radio.addEventListener("change", () =>
    table.go({ ...table.game, you: radio.value }, { isStep: false, isPaused: isByArrow }),
  );
  radio.addEventListener("keydown", ({ key }) => {
    isByArrow = key.startsWith("Arrow");
    if ((key === "Enter" || key === " ") && table.isPaused) {
      table.resume();
    }
  });
  for (const type of ["keyup", "pointerdown"]) {
    radio.addEventListener(type, () => {
      isByArrow = false;
    });
  }
}
for (const radio of radios("starts")) {
  radio.addEventListener("change", () => table.change({ starts: radio.value }));
}
find("first").addEventListener("change", ({ target }) => table.chooseFirst(target.value));
addEventListener("popstate", () => table.reread());
for (const [target, type] of [
  [window, "online"],
  [document, "visibilitychange"],
]) {
  target.addEventListener(type, () => {
    if (table.responses.error?.isRetryable && !document.hidden) {
      table.refresh();
    }
  });
}
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && table.game.isSetUp) {
    find("cancel").click();
  } else if (event.key === " " && event.target === document.body && nextStep(table) && table.game.you === "nobody") {
    event.preventDefault();
    find("act").click();
  }
});

table.refresh();
