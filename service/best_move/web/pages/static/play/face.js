// The page's texts about a game: whose turn it is, what the oracle did, and what the user can do next.

import { CELL_NAMES, ending, instead, opponent, signed, tellMistake } from "../words.js";
import { boardOf, cutHere, EMPTY, isLookingBack, isYours, moverOf, newGame, settingUp, sideOf } from "./game.js";
import { tellMove, turningPoint } from "./review.js";

const KEYBOARD = matchMedia("(hover: hover) and (pointer: fine)"); // matches if a keyboard is likely

/** Why a move is good, by its `reason` in the API: functions that take the opponent's mark. */
const WHY = {
  win: () => "it completes three in a row",
  block: (other) => `${other} would complete three in a row there`,
  fork: () => "it threatens to win in two places",
  block_fork: (other) => `it keeps ${other} from threatening two lines at once`,
  center: () => "it is on the most lines",
  opposite_corner: (other) => `it is opposite a corner of ${other}'s`,
};

/** The text above the board: whose turn it is, how the game ended, or the title of an error. */
export function status(table) {
  const { game, responses } = table;
  const side = sideOf(game);
  if (responses.error && !game.isSetUp) {
    return `${responses.error.heading}.`;
  }
  if (game.isSetUp) {
    return "Set up a position.";
  }
  if (isLookingBack(game)) {
    return game.at ? `After move ${game.at} of ${game.played.length}.` : "Before the first move.";
  }
  if (table.isOver) {
    return ending(table.status, game.you);
  }
  if (game.you === "nobody") {
    return table.isPaused ? `Paused: ${side} is next.` : `Watching: ${side} is next.`;
  }
  if (table.isItsTurn) {
    return table.isPaused ? "The oracle is next." : `${side} is thinking.`;
  }
  if (!table.canPlay) {
    return "One moment.";
  }
  if (game.you === "both") {
    return `${side} to move.`;
  }
  return game.at || game.start !== EMPTY ? `Your turn (${side}).` : `You move first (${side}).`;
}

/** The title of the page. */
export const title = (table) => `${status(table).replace(/\.$/, "")} · Best Move`;

/** The sentence on what the oracle did, what the user can do, or an error during setup; empty on other errors. */
export function sentence(table) {
  const { game, responses } = table;
  if (game.isSetUp) {
    return setUpSentence(responses);
  }
  if (responses.error) {
    return "";
  }
  if (isLookingBack(game)) {
    return game.at ? tellMove(table, game.at - 1) : "";
  }
  if (table.isOver) {
    return table.isReviewed ? tellMistake(turningPoint(table), game.you) : "";
  }
  if (game.hasHints && responses.analysis && table.canPlay) {
    const { moves } = responses.analysis;
    const next = areEqual(moves) ? tellEqual(moves[0]) : hint(responses.advice);
    return [verdict(table), next].filter(Boolean).join(" ");
  }
  if (table.task) {
    return table.task;
  }
  if (table.isItsTurn && table.isPaused && game.you !== "nobody") {
    return startSentence(table);
  }
  if (responses.reply) {
    return responses.reply.text;
  }
  if (game.at) {
    return tellMove(table, game.at - 1);
  }
  if (game.you === "nobody") {
    return "The oracle plays both sides.";
  }
  if (game.start !== EMPTY) {
    return "Find the best move. Hints show what each cell leads to.";
  }
  return KEYBOARD.matches ? "Choose a cell, or press its number." : "Choose a cell.";
}

/** Why the cell chosen last cannot be played; empty if it now can be, or on an error, which the page shows anyway. */
export function refusal(table) {
  const { game, responses, refused } = table;
  if (refused === null) {
    return "";
  }
  const mark = boardOf(game)[refused];
  if (mark !== ".") {
    return `Cell ${refused}, the ${CELL_NAMES[refused]}, is taken by ${mark}.`;
  }
  if (responses.error) {
    return "";
  }
  if (table.isOver) {
    return "The game is over.";
  }
  if (game.you === "nobody") {
    return "The oracle plays both sides. To play, choose X or O.";
  }
  if (isYours(game, sideOf(game))) {
    return table.canPlay ? "" : "The service has not responded yet.";
  }
  const isStopped = table.isPaused && !isLookingBack(game);
  return isStopped ? startSentence(table) : `It is the oracle's turn (${sideOf(game)}).`;
}

