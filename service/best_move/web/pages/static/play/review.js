// The strip of the game's moves, in which the mistakes are marked once the game is reviewed.

import { button, element, find, write } from "../page.js";
import { askReview, load } from "../service.js";
import { better, CELL_NAMES, decisive, isMistake } from "../words.js";
import { EMPTY, hasBegun, isLookingBack, moverOf } from "./game.js";

/** Return the review of each move. */
export async function judge({ start, starts, played }, signal) {
  const { moves } = await askReview({ board: start, starts, played }, signal);
  return moves.map((move, index) => ({ ...move, index }));
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
  const ends = await endsOf?.(table.game, mistake, table.verdicts).catch(({ message }) => fail(message));
  if (ends && turningPoint(table) === mistake) {
    drawEnds(place, ends);
  }
}

const isBlunder = ({ best_outcome: best, outcome }) => best === "win" && outcome === "loss";
