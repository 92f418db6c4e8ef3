// Prints, as JSON, which positions the playground and the search page read in each of a list of queries.
//
// The first line of the input is the HTML of the search page, whose script reads the lessons there; the second is the
// list.

import { load, open, receive, send, setPage } from "./document.mjs";

setPage(await receive());
await open("search/address");
const { question } = await load("play/game");
const playground = await load("play/address");
const search = await load("search/address");

const readings = (await receive()).map((query) => {
  const [game] = playground.read(query, {});
  const found = search.read(query);
  const { lesson, node = "" } = found;
  return { game: question(game), lesson, node, search: search.queryOf(found) };
});
send(readings);
