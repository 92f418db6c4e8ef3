// Calls the service through the client that hey-api generates; prints the results.
import { client } from "./hey_api/client.gen.js";
import { getBestMove, getBoardPng, getSearchTree, postBestMove, postBestMoves } from "./hey_api/index.js";
import type { BestMove, Problem } from "./hey_api/index.js";

client.setConfig({ baseUrl: process.argv[2] });

const shown = (answer: BestMove | Problem | undefined) => (answer && "code" in answer ? answer.code : answer?.move);

const board = await postBestMove({ body: { board: "X...O....", starts: null } });
const played = await getBestMove({ query: { board: ".........", played: [0, 4] } });
const illegal = await postBestMove({ body: { board: "XX......." } });
const invalid = await getBestMove({ query: { board: "X..." } });
const batch = await postBestMoves({ body: { requests: [{ board: "XX.OO...." }, { board: "XX......." }] } });
const tree = await getSearchTree({ query: { board: "X.O.O.X.." } });
const picture = await getBoardPng({ query: { board: "X...O...." } });

console.log(
  JSON.stringify({
    board: shown(board.data),
    played: shown(played.data),
    illegal: illegal.error?.code,
    invalid: invalid.error?.code,
    batch: batch.data?.results.map(({ answer, problem }) => problem?.code ?? answer?.move),
    tree: tree.data?.nodes,
    picture: Buffer.from(await (picture.data as Blob).arrayBuffer()).subarray(1, 4).toString(),
  }),
);
