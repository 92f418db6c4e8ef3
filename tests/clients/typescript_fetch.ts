// A program that asks through what OpenAPI Generator has made, and prints what it understood.
import { Configuration, OracleApi, ProblemFromJSON, ResponseError, instanceOfProblem } from "./client/index.js";
import type { BestMove, Problem } from "./client/index.js";

const oracle = new OracleApi(new Configuration({ basePath: process.argv[2] }));

const understood = (answer: BestMove | Problem) => (instanceOfProblem(answer) ? answer.code : answer.move);

// A problem is thrown, with its response.
const problem = async (error: unknown) => {
  if (!(error instanceof ResponseError)) throw error;
  return ProblemFromJSON(await error.response.json());
};

const byQuery = await oracle.getBestMove({ board: "XX.OO...." });
const byString = await oracle.postBestMove({ bestMoveRequest: { board: "X...O...." } });
// An empty cell is "" here: what was made loses an array with a null.
const board = ["X", "", "O", "", "x", "", "", "", ""];
const byArray = await oracle.postBestMove({ bestMoveRequest: { board, algorithm: "minimax" } });
const illegal = await oracle.postBestMove({ bestMoveRequest: { board: "XX......." } }).catch(problem);
const refused = await oracle.getBestMove({ board: "X..." }).catch(problem);
const requests = [{ board: "XX.OO...." }, { board: "XX......." }, null];
const batch = await oracle.postBestMoves({ bestMovesRequest: { requests } });

console.log(
  JSON.stringify({
    "by query": byQuery.move,
    after: byQuery.after?.board,
    "by string": byString.move,
    "by array": byArray.move,
    illegal: understood(illegal),
    refused: understood(refused),
    batch: batch.answers.map(understood),
  }),
);
