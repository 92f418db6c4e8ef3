// What the page says of a game: whose turn it is, what the oracle says, and the one thing to do next.

import { CELL_NAMES, ending, worth } from "../words.js";
import { boardOf, EMPTY, isLookingBack, moverOf, sideOf } from "./game.js";
import { tell } from "./review.js";

/** Whose turn it is, or how the game ended. */
export function status(table) {
  const { game, heard } = table;
  const side = sideOf(game);
  if (heard.fault && !game.isSetUp) {
    return `${heard.fault.heading}.`;
  }
  if (game.isSetUp) {
    return "Set up a position.";
  }
  if (isLookingBack(game)) {
    return game.at ? `After move ${game.at} of ${game.played.length}.` : "Before the first move.";
  }
  if (table.isOver) {
    return ending(heard.position.status, game.you);
  }
  if (game.you === "nobody") {
    return table.isPaused ? `Paused: ${side} is next.` : `Watching: ${side} is next.`;
  }
  if (table.isItsTurn) {
    return table.isPaused ? `The oracle moves next, with ${side}.` : "The oracle is thinking.";
  }
  if (!table.canPlay) {
    return "One moment.";
  }
  if (game.you === "both") {
    return `${side} to move.`;
  }
  return game.at || game.start !== EMPTY ? `Your turn with ${side}.` : `You start with ${side}.`;
}

/** What the oracle says, or what there is to know. */
export function sentence(table) {
  const { game, heard } = table;
  if (game.isSetUp) {
    return setUpSentence(heard);
  }
  if (heard.fault) {
    return "";
  }
  if (isLookingBack(game)) {
    return lookBack(game, table.verdicts);
  }
  if (table.isOver) {
    return table.verdicts ? tell(table.verdicts, game, heard.position.status) : "";
  }
  if (game.hasHints && heard.analysis && table.canPlay) {
    return areEqual(heard.analysis.answer.moves)
      ? `Every move here is as good as another: ${worth(heard.analysis.answer)[1].toLowerCase()}.`
      : hint(heard.advice.answer);
  }
  if (heard.reply) {
    return heard.reply.answer.text;
  }
  if (game.at) {
    return `${moverOf(game, game.at - 1)} took the ${CELL_NAMES[game.played[game.at - 1]]}.`;
  }
  return game.you === "nobody" ? "The oracle plays both sides." : "Choose a cell, or press its number.";
}

/** The button that leads on: its label and what it does; nothing while the board itself does. */
export function nextStep(table) {
  const { game, heard } = table;
  if (game.isSetUp) {
    return null;
  }
  if (heard.fault) {
    return heard.fault.mayPass ? { label: "Try again", act: "refresh" } : { label: "New game", act: "restart" };
  }
  if (isLookingBack(game)) {
    return { label: "Play on from here", act: "cut" };
  }
  if (table.isOver) {
    return { label: game.you === "nobody" ? "Watch again" : "Play again", act: "restart" };
  }
  if (game.you === "nobody" && !table.isPaused) {
    return { label: "Pause", act: "pause" };
  }
  if (table.isItsTurn && table.isPaused) {
    const isNew = !game.at;
    return { label: game.you === "nobody" ? (isNew ? "Start" : "Go on") : "Let it move", act: "resume" };
  }
  return null;
}

/** What the board shows: the moves with what they lead to where hints are wanted, but for those that are all equal. */
export function boardToDraw(table) {
  const { game, heard } = table;
  const { moves = [], move = null } = (game.hasHints && heard.analysis?.answer) || {};
  const isChoice = !areEqual(moves);
  const board = boardOf(game);
  return {
    board: board.length === EMPTY.length ? board : EMPTY,
    moves: isChoice ? moves : [],
    best: isChoice ? move : null,
    last: game.at ? game.played[game.at - 1] : null,
    line: heard.position?.winning_line,
    side: table.canPlay ? sideOf(game) : "",
    isSetUp: game.isSetUp,
  };
}

const areEqual = (moves) =>
  moves.length > 1 && moves.every(({ value, distance }) => value === moves[0].value && distance === moves[0].distance);

//  Of a move that ends the game only what it does: its text goes on to say how the game ended.
const hint = ({ text, outlook }) => `Hint: ${outlook ? `${text} ${outlook}` : text.replace(/\. .*/, ".")}`;

function setUpSentence({ fault, position }) {
  if (fault) {
    return fault.message;
  }
  if (!position) {
    return "";
  }
  return position.status === "in_progress" ? `${position.to_move} moves next.` : ending(position.status, "nobody");
}

function lookBack(game, verdicts) {
  if (!game.at) {
    return "";
  }
  const index = game.at - 1;
  return verdicts?.[index]?.text ?? `${moverOf(game, index)} took the ${CELL_NAMES[game.played[index]]}.`;
}
