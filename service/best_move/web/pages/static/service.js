// Requests to the service.

const TIMEOUT = 20_000; // milliseconds

/** Thrown on an error of the service, which has a code, or on any other response that is not the one requested. */
export class Problem extends Error {
  constructor({ title, detail, status, code }) {
    super(detail.replace(/ Send .*/, "").replaceAll("`", "")); // users of the pages send nothing
    this.heading = title;
    this.code = code;
    this.isRetryable = status >= 500 || !code;
  }
}

/** Thrown if no response arrives. */
class LostConnection extends Error {
  constructor() {
    super("The service is not responding. This page's URL keeps your game or search.");
    this.heading = "No connection";
    this.isRetryable = true;
  }
}

/** Request the best move. Throw a Problem, a LostConnection, or the signal's reason if the signal is aborted. */
export const ask = (question, signal) => call(`best-move?${new URLSearchParams(question)}`, signal);

export const askReview = (game, signal) => call(`game-review?${new URLSearchParams(game)}`, signal);

/** Request the search of a position as a tree. */
export const askTree = (question) => call(`search-tree?${new URLSearchParams(question)}`);

/** Request a URL that another response contains. */
export const follow = (href) => call(href);

const failures = {}; // the number of failed attempts to load a module, by path

/** Return a module, whose path is relative to this file; if it cannot be loaded, `report(text)` and return no exports. */
export async function load(path, report) {
  try {
    // Each attempt has its own URL, because a browser may never request a module again that it could not load.
    return await import(path in failures ? `${path}?${failures[path]}` : path);
  } catch {
    failures[path] = (failures[path] ?? 0) + 1;
    report("This part of the page cannot be loaded. Try again, or reload: the URL keeps your game or search.");
    return {};
  }
}

/** Load a style sheet; the promise is rejected if that fails. */
export const addStyles = (href) =>
  new Promise((resolve, reject) => {
    const link = document.createElement("link");
    document.head.append(Object.assign(link, { rel: "stylesheet", href, onload: resolve, onerror: reject }));
  });

async function call(url, signal = new AbortController().signal) {
  let response;
  let content;
  try {
    response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]) });
    content = await response.json();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof SyntaxError)) {
      throw new LostConnection();
    }
  }
  if (response.ok && content) {
    return content;
  }
  const unexpected = { title: "Unexpected response", detail: "The service did not send this response. Try again." };
  throw new Problem(content?.code ? content : unexpected);
}
