// The playground: a front end on the public contract. It knows no rule of the game; what a position is, whether it is
// over and who is to move, the service says.

import { OPTIONS, newGame, read, write } from "./address.js";
import { Board } from "./board.js";
import { clearComparison, compare, listAlgorithms, measureFirstMove } from "./comparison.js";
import { ask, readContract } from "./service.js";
import { FORMS, copy, json } from "./snippets.js";
import { showFault, showVerdict } from "./verdict.js";
import { CELL_NAMES, ending, humane, opponent, plies } from "./words.js";

const find = (id) => document.getElementById(id);
const form = find("options");

let game = read(location.search);
let contract = null;
let calls = {}; // the latest: `reply`, the oracle's move that led to this position, and `advice`, on the position itself
let refreshes = 0;
let underWay = Promise.resolve();

const board = new Board(find("board"), pick);

/** The position in the service's words; nothing until it has spoken. */
const known = () => calls.advice?.answer.position ?? calls.reply?.answer.after;

const isOver = () => Boolean(known()) && known().status !== "in_progress";
const isYourMove = () => game.you === "both" || game.you === game.toMove;

/** Go to another game or position. `isStep` gives it a place of its own behind the back button. */
function go(next, { isStep = true } = {}) {
  const isElsewhere = next.board !== game.board || next.toMove !== game.toMove;
  game = next;
  history[isStep ? "pushState" : "replaceState"](null, "", write(game));
  if (isElsewhere) {
    clearComparison();
  }
  return refresh();
}

/** Show the game, and ask the service what there is to ask. */
function refresh() {
  underWay = askAround();
  return underWay;
}

/** Of several under way at once, only the latest goes on to the end. */
async function askAround() {
  const mine = ++refreshes;
  const isLatest = () => mine === refreshes;
  const { reply } = calls;
  calls = reply?.answer.after?.board === game.board ? { reply } : {};
  find("answer").setAttribute("aria-busy", "true");
  draw();
  drawOptions();
  try {
    if (!contract) {
      contract = await readContract();
      fillOptions();
      listAlgorithms(contract.algorithm.values);
      setDisabled("compare", false);
    }
    if (game.isSetUp || !game.toMove || isYourMove()) {
      const advice = await ask(adviceQuestion());
      if (isLatest()) {
        await hear(advice);
      }
    } else {
      const answered = await ask(replyQuestion());
      if (isLatest()) {
        await follow(answered);
      }
    }
  } catch (fault) {
    if (isLatest()) {
      lose(fault);
    }
  }
}

const position = () => ({ board: game.board, ...(game.toMove ? { to_move: game.toMove } : {}) });

function adviceQuestion() {
  const { difficulty, ...options } = game.options;
  return { ...position(), ...options, ...(game.isAnalysed ? { analysis: "true" } : {}) };
}

const replyQuestion = () => ({ ...position(), ...game.options });

/** Take the service's word on the position. */
async function hear(advice) {
  calls.advice = advice;
  const { position: heard } = advice.answer;
  if (!game.isSetUp && (heard.board !== game.board || heard.to_move !== game.toMove)) {
    await go({ ...game, board: heard.board, toMove: heard.to_move }, { isStep: false });
    return;
  }
  draw();
  find("answer").setAttribute("aria-busy", "false");
  announce();
}

/** Play the oracle's move. */
async function follow(reply) {
  const { move, after } = reply.answer;
  if (move === null) {
    await hear(reply);
    return;
  }
  calls = { reply };
  await go({ ...game, board: after.board, toMove: after.to_move, moves: [...game.moves, move] }, { isStep: false });
}

function lose(fault) {
  showFault(fault, () => {
    refresh();
    board.focus(); // the button pressed goes away
  });
  find("status").textContent = `${fault.heading}.`;
  find("answer").setAttribute("aria-busy", "false");
}

function play(cell) {
  const placed = game.board.slice(0, cell) + game.toMove + game.board.slice(cell + 1);
  return go({ ...game, board: placed, toMove: opponent(game.toMove), moves: [...game.moves, cell] });
}

/** A cell was chosen: play there, or while setting up change what stands there. */
function pick(cell, mark = null) {
  if (game.isSetUp) {
    const next = mark ?? { ".": "X", X: "O", O: "." }[game.board[cell]] ?? ".";
    const changed = game.board.padEnd(9, ".").slice(0, 9);
    const marks = changed.slice(0, cell) + next + changed.slice(cell + 1);
    go({ ...game, board: marks, toMove: "", moves: [] }, { isStep: false });
  } else if (mark === null && canPick() && game.board[cell] === ".") {
    play(cell);
  }
}

const canPick = () => !game.isSetUp && known()?.status === "in_progress" && isYourMove();

/** The game as it was when you last had the move; null if you have not moved yet. */
function beforeYourMove() {
  const moves = [...game.moves];
  let { board: marks } = game;
  while (moves.length) {
    const cell = moves.pop();
    const mover = marks[cell];
    marks = marks.slice(0, cell) + "." + marks.slice(cell + 1);
    if (game.you === "both" || mover === game.you) {
      return { ...game, board: marks, toMove: mover, moves };
    }
  }
  return null;
}

