// Prints, as a line of JSON, what the search page says about each search of a line of input, a list in JSON.
//
// Argument: the folder of the static files. A search has the service's `trees` by minimax and by alpha-beta, and its
// `algorithm`. Its nodes are told as they are at a `step`, the last if there is none, and may be `merged`.

import { createInterface } from "node:readline";

const load = (module) => import(`${process.argv[2]}/search/${module}.js`);
const { Traversal } = await load("traversal");
const { BoardTree } = await load("boards/tree");
const kind = await load("boards/boards");

function textsOf({ trees, algorithm = "alphabeta", merged = false, step = Infinity }) {
  const tree = Object.assign(new BoardTree(...trees), { kind });
  tree.show({ isMerged: merged });
  const traversal = new Traversal(tree, algorithm);
  const { replay } = traversal;
  // The parts of a sentence; words that name nodes have their paths, and those of the nodes that they mark.
  const parts = (sentence) =>
    [sentence].flat().map((part) => (part.paths ? { ...part, marked: [...tree.shown(part.paths)] } : { text: part }));
  const texts = (...moment) => {
    const [lines, sentence] = traversal.texts(...moment);
    return { lines, sentence: parts(sentence) };
  };
  const steps = Array.from({ length: replay.last + 1 }, (_, index) => {
    const { kind, node } = replay.at(index);
    return { kind, path: node.path, ...texts(index, null) };
  });
  const nodes = [];
  const paint = (describe) => nodes.push(...tree.nodes.map((node) => ({ ...describe(node.path), node })));
  traversal.paint({ paint }, Math.min(Number(step), replay.last), null, new Map());
  const told = nodes.map(({ node, ...shown }) => ({ ...shown, path: node.path, ...texts(0, node) }));
  return { steps, nodes: told };
}

createInterface({ input: process.stdin }).on("line", (line) => {
  console.log(JSON.stringify(JSON.parse(line).map(textsOf)));
});
