// Why an answer is right or wrong: the step of the search that decides it, and a sentence on this step.

import { listed, mention, sentence } from "../terms.js";

const PARTS = { window: "α and β", branches: "branches", value: "score" };

/** A decision in words, such as `score of X 1`. */
export const inWords = ({ node, part }, wording) => [`${PARTS[part]} of `, nameOf(node, wording)];

/** A mention of a node. */
export const nameOf = (node, wording) => (node.parent || node.name ? wording.move(node) : mention("the root", node));

/** The `step` that decides about a decision, and `why`, a sentence on it. It may depend on the answers. */
export function reasonOf(tasks, { node, part, ...about }, answers) {
  switch (part) {
    case "window":
      return reasonOfWindow(tasks, node);
    case "branches":
      return reasonOfBranches(tasks, { ...branchesOf(tasks, node), ...about }, answers);
    default:
      return reasonOfScore(tasks, node, about.isAlone ?? true);
  }
}

/** All branches of a node that can be cut, whether some are, and the last that the search visits. */
function branchesOf(tasks, node) {
  const branches = node.children.slice(1);
  const next = branches.findLast((child) => tasks.result(child));
  return { node, branches, isCutoff: next !== branches.at(-1), next };
}

function reasonOfWindow(tasks, node) {
  const { wording } = tasks;
  return {
    step: tasks.stepsOf(node).enter,
    why: sentence`The search enters ${nameOf(node, wording)} with ${wording.window(tasks.result(node))}.`,
  };
}

/** The cutoff or, if there is none or a branch is cut that the search visits, why the search visits this branch. */
function reasonOfBranches(tasks, { node, branches, isCutoff, next }, answers) {
  const wrong = branches.find((child) => tasks.result(child) && answers.isCut(child));
  if (isCutoff && !wrong) {
    return { step: tasks.stepsOf(node).cut, why: tasks.wording.cutoff(node) };
  }
  const { wording, isStrict } = tasks;
  const visited = wrong ?? next;
  const { alpha, beta } = tasks.result(visited);
  const [low, high] = [wording.score(alpha, "−∞"), wording.score(beta, "+∞")];
  return {
    step: tasks.stepsOf(visited).enter - 1,
    why: sentence`α ${low} is ${isStrict ? "not above" : "below"} β ${high}, so the search goes on with ${wording.move(visited)}.`,
  };
}

/** Which of the scores below a node it takes and, if this is to stand alone, the cutoff before it knows all of them. */
function reasonOfScore(tasks, node, isAlone) {
  const { wording } = tasks;
  const own = tasks.result(node);
  const { cut, back } = tasks.stepsOf(node);
  const returned = node.children
    .filter((child) => tasks.result(child))
    .map((child) => sentence`${wording.move(child)} ${wording.limit(tasks.result(child))}`);
  const [name, most] = own.side === "max" ? ["MAX", "highest"] : ["MIN", "lowest"];
  const taken = sentence`${name} takes the ${most} of ${listed(returned)}: ${wording.limit(own)}.`;
  const isCut = cut !== undefined && isAlone;
  return { step: cut ?? back, why: isCut ? sentence`${taken} ${wording.cutoff(node)}` : taken };
}
