// What the search is doing at a step: the board, the numbers, the sentence, and the line of the algorithm.

import { element, find } from "../page.js";
import { numbered } from "./drawing.js";
import { tell } from "./terms.js";

/** Show the position of a node; `numbers` are lines about it, `sentence` says what happens there. */
export function showMoment({ board, move }, numbers, sentence) {
  find("moment-board").replaceChildren(...numbered(board, move));
  const place = find("moment-numbers");
  if (place.textContent !== numbers.join("")) {
    place.replaceChildren(
      ...numbers.map((text) => {
        const line = element("p");
        tell(line, text);
        return line;
      }),
    );
  }
  tell(find("moment-sentence"), sentence);
}

/** Show the lines of the algorithm, of which one may be live. */
export function showLines(lines) {
  find("algorithm").replaceChildren(
    ...lines.map(({ text, isLive }) => {
      const item = element("li");
      const code = element("code");
      tell(code, text);
      item.append(code);
      if (isLive) {
        item.setAttribute("aria-current", "step");
      }
      return item;
    }),
  );
}
