// The page at the table with the service: whose turn it is, what is still to be asked, and what has been heard. It knows
// no rule of the game; what a position is, whether it is over and who is to move, the service says.

import { ask, Problem } from "../service.js";
import { read, write } from "./address.js";
import { isLookingBack, isYours, question, sideOf, undone, withMove } from "./game.js";
import { CHOICES, howItPlays, howItSearches } from "./options.js";
import { judge } from "./review.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const FIRST_RETRY = 2_000; // milliseconds, doubled each time
const LAST_RETRY = 60_000;

export class Table {
  #game = read(location.search, CHOICES);
  #heard = {};
  #verdicts = {};
  #isPaused = false;
  #isBusy = false;
  #waiting = null;
  #latest = 0;
  #retry;
  #nextRetry = FIRST_RETRY;
  #show;

  /** `show()` is called whenever there is something else to see. */
  constructor(show) {
    this.#show = show;
  }

  get game() {
    return this.#game;
  }

  /**
   * What the service has said of the board shown: its `position`, its `advice` on it, the `analysis` with what every move
   * is worth, the `reply` that led to it, or the `fault` instead.
   */
  get heard() {
    return this.#heard;
  }

  /** The review of each move of the game; undefined until it has arrived. */
  get verdicts() {
    return this.#verdicts.key === keyOf(this.#game) ? this.#verdicts.list : undefined;
  }

  /** Whether the oracle waits to be told to move. */
  get isPaused() {
    return this.#isPaused;
  }

  get isBusy() {
    return this.#isBusy;
  }

  get isOver() {
    return Boolean(this.#heard.position) && this.#heard.position.status !== "in_progress";
  }

  /** Whether you may make a move now. */
  get canPlay() {
    return !this.#game.isSetUp && this.#heard.position?.status === "in_progress" && this.#isYourTurn;
  }

  /** Whether the next move is the oracle's. */
  get isItsTurn() {
    const game = this.#game;
    return !game.isSetUp && !isLookingBack(game) && !this.isOver && sideOf(game) !== "" && !this.#isYourTurn;
  }

  get #isYourTurn() {
    return isYours(this.#game, sideOf(this.#game));
  }

  /** Go to another game or board. `isStep` gives it a place of its own behind the back button. */
  go(next, { isStep = true, heard = {}, isPaused = false } = {}) {
    const last = this.#game;
    this.#game = next;
    this.#isPaused = isPaused;
    this.#waiting = null;
    if (isStep) {
      history.pushState({ from: write(last) }, "", write(this.#game));
    } else {
      history.replaceState(history.state, "", write(this.#game));
    }
    if (keyOf(last, last.at) !== keyOf(next, next.at) || last.isSetUp !== next.isSetUp) {
      this.#heard = heard;
    } else if (last.options !== next.options) {
      const { position, reply } = this.#heard;
      this.#heard = { position, reply };
    }
    return this.refresh();
  }

  /** Make a move, or if it is your turn and only the service's word is missing, make it then. */
  play(cell) {
    const { board } = question(this.#game);
    if (this.canPlay && !"XOxo".includes(board[cell])) {
      this.go(withMove(this.#game, cell));
      return true;
    }
    const isEarly = !this.#game.isSetUp && this.#isYourTurn && !this.#heard.position && !this.#heard.fault;
    this.#waiting = isEarly ? cell : null;
    return isEarly;
  }

  /** Take your last move back: a step back where the last step was that move. */
  undo() {
    const before = undone(this.#game);
    if (history.state?.from === write(before)) {
      history.back();
    } else {
      this.go(before, { isPaused: before.you === "nobody" });
    }
  }

  pause() {
    this.#isPaused = true;
    this.#latest += 1; // whatever is under way comes too late
    this.#isBusy = false;
    this.#show();
  }

  resume() {
    this.#isPaused = false;
    return this.refresh();
  }

  /** Take the game from the address again. */
  reread() {
    this.#game = read(location.search, CHOICES);
    this.#heard = {};
    this.#isPaused = this.#game.you === "nobody";
    return this.refresh();
  }

  /** Ask the service what there is to ask, and show what it says. Of several under way, only the latest is heard. */
  async refresh() {
    clearTimeout(this.#retry);
    this.#latest += 1;
    const mine = this.#latest;
    const isLatest = () => mine === this.#latest;
    const { fault, ...others } = this.#heard;
    this.#heard = others;
    this.#isBusy = true;
    this.#show();
    try {
      await this.#converse(isLatest);
      this.#nextRetry = FIRST_RETRY;
    } catch (error) {
      if (isLatest()) {
        this.#fail(error);
      }
    }
    if (isLatest()) {
      this.#isBusy = false;
      this.#show();
      if (this.#waiting !== null) {
        this.play(this.#waiting);
      }
    }
  }

  async #converse(isLatest) {
    const game = this.#game;
    if (this.isItsTurn && !this.#isPaused) {
      const asked = { ...question(game), ...howItPlays(game.options) };
      const [reply] = await Promise.all([ask(asked), delay(game)]);
      if (!isLatest()) {
        return;
      }
      const { move, after, position } = reply.answer;
      if (move !== null) {
        this.go(withMove(game, move), { isStep: false, heard: { reply, position: after } });
        return;
      }
      this.#heard.position = position;
    }
    await this.#hear(isLatest);
    if (isLatest()) {
      await this.#judge(isLatest);
    }
  }

  /** Hear what the service says of the board, as far as the page shows it. */
  async #hear(isLatest) {
    const { isSetUp, hasHints, view, ...game } = this.#game;
    const known = this.#heard;
    const asked = { ...question(game), ...howItSearches(game.options) };
    const isAnalysed = !isSetUp && (hasHints || view === "explain");
    const isAdvised = isAnalysed || isSetUp || view === "api" || !known.position;
    const [advice, analysis] = await Promise.all([
      isAdvised ? (known.advice ?? ask(asked)) : undefined,
      isAnalysed ? (known.analysis ?? ask({ ...asked, analysis: "true" })) : undefined,
    ]);
    if (!isLatest() || !advice) {
      return;
    }
    const { position } = advice.answer;
    this.#heard = { ...this.#heard, position, advice, analysis };
    const isUnclear = game.first !== position.to_move || game.start !== position.board;
    if (!isSetUp && !game.played.length && isUnclear) {
      const clear = { ...this.#game, start: position.board, first: position.to_move };
      this.go(clear, { isStep: false, heard: this.#heard, isPaused: this.#isPaused });
    }
  }

  async #judge(isLatest) {
    const game = this.#game;
    if (game.played.length && !this.verdicts && (this.isOver || isLookingBack(game))) {
      const list = await judge(game);
      if (isLatest()) {
        this.#verdicts = { key: keyOf(game), list };
      }
    }
  }

  #fail(fault) {
    this.#heard.fault = fault;
    if (!(fault instanceof Problem) && !fault.mayPass) {
      throw fault; // one of the page's own
    }
    if (fault.mayPass) {
      this.#retry = setTimeout(() => this.refresh(), this.#nextRetry);
      this.#nextRetry = Math.min(2 * this.#nextRetry, LAST_RETRY);
    }
  }
}

const keyOf = ({ start, first, played }, at = played.length) => JSON.stringify([start, first, played.slice(0, at)]);

/** Give a person the time to see a move before the next one. */
function delay({ you }) {
  const milliseconds = you === "nobody" ? 900 : 300;
  return calm.matches && you !== "nobody"
    ? undefined
    : new Promise((resolve) => {
        setTimeout(resolve, milliseconds);
      });
}
