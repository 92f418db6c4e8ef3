// The score: the numbers of games against the oracle, in this tab, that the user won, lost and drew.

const KEY = "score";

const isAgainstOracle = (you) => you === "X" || you === "O";

/** The result of each game that has ended, by the time at which it began; empty if the game does not count. */
function results() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY)) ?? {};
  } catch {
    return {}; // storage is blocked
  }
}

/**
 * Count a game of the user, who plays `you`, only when it first ends. A game without the oracle does not count, and
 * neither does one that was finished when the page opened it.
 */
export function countGame({ begun, isMade, status, you }) {
  const winner = { x_won: "X", o_won: "O" }[status];
  const who = !winner ? "drawn" : winner === you ? "you" : "oracle";
  const result = isMade && isAgainstOracle(you) ? who : "";
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ [begun]: result, ...results() }));
  } catch {
    // Without storage there is no score.
  }
}

/** Return the score in words; empty before any game has been counted, and if the user does not play the oracle. */
export function tellScore(player) {
  const all = Object.values(results());
  const [you, oracle, drawn] = ["you", "oracle", "drawn"].map((who) => all.filter((each) => each === who).length);
  const parts = [`You\xA0${you}`, `Oracle\xA0${oracle}`, drawn && `Drawn\xA0${drawn}`];
  return isAgainstOracle(player) && you + oracle + drawn ? parts.filter(Boolean).join("\xA0· ") : "";
}
