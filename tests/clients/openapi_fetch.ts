// A program that asks through openapi-fetch with the types that openapi-typescript has made, and prints what it understood.
import createClient from "openapi-fetch";
import type { components, paths } from "./contract.js";

type BestMove = components["schemas"]["BestMove"];
type Problem = components["schemas"]["Problem"];

const client = createClient<paths>({ baseUrl: process.argv[2] });

const understood = (answer: BestMove | Problem) => ("code" in answer ? answer.code : answer.move);

const ask = async (body: components["schemas"]["BestMoveRequest"]) => {
  const { data, error } = await client.POST("/best-move", { body });
  return understood(data ?? error);
};

const byQuery = await client.GET("/best-move", { params: { query: { board: "XX.OO...." } } });
const refused = await client.GET("/best-move", { params: { query: { board: "X..." } } });
const requests = [{ board: "XX.OO...." }, { board: "XX......." }, null];
const batch = await client.POST("/best-moves", { body: { requests } });

console.log(
  JSON.stringify({
    "by query": byQuery.data?.move,
    after: byQuery.data?.after?.board,
    "by string": await ask({ board: "X...O...." }),
    "by array": await ask({ board: ["X", null, "O", "", "x", "", "", "", ""], algorithm: "minimax" }),
    illegal: await ask({ board: "XX......." }),
    refused: refused.error?.code,
    batch: batch.data?.answers.map(understood),
  }),
);
