// The reference: beside the description of each request, the request can be changed, copied as code and sent.

import { snippet } from "./snippets.js";

const languages = document.querySelectorAll(".code select");
const calls = document.querySelectorAll(".call");

/**
 * The request of a call: a URL, and the body of a POST. A call is a form or, without examples, a `div`, whose
 * `data-text` may be a query.
 */
function request(call) {
  const { method, path, text } = call.dataset;
  const url = new URL(`.${path}`, location.href).href; // relative to this page
  const content = (call.elements?.text.value ?? text ?? "").trim();
  return method === "POST" ? { url, body: content } : { url: content ? `${url}?${content}` : url };
}

/** Show the code of a call, or the reason why there is none. */
function draw(call) {
  let text;
  try {
    // The name of an error's example starts with its status, such as 422.
    const isError = /^4/.test(call.elements?.example.selectedOptions[0].text);
    text = snippet(languages[0].value, { ...request(call), media: call.dataset.media, isError });
  } catch {
    text = "The body is not valid JSON.";
  }
  call.querySelector(".code pre").textContent = text;
}

for (const call of calls) {
  if (call.elements) {
    const { example, text } = call.elements;
    const fill = () => {
      text.value = example.value;
      draw(call);
    };
    example.addEventListener("change", fill);
    text.addEventListener("input", () => {
      example.selectedIndex = example.length - 1; // "Custom", which is hidden
      draw(call);
    });
    call.addEventListener("submit", (event) => {
      event.preventDefault();
      send(call);
    });
    call.querySelector(".sending button").disabled = false; // before this script runs, the browser would block the form
    fill();
  } else {
    draw(call);
  }
}

// On a phone the open contents cover the section that was chosen.
const contents = document.querySelector(".contents details");
contents.querySelector("ul").addEventListener("click", () => {
  contents.open = false;
});

for (const select of languages) {
  select.addEventListener("change", () => {
    for (const other of languages) {
      other.value = select.value;
    }
    calls.forEach(draw);
  });
}

// A link such as `docs?board=X...O....#getBestMove` contains the query of the call that its fragment names.
const linked = document.getElementById(location.hash.slice(1));
const field = linked?.closest("section")?.querySelector("[data-method=GET] textarea");
if (field && location.search) {
  field.value = location.search.slice(1);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
linked?.scrollIntoView(); // because the code drawn above the section has moved it down

/** Send the request of a form and show the response: a picture as a picture, anything else as text. */
async function send(form) {
  const { url, body } = request(form);
  const [note, picture, answer] = [".sending .note", "img", ":scope > pre"].map((each) => form.querySelector(each));
  note.textContent = "Sending …";
  try {
    const post = { method: "POST", headers: { "Content-Type": "application/json" }, body };
    const response = await fetch(url, body === undefined ? {} : post);
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
