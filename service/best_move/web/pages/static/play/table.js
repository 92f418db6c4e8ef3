// The state of the page: the game, the pending requests, and the service's responses.

import { ask, Problem } from "../service.js";
import { addressOf, read } from "./address.js";
import {
  boardOf,
  EMPTY,
  hasBegun,
  isLookingBack,
  isYours,
  newGame,
  question,
  sideOf,
  statusOf,
  undone,
  withMove,
} from "./game.js";
import { judge } from "./review.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");

// Times in milliseconds.
const FIRST_RETRY = 2_000; // before the first retry; each further wait is twice as long
const LAST_RETRY = 10_000; // the longest wait before a retry
const LEAST_RETRY = 500; // the shortest time until the user's own retry fails, so that the retry is noticed
const THINKING = 300; // the shortest time until a reply, so that the user's move is seen before it
const BEAT = 900; // between two moves of the oracle

export class Table {
  game;
  ignored; // the parts of the URL that were ignored; empty once the user has done something
  /**
   * The responses that have arrived for the board shown: its `position`, the best move (`advice`), the value of every
   * move (`analysis`), and the oracle's move that led to the board (`reply`). Also the `error` of the last request.
   */
  responses = {};
  task = ""; // what the user should do on the board shown; empty if there is no task
  refused = null; // the cell chosen last, if it could not be played; null after any other action
  isPaused = false; // whether the oracle waits for the user to start it
  isBusy = false;
  #verdicts = new Map(); // the reviews of moves; the key of each is that of the game up to the move
  #pending = new AbortController(); // aborts the requests of the last refresh
  #retry;
  #nextRetry = FIRST_RETRY;
  #accepted = new Set([EMPTY]); // the first boards that the service has accepted; the empty board needs no asking
  #isMade; // whether a move of this game was made on this page, not read from the URL
  #begun = Date.now(); // when this game began, which identifies it in the browser's history
  #options;
  #show;
  #count;

