// Functions that several modules use to change the page.

/** The element with the given ID. */
export const find = (id) => document.getElementById(id);

/** A new element with a class and a text or nodes. */
export function element(name, content = "", className = "") {
  const node = document.createElement(name);
  node.append(...[content].flat());
  node.className = className;
  return node;
}

/** A new button with a text or nodes; `act` is called on each click. */
export function button(content, act, className = "") {
  const node = element("button", content, className);
  node.type = "button";
  node.addEventListener("click", act);
  return node;
}

/** Write a text into an element unless it is there already, because each change of a live region is announced. */
export function write(id, text) {
  if (find(id).textContent !== text) {
    find(id).textContent = text;
  }
}

/** Write a text into an element unless it is there already, with X and O in their colors. */
export function writeWithMarks(id, text) {
  if (find(id).textContent !== text) {
    const parts = text.split(/\b([XO])\b/);
    find(id).replaceChildren(...parts.map((part, index) => (index % 2 ? coloredMark(part) : part)));
  }
}

/** A text that starts with a mark, in the mark's color. */
export function coloredMark(text) {
  const node = element("b", text);
  [node.dataset.mark] = text;
  return node;
}

/** Disable or enable a button; a disabled button can still have the focus. */
export const setDisabled = (id, isDisabled) => find(id).setAttribute("aria-disabled", String(isDisabled));

/** Call a function on each click on a button while the button is not disabled. */
export function onClick(id, act) {
  find(id).addEventListener("click", (event) => {
    if (event.currentTarget.getAttribute("aria-disabled") !== "true") {
      act();
    }
  });
}

/** The radio buttons with the given name. */
export const radios = (name) => [...document.getElementsByName(name)];

/** The value of the chosen radio button with the given name; undefined if none is chosen. */
export const chosen = (name) => radios(name).find((radio) => radio.checked)?.value;

/** Choose the radio button with the given name and value. */
export function check(name, value) {
  for (const radio of radios(name)) {
    radio.checked = radio.value === value;
  }
}
