// Requests for trees: both algorithms on one position, and the nodes omitted from their trees.

import { askTree, follow } from "../service.js";
import { Tree } from "./tree.js";

/** Return the tree of a position, with all nodes on a path and the children of the path's last node. */
export async function loadTree(query, path) {
  const trees = ["minimax", "alphabeta"].map((algorithm) => askTree({ ...query, algorithm }));
  const tree = new Tree(...(await Promise.all(trees)));
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
