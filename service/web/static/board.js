// The board: nine buttons, of which one is in the tab order and the arrow keys reach the others.

import { CELL_NAMES, outcome, plies, value } from "./words.js";

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

const CELL = `
  <button type="button" class="cell">
    <span class="number" aria-hidden="true"></span>
    <svg class="mark x" viewBox="0 0 100 100" aria-hidden="true"><path pathLength="1" d="M27 27 73 73"/><path pathLength="1" d="M73 27 27 73"/></svg>
    <svg class="mark o" viewBox="0 0 100 100" aria-hidden="true"><circle pathLength="1" cx="50" cy="50" r="25"/></svg>
    <span class="worth" aria-hidden="true"><b></b><span></span></span>
  </button>`;

export class Board {
  #buttons;

  /** Build the cells. `pick(cell, mark)` is called for a cell chosen; `mark` is given where a key names it. */
  constructor(element, pick) {
    element.innerHTML = '<div role="row"></div>'.repeat(3);
    for (const row of element.children) {
      row.innerHTML = `<div role="gridcell">${CELL}</div>`.repeat(3);
    }
    this.#buttons = [...element.querySelectorAll("button")];
    this.#buttons.forEach((button, cell) => {
      button.querySelector(".number").textContent = cell;
      button.tabIndex = cell === 0 ? 0 : -1;
      button.addEventListener("click", () => pick(cell));
      button.addEventListener("focus", () => this.#keepInTabOrder(cell));
      button.addEventListener("keydown", (event) => this.#press(event, cell, pick));
    });
  }

  focus() {
    this.#buttons.find((button) => button.tabIndex === 0).focus();
  }

  /** Show a position: `moves` are the oracle's on it, `best` its choice, `line` the winning cells. */
  draw({ board, moves = [], best = null, last = null, line = [], canPick, isSetUp }) {
    const worths = new Map(moves.map((move) => [move.move, move]));
    this.#buttons.forEach((button, cell) => {
      const mark = { X: "X", O: "O", x: "X", o: "O" }[board[cell]] ?? "";
      const worth = mark ? undefined : worths.get(cell);
      button.dataset.mark = mark;
      button.dataset.outcome = worth?.outcome ?? "";
      button.classList.toggle("best", cell === best);
      button.classList.toggle("last", cell === last);
      button.classList.toggle("winning", line.includes(cell));
      button.setAttribute("aria-disabled", String(!isSetUp && (!canPick || mark !== "")));
      const [bold, plain] = button.querySelector(".worth").children;
      bold.textContent = worth ? outcome(worth.outcome) : "";
      plain.textContent = worth ? [value(worth.value, worth.outcome !== "unknown"), inPlies(worth)].filter(Boolean).join(" · ") : "";
      const said = [`${CELL_NAMES[cell]}, ${mark || "empty"}`];
      if (worth) {
        said.push(`${bold.textContent} ${value(worth.value, true)}`, inPlies(worth));
      }
      said.push(cell === best && "best move", line.includes(cell) && "winning line", cell === last && "last move");
      button.setAttribute("aria-label", said.filter(Boolean).join(", "));
    });
  }

  #keepInTabOrder(cell) {
    this.#buttons.forEach((button, other) => {
      button.tabIndex = other === cell ? 0 : -1;
    });
  }

  #press(event, cell, pick) {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const mark = { x: "X", o: "O", Delete: ".", Backspace: "." }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (STEPS[event.key]) {
      const [down, right] = STEPS[event.key];
      const row = Math.min(2, Math.max(0, Math.floor(cell / 3) + down));
      const column = Math.min(2, Math.max(0, (cell % 3) + right));
      this.#buttons[3 * row + column].focus();
    } else if (event.key === "Home" || event.key === "End") {
      this.#buttons[cell - (cell % 3) + (event.key === "End" ? 2 : 0)].focus();
    } else if (mark) {
      pick(cell, mark);
    } else {
      return;
    }
    event.preventDefault();
  }
}

function inPlies({ distance }) {
  return distance === null ? "" : plies(distance);
}
