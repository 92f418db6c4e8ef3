// The questions of an exercise on a search. Each has one right answer, which follows from the facts given with it.

import { listed, mention, sentence } from "./terms.js";

const MOST = 10; // the most questions per search
const NONE = { value: "none", text: "None of them" };
const MOST_BELOW = 6; // the most moves two plies below a node in a question

/**
 * The questions on the drawing of a search, in the search's order. A question has the `step` at which it is asked, the
 * step at which it is `answered`, and `scores`: those given for nodes that the search has not reached yet, by path.
 * Its choices are moves in the order in which they are tried if it `isOrdered`.
 */
export function questionsOf({ tree, replay, wording, algorithm }) {
  const stops = new Map(); // by node: the last step of each kind, and all steps back
  for (let step = 0; step <= replay.last; step += 1) {
    const { kind, node } = replay.at(step);
    const { backs = [], ...others } = stops.get(node) ?? {};
    stops.set(node, { ...others, [kind]: step, backs: kind === "back" ? [...backs, step] : backs });
  }
  const visits = [...stops].filter(([node, { backs }]) => backs.length && node.drawn.length && tree.at(node.path));
  const asks = algorithm === "minimax" ? [askScore] : [askScore, askPruned, askFirst, askWindow];
  const questions = visits
    .sort(([one], [other]) => one.ply - other.ply)
    .flatMap(([node, stop]) => asks.map((ask) => ask({ wording, node, stop, stops, replay, algorithm })))
    .filter(Boolean);
  const chosen = varied(questions);
  const strict = chosen.filter(({ kind }) => kind.startsWith("cutoff")).map(({ step }) => step);
  // Ties are asked only after a strict cutoff: first that α > β prunes, then that α = β is enough.
  const firstStrict = Math.min(...strict); // infinite if there is none, so that no tie is asked
  return chosen
    .filter(({ kind, step }) => !kind.startsWith("tie") || step > firstStrict)
    .sort((one, other) => one.step - other.step || one.answered - other.answered);
}

/** At most `MOST` of some questions: the first question of each kind, then the second of each kind, and so on. */
function varied(questions) {
  const seen = {};
  const rank = new Map();
  for (const each of questions) {
    seen[each.kind] = (seen[each.kind] ?? 0) + 1;
    rank.set(each, seen[each.kind]);
  }
  return questions.toSorted((one, other) => rank.get(one) - rank.get(other)).slice(0, MOST);
}

const scored = ({ path, minimax: { outcome, score } }) => [path, { outcome, score }];

/** Ask on entry which moves will be pruned, given their scores; null if none can be pruned. */
function askPruned({ wording, node, stop }) {
  const { side, alpha, beta, cut } = node.alphabeta;
  const isMax = side === "max";
  const [name, limit] = isMax ? ["β", beta] : ["α", alpha];
  if (limit === null || node.children.length < 2) {
    return null;
  }
  const { score } = node.alphabeta;
  const pruned = cut?.pruned ?? [];
  const when = node.children.length - pruned.length === 1 ? "at once" : "later";
  return {
    kind: cut ? `${score === limit ? "tie" : "cutoff"} ${when}` : "no cutoff",
    node,
    step: stop.enter,
    answered: stop.cut ?? stop.back,
    text: "Which of these moves will be pruned?",
    facts: "They are tried in this order. The search does not know their scores yet.",
    type: "checkbox",
    isOrdered: true,
    choices: [
      ...node.children.map((child) => ({
        value: child.move,
        text: `${wording.move(child).text}: ${wording.score(child.minimax.score)}`,
        paths: [child.path],
      })),
      NONE,
    ],
    scores: new Map(node.children.map(scored)),
    right: cut ? pruned : [NONE.value],
    why: cut
      ? wording.cutoff(node)
      : `No cutoff: no score before the last is ${isMax ? "≥" : "≤"} ${name} ${wording.score(limit)}, and after the last no move is left.`,
  };
}

