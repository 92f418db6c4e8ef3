// Prints, as JSON, what the playground and the search page read in each of a list of queries: by the path of the page,
// the positions, the first of which is shown if it is legal, and whether a part is ignored; and the links that they then
// write, each with the path of the page that has it.
//
// The first line of the input is the HTML of the search page, whose script reads the lessons there; each other line is a
// list.

import { document, load, open, receive, send, setPage } from "./document.mjs";

setPage(await receive());
await open("search/address");
const { question } = await load("play/game");
const { showCard } = await load("search/card");
const playground = await load("play/address");
const search = await load("search/address");

function reading(query) {
  const [game, ignored] = playground.read(query, {});
  const state = search.read(query);
  showCard(state);
  const { board, starts, played, tree, root: side, lesson, node = "" } = state;
  const root = { board, starts, played };
  const below = { ...root, played: [played, node].filter(Boolean).join() };
  const isDrawn = !tree && node !== "" && node.split(",").length <= Number(state.max_depth);
  return {
    lesson,
    tree: tree && { tree, root: side },
    positions: { "/": [question(game)], "/search": isDrawn ? [below, root] : [root] },
    isCut: { "/": ignored.length > 0, "/search": !tree && node !== "" && !isDrawn },
    links: [
      ["/", playground.addressOf(game)],
      ["/", `search?${new URLSearchParams(question(game))}`],
      ["/search", search.addressOf(state)],
      ...(tree ? [] : ["set-up", "play-it"]).map((id) => ["/search", document.getElementById(id).getAttribute("href")]),
    ],
  };
}

for (let queries = await receive(); queries; queries = await receive()) {
  send(queries.map(reading));
}
