// The table of the game's moves, in which the mistakes are marked once the game is reviewed.

import { button, element, find, write } from "../page.js";
import { askReview, load } from "../service.js";
import { better, CELL_NAMES, firstSentence } from "../words.js";
import { isLookingBack, moverOf } from "./game.js";

/** Return the review of each move. */
export async function judge({ start, starts, played }, signal) {
  const { moves } = await askReview({ board: start, starts, played }, signal);
  return moves.map((move, index) => ({ ...move, index }));
}

/** The sentence on a move: its cell, its effect once it is reviewed, and whether it was a mistake if that is shown. */
export function tellMove({ game, verdicts, isReviewed }, index) {
  const mover = moverOf(game, index);
  const verdict = verdicts[index];
  let text = `${mover} plays the ${CELL_NAMES[game.played[index]]}`;
  if (isReviewed && verdict.mistake) {
    text += `, which turns a ${verdict.best_outcome} into a ${verdict.outcome}: the ${better(verdict)} is better.`;
  } else {
    text = verdict ? firstSentence(verdict.text) : `${text}.`;
  }
  // "X plays the center and threatens …" becomes "You play the center and threaten …".
  return game.you === mover ? text.replace(/^[XO] plays/, "You play").replace(/ and (\w+)s /, " and $1 ") : text;
}

/** The heading above the game's moves. */
const heading = ({ played }) => (played.length ? "This game" : "Start here");

/** The game's moves as texts, each with its name for screen readers; a mistake has a sign once that is shown. */
const stepsOf = (table) =>
  table.game.played.map((cell, index) => {
    const mark = moverOf(table.game, index);
    const verdict = table.isReviewed && table.verdicts[index];
    const sign = !verdict?.mistake ? "" : isBlunder(verdict) ? "??" : "?";
    const title = `${CELL_NAMES[cell]}${sign && `, a mistake, better was ${better(verdict)}`}`;
    return { mark, number: `${index + 1}.`, text: `${mark} ${cell}`, sign, title, told: tellMove(table, index) };
  });

/** Draw a row per move: a button that goes to the position after it, and a sentence. */
export function drawMoves(table) {
  const { game } = table;
  const [rows] = find("moves").tBodies;
  write("this-game", heading(game));
  find("this-game").hidden = game.isSetUp;
  find("no-moves").hidden = game.isSetUp || game.played.length > 0;
  find("moves").hidden = game.played.length === 0;
  const focused = [...rows.querySelectorAll("button")].indexOf(document.activeElement);
  rows.replaceChildren(
    ...stepsOf(table).map(({ mark, number, text, sign, title, told }, index) => {
      const step = button([element("span", number, "ply"), ` ${text}`], () => table.go({ ...game, at: index + 1 }));
      step.dataset.mark = mark;
      if (sign) {
        step.append(" ", element("b", sign, "mistake"));
      }
      step.setAttribute("aria-label", `${number} ${text}, ${title}`);
      if (index === game.at - 1) {
        step.setAttribute("aria-current", "step");
      }
      return element("tr", [element("th", step), element("td", told)]);
    }),
  );
  rows.querySelectorAll("button")[focused]?.focus();
}

/** The review of the last mistake, which decided how the game ended; undefined if there is none, or before the end. */
export function turningPoint({ game, isReviewed, verdicts }) {
  return isReviewed && !isLookingBack(game) ? verdicts.findLast(({ mistake }) => mistake) : undefined;
}

/** Draw the last mistake of the finished game, or hide the drawing. `preview` shows a position, as in line.js. */
export async function showMistake(table, preview) {
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
      button("Try again", () => showMistake(table, preview)),
    );
  const { endsOf, drawEnds } = await load("./play/mistake.js", fail);
  const ends = await endsOf?.(table.game, mistake, table.verdicts).catch(({ message }) => fail(message));
  if (ends && turningPoint(table) === mistake) {
    drawEnds(place, ends, preview);
  }
}

const isBlunder = ({ best_outcome: best, outcome }) => best === "win" && outcome === "loss";
