// An exercise on paper: the sheet and, on a page of its own, the key.

import { element, find } from "../../page.js";
import { Drawing } from "../drawing.js";
import { colored } from "../terms.js";
import { put } from "./fields.js";
import { nameOf } from "./reasons.js";

const WINDOW = ["alpha", "beta"];
const LABELS = { value: "", alpha: "α", beta: "β" };

const PLAIN = { state: "", isChosen: false, isCurrent: false, isNear: false, isAt: false, isSelected: false, name: "" };

/** Return the pages of an exercise, the key only on request. `rule` says when there is a cutoff; it is empty without any. */
export function pagesOf(traversal, tasks, { rule, source, hasKey }) {
  const search = intro(tasks, rule);
  const sheet = pageOf([
    element("p", ["Name ", element("span", "", "line")]),
    element("h2", tasks.prunes ? "Alpha-beta" : "Minimax"),
    search,
    list(taskOf(tasks)),
    sheetDrawing(traversal, tasks),
  ]);
  const answers = [...answersOf(tasks), source].map((text) => element("p", text));
  const key = pageOf([element("h2", "Key"), search.cloneNode(true), keyDrawing(traversal, tasks), ...answers]);
  return element("div", hasKey ? [sheet, key] : [sheet], "papers");
}

/** A page whose drawing has the styles of the page's own. */
function pageOf(parts) {
  const page = element("section", parts, "search paper");
  page.classList.toggle("numbers", find("search").classList.contains("numbers"));
  return page;
}

function list(texts) {
  const items = texts.map((text) => element("li", text));
  return element("ol", items);
}

/** What one must know of the search. */
function intro(tasks, rule) {
  const { tree, top, wording, prunes, given } = tasks;
  const parts = [
    tree.maximizer && `MAX is ${tree.maximizer}.`,
    prunes ? `Alpha-beta tries the branches from left to right. ${rule}.` : "Minimax tries all branches.",
    given && `The search enters ${textOf(top, tasks)} with ${wording.window(given)}.`,
  ];
  return element("p", colored(parts.filter(Boolean).join(" ")));
}

const textOf = (node, { wording }) => nameOf(node, wording).text;

function taskOf(tasks) {
  const { prunes, asksWindows, top } = tasks;
  return [
    "Write the score that the search returns for each node into its box.",
    ...(prunes ? ["Cross out each branch that is pruned, and leave the boxes below it empty."] : []),
    ...(asksWindows ? ["Write α and β with which each node is entered."] : []),
    ...(prunes && top.name ? ["Which leaves are never evaluated?"] : []),
    `Which branch does the search choose at ${textOf(top, tasks)}?`,
  ];
}

/** The tree with the scores of its leaves, and with empty boxes. */
function sheetDrawing({ tree, wording }, tasks) {
  const drawing = new Drawing(tree);
  drawing.paint((path) => {
    const { children, minimax, numbers } = tree.at(path);
    const isGiven = !children.length && numbers === undefined && path.startsWith(tasks.top.path);
    return { ...PLAIN, ...(isGiven && { outcome: minimax.outcome, score: wording.score(minimax.score) }) };
  });
  const boxes = tasks.nodes.flatMap((node) => {
    const parts = [...(tasks.asksWindow(node) ? WINDOW : []), "value"];
    return parts.map((part) => put(element("span", LABELS[part]), drawing, node, part));
  });
  return framed(drawing, boxes, tasks);
}

/** The tree with all scores and cutoffs and, if they are asked for, all windows on entry. */
function keyDrawing(traversal, tasks) {
  const drawing = new Drawing(traversal.tree);
  traversal.paint(drawing, traversal.replay.last, null, new Map());
  const visited = tasks.asksWindows ? tasks.nodes.filter((node) => tasks.result(node)) : [];
  const windows = visited.flatMap((node) =>
    WINDOW.map((part) => {
      const text = tasks.wording.score(tasks.result(node)[part], part === "alpha" ? "−∞" : "+∞");
      return put(element("span", text), drawing, node, part);
    }),
  );
  return framed(drawing, windows, tasks);
}

/** A drawing as wide as the page, unless it would be too high. */
function framed({ svg, width, height }, boxes, { asksWindows }) {
  const made = element("div", [svg, element("div", boxes, `fields ${asksWindows ? "windowed" : ""}`)], "fielded");
  made.style.setProperty("--across", width);
  made.style.setProperty("--down", height);
  return made;
}

function answersOf(tasks) {
  const { top, prunes } = tasks;
  const { best, ...own } = tasks.result(top);
  const chosen = top.children.find(({ move }) => move === best);
  const told = `The score of ${textOf(top, tasks)} is ${tasks.wording.limit(own)}; the search chooses ${textOf(chosen, tasks)}.`;
  const named = (isVisited) => {
    const names = tasks.leaves.filter((leaf) => Boolean(tasks.result(leaf)) === isVisited).map(({ name }) => name);
    return names.join(", ") || "none";
  };
  const lists = `Evaluated, in this order: ${named(true)}. Never evaluated: ${named(false)}.`;
  return [told, ...(prunes && top.name ? [lists] : [])];
}
