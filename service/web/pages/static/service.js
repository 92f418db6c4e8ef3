// The calls to the service.

const PATIENCE = 20_000; // milliseconds

/** An answer that is a problem, in the service's own words. */
export class Problem extends Error {
  constructor({ title, detail, status, code }) {
    super(detail);
    this.heading = title;
    this.code = code;
    this.mayPass = status >= 500;
  }
}

/** No answer at all. */
export class LostConnection extends Error {
  constructor() {
    super("The service is not responding. Your game is safe in this page's URL.");
    this.heading = "No connection";
    this.mayPass = true;
  }
}

/** Ask for the best move; return the question, its address and the answer, or throw one of the above. */
export async function ask(question, { again = false } = {}) {
  const url = new URL(`best-move?${new URLSearchParams(question)}`, location.href).href;
  return { question, url, answer: await call(url, { cache: again ? "no-store" : "default" }) };
}

/** Ask for the review of a game. */
export const askReview = (game) => call(`game-review?${new URLSearchParams(game)}`);

/** Ask for the search of a position as a tree. */
export const askTree = (question) => call(`search-tree?${new URLSearchParams(question)}`);

/** Get what the service has named the address of. */
export const follow = (href) => call(href);

async function call(url, options) {
  let response;
  let text;
  try {
    response = await fetch(url, { ...options, signal: AbortSignal.timeout(PATIENCE) });
    text = await response.text();
  } catch {
    throw new LostConnection();
  }
  const content = parse(text);
  if (response.ok && content) {
    return content;
  }
  const unnamed = { title: "Unexpected response", detail: "Something between this page and the service failed." };
  throw new Problem({ ...unnamed, status: response.status, ...content });
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
