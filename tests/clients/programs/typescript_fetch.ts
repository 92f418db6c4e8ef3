// Calls the service through the client that OpenAPI Generator's typescript-fetch generates; prints the results.
import { Configuration, OracleApi, ProblemFromJSON, ResponseError, instanceOfProblem } from "./openapi_generator/index.js";
import type { BestMove, Problem } from "./openapi_generator/index.js";

const oracle = new OracleApi(new Configuration({ basePath: process.argv[2] }));

const shown = (answer: BestMove | Problem) => (instanceOfProblem(answer) ? answer.code : answer.move);

// The client throws an error if the response is a problem.
const problem = async (error: unknown) => {
  if (!(error instanceof ResponseError)) throw error;
  return ProblemFromJSON(await error.response.json());
};

const board = await oracle.postBestMove({ bestMoveRequest: { board: "X...O....", starts: null } });
const played = await oracle.getBestMove({ board: ".........", played: [0, 4] });
const illegal = await oracle.postBestMove({ bestMoveRequest: { board: "XX......." } }).catch(problem);
const invalid = await oracle.getBestMove({ board: "X..." }).catch(problem);
const requests = [{ board: "XX.OO...." }, { board: "XX......." }];
const batch = await oracle.postBestMoves({ bestMovesRequest: { requests } });
const tree = await oracle.getSearchTree({ board: "X.O.O.X.." });
const picture = await oracle.getBoardPng({ board: "X...O...." });

console.log(
  JSON.stringify({
    board: shown(board),
    played: shown(played),
    illegal: shown(illegal),
    invalid: shown(invalid),
    batch: batch.results.map(({ answer, problem }) => problem?.code ?? answer?.move),
    tree: tree.nodes,
    picture: Buffer.from(await picture.arrayBuffer()).subarray(1, 4).toString(),
  }),
);
