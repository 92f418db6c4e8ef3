// The board in a chat. It shows the game of the last tool result, and plays on by calling `best_move`.

import { find, onClick, write } from "../page.js";
import { Board } from "../play/board.js";
import { CELL_NAMES, ending, opponent, tellMistake } from "../words.js";
import { Host } from "./host.js";
import { setLook } from "./look.js";

const PATIENCE = 60_000; // milliseconds until the board reports that no answer has come

const NEW_GAME = {
  played: [],
  starts: "X",
  board: "0 1 2\n3 4 5\n6 7 8",
  to_move: "X",
  status: "in_progress",
  text: "Choose a cell, or let the oracle start.",
  review: null,
  report: "The user started a new game.\nPlayed so far: [], starts: X\nX is to move.",
};

/** The failure of the model's call before any result. Its error is not shown, because it is written for the model. */
const CORRECTING = { what: "The chat's model is correcting its call.", why: "" };

let game = null; // the fields of the last result, or only its text if it has no fields
let given = []; // the parts of the last result that the board did not call for itself
let yours = null; // the side that the user plays; null if it is not known
let pending = null; // the board's call that is running or has failed: its arguments, and the cell played, if any
let failure = null; // the sentences on what failed and why
let alarm = null; // the timer that reports that no answer has come; a late answer still counts
let client = { serverTools: {} }; // the chat client's capabilities; until they are known, calls count as supported

const board = new Board(find("board"), pick);
const host = new Host({
  "ui/notifications/tool-result": (result) => {
    if (game && (result.isError || isRepeated(result))) {
      return;
    }
    if (result.isError) {
      failure = CORRECTING;
      draw();
    } else {
      accept(result, { isOwn: false });
    }
  },
  "ui/notifications/tool-cancelled": ({ reason }) => {
    // The client does not say which call is canceled, so the result of the board's own call still counts.
    fail("The call was canceled.", reason ? `Reason: ${reason}` : "The chat client gives no reason.");
  },
  "ui/notifications/host-context-changed": setLook,
});

/** The status, such as whose turn it is, how the game ended, or what failed. */
function status() {
  if (failure) {
    return failure.what;
  }
  if (pending || !game) {
    return "The oracle is thinking.";
  }
  if (!game.board) {
    return "This chat client supports only text.";
  }
  if (isOver()) {
    return ending(game.status, yours);
  }
  return yours === game.to_move ? `Your turn (${yours}).` : `${game.to_move} to move.`;
}

/**
 * The sentence on the last move's effect, on what the user can do or, after a game, on its last mistake or that there
 * was none; empty before a result or after a failure.
 */
function sentence() {
  if (failure || !game) {
    return "";
  }
  const text = game.review && game.mistakes ? tellMistake(game.mistakes.at(-1), yours) : game.text;
  const mustWrite = !client.serverTools && game.status === "in_progress"; // a result that is only text has no status
  return mustWrite ? `${text} Write your move in the chat.` : text;
}

/** The button for the next step: its label and its action; null if there is none. */
function nextStep() {
  if (!client.serverTools) {
    return null;
  }
  if (failure && pending) {
    // A copy, because `call` accepts a result only for the object in `pending`: after another try, a late result of the
    // failed call does not count.
    return { label: "Try again", act: () => call({ ...pending }) };
  }
  if (pending || !game?.board) {
    return null;
  }
  if (isOver()) {
    return { label: "Play again", act: restart };
  }
  return yours === game.to_move ? null : { label: game.played.length ? "Let it move" : "Let it start", act: letItMove };
}

function draw() {
  const isBusy = !failure && Boolean(pending || !game);
  const { board: rows, played, winning_line: line } = game?.board ? game : NEW_GAME;
  const marks = rows.split(/\s/); // and numbers, which the board draws as empty cells
  if (isBusy && pending?.cell !== undefined) {
    marks[pending.cell] = game.to_move;
  }
  board.draw({
    board: marks.join(""),
    last: played.at(-1),
    line: line ?? [],
    side: canPlay() ? game.to_move : "",
    isSetUp: false,
  });
  const step = nextStep();
  find("act").hidden = !step;
  find("act").textContent = step?.label ?? "";
  const isCorrecting = failure === CORRECTING;
  find("board").hidden = isCorrecting || (Boolean(game) && !game.board);
  find("bubble").hidden = isCorrecting;
  // At the end of a game, "Play again" replaces "New game"; the level returns with the new game.
  for (const id of ["level-field", "new-game"]) {
    find(id).hidden = !client.serverTools || isCorrecting || step?.act === restart;
  }
  find("game").setAttribute("aria-busy", String(isBusy));
  write("status", status());
  write("sentence", sentence());
  write("problem", failure?.why ?? "");
  write("announcement", isBusy || failure ? "" : `${sentence()} ${status()}`);
  clearTimeout(alarm);
  alarm = isBusy && setTimeout(fail, PATIENCE, "No answer yet.", "The chat client has not answered for a minute.");
}

