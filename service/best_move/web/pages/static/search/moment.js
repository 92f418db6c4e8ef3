// The current step of the search: the board, the numbers, the sentence, and the line of the algorithm.

import { element, find } from "../page.js";
import { numbered } from "./drawing.js";
import { explained, tell } from "./terms.js";

/** Show the position of a node; `numbers` are lines about it, `sentence` says what happens there. */
export function showMoment({ board, move }, numbers, sentence) {
  find("moment-board").replaceChildren(...numbered(board, move));
  const place = find("moment-numbers");
  if (place.textContent !== numbers.join("")) {
    place.replaceChildren(...numbers.map((text) => element("p", explained(text))));
  }
  tell(find("moment-sentence"), sentence);
}

/** Show the lines of an algorithm, and highlight the line `live`; null highlights none. */
export function showLines(algorithm, live) {
  find("algorithm").dataset.algorithm = algorithm;
  for (const line of find("algorithm").children) {
    line.ariaCurrent = line.dataset.line === live ? "step" : null;
  }
}
