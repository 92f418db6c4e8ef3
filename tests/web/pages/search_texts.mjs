// Prints, as JSON, the text of the search page about each item of a line of input, a list in JSON.
//
// Arguments: the folder of the static files, and what to print. With `searches`, an item is a pair of responses,
// minimax's and alpha-beta's, and the text is that at each step, in each question, and about each node. With
// `comparisons`, an item has the responses of each algorithm, and the text is that of the dialog.

import { createInterface } from "node:readline";

const [, , folder, name] = process.argv;
const load = (module) => import(`${folder}/search/${module}.js`);
const { comparisonOf } = await load("comparison");
const { questionsOf } = await load("questions");
const { Traversal } = await load("traversal");
const { Tree } = await load("tree");

// A sentence as text, and its mentions, each with the paths that it names and those of the nodes that it marks.
const spoken = (tree, sentence) => {
  const parts = [sentence].flat();
  const mentions = parts.filter(({ paths }) => paths);
  return {
    sentence: parts.map((part) => part.text ?? part).join(""),
    mentions: mentions.map(({ text, paths }) => ({ text, paths, marked: [...tree.shown(paths)] })),
  };
};

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
        return { kind, path: node.path, numbers, ...spoken(tree, sentence), label, visited };
      });
      const questions = questionsOf(traversal).map(({ node, ...each }) => ({
        ...each,
        ...Object.fromEntries(["text", "facts", "why"].map((name) => [name, spoken(tree, each[name])])),
        path: node.path,
        scores: [...each.scores],
      }));
      let described = () => ({});
      traversal.paint({ paint: (describe) => (described = describe) }, replay.last, null, new Map());
      const nodes = tree.nodes.map((node) => {
        const [numbers, sentence] = traversal.texts(0, node);
        return [node.path, { numbers, ...spoken(tree, sentence), drawn: described(node.path) }];
      });
      return [algorithm, { steps, questions, nodes: Object.fromEntries(nodes) }];
    }),
  );
};

const work = { searches: textOf, comparisons: comparisonOf }[name];
createInterface({ input: process.stdin }).on("line", (line) => {
  console.log(JSON.stringify(JSON.parse(line).map(work)));
});
