// The search in the address of the page. A position stands there under the service's own names.

const EMPTY = ".".repeat(9);

/** Read a search from a query string. A choice that is none is left out; what a position is, the service says. */
export function read(query) {
  const given = new URLSearchParams(query);
  const named = (names) =>
    Object.fromEntries(names.filter((name) => given.has(name)).map((name) => [name, given.get(name)]));
  return {
    question: { board: EMPTY, ...named(["board", "to_move", "played", "scoring", "max_depth"]) },
    algorithm: given.get("algorithm") === "minimax" ? "minimax" : "alphabeta",
    step: /^\d{1,4}$/.test(given.get("step") ?? "") ? Number(given.get("step")) : null,
    node: /^[0-8](,[0-8]){0,8}$/.test(given.get("node") ?? "") ? given.get("node") : null,
    isMerged: given.get("merge") === "true",
    isPredicting: given.get("predict") === "true",
  };
}

/** Write a search as an address. */
export function write({ question, algorithm, step, node, isMerged, isPredicting }) {
  const shown = {
    ...question,
    ...(algorithm === "alphabeta" ? {} : { algorithm }),
    ...(isMerged ? { merge: "true" } : {}),
    ...(isPredicting ? { predict: "true" } : {}),
    ...(step === null ? {} : { step }),
    ...(node === null ? {} : { node }),
  };
  // A comma in a query need not be escaped, and an address is to be read.
  return `?${new URLSearchParams(shown).toString().replaceAll("%2C", ",")}`;
}