  /** `show()` is called on every change, `count(end)` whenever the end of a game is shown. */
  constructor(options, show, count) {
    this.#options = options;
    this.#show = show;
    this.#count = count;
    this.#read();
    // Adds the side that starts if it was chosen at random.
    history.replaceState({ ...history.state, begun: this.#begun }, "", addressOf(this.game));
  }

  /** The reviews of the game's moves; each is undefined until it has arrived. */
  get verdicts() {
    return this.game.played.map((_, index) => this.#verdicts.get(keyOf(this.game, index + 1)));
  }

  /** Whether the page shows which moves were mistakes: once all are reviewed, but not while the game is played. */
  get isReviewed() {
    const isShown = this.isOver || isLookingBack(this.game);
    return isShown && this.game.played.length > 0 && this.verdicts.every(Boolean);
  }

  /** The status of the board shown, as in the API. */
  get status() {
    return statusOf(boardOf(this.game));
  }

  get isOver() {
    return this.status !== "in_progress";
  }

  /** Whether the user may move now, even before the service has responded if it has accepted the game's first board. */
  get canPlay() {
    const { isSetUp, start } = this.game;
    const isKnown = this.responses.position || this.#accepted.has(start);
    return !isSetUp && this.#isYourTurn && isKnown && !this.isOver;
  }

  /** Whether the next move is the oracle's. */
  get isItsTurn() {
    return !this.game.isSetUp && !isLookingBack(this.game) && !this.isOver && !this.#isYourTurn;
  }

  get #isYourTurn() {
    return isYours(this.game, sideOf(this.game));
  }

  begin(game) {
    this.#isMade = false;
    this.#begun = Date.now();
    return this.go(game);
  }

  /**
   * Go to another game or board. If `isStep` is true, add an entry to the browser's history. Only the oracle's own move
   * passes `responses`, those already known for its board; any other call is an action of the user.
   */
  go(next, { isStep = true, responses, isPaused = false, task = "" } = {}) {
    const last = this.game;
    this.game = next;
    this.isPaused = isPaused;
    this.ignored = responses ? this.ignored : [];
    if (isStep) {
      history.pushState({ from: addressOf(last), begun: this.#begun }, "", addressOf(this.game));
    } else {
      history.replaceState(history.state, "", addressOf(this.game));
    }
    if (keyOf(last, last.at) !== keyOf(next, next.at) || last.isSetUp !== next.isSetUp) {
      this.responses = responses ?? {};
      this.task = task;
    }
    return this.refresh();
  }

  /** Change parts of the game, without a new entry in the browser's history. */
  change(parts) {
    return this.go({ ...this.game, ...parts }, { isStep: false, isPaused: this.isPaused });
  }

  /** Choose who starts each new game; before the first move this begins a new game. */
  chooseFirst(first) {
    const next = { ...this.game, first };
    return hasBegun(next) || next.isSetUp ? this.change(next) : this.begin(newGame(next));
  }

  /** Make a move. Return false if the user may not move there. */
  play(cell) {
    if (!this.canPlay || boardOf(this.game)[cell] !== ".") {
      this.refused = cell;
      return false;
    }
    this.#isMade = true;
    this.go(withMove(this.game, cell));
    return true;
  }

  /** Undo the user's last move, by going back in the browser's history if this leads to the game before the move. */
  undo() {
    const before = undone(this.game);
    if (history.state?.from === addressOf(before)) {
      history.back();
    } else {
      this.go(before, { isPaused: before.you === "nobody" });
    }
  }

  pause() {
    this.isPaused = true;
    return this.refresh();
  }

  resume() {
    this.isPaused = false;
    return this.refresh();
  }

  reread() {
    this.#read();
    this.responses = {};
    this.task = "";
    this.isPaused = this.game.you === "nobody";
    return this.refresh();
  }

  /** Retry after an error. Another error is shown after a minimum time, so that the user notices the retry. */
  retry() {
    return this.refresh({ least: LEAST_RETRY });
  }

  /** Request everything that the page needs, and show it. Show an error after `least` milliseconds at the earliest. */
  async refresh({ least = 0 } = {}) {
    clearTimeout(this.#retry);
    this.#pending.abort();
    this.#pending = new AbortController();
    const { signal } = this.#pending;
    this.refused = null;
    this.#countEnd();
    const { error: _, ...others } = this.responses;
    this.responses = others;
    const seen = wait(least);
    try {
      if (this.isItsTurn && !this.isPaused && others.reply) {
        this.isBusy = false; // the oracle's last move is shown and announced before its next one
        this.#show();
        await Promise.all([wait(BEAT), this.#judge(signal)]);
        signal.throwIfAborted();
      }
      this.isBusy = true;
      this.#show();
      await this.#converse(signal);
      this.#nextRetry = FIRST_RETRY;
    } catch (error) {
      await seen;
      if (signal.aborted) {
        return;
      }
      this.#fail(error);
    }
    this.isBusy = false;
    this.#show();
  }

  #read() {
    [this.game, this.ignored] = read(location.search, this.#options.choices);
    this.#isMade = false;
    this.#begun = history.state?.begun ?? this.#begun;
  }

  async #converse(signal) {
    const game = this.game;
    if (this.isItsTurn && !this.isPaused) {
      const parameters = { ...question(game), ...this.#options.howItPlays(game.options) };
      const least = game.you === "nobody" || calm.matches ? 0 : THINKING;
      const [reply] = await Promise.all([ask(parameters, signal), wait(least)]);
      signal.throwIfAborted();
      this.#isMade = true;
      this.go(withMove(game, reply.move), { isStep: false, responses: { reply, position: reply.after } });
      throw signal.reason; // go() has aborted this refresh, and started that of the new board
    }
    await this.#describe(signal);
    signal.throwIfAborted();
    this.#accepted.add(this.game.start);
    await this.#judge(signal);
  }

  /**
   * Request the responses that the page shows about the board. The moves' values come from a second request, because a
   * search for them visits more nodes than the search for the best move, whose number the page shows.
   */
  async #describe(signal) {
    const { isSetUp, hasHints, view } = this.game;
    const known = this.responses;
    const parameters = question(this.game);
    const isAnalysed = !isSetUp && (hasHints || view === "explain");
    const isAdvised = isAnalysed || isSetUp || !known.position;
    const [advice, analysis] = await Promise.all([
      isAdvised ? (known.advice ?? ask(parameters, signal)) : undefined,
      isAnalysed ? (known.analysis ?? ask({ ...parameters, analysis: "true" }, signal)) : undefined,
    ]);
    if (advice) {
      this.responses = { ...this.responses, position: advice.position, advice, analysis };
    }
  }

  /** Request the reviews of the game's moves unless they are known. */
  async #judge(signal) {
    if (!this.verdicts.every(Boolean)) {
      const verdicts = await judge(this.game, signal);
      for (const [index, verdict] of verdicts.entries()) {
        this.#verdicts.set(keyOf(this.game, index + 1), verdict);
      }
    }
  }

  #countEnd() {
    if (this.isOver && !this.game.isSetUp && !isLookingBack(this.game)) {
      this.#count({ begun: this.#begun, isMade: this.#isMade, status: this.status, you: this.game.you });
    }
  }

  #fail(error) {
    this.responses.error = error;
    if (!(error instanceof Problem) && !error.isRetryable) {
      throw error; // a bug of the page
    }
    if (error.isRetryable) {
      this.#retry = setTimeout(() => this.refresh(), this.#nextRetry);
      this.#nextRetry = Math.min(2 * this.#nextRetry, LAST_RETRY);
    }
  }
}

const keyOf = ({ start, starts, played }, at = played.length) => JSON.stringify([start, starts, played.slice(0, at)]);

const wait = (milliseconds) =>
  milliseconds &&
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
