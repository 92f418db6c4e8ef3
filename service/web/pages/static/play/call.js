// The last call that the page made, as code to take away.

import { check, chosen, find, radios } from "../page.js";

const FORMS = {
  curl: ({ url }) => `curl '${url}'`,

  python: ({ question, url }) => `import json
from urllib.parse import urlencode
from urllib.request import urlopen

question = ${JSON.stringify(question, null, 4)}
with urlopen("${endpoint(url)}?" + urlencode(question)) as response:
    answer = json.load(response)
print(answer["move"])
`,

  javascript: ({ question, url }) => `const question = ${JSON.stringify(question, null, 2)};
const url = "${endpoint(url)}?" + new URLSearchParams(question);
const answer = await (await fetch(url)).json();
console.log(answer.move);
`,
};

const endpoint = (url) => url.split("?")[0];

/** Show the call chosen: `advice` is the one on the position, `reply` the one that the oracle's last move came from. */
export function drawCall({ advice, reply }) {
  const replyRadio = radios("call").find((radio) => radio.value === "reply");
  replyRadio.disabled = !reply;
  if (replyRadio.checked && !reply) {
    check("call", "advice");
  }
  const call = { advice, reply }[chosen("call")];
  find("code").textContent = call ? FORMS[chosen("form")](call) : "";
  find("json").textContent = call ? json(call.answer) : "";
  if (call) {
    find("picture").href = `board.svg?board=${call.answer.position.board}`;
  }
}

/** An answer as JSON, with lists of cells on one line. */
function json(answer) {
  return JSON.stringify(answer, null, 2).replace(/\[[\s\d,]+\]/g, (list) =>
    list.replace(/\s+/g, " ").replace("[ ", "[").replace(" ]", "]"),
  );
}
