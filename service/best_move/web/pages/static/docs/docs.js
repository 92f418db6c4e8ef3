// The reference: each request can be changed and sent where it is described.

import { chosen, find, radios } from "../page.js";
import { snippet } from "../snippets.js";

const FIRST = { board: "X...O...." };

const forms = find("forms");
const drawFirst = () => {
  const url = new URL(`best-move?${new URLSearchParams(FIRST)}`, location.href).href;
  find("code").textContent = snippet(chosen("form"), { question: FIRST, url });
};
forms.hidden = false;
for (const radio of radios("form")) {
  radio.addEventListener("change", drawFirst);
}
drawFirst();

for (const form of document.querySelectorAll(".call")) {
  const { example, text } = form.elements;
  const fill = () => {
    text.value = example.value;
  };
  example?.addEventListener("change", fill);
  if (text && !text.value) {
    fill();
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form, text?.value ?? "");
  });
}

/** Send the request of a form and show the response: a picture as a picture, anything else as text. */
async function send(form, text) {
  const { method } = form.dataset;
  const path = `.${form.dataset.path}`; // relative to this page
  const url = text ? `${path}?${text.trim()}` : path;
  const [note, picture, answer] = ["[role=status]", "img", "pre"].map((selector) => form.querySelector(selector));
  note.textContent = "Sending …";
  try {
    const response = await (method === "GET"
      ? fetch(url)
      : fetch(path, { method, headers: { "Content-Type": "application/json" }, body: text }));
    const type = response.headers.get("Content-Type") ?? "";
    const isPicture = type.startsWith("image/");
    picture.hidden = !isPicture;
    if (isPicture) {
      picture.src = url;
      picture.alt = "The board";
    }
    answer.textContent = isPicture ? "" : indented(await response.text());
    note.textContent = `${response.status} ${type}`;
  } catch {
    note.textContent = "No connection: the service is not responding. Send again later.";
    answer.textContent = "";
    picture.hidden = true;
  }
  answer.hidden = !answer.textContent;
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
