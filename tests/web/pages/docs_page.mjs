// Runs the reference, and prints, as JSON, what it shows after the user's actions.
//
// Each line of the input has actions, and gets a line with all requests that the page shows, and what the code in
// JavaScript of the last one named `run` requests.

import { document, open, page, receive, send, setPage, settle, visit, window } from "./document.mjs";

const callOf = (call) => ({
  request: call.querySelector("pre").getAttribute("aria-label"),
  language: call.querySelector(".code select").value,
  code: call.querySelector(".code pre").textContent,
  copied: call.querySelector(".code .note").textContent,
  text: call.elements?.text.value ?? null,
  example: call.elements?.example.selectedOptions[0].textContent ?? null,
  isDisabled: call.querySelector(".sending button")?.disabled ?? null,
  note: call.querySelector(".sending .note")?.textContent ?? null,
  picture: call.querySelector("img:not([hidden])")?.getAttribute("src") ?? null,
  answer: call.querySelector(":scope > pre:not([hidden])")?.textContent ?? null,
});

const calls = () => [...document.querySelectorAll(".call")];
const dispatch = (element, type) => element.dispatchEvent(new window.Event(type, { bubbles: true, cancelable: true }));

const choose = (select, value, type) => {
  select.value = value;
  dispatch(select, type);
};

const AsyncFunction = (async () => {}).constructor;
let requested = null;
let visits = 0;
let isLeft = false; // whether the browser sends a form itself

/** Run code in JavaScript, and note what it requests, how it reads the response, and what it prints. */
async function run(code) {
  requested = {};
  const read = (kind) => async () => kind;
  const answer = { json: read("json"), text: read("text"), blob: read("blob") };
  const request = async (url, options) => {
    requested = { url, ...options };
    return answer;
  };
  await new AsyncFunction("fetch", "console", code)(request, { log: (text) => (requested.printed = text) });
}

const ACTIONS = {
  async visit(address) {
    Object.assign(visit, { media: [], seen: "" });
    window.history.replaceState(null, "", address);
    setPage(await page("docs"));
    await open("docs/copy");
    visits += 1;
    await import(`${process.argv[2]}/docs/docs.js?visit=${visits}`);
  },
  language: ([index, value]) => choose(calls()[index].querySelector(".code select"), value, "change"),
  example: ([index, number]) => {
    calls()[index].elements.example.selectedIndex = number;
    dispatch(calls()[index].elements.example, "change");
  },
  text: ([index, value]) => choose(calls()[index].elements.text, value, "input"),
  send(index) {
    isLeft = dispatch(calls()[index], "submit");
  },
  copy: (index) => calls()[index].querySelector(".copy").click(),
  run: (index) => run(calls()[index].querySelector(".code pre").textContent),
  media: (media) => Object.assign(visit, { media }),
  wait: (milliseconds) => settle(() => {}, milliseconds),
};

for (let actions = await receive(); actions; actions = await receive()) {
  Object.assign(visit, { urls: [], copied: [] });
  requested = null;
  for (const [name, value] of actions) {
    await ACTIONS[name](value);
  }
  if (actions.at(-1)[0] !== "wait") {
    await settle(() => {});
  }
  send({ calls: calls().map(callOf), requested, urls: visit.urls, copied: visit.copied, seen: visit.seen, isLeft });
}
