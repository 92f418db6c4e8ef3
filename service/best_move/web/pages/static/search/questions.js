// The questions of an exercise on a search: which moves are pruned, and what a node's score is.

const MOST = 10; // questions on a search

/** The questions on the drawing of a search, in the search's order, each with the step that it is asked at and answered at. */
export function questionsOf({ tree, replay, wording, algorithm }) {
  const stops = new Map();
  for (let step = 0; step <= replay.last; step += 1) {
    const { kind, node } = replay.at(step);
    stops.set(node, { ...stops.get(node), [kind]: step });
  }
  const asked = [...stops]
    .filter(([node]) => tree.at(node.path))
    .sort(([one], [other]) => one.ply - other.ply)
    .map(([node, stop]) => askCutoff(wording, node, stop, algorithm) ?? askScore(wording, node, stop, algorithm))
    .filter(Boolean);
  return varied(asked).sort((one, other) => one.step - other.step);
}

/** As many questions as there may be, of each kind as many as of any other if there are so many, those first that came first. */
function varied(questions) {
  const scores = questions.filter(({ kind }) => kind === "score");
  for (const [index, each] of scores.entries()) {
    each.kind = index % 2 ? "choose a score" : "type a score";
  }
  const rank = new Map();
  const seen = {};
  for (const each of questions) {
    seen[each.kind] = (seen[each.kind] ?? 0) + 1;
    rank.set(each, seen[each.kind]);
  }
  return questions.toSorted((one, other) => rank.get(one) - rank.get(other)).slice(0, MOST);
}

/** Ask on entry which moves will be pruned, given their scores; null if the window could prune none. */
function askCutoff(wording, node, { enter, back, cut }, algorithm) {
  const own = node[algorithm];
  const isMax = own.side === "max";
  const [name, limit] = isMax ? ["β", own.beta] : ["α", own.alpha];
  if (algorithm === "minimax" || back === undefined || limit === null || node.children.length < 2) {
    return null;
  }
  const pruned = own.cut?.pruned ?? [];
  const tried = node.children.length - pruned.length;
  return {
    kind: pruned.length ? (tried === 1 ? "cutoff at once" : "later cutoff") : "no cutoff",
    node,
    step: enter,
    answered: cut ?? back,
    text: `Given these scores, which of ${wording.mover(node)}'s moves will be pruned?`,
    given: "They are tried in this order. Choose none if none is pruned.",
    choices: node.children.map(({ move, minimax }) => ({ value: move, text: `${move}: ${wording.value(minimax)}` })),
    signs: new Map(node.children.map(({ path, minimax: { outcome, score } }) => [path, { outcome, score }])),
    right: pruned,
    why: own.cut
      ? wording.cutoff(node)
      : `No cutoff: no score before the last is ${isMax ? "≥" : "≤"} ${name} ${wording.score(limit)}.`,
  };
}

/** Ask what a node's score is, once its moves are known; null if all have the same score. */
function askScore(wording, node, { back, cut }, algorithm) {
  const own = node[algorithm];
  const known = new Map(node.children.map((child) => child[algorithm]).map((each) => [each?.score, each]));
  if (back === undefined || cut !== undefined || known.size < 2) {
    return null;
  }
  const scores = node.children.map((child) => `${child.move}: ${wording.limit(child[algorithm])}`).join(", ");
  const isMax = own.side === "max";
  return {
    kind: "score",
    node,
    step: back,
    answered: back + 1,
    text: "What is the score of this position?",
    given: `The scores of ${wording.mover(node)}'s moves are ${scores}.`,
    choices: [...known.values()]
      .sort((one, other) => other.score - one.score)
      .map((each) => ({ value: each.score, text: wording.value({ ...each, bound: "exact" }) })),
    signs: new Map(),
    right: [own.score],
    why: `${isMax ? "MAX" : "MIN"} takes the ${isMax ? "highest" : "lowest"}: ${wording.score(own.score)}.`,
  };
}