/** The primary button: its label and action; null if the next step is a move or the board is being set up. */
export function nextStep(table) {
  const { game, responses } = table;
  if (game.isSetUp) {
    return null;
  }
  if (responses.error) {
    return responses.error.isRetryable
      ? { label: "Try again", act: () => table.retry() }
      : { label: "Correct the board", act: () => table.go(settingUp(game)) };
  }
  if (isLookingBack(game)) {
    return { label: "Play on from here", act: () => table.go(cutHere(game)) };
  }
  if (table.isOver) {
    return { label: game.you === "nobody" ? "Watch again" : "Play again", act: () => table.begin(newGame(game)) };
  }
  if (game.you === "nobody" && !table.isPaused) {
    return { label: "Pause", act: () => table.pause() };
  }
  if (table.isItsTurn && table.isPaused) {
    return { label: resumeLabel(game), act: () => table.resume() };
  }
  return null;
}

/** The index of the finished game's last mistake, if the user made it; undefined otherwise. */
export function moveToTry(table) {
  const mistake = turningPoint(table);
  return mistake && isYours(table.game, mistake.player) ? mistake.index : undefined;
}

/** Go back to the position before that move, for another try. */
export function tryAgain(table) {
  const game = { ...table.game, at: moveToTry(table) };
  table.go(cutHere(game), { task: `Find a better move than the ${CELL_NAMES[game.played[game.at]]}.` });
}

/** The content of the board; with hints, it includes the outcome of each move, unless all moves are equally good. */
export function boardToDraw(table) {
  const { game, responses } = table;
  const { moves = [], move = null } = (game.hasHints && responses.analysis) || {};
  const isChoice = !areEqual(moves);
  return {
    board: boardOf(game),
    moves: isChoice ? moves : [],
    best: isChoice ? move : null,
    last: game.at ? game.played[game.at - 1] : null,
    line: responses.position?.winning_line,
    side: table.canPlay ? sideOf(game) : "",
    isSetUp: game.isSetUp,
  };
}

const areEqual = (moves) =>
  moves.length > 1 && moves.every(({ value, distance }) => value === moves[0].value && distance === moves[0].distance);

const resumeLabel = ({ at }) => (at ? "Resume" : "Start");

const startSentence = ({ game }) => `Press ${resumeLabel(game)}, and ${sideOf(game)} moves${game.at ? "" : " first"}.`;

/** The verdict on the user's last move; empty before a move, or until it is reviewed. */
function verdict({ game, verdicts }) {
  const last = verdicts.findLast((_, index) => isYours(game, moverOf(game, index)));
  return last ? tellVerdict(last, game.you) : "";
}

function hint({ move, reason, position }) {
  const why = WHY[reason]?.(opponent(position.to_move));
  return `Hint: play the ${CELL_NAMES[move]}${why ? `: ${why}` : ""}.`;
}

/** The sentence on the outcome that all moves have, if they are equally good. */
function tellEqual({ outcome, distance, value }) {
  const turns = Math.ceil(distance / 2);
  const when = distance === null ? "" : turns === 1 ? " on the next turn" : ` within ${turns} turns`;
  return {
    win: `Every move wins${when}.`,
    draw: "Every move draws.",
    loss: `Every move loses${when}.`,
    unknown: `Every move has the same estimate: ${signed(value)}.`,
  }[outcome];
}

function setUpSentence({ error, position }) {
  if (error) {
    return error.message;
  }
  if (!position) {
    return "";
  }
  return position.status === "in_progress" ? `${position.to_move} moves next.` : ending(position.status, "nobody");
}

/** A sentence on whether a move kept the best outcome, from the move's review, for a user who plays `you`. */
function tellVerdict(review, you) {
  const { player, move, mistake, outcome, best_outcome: best } = review;
  const who = you === player ? "You" : player;
  const cell = CELL_NAMES[move];
  if (mistake) {
    return `${who} turned a ${best} into a ${outcome} with the ${cell}: ${instead(review)}.`;
  }
  return best === "loss" ? `${who} had only losing moves.` : `${who} kept the ${best} with the ${cell}.`;
}
