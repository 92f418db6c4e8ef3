// Prints, as JSON, the text of the search page about searches: at each step, in each question, and about each node.
//
// Argument: the folder of the static files. Input: a list of pairs of responses, minimax's and alpha-beta's, as JSON.

import { readFileSync } from "node:fs";

const load = (name) => import(`${process.argv[2]}/search/${name}.js`);
const { questionsOf } = await load("questions");
const { Traversal } = await load("traversal");
const { Tree } = await load("tree");

const textOf = ([minimax, alphabeta]) => {
  const tree = new Tree(minimax, alphabeta);
  return Object.fromEntries(
    ["minimax", "alphabeta"].map((algorithm) => {
      const traversal = new Traversal(tree, algorithm);
      const { replay } = traversal;
      const steps = Array.from({ length: replay.last + 1 }, (_, step) => {
        const { kind, node, child } = replay.at(step);
        const [numbers, sentence] = traversal.texts(step, null);
        let label = "";
        const drawing = { paint: (describe) => (label = describe((child ?? node).path).score) };
        const visited = traversal.paint(drawing, step, null, new Map());
        return { kind, path: node.path, numbers, sentence, label, visited };
      });
      const questions = questionsOf(traversal).map(({ node, ...each }) => ({ ...each, path: node.path, scores: [...each.scores] }));
      const nodes = tree.nodes.map((node) => [node.path, traversal.texts(0, node)]);
      return [algorithm, { steps, questions, nodes: Object.fromEntries(nodes) }];
    }),
  );
};

console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(textOf)));
