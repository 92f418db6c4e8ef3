// The texts and the buttons of an exercise: in the card of the step, and in a bar above the tree.

import { check, element, find, onClick, radios, write } from "../../page.js";
import { sentence, tell } from "../terms.js";

const CARD = `<form id="exercise-form">
  <p id="exercise-task"></p>
  <p class="answer"><button class="primary" id="exercise-check">Check</button>
    <button type="button" id="exercise-reveal">Show which</button>
    <span class="note" id="exercise-score"></span></p>
</form>
<div role="status"><p id="exercise-result"></p><ol id="exercise-reasons"></ol></div>
<p id="exercise-onward"><a id="exercise-again" href=""></a> <a href="?lesson=1">Lessons</a></p>
<p id="exercise-back"><a href="">Back to the exercise</a></p>`;

const BAR = `<div class="segments" role="radiogroup" aria-label="Exercise">
  <label><input type="radio" name="at_once" value=""><span>Node by node</span></label>
  <label><input type="radio" name="at_once" value="true"><span>Whole tree</span></label>
</div>
<label id="exercise-windows"><input type="checkbox"> α and β</label>
<b id="exercise-rule" translate="no"></b>
<button type="button" id="exercise-sheet">Print sheet</button>
<button type="button" id="exercise-key">Print sheet and key</button>`;

export const FORM = "exercise-form";

export class Panel {
  #reasons = "";

  /** The functions of `on` are called to `submit` the answers, to `reveal` mistakes, to `print`, and to `choose` a mode. */
  constructor(on) {
    find("exercise").innerHTML = CARD;
    find("exercise-bar").innerHTML = BAR;
    find(FORM).addEventListener("submit", (event) => {
      event.preventDefault();
      on.submit();
    });
    onClick("exercise-reveal", on.reveal);
    onClick("exercise-sheet", () => on.print(false));
    onClick("exercise-key", () => on.print(true));
    for (const radio of radios("at_once")) {
      radio.addEventListener("change", () => on.choose({ at_once: radio.value }));
    }
    this.#windows.addEventListener("change", ({ target }) => on.choose({ windows: target.checked ? "true" : "" }));
  }

  get #windows() {
    return find("exercise-windows").querySelector("input");
  }

  /** Show an exercise, with its bar if it `asks` anything; one that is set `aside` has only the link `back` to it. */
  toggle(isOn, { asks = false, isAside = false, back = "" } = {}) {
    find("exercise").hidden = !isOn;
    find("exercise-bar").hidden = !asks;
    for (const part of find("exercise").children) {
      part.hidden = isAside;
    }
    find("exercise-back").hidden = !isAside;
    find("exercise-back").firstElementChild.href = back;
  }

  /** Show the choices of an exercise, and the rule of its cutoffs, which is empty if there are none. */
  showChoices({ at_once: isWhole, windows }, rule) {
    check("at_once", isWhole ?? "");
    this.#windows.checked = Boolean(windows);
    find("exercise-windows").hidden = !rule;
    write("exercise-rule", rule);
  }

  /**
   * Show the `task`; the `button` that checks answers or goes on; the `score`; the `result` of grading, with the
   * `reasons`, each a sentence with the `href` of the step that decides; and the link that leads `onward` at the end.
   */
  show({ task, button, canReveal, score, result, reasons, onward }) {
    find(FORM).hidden = !task;
    tell(find("exercise-task"), task);
    write("exercise-check", button);
    find("exercise-check").hidden = !button;
    find("exercise-reveal").hidden = !canReveal;
    write("exercise-score", score);
    this.say(result);
    const key = JSON.stringify(reasons);
    if (key !== this.#reasons) {
      this.#reasons = key;
      find("exercise-reasons").replaceChildren(...reasons.map(reason));
    }
    find("exercise-onward").hidden = !onward;
    Object.assign(find("exercise-again"), { href: onward?.href ?? "", textContent: onward?.text ?? "" });
  }

  say(result) {
    tell(find("exercise-result"), result);
  }

  /** Focus the first visible place that matches a selector: by default the button or, if it is hidden, the way on. */
  focus(selector = "#exercise-check, #exercise-again, #exercise-back a") {
    const places = find("exercise").querySelectorAll(selector);
    [...places].find((each) => !each.closest("[hidden]"))?.focus();
  }
}

/** An entry of the list of reasons. */
function reason({ said, href, step }) {
  const item = element("li");
  tell(item, sentence`${said} `);
  item.append(Object.assign(element("a", `Step ${step}`), { href }));
  return item;
}