function draw() {
  const { reply, advice } = calls;
  const answer = game.isAnalysed ? advice?.answer : undefined;
  board.draw({
    board: game.board,
    moves: answer?.moves,
    best: answer?.move,
    last: game.moves.at(-1),
    line: known()?.winning_line,
    canPick: canPick(),
    isSetUp: game.isSetUp,
  });
  if (advice) {
    showVerdict({ reply: reply?.answer, instead: waiting(), advice: isOver() ? advice.answer : answer });
  }
  find("status").textContent = statusLine();
  find("playing").hidden = game.isSetUp;
  find("setting-up").hidden = !game.isSetUp;
  find("keys").textContent = game.isSetUp
    ? "Each click changes a cell. Keys: X, O, Delete."
    : "Arrow keys move over the board, Enter plays.";
  setDisabled("play-best", !(advice && canPick()));
  setDisabled("undo", !beforeYourMove());
  drawCall();
}

function statusLine() {
  if (game.isSetUp) {
    return "Set up a position.";
  }
  if (isOver()) {
    return ending(known().status, game.you);
  }
  if (!isYourMove()) {
    return "The oracle is thinking.";
  }
  return game.you === "both" ? `${game.toMove} to move.` : `Your move with ${game.toMove}.`;
}

function waiting() {
  if (isOver()) {
    return "";
  }
  return game.you === "both" ? "You play both sides." : "It waits for yours.";
}

/** Tell those who listen what has happened. */
function announce() {
  const { reply } = calls;
  const said = [];
  if (reply) {
    said.push(`The oracle plays ${CELL_NAMES[reply.answer.move]}.`, reply.answer.text);
  }
  said.push(statusLine());
  if (isOver()) {
    const line = known().winning_line.map((cell) => CELL_NAMES[cell]);
    said.push(line.length ? `The line is ${line.join(", ")}.` : "");
  }
  find("announcement").textContent = said.filter(Boolean).join(" ");
}

/** Fill the choices that the contract lists. */
function fillOptions() {
  for (const select of form.querySelectorAll("select")) {
    const { values = [] } = contract[select.name] ?? {};
    select.replaceChildren(...values.map((name) => new Option(humane(name), name)));
  }
  drawOptions();
}

function drawOptions() {
  check("you", game.you);
  check("to_move", game.toMove);
  form.analysis.checked = game.isAnalysed;
  for (const name of OPTIONS) {
    const isBeingTyped = form[name].type === "text" && form[name] === document.activeElement;
    if (!isBeingTyped) {
      form[name].value = game.options[name] ?? contract?.[name]?.default ?? (name === "max_depth" ? 9 : "");
    }
  }
  drawDepth();
}

function drawDepth() {
  find("depth").textContent = plies(Number(form.max_depth.value));
}

function check(name, value) {
  for (const radio of document.getElementsByName(name)) {
    radio.checked = radio.value === value;
  }
}

function changeOption({ target: { name, value, checked } }) {
  if (name === "analysis") {
    go({ ...game, isAnalysed: checked }, { isStep: false });
  } else {
    const { [name]: _, ...others } = game.options;
    const isDefault = value === String(contract?.[name]?.default ?? "");
    go({ ...game, options: isDefault ? others : { ...others, [name]: value } }, { isStep: false });
    clearComparison();
  }
}

const chosen = (name) => [...document.getElementsByName(name)].find((radio) => radio.checked)?.value;

function drawCall() {
  const [replyRadio, adviceRadio] = document.getElementsByName("call");
  replyRadio.disabled = !calls.reply;
  if (!chosen("call") || (replyRadio.checked && !calls.reply)) {
    adviceRadio.checked = true;
  }
  const call = calls[chosen("call")];
  if (call) {
    find("code").textContent = FORMS[chosen("form")](call);
    find("json").textContent = json(call);
  }
}

function setDisabled(id, isDisabled) {
  find(id).setAttribute("aria-disabled", String(isDisabled));
}

function onClick(id, act) {
  find(id).addEventListener("click", (event) => {
    if (event.currentTarget.getAttribute("aria-disabled") !== "true") {
      act();
    }
  });
}

/** Disable a button while its work is under way. */
async function during(id, work) {
  setDisabled(id, true);
  await work();
  setDisabled(id, false);
}

onClick("play-best", () => play(calls.advice.answer.move));
onClick("undo", () => go(beforeYourMove()));
onClick("x-first", () => go(newGame(game, "X")));
onClick("o-first", () => go(newGame(game, "O")));
onClick("set-up", () => {
  go({ ...game, isSetUp: true, moves: [] });
  board.focus();
});
onClick("clear", () => go({ ...game, board: ".".repeat(9), toMove: "", moves: [] }, { isStep: false }));
onClick("play-from-here", async () => {
  await underWay;
  if (calls.advice) {
    const { board: marks, to_move: toMove } = calls.advice.answer.position;
    go({ ...game, board: marks, toMove, isSetUp: false });
  }
  board.focus();
});
onClick("compare", () => {
  const { difficulty, algorithm, ...options } = game.options;
  return during("compare", () => compare({ ...position(), ...options }));
});
onClick("measure", () => during("measure", measureFirstMove));
onClick("copy", async () => {
  find("copied").textContent = await copy(find("code"));
});

form.addEventListener("change", changeOption);
form.max_depth.addEventListener("input", drawDepth);
form.addEventListener("submit", (event) => event.preventDefault());
for (const radio of document.getElementsByName("to_move")) {
  radio.addEventListener("change", () => go({ ...game, toMove: radio.value }, { isStep: false }));
}
for (const radio of document.getElementsByName("you")) {
  radio.addEventListener("change", () => go({ ...game, you: radio.value }));
}
for (const radio of document.querySelectorAll("[name=call], [name=form]")) {
  radio.addEventListener("change", drawCall);
}
addEventListener("popstate", () => {
  game = read(location.search);
  clearComparison();
  refresh();
});

refresh();
