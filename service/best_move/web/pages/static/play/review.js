// The strip of the game's moves, in which the mistakes are marked once the game is reviewed.

import { button, element, find, write } from "../page.js";
import { askReview, load } from "../service.js";
import { CELL_NAMES, opponent } from "../words.js";
import { EMPTY, hasBegun, isLookingBack, isYours, moverOf } from "./game.js";

/** Return the review of each move. */
export async function judge({ start, starts, played }, signal) {
  const { moves } = await askReview({ board: start, starts, played }, signal);
  return moves.map((move, index) => ({ ...move, index }));
}

/**
 * Return the review of the move that decided a game: the last mistake that lost it or, after a draw, the first win that
 * the user missed or else the first mistake. Return undefined if there is none.
 */
function decisive(verdicts, game, status) {
  const winner = { x_won: "X", o_won: "O" }[status];
  const mistakes = verdicts.filter(isMistake);
  const losing = mistakes.filter(({ player, outcome }) => outcome === "loss" && player !== winner);
  const missed = mistakes.filter((mistake) => mistake.best_outcome === "win" && isYours(game, mistake.player));
  return winner ? losing.at(-1) : (missed[0] ?? mistakes[0]);
}

/** Return a sentence that says what decided a game. */
export function tell(verdicts, game, status) {
  const mistake = decisive(verdicts, game, status);
  if (!mistake) {
    return "Nobody made a mistake.";
  }
  const { player, move, outcome, best_outcome: best } = mistake;
  const cell = CELL_NAMES[move];
  const isYou = game.you === player;
  if (outcome === "draw") {
    return `${isYou ? "You" : player} gave a win away with the ${cell}: the ${better(mistake)} would have won.`;
  }
  const drawn = status === "draw" ? `${opponent(player)} could have won` : `the ${better(mistake)} would have drawn`;
  const would = best === "win" ? `the ${better(mistake)} would have won` : drawn;
  return `${isYou ? "Your" : `${player}'s`} mistake was the ${cell}: ${would}.`;
}

/** The heading above the game's moves. */
export const heading = (game) => (hasBegun(game) ? "This game" : "Start here");

/** The game's moves as texts, each with its name for screen readers; a mistake has a sign if there are `verdicts`. */
export const stepsOf = (game, verdicts) =>
  game.played.map((cell, index) => {
    const mark = moverOf(game, index);
    const verdict = verdicts?.[index];
    const sign = !verdict?.mistake ? "" : isBlunder(verdict) ? "??" : "?";
    const title = `${CELL_NAMES[cell]}${sign && `: a mistake, better was ${better(verdict)}`}`;
    return { mark, number: `${index + 1}.`, text: `${mark} ${cell}`, sign, title };
  });

/** Draw a button per move, which calls `goTo` with the move's number. Mark the mistakes if there are `verdicts`. */
export function drawStrip(game, verdicts, goTo) {
  write("this-game", heading(game));
  find("no-moves").hidden = hasBegun(game);
  find("from-here").hidden = game.played.length > 0 || game.start === EMPTY || game.isSetUp;
  find("strip").hidden = game.played.length === 0;
  find("legend").hidden = !verdicts?.some(isMistake);
  find("legend-blunder").hidden = !verdicts?.some(isBlunder);
  const focused = [...find("strip").querySelectorAll("button")].indexOf(document.activeElement);
  find("strip").replaceChildren(
    ...stepsOf(game, verdicts).map(({ mark, number, text, sign, title }, index) => {
      const step = button([element("span", number, "ply"), ` ${text}`], () => goTo(index + 1));
      step.dataset.mark = mark;
      if (sign) {
        step.append(" ", element("b", sign, "mistake"));
      }
      step.setAttribute("aria-label", `${number} ${text}, ${title.replace(":", ",")}`);
      step.title = title;
      if (index === game.at - 1) {
        step.setAttribute("aria-current", "step");
      }
      return element("li", step);
    }),
  );
  find("strip").querySelectorAll("button")[focused]?.focus();
}

/** The review of the move that decided the finished game; undefined if there is none, or before the end. */
export function turningPoint({ game, isOver, verdicts, status }) {
  return isOver && !isLookingBack(game) && verdicts ? decisive(verdicts, game, status) : undefined;
}

/** Draw the mistake that decided the finished game; if there is none, hide the drawing. */
export async function showMistake(table) {
  const place = find("mistake");
  const mistake = turningPoint(table);
  place.hidden = !mistake;
  if (!mistake) {
    place.replaceChildren();
    return;
  }
  const fail = (text) =>
    place.replaceChildren(
      element("p", text),
      button("Try again", () => showMistake(table)),
    );
  const { endsOf, drawEnds } = await load("./play/mistake.js", fail);
  const ends = await endsOf?.(table.game, mistake).catch(({ message }) => fail(message));
  if (ends && turningPoint(table) === mistake) {
    drawEnds(place, ends);
  }
}

const isMistake = ({ mistake }) => mistake;

const isBlunder = ({ best_outcome: best, outcome }) => best === "win" && outcome === "loss";

/** The name of the cell to play instead of a mistake. */
export const better = ({ best_moves: [cell] }) => CELL_NAMES[cell];
