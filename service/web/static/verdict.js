// What the oracle says: its words, the figures and the line, or what went wrong.

import { CELL_NAMES, count, milliseconds, opponent, outcome, plies, value } from "./words.js";

const find = (id) => document.getElementById(id);

/** Show the oracle's last move, or what stands for it, and its advice on the position, if that is wanted. */
export function showVerdict({ reply, instead, advice }) {
  find("answer").dataset.hidden = "";
  find("problem").replaceChildren();
  const said = reply?.text ?? instead;
  find("reply").replaceChildren(...(said ? [tag("Its move"), ` ${said}`] : []));
  find("advice").replaceChildren(...(advice ? words(advice) : ["The advice is off: the next move is all yours."]));
  const shown = advice ?? reply;
  find("value-title").textContent = shown ? `Value for ${shown.position.to_move}` : "Value";
  find("value").textContent = shown ? value(shown.value, shown.exact) : "–";
  find("outcome").textContent = shown ? result(shown) : "–";
  find("nodes").textContent = shown ? count(shown.nodes) : "–";
  find("time").textContent = shown ? milliseconds(shown.elapsed_ms) : "–";
  find("variation").replaceChildren(...(shown ? chips(shown) : []));
}

/** Show a fault; where it may pass by itself, with a way to try again. */
export function showFault(fault, retry) {
  find("answer").dataset.hidden = "true";
  const shown = [element("h3", fault.heading), element("p", fault.message), element("p", fault.source, "note")];
  if (fault.mayPass) {
    const button = element("button", "Try again");
    button.type = "button";
    button.addEventListener("click", retry);
    shown.push(button);
  }
  find("problem").replaceChildren(...shown);
}

function words(advice) {
  return advice.move === null ? [advice.text ?? ""] : [tag("Your move"), ` ${advice.text}`];
}

function result({ outcome: word, distance, position }) {
  if (position.status !== "in_progress") {
    return "Game over";
  }
  return distance === null ? outcome(word) : `${outcome(word)} in ${plies(distance)}`;
}

function chips({ principal_variation: cells, position }) {
  let mark = position.to_move;
  return cells.map((cell) => {
    const item = element("li");
    const name = element("span", `${mark} ${CELL_NAMES[cell]}`, "hidden");
    const chip = element("span", `${mark} ${cell}`);
    chip.setAttribute("aria-hidden", "true");
    item.append(chip, name);
    mark = opponent(mark);
    return item;
  });
}

const tag = (text) => element("b", text, "tag");

function element(name, text = "", className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
}