/** Ask on entry which move two plies below is pruned first, given the scores; null if that cannot be asked. */
function askFirst({ wording, node, stop, stops }) {
  const below = node.children.flatMap((child) => child.children);
  if (
    node.alphabeta.cut ||
    below.length < 3 ||
    below.length > MOST_BELOW ||
    below.some(({ minimax }) => minimax.href)
  ) {
    return null;
  }
  const at = node.children.find((child) => child.alphabeta.cut);
  const first = at?.children.find(({ move }) => move === at.alphabeta.cut.pruned[0]);
  const ended = node.children.filter((child) => !child.children.length);
  return {
    kind: first ? "first pruned" : "nothing pruned",
    node,
    step: stop.enter,
    answered: first ? stops.get(at).cut : stop.back,
    text: "Which of these moves is pruned first?",
    facts: [
      "The search does not know their scores yet.",
      ...ended.flatMap(
        (each) => sentence` After ${wording.move(each)} the game is over: ${wording.score(each.minimax.score)}.`,
      ),
    ],
    type: "radio",
    isOrdered: true,
    choices: below
      .map((each) => ({
        value: each.path,
        text: `${wording.move(each.parent).text}, ${wording.move(each).text}: ${wording.score(each.minimax.score)}`,
        paths: [each.path],
      }))
      .concat(NONE),
    scores: new Map([...ended, ...below].map(scored)),
    right: [first?.path ?? NONE.value],
    why: first ? wording.cutoff(at) : "No cutoff: α is below β as long as a reply is left.",
  };
}

/** Ask which window the second move is tried with, once the first has its score; null if there is no second move. */
function askWindow({ wording, node, stop, replay }) {
  const { alpha, beta, side } = node.alphabeta;
  const { child, best, ...now } = replay.at(stop.backs[0]);
  if (stop.backs.length < 2) {
    return null;
  }
  const next = node.children[node.children.indexOf(child) + 1];
  const windows = [
    { alpha, beta },
    { alpha: best, beta },
    { alpha, beta: best },
    { alpha: best, beta: best },
  ];
  const texts = [...new Set(windows.map((each) => wording.window(each)))];
  const [name, is, does] = side === "max" ? ["α", "above", "raises"] : ["β", "below", "lowers"];
  const isChanged = now.alpha !== alpha || now.beta !== beta;
  return {
    kind: isChanged ? "window" : "same window",
    node,
    step: stop.backs[0],
    answered: stop.backs[0] + 1,
    text: sentence`With which α and β does ${wording.mover(node)} try its ${mention("next move", next)}?`,
    facts: sentence`${wording.move(child)} returned ${wording.limit(child.alphabeta)}. The search came here with ${wording.window({ alpha, beta })}.`,
    type: "radio",
    choices: texts.map((text) => ({ value: text, text })),
    scores: new Map(),
    right: [wording.window(now)],
    why: isChanged
      ? `${side.toUpperCase()} ${does} ${name} to ${wording.score(best)}.`
      : `${wording.score(best)} is not ${is} ${name}, so neither changes.`,
  };
}

/** Ask which score the search returns for a node, given its moves' scores; null if all are equal or some are pruned. */
function askScore({ wording, node, stop, algorithm }) {
  const own = node[algorithm];
  const known = node.children.map((child) => child[algorithm]).filter(Boolean);
  if (stop.cut !== undefined || new Set(known.map(({ score }) => score)).size < 2) {
    return null;
  }
  const isBound = own.bound !== "exact";
  const forms = [...known, ...known.map((each) => ({ ...each, bound: "exact" })), own];
  const choices = new Map(
    forms.toSorted((one, other) => other.score - one.score).map((each) => [wording.limit(each), wording.value(each)]),
  );
  const isTyped = !isBound && own.visit % 2 === 1; // about half of the exact scores
  const returned = node.children
    .filter((child) => child[algorithm])
    .map((child) => sentence`${wording.move(child)}: ${wording.limit(child[algorithm])}`);
  const [name, highest] = own.side === "max" ? ["MAX", "highest"] : ["MIN", "lowest"];
  return {
    kind: isBound ? "bound" : isTyped ? "typed score" : "chosen score",
    node,
    step: stop.back,
    answered: stop.back + 1,
    text: sentence`What does the search return for ${mention("this node", node)}?`,
    facts: sentence`The moves returned ${listed(returned)}.`,
    type: isTyped ? "text" : "radio",
    choices: [...choices].map(([value, text]) => ({ value, text })),
    scores: new Map(),
    right: [isTyped ? own.score : wording.limit(own)],
    why: `${name} takes the ${highest}: ${wording.limit(own)}.${isBound ? " A bound again, because only a bound is known for that move." : ""}`,
  };
}
