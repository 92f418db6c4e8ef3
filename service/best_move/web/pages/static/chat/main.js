// The board in a chat. It shows the game of the last tool result, and plays on by calling the same tool. It knows no
// rule of the game: where a mark may go, who is to move and who has won, the results say.

import { find, onClick, write } from "../page.js";
import { Board } from "../play/board.js";
import { CELL_NAMES, ending, opponent } from "../words.js";
import { Host, HostError } from "./host.js";

const NEW_GAME = {
  played: [],
  starts: "X",
  board: "0 1 2\n3 4 5\n6 7 8",
  to_move: "X",
  status: "in_progress",
  free: [0, 1, 2, 3, 4, 5, 6, 7, 8],
  winning_line: [],
  text: "Choose a cell, or let the oracle start.",
  review: null,
};

let game = null; // fields of the last result
let yours = null; // the side that the user plays; null while either may be chosen
let pending = null; // the last call, until it has succeeded
let failure = null; // why it failed
let latest = 0;
let canInform = false; // whether the client passes the game on to the model

const board = new Board(find("board"), pick);
const host = new Host({
  "ui/notifications/tool-input": ({ arguments: sent }) => {
    find("level").value = String(sent?.difficulty ?? "perfect").toLowerCase();
  },
  "ui/notifications/tool-result": (result) => {
    pending = null;
    accept(result);
  },
  "ui/notifications/tool-cancelled": () => restart(),
  "ui/notifications/host-context-changed": setContext,
});

/** Whose move comes next, or how the game ended. */
function status() {
  if (failure) {
    return "The call failed.";
  }
  if (pending || !game) {
    return "The oracle is thinking.";
  }
  if (isOver()) {
    return ending(game.status, yours);
  }
  return yours ? `Your turn with ${yours}.` : `${game.to_move} to move.`;
}

/** The button that leads on: its label and what it does. */
function nextStep() {
  if (failure) {
    return pending ? { label: "Try again", act: () => call(pending) } : { label: "New game", act: restart };
  }
  if (pending || !game) {
    return null;
  }
  if (isOver()) {
    return { label: "Play again", act: restart };
  }
  return yours ? null : { label: game.played.length ? "Let it move" : "Let it start", act: letItMove };
}

function draw() {
  const isBusy = Boolean(pending) && !failure;
  const { played, winning_line: line } = game ?? NEW_GAME;
  board.draw({
    board: (pending && !failure ? marksWith(pending.cell) : marks()).join(""),
    last: played.at(-1),
    line,
    side: canPlay() ? game.to_move : "",
    isSetUp: false,
  });
  const step = nextStep();
  find("act").hidden = !step;
  find("act").textContent = step?.label ?? "";
  find("game").setAttribute("aria-busy", String(isBusy));
  find("game").dataset.isThinking = String(isBusy);
  write("status", status());
  write("sentence", failure || !game ? "" : (game.review ?? game.text));
  write("problem", failure ?? "");
  write("announcement", isBusy || failure ? "" : `${find("sentence").textContent} ${status()}`);
}

const isOver = () => game.status !== "in_progress";

const canPlay = () => Boolean(game) && !pending && !isOver() && (!yours || yours === game.to_move);

const marks = () => (game ?? NEW_GAME).board.split(/\s/).map((cell) => (/[XO]/.test(cell) ? cell : "."));

const marksWith = (cell) => marks().map((mark, index) => (index === cell ? game.to_move : mark));

/** A cell was chosen: play there if it is the user's turn, and ask for the reply. */
function pick(cell, mark = null) {
  if (mark !== null) {
    return;
  }
  if (canPlay() && game.free.includes(cell)) {
    yours = game.to_move;
    call({ cell, played: [...game.played, cell], starts: game.starts, you: opponent(yours) });
  } else if (game && !game.free.includes(cell) && !isOver()) {
    board.refuse(cell);
    write("announcement", `${cell}, ${CELL_NAMES[cell]}, is taken.`);
  }
}

function letItMove() {
  yours = opponent(game.to_move);
  call({ played: game.played, starts: game.starts, you: game.to_move });
}

function restart() {
  game = NEW_GAME;
  yours = null;
  pending = null;
  failure = null;
  latest += 1;
  draw();
}

/** Call the tool through the client. Of several calls, only the latest counts. */
async function call(asked) {
  pending = asked;
  failure = null;
  latest += 1;
  const mine = latest;
  draw();
  const { cell, ...game } = asked;
  const difficulty = find("level").value;
  try {
    const result = await host.request("tools/call", { name: "best_move", arguments: { ...game, difficulty } });
    if (mine === latest) {
      accept(result);
    }
  } catch (error) {
    if (!(error instanceof HostError)) {
      throw error;
    }
    if (mine === latest) {
      fail(error.message);
    }
  }
}

/** Show a result of either tool; after a move made here, tell the model. */
function accept({ isError, content, structuredContent: fields }) {
  const text = content?.find((part) => part.type === "text")?.text ?? "";
  if (isError || !fields) {
    fail(text || "The chat client returned no game.");
    return;
  }
  if (pending) {
    inform(`The user played on the board in the chat. ${text}`);
  } else {
    yours = sideOfUser(fields);
  }
  game = fields;
  pending = null;
  failure = null;
  draw();
}

/** The side of the user in a game of the model's: the one that did not make the oracle's move, null if that is unclear. */
function sideOfUser({ move, played, starts, mistake }) {
  if (mistake !== undefined || !played.length) {
    return null;
  }
  const mover = played.length % 2 ? starts : opponent(starts);
  return move === null ? mover : opponent(mover);
}

function fail(message) {
  failure = message;
  draw();
}

/** Pass the game on to the model, so that it continues with the same list. A client may decline. */
function inform(text) {
  if (canInform) {
    host.request("ui/update-model-context", { content: [{ type: "text", text }] }).catch(() => {});
  }
}

function setContext({ theme } = {}) {
  if (theme) {
    document.documentElement.style.colorScheme = theme;
  }
}

onClick("act", () => {
  nextStep().act();
  if (find("act").hidden) {
    board.focus(); // the button pressed has gone
  }
});
onClick("new-game", restart);

draw();
const { hostCapabilities, hostContext } = await host.connect();
canInform = Boolean(hostCapabilities?.updateModelContext);
setContext(hostContext);
new ResizeObserver(() => {
  const { height } = document.documentElement.getBoundingClientRect();
  host.notify("ui/notifications/size-changed", { height: Math.ceil(height) });
}).observe(document.documentElement);
