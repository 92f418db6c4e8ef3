// Searches of positions. All kinds of trees have modules with these exports.

import { askTree, follow } from "../../service.js";
import { count, opponent } from "../../words.js";
import { BoardTree } from "./tree.js";

export { content, paint, picture, sideName, signs } from "./drawing.js";
export { Wording } from "./wording.js";

/** Return the tree of a position, with all nodes on a path and the children of the path's last node. */
export async function load(query, path) {
  const trees = ["minimax", "alphabeta"].map((algorithm) => askTree({ ...query, algorithm }));
  const tree = new BoardTree(...(await Promise.all(trees)));
  // Each prefix of the path that ends in a whole move.
  for (const place of path ? path.matchAll(/,|$/g) : []) {
    const node = tree.at(path.slice(0, place.index));
    if (node && isCollapsed(node)) {
      await grow(tree, node);
    }
  }
  return tree;
}

/** Whether nodes below a node are omitted. */
export const isCollapsed = ({ children, minimax }) => !children.length && Boolean(minimax.href);

/** Request the nodes omitted below a node, and insert them into the tree. */
export async function grow(tree, node) {
  const { minimax, alphabeta } = node;
  const answers = await Promise.all([minimax.href, alphabeta?.href].map((href) => href && follow(href)));
  if (isCollapsed(node)) {
    tree.grow(node, ...answers);
  }
}

/** The side to move or, if the game is over, its result. */
export function title({ maximizer, root: { minimax } }) {
  if (minimax.distance !== 0) {
    return `${maximizer} to move`;
  }
  return minimax.outcome === "draw" ? "A draw" : `${opponent(maximizer)} won`;
}

/** The cost of both searches. */
export function cost({ root: { minimax, alphabeta } }) {
  if (minimax.distance === 0) {
    return "There is nothing to search.";
  }
  return `Minimax visits ${count(minimax.nodes)} nodes, alpha-beta ${count(alphabeta.nodes)}.`;
}

/** The position of a tree, for the name of a file. */
export const fileName = ({ root }) => root.board;
