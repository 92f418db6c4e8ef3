// Runs the scripts of the playground, and prints, as JSON, what the page shows after each action.
//
// Argument: the folder of the static files. The first line of the input has the drop-down lists of
// the page's form; each other line has actions of the same instant, and gets a line with the
// moments that follow, one for each change of the page, the URLs requested, and the drawings of the
// mistake. Before it, each request that is not cached prints its URL, and reads the response.

import { createInterface } from "node:readline";
import { setImmediate as tick } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";

const load = (name) => import(`${process.argv[2]}/${name}.js`);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const receive = async () => JSON.parse((await lines.next()).value);
const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

// The browser, as far as the scripts use it. Timers end at once, responses are cached, and the side
// drawn by lot is X.
const storage = new Map();
const responses = new Map();
let entries = []; // of the history
let urls = []; // of the requests since the last action
let pending = 0; // timers and requests
let latest; // response

const enter = (index, state, url = location.search) => {
  entries = [...entries.slice(0, index), { state, search: url.replace(/^\//, "") }];
  location.search = entries[index].search;
};

Math.random = () => 0;
Object.assign(globalThis, {
  sessionStorage: {
    getItem: (key) => storage.get(key) ?? null,
    setItem: (key, text) => storage.set(key, text),
  },
  matchMedia: () => ({ matches: true }),
  setTimeout(act) {
    pending += 1;
    setImmediate(() => {
      pending -= 1;
      act();
    });
  },
  clearTimeout() {},
  document: { createElement: () => ({ append() {} }), head: { append: (link) => link.onload() } },
  location: { pathname: "/", search: "" },
  history: {
    get state() {
      return entries.at(-1).state;
    },
    replaceState: (state, _, url) => enter(entries.length - 1, state, url),
    pushState: (state, _, url) => enter(entries.length, state, url),
    back() {
      entries.pop();
      location.search = entries.at(-1).search;
      table.reread();
    },
  },
  async fetch(url, { signal }) {
    pending += 1;
    urls.push(url);
    if (!responses.has(url)) {
      send({ url });
      responses.set(url, receive());
    }
    latest = responses.get(url);
    const { status, body } = await responses.get(url);
    pending -= 1;
    signal.throwIfAborted();
    return { ok: status < 400, status, json: async () => body };
  },
});

const { read } = await load("play/address");
const { cellsOf } = await load("play/board");
const face = await load("play/face");
const { gameFrom, newGame, settingUp, undone, withMark } = await load("play/game");
const { Options } = await load("play/controls");
const { endsOf } = await load("play/mistake");
const { heading, stepsOf, turningPoint } = await load("play/review");
const { count, tellScore } = await load("play/score");
const { Table } = await load("play/table");
const { prospect, worth } = await load("words");

const selects = await receive();
const options = new Options({
  elements: selects.map(({ name, values, initial }) => ({
    name,
    options: values.map((value) => ({ value, defaultSelected: value === initial })),
  })),
});
let table;
let refusal = "";
let moments = []; // as JSON

const explain = (advice, { moves }) => ({
  line: advice.principal_variation,
  prospect: prospect(advice),
  moves: moves.map((move) => [move.move, ...worth(move)]),
});

/** Note what the page shows now, unless it shows the same as at the moment before. */
function note() {
  const { game, ignored, responses } = table;
  const { advice, analysis } = responses;
  const board = face.boardToDraw(table);
  const isExplained = game.view === "explain" && analysis?.moves.length > 0;
  const moment = JSON.stringify({
    ...{ address: location.search, entries: entries.length, ignored, refusal },
    problem: responses.error?.message ?? "",
    ...{ status: face.status(table), title: face.title(table), sentence: face.sentence(table) },
    cells: cellsOf(board).map(({ classes, ...cell }) => ({ ...cell, ...classes })),
    side: board.side,
    act: face.nextStep(table)?.label ?? "",
    attempt: face.moveToTry(table) ?? null,
    score: tellScore(game.you),
    canUndo: Boolean(undone(game)),
    heading: heading(game),
    steps: stepsOf(table),
    explanation: isExplained ? explain(advice, analysis) : null,
    isKept: isDeepStrictEqual(read(location.search, options.choices), [game, []]),
  });
  if (moment !== moments.at(-1)) {
    moments.push(moment);
  }
}

const change = (parts, more) => table.go({ ...table.game, ...parts }, { isStep: false, ...more });

const open = () => {
  table = new Table(options, note, (result) => count(result, table.game.you));
  table.refresh();
};

/** The user's actions, with the effects that main.js gives them. */
const ACTIONS = {
  visit(query) {
    storage.clear();
    entries = [];
    enter(0, null, query);
    open();
  },
  reload: open,
  click(cell) {
    refusal = table.play(cell) ? "" : face.refusal(table, cell);
  },
  act: () => face.nextStep(table).act(),
  attempt: () => face.tryAgain(table),
  undo: () => table.undo(),
  back: () => history.back(),
  hints: () => table.change({ hasHints: !table.game.hasHints }),
  view: (view) => table.change({ view }),
  level: (difficulty) => table.change({ options: { ...table.game.options, difficulty } }),
  first: (first) => table.chooseFirst(first),
  at: (at) => table.go({ ...table.game, at }),
  you: (you) => change({ you }),
  arrow: (you) => change({ you }, { isPaused: true }),
  new: () => table.begin(newGame(table.game)),
  set_up: () => table.go(settingUp(table.game)),
  side: (starts) => change({ starts }),
  mark: ([cell, mark]) => change(withMark(table.game, cell, mark)),
  play: () => table.begin(gameFrom(table.game, table.responses.position)),
};

for await (const line of lines) {
  moments = [];
  urls = [];
  refusal = "";
  for (const [name, value] of JSON.parse(line)) {
    ACTIONS[name](value);
  }
  do {
    await latest;
    await tick();
  } while (table.isBusy || pending > 0);
  note();
  const mistake = turningPoint(table);
  const ends = JSON.stringify(mistake ? await endsOf(table.game, mistake, table.verdicts) : []);
  const requested = JSON.stringify(urls);
  process.stdout.write(`{"moments": [${moments}], "urls": ${requested}, "ends": ${ends}}\n`);
}
