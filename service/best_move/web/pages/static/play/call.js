// The page's last request, as code to copy.

import { check, chosen, find, radios } from "../page.js";
import { snippet } from "../snippets.js";

/** Show the chosen request: `advice` is about the position, `reply` returned the oracle's last move. */
export function drawCall({ advice, reply }) {
  const replyRadio = radios("call").find((radio) => radio.value === "reply");
  replyRadio.disabled = !reply;
  if (replyRadio.checked && !reply) {
    check("call", "advice");
  }
  const call = { advice, reply }[chosen("call")];
  find("code").textContent = call ? snippet(chosen("form"), call) : "";
  find("json").textContent = call ? json(call.answer) : "";
  if (call) {
    find("picture").href = `board.svg?board=${call.answer.position.board}`;
  }
}

/** A response as JSON, with each list of cells on one line. */
function json(answer) {
  return JSON.stringify(answer, null, 2).replace(/\[[\s\d,]+\]/g, (list) =>
    list.replace(/\s+/g, " ").replace("[ ", "[").replace(" ]", "]"),
  );
}
