// The score: the numbers of games against the oracle, in this tab, that the user won, lost and drew.

const KEY = "score";

const isAgainstOracle = (you) => you === "X" || you === "O";

/** Return the numbers of games won by the user, won by the oracle, and drawn. */
function score() {
  try {
    return { you: 0, oracle: 0, drawn: 0, ...JSON.parse(sessionStorage.getItem(KEY)) };
  } catch {
    return { you: 0, oracle: 0, drawn: 0 }; // storage is blocked
  }
}

/** Count a finished game of the user, who played `you`; games without the oracle do not count. */
export function count(status, you) {
  if (!isAgainstOracle(you)) {
    return;
  }
  const winner = { x_won: "X", o_won: "O" }[status];
  const who = !winner ? "drawn" : winner === you ? "you" : "oracle";
  const last = score();
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...last, [who]: last[who] + 1 }));
  } catch {
    // Without storage there is no score.
  }
}

/** Return the score in words; empty before any game has been counted, and if the user does not play the oracle. */
export function tellScore(player) {
  const { you, oracle, drawn } = score();
  const parts = [`You\xA0${you}`, `Oracle\xA0${oracle}`, drawn && `Drawn\xA0${drawn}`];
  return isAgainstOracle(player) && you + oracle + drawn ? parts.filter(Boolean).join("\xA0· ") : "";
}
