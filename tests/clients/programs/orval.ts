// Calls the service through the client that orval generates; prints the results.
import { getBestMove, getBoardPng, getSearchTree, postBestMove, postBestMoves } from "./orval_client.js";
import type { BestMove, Problem } from "./orval_client.js";

// The client's URLs are relative.
const send = fetch;
globalThis.fetch = (path, options) => send(`${process.argv[2]}${path}`, options);

const shown = (answer: BestMove | Problem | void) => answer && ("code" in answer ? answer.code : answer.move);

const board = await postBestMove({ board: "X...O....", starts: null });
const played = await getBestMove({ board: ".........", played: [0, 4] });
const illegal = await postBestMove({ board: "XX......." });
const invalid = await getBestMove({ board: "X..." });
const batch = await postBestMoves({ requests: [{ board: "XX.OO...." }, { board: "XX......." }] });
const tree = await getSearchTree({ board: "X.O.O.X.." });
const picture = await getBoardPng({ board: "X...O...." });

console.log(
  JSON.stringify({
    board: shown(board.data),
    played: shown(played.data),
    illegal: shown(illegal.data),
    invalid: shown(invalid.data),
    batch: batch.status === 200 && batch.data.results.map(({ answer, problem }) => problem?.code ?? answer?.move),
    tree: tree.status === 200 && tree.data.nodes,
    picture: picture.status === 200 && Buffer.from(await picture.data.arrayBuffer()).subarray(1, 4).toString(),
  }),
);
