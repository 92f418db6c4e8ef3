// The game as a strip of its moves, and after its end the mistakes in it.

import { element, find } from "../page.js";
import { askAll } from "../service.js";
import { CELL_NAMES } from "../words.js";
import { EMPTY, isYours, moverOf, positionsOf } from "./game.js";

const RANKS = { loss: 0, draw: 1, win: 2 };

/** Judge every move of a game in one call; return for each the better move and what both lead to, null if it was good. */
export async function judge(game) {
  const positions = positionsOf(game).slice(0, -1);
  const answers = await askAll(positions.map((position) => ({ ...position, analysis: true })));
  return answers.map(({ move: better, moves }, index) => {
    const cell = game.played[index];
    if (!moves?.length) {
      return null; // the game was over before, or is none
    }
    const best = RANKS[moves[0].outcome];
    const made = RANKS[moves.find(({ move }) => move === cell).outcome];
    return made < best ? { index, mover: moverOf(game, index), cell, better, best, made } : null;
  });
}

/** Tell in a sentence what decided a game that ended so: the loser's last mistake, or in a draw a win that was missed. */
export function tell(verdicts, game, status) {
  const winner = { x_won: "X", o_won: "O" }[status];
  const mistakes = verdicts.filter(Boolean);
  const losing = mistakes.filter(({ mover, made }) => made === RANKS.loss && mover !== winner);
  const missed = mistakes.filter(({ mover, best }) => best === RANKS.win && isYours(game, mover));
  const told = winner ? losing.at(-1) : (missed[0] ?? mistakes[0]);
  if (!told) {
    return "Nobody made a mistake.";
  }
  const { index, mover, cell, better, best, made } = told;
  const whose = game.you === mover ? "Your" : `${mover}'s`;
  const would = best === RANKS.win ? "would have won" : "would have kept the draw";
  const was = made === RANKS.loss ? "was the mistake" : "gave a win away";
  return `${whose} move ${index + 1}, the ${CELL_NAMES[cell]}, ${was}: the ${CELL_NAMES[better]} ${would}.`;
}

/** Draw the moves, each a button that leads back to it; `verdicts` mark the mistakes, once there are any. */
export function drawStrip(game, verdicts, goTo) {
  find("no-moves").hidden = game.played.length > 0 || game.start !== EMPTY;
  find("from-here").hidden = game.played.length > 0 || game.start === EMPTY;
  find("strip").hidden = game.played.length === 0;
  find("legend").hidden = !verdicts?.some(Boolean);
  const focused = [...find("strip").querySelectorAll("button")].indexOf(document.activeElement);
  find("strip").replaceChildren(
    ...game.played.map((cell, index) => {
      const mark = moverOf(game, index);
      const mistake = verdicts?.[index];
      const button = element("button");
      button.type = "button";
      button.dataset.mark = mark;
      button.append(element("span", `${index + 1}.`, "ply"), ` ${mark} ${cell}`);
      const said = [`${index + 1}. ${mark} ${cell}`, CELL_NAMES[cell]];
      if (mistake) {
        button.append(" ", element("b", mistake.best - mistake.made > 1 ? "??" : "?", "mistake"));
        said.push(`a mistake, better was ${CELL_NAMES[mistake.better]}`);
      }
      button.setAttribute("aria-label", said.join(", "));
      button.title = said.slice(1).join(": ");
      if (index === game.at - 1) {
        button.setAttribute("aria-current", "step");
      }
      button.addEventListener("click", () => goTo(index + 1));
      const item = element("li");
      item.append(button);
      return item;
    }),
  );
  find("strip").querySelectorAll("button")[focused]?.focus();
}
