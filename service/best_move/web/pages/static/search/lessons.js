// The lessons: a title, a few sentences, the search that they are about, and the only branch to draw if there is one.
// A *word* is being defined, a [phrase](?query) leads to another search.

const FIRST = { board: "XXOOX...O", to_move: "X", algorithm: "minimax", scoring: "outcome" };
const HORIZON = { board: ".O.X.O...", to_move: "X", algorithm: "minimax", max_depth: "2", step: "9999" };

/** The first lesson that shows a part of the page; from then on all do. */
export const SHOWN_FROM = { sides: 2, algorithm: 3, code: 3, scoring: 6, order: 8, depth: 9 };

export const LESSONS = [
  {
    title: "A tree of games",
    why: "To choose a move, look at every game that can follow it, and at how each one ends.",
    text: [
      "Each *node* is a position, and each line down is a move: at the top, X can play cell 5, 6 or 7.",
      "A node with no line down is a *leaf*: there the game is over.",
      "A leaf's *score* says how it ended for X: +1 is a win, 0 a draw, −1 a loss.",
    ],
    search: { ...FIRST, step: "26" },
  },
  {
    title: "MAX and MIN",
    text: [
      "X wants a high score and is *MAX*; O wants a low one and is *MIN*.",
      "Where X moves, a node's score is the highest below it; where O moves, the lowest: this is *minimax*.",
      "After X 6, O can choose between O 5, which scores −1, and O 7, which scores 0: so X 6 scores −1.",
    ],
    search: { ...FIRST, step: "22" },
  },
  {
    title: "α and β",
    text: [
      "*α* is the highest score that MAX is sure of so far, *β* the lowest that MIN is sure of.",
      "X 5 draws, so α is 0; after X 6, O 5 wins, so β is −1.",
      "X already has 0 and would get −1 or less here (a *bound*), so X will not play 6: O 7 is *pruned*, never visited.",
      "In short, α ≥ β makes a *cutoff* (equal is enough: a tie gains nothing), and a search with cutoffs is *alpha-beta*.",
    ],
    search: { board: "XXOOX...O", to_move: "X", scoring: "outcome", step: "17" },
  },
  {
    title: "A cutoff in a larger tree",
    text: [
      "Minimax visits 174 nodes here, alpha-beta 42; a position that is reached twice counts twice.",
      "Cells are tried by number, so X 1 comes before X 3, which wins. After X 1 and O 3, X can draw with 5, so α is 0; if X plays 7 instead, O 5 wins.",
      "So X will not play 7, whatever O 8 leads to: O 8 is pruned.",
    ],
    search: { board: "X.O.O.X..", to_move: "X", scoring: "outcome", step: "19" },
    focus: "1,3",
  },
  {
    title: "Block",
    text: [
      "O threatens to win with 7.",
      "Minimax visits every node, and finds that all moves of X but 7 lose, because O plays 7 at once.",
      "It needs no rule about blocking: MIN finds the −1.",
    ],
    search: { board: "XO..O...X", to_move: "X", algorithm: "minimax", scoring: "outcome", step: "433" },
  },
  {
    title: "Fork",
    text: [
      "X 0 threatens 2 and 6 at once, and O can block only one.",
      "From here on, quick wins count more: a win with the game's 8th mark scores 100 − 8 = +92 for X, −92 for O.",
      "After O 6, alpha-beta stopped at one winning reply, so its score is only a bound, +92 or more (≥).",
    ],
    search: { board: ".X.XOO.O.", to_move: "X", step: "24" },
    focus: "0",
  },
  {
    title: "A deep cutoff",
    text: [
      "X 1 wins at once, so from then on α is +95.",
      "Further down, after X 2, O 1 and X 5, O 6 wins: β is −92, so α ≥ β, and O 8 is pruned.",
      "The nodes on the way have no score yet: the +95 reaches down from the top.",
    ],
    search: { board: "O..OX..X.", to_move: "X", step: "10" },
    focus: "2,1",
  },
  {
    title: "Why order matters",
    text: [
      "Minimax visits 246 nodes here; alpha-beta visits 89, trying the cells by number.",
      "Choose another order: with the best move always first it visits 47, with the worst first 217.",
      "A cutoff needs a good score early, so programs try first what they guess is best.",
    ],
    search: { board: "XO.X..O..", to_move: "X", step: "231" },
  },
  {
    title: "A limit",
    text: [
      "Most games are too large to search to the end. Here minimax stops after two moves and *estimates*: a line with marks of X alone counts +1, or +3 if it has two; one with marks of O alone, −1 or −3.",
      "After X 4, O's best reply, a corner, leaves three lines to X and two to O: the center scores +1, a corner −1, a side −2.",
      "[What lies beyond the limit](?lesson=9&board=.O.X.O...&step=9999) is not seen.",
    ],
    search: { ...HORIZON, board: "........." },
    other: {
      board: HORIZON.board,
      text: [
        "With a depth of 2, X plays 0, which looks as good as any move and loses: O's win lies beyond the limit. This is the *horizon effect*.",
        "Choose a depth of 4: then X plays 2, which draws.",
        "[Back to the empty board](?lesson=9)",
      ],
    },
  },
];

/** Positions of which no lesson has spoken, to predict their searches. */
export const EXERCISES = ["O.X.X.O..", "X...O.OX.", "X....O.XO", "O.XX....O"].map(
  (board) => `?board=${board}&to_move=X&scoring=outcome&predict=true`,
);
