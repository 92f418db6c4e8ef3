// The last call that the page made, as code to take away.

import { check, chosen, find, radios } from "../page.js";
import { snippet } from "../snippets.js";

/** Show the call chosen: `advice` is the one on the position, `reply` the one that the oracle's last move came from. */
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

/** An answer as JSON, with lists of cells on one line. */
function json(answer) {
  return JSON.stringify(answer, null, 2).replace(/\[[\s\d,]+\]/g, (list) =>
    list.replace(/\s+/g, " ").replace("[ ", "[").replace(" ]", "]"),
  );
}
