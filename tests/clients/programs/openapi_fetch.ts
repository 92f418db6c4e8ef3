// Calls the service through openapi-fetch with the types that openapi-typescript generates; prints the results.
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type BestMove = components["schemas"]["BestMove"];
type Problem = components["schemas"]["Problem"];

const client = createClient<paths>({ baseUrl: process.argv[2] });

const shown = (answer: BestMove | Problem) => ("code" in answer ? answer.code : answer.move);

const ask = async (body: components["schemas"]["BestMoveRequest"]) => {
  const { data, error } = await client.POST("/best-move", { body });
  return shown(data ?? error);
};

const played = await client.GET("/best-move", { params: { query: { board: ".........", played: [0, 4] } } });
const invalid = await client.GET("/best-move", { params: { query: { board: "X..." } } });
const batch = await client.POST("/best-moves", {
  body: { requests: [{ board: "XX.OO...." }, { board: "XX......." }] },
});
const tree = await client.GET("/search-tree", { params: { query: { board: "X.O.O.X.." } } });
const picture = await client.GET("/board.png", { params: { query: { board: "X...O...." } }, parseAs: "arrayBuffer" });

console.log(
  JSON.stringify({
    board: await ask({ board: "X...O....", starts: null }),
    played: played.data?.move,
    illegal: await ask({ board: "XX......." }),
    invalid: invalid.error?.code,
    batch: batch.data?.results.map(({ answer, problem }) => problem?.code ?? answer?.move),
    tree: tree.data?.nodes,
    picture: picture.data && Buffer.from(picture.data).subarray(1, 4).toString(),
  }),
);