const isOver = () => game.status !== "in_progress"; // only for a game with fields

const canPlay = () =>
  Boolean(client.serverTools && game?.board) && !pending && !isOver() && (!yours || yours === game.to_move);

/** Handle a chosen cell: play there if it is the user's turn, and request the reply. */
function pick(cell, mark) {
  if (mark) {
    return; // the key of a mark sets up a position, which only the playground allows
  }
  const isTaken = game?.board && "XO".includes(game.board.split(/\s/)[cell]);
  if (canPlay() && !isTaken) {
    yours = game.to_move;
    call({ cell, played: [...game.played, cell], starts: game.starts, you: opponent(yours) });
  } else if (isTaken && !isOver()) {
    board.refuse(cell);
    write("announcement", `${cell}, ${CELL_NAMES[cell]}, is taken.`);
  }
}

function letItMove() {
  yours = opponent(game.to_move);
  call({ played: game.played, starts: game.starts, you: game.to_move });
}

function restart() {
  yours = null;
  pending = null;
  show(NEW_GAME);
  inform();
}

/** Call the tool through the client. Of several calls, only the latest counts. */
async function call(request) {
  pending = request;
  failure = null;
  draw();
  const { cell, ...parameters } = request;
  const difficulty = find("level").value;
  const result = await host.request("tools/call", { name: "best_move", arguments: { ...parameters, difficulty } });
  if (pending === request) {
    accept(result, { isOwn: true });
  }
}

/**
 * The parts of a result, of which a client may pass on only one: its text, and its game with the fields in a fixed
 * order. A part that is missing is undefined or empty.
 */
const partsOf = ({ content, structuredContent: fields }) => [
  [content].flat().find((part) => part?.type === "text")?.text,
  fields?.board && JSON.stringify(fields, Object.keys(fields).sort()),
];

/** Whether a result is empty, or the client's last one: clients send such results when they draw the chat again. */
const isRepeated = (result) => partsOf(result).every((part, index) => !part || part === given[index]);

const isMark = (side) => side === "X" || side === "O";

/** Whether fields have what the board needs of a game. */
const isGame = ({ played, starts, board, to_move: side, status, text }) =>
  Array.isArray(played) &&
  isMark(starts) &&
  /^[XO0-8](\s[XO0-8]){8}$/.test(board) &&
  (isMark(side) ? status === "in_progress" : ["x_won", "o_won", "draw"].includes(status)) &&
  typeof text === "string";

/** Show a result of either tool; if the board itself made the call, inform the model. */
function accept(result, { isOwn }) {
  const { isError, structuredContent: fields } = result;
  const [text, gameAsText] = partsOf(result);
  if (isError || !(text || gameAsText)) {
    fail("The call failed.", text ?? "The chat client returned nothing.");
    return;
  }
  if (gameAsText && !isGame(fields)) {
    fail("The call failed.", "The chat client returned a malformed game.");
    return;
  }
  pending = null;
  if (!isOwn) {
    given = [text, gameAsText];
    yours = fields?.you ? opponent(fields.you) : null; // `you` is the model
    find("level").value = fields?.difficulty ?? find("level").value;
  }
  show(gameAsText ? { ...fields, report: text ?? gameAsText } : { text, report: text });
  if (isOwn) {
    inform();
  }
}

function show(fields) {
  game = fields;
  failure = null;
  draw();
}

function fail(what, why) {
  failure = { what, why };
  draw();
}

/** If the client supports context updates, send the game, the user's side and the level to the model. */
function inform() {
  if (client.updateModelContext && game) {
    const side = yours ? `The user plays ${yours}` : "The user plays";
    const text = `${side} on the board in the chat, against level ${find("level").value}.\n${game.report}`;
    host.request("ui/update-model-context", { content: [{ type: "text", text }] });
  }
}

onClick("act", () => {
  nextStep().act();
  if (find("act").hidden) {
    board.focus(); // the pressed button has disappeared
  }
});
onClick("new-game", restart);
find("level").addEventListener("change", inform);

draw();
const { hostCapabilities, hostContext } = await host.connect();
client = hostCapabilities ?? {};
setLook(hostContext);
draw();
new ResizeObserver(() => {
  const { height } = document.documentElement.getBoundingClientRect();
  host.notify("ui/notifications/size-changed", { height: Math.ceil(height) });
}).observe(document.documentElement);
