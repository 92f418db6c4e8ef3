// The board: nine buttons. Arrow keys move the focus; the key with a cell's number chooses the cell.

import { CELL_NAMES, worth } from "../words.js";

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const MARKS = { x: "X", o: "O", Delete: ".", Backspace: "." };

/** What each cell shows: its mark, the outcome of its move as a symbol and in words, its classes, and its name. */
function cellsOf({ board, moves = [], best = null, last = null, line = [] }) {
  const worths = new Map(moves.map((move) => [move.move, worth(move)]));
  return [...board].map((content, cell) => {
    const mark = "XO".includes(content) ? content : "";
    const [symbol, words] = worths.get(cell) ?? ["", ""];
    const classes = { best: cell === best, winning: line.includes(cell), last: cell === last };
    const notes = [classes.best && "best move", classes.winning && "winning line", classes.last && "last move"];
    const name = [String(cell), words, CELL_NAMES[cell], mark || "empty", ...notes].filter(Boolean).join(", ");
    return { mark, symbol, words, classes, name };
  });
}

export class Board {
  #element;
  #buttons;
  #strike;

  /** Handle events of the cells: call `pick(cell)` for a chosen cell, and `pick(cell, mark)` for the key of a mark. */
  constructor(element, pick) {
    this.#element = element;
    this.#buttons = [...element.querySelectorAll("button")];
    this.#strike = element.querySelector(".strike path");
    element.addEventListener("focus", () => this.focus()); // by the link that skips to the board
    this.#buttons.forEach((button, cell) => {
      button.addEventListener("click", () => pick(cell));
      button.addEventListener("focus", () => this.#keepInTabOrder(cell));
      button.addEventListener("keydown", (event) => this.#press(event, cell, pick));
    });
    addEventListener("keydown", (event) => this.#pressNumber(event, pick));
  }

  /** Focus a cell, by default the one in the tab order. */
  focus(cell = this.#buttons.findIndex((button) => button.tabIndex === 0)) {
    this.#buttons[cell].focus();
  }

  /** Show that a cell cannot be played. */
  refuse(cell) {
    this.#buttons[cell].classList.remove("refused");
    void this.#buttons[cell].offsetWidth; // computes the layout, because otherwise the animation would not start again
    this.#buttons[cell].classList.add("refused");
  }

  /** Show a position, and the outcomes of `moves`. `side` is the mark that a click would place, or empty. */
  draw(content) {
    const { board, line = [], side, isSetUp } = content;
    this.#element.dataset.side = side;
    this.#element.classList.toggle("set-up", isSetUp);
    this.#strike.setAttribute("d", line.length ? through(line[0], line[2]) : "");
    if (line.length) {
      this.#element.dataset.winner = board[line[0]];
    } else {
      delete this.#element.dataset.winner;
    }
    cellsOf(content).forEach(({ mark, symbol, words, classes, name }, cell) => {
      const button = this.#buttons[cell];
      button.dataset.mark = mark;
      button.dataset.worth = symbol;
      for (const [each, isOn] of Object.entries(classes)) {
        button.classList.toggle(each, isOn);
      }
      button.setAttribute("aria-disabled", String(!isSetUp && (!side || mark !== "")));
      const [first, second] = button.querySelector(".worth").children;
      first.textContent = symbol;
      second.textContent = words;
      button.setAttribute("aria-label", name);
      button.querySelector(".hidden").textContent = mark; // text, so that it is copied with the page's text
    });
  }

  #keepInTabOrder(cell) {
    this.#buttons.forEach((button, other) => {
      button.tabIndex = other === cell ? 0 : -1;
    });
  }

  /** Choose a cell by the key with its number, if the focus is on the board or on nothing. */
  #pressNumber({ key, ctrlKey, metaKey, altKey, target }, pick) {
    const isHere = target.matches("body, .board, .board *");
    if (isHere && /^[0-8]$/.test(key) && !(ctrlKey || metaKey || altKey)) {
      pick(Number(key)); // before the cell is focused, so that a screen reader reads the cell's new name
      this.focus(Number(key));
    }
  }

  #press(event, cell, pick) {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const mark = MARKS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (STEPS[event.key]) {
      const [down, right] = STEPS[event.key];
      const row = Math.min(2, Math.max(0, Math.floor(cell / 3) + down));
      const column = Math.min(2, Math.max(0, (cell % 3) + right));
      this.focus(3 * row + column);
    } else if (event.key === "Home" || event.key === "End") {
      this.focus(cell - (cell % 3) + (event.key === "End" ? 2 : 0));
    } else if (mark) {
      pick(cell, mark);
    } else {
      return;
    }
    event.preventDefault();
  }
}

/** The center of a cell, on a board whose cells have a width of 100. */
export const center = (cell) => [(cell % 3) * 100 + 50, Math.floor(cell / 3) * 100 + 50];

/** The path of a line through two cells, which extends beyond their marks. */
export function through(first, last) {
  const [[x, y], [u, v]] = [center(first), center(last)];
  const [right, down] = [0.18 * (u - x), 0.18 * (v - y)];
  return `M${x - right} ${y - down} ${u + right} ${v + down}`;
}
