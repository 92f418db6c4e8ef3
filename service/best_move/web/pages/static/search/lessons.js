// The lessons: a title, three sentences, and the search that they are about. A *word* is being defined.

export const LESSONS = [
  {
    title: "A tree of games",
    text: [
      "Each *node* is a position, and each line down is a move: at the top, X can play 5, 6 or 7.",
      "A node without children is a *leaf*: the game is over there.",
      "A leaf's *score* says how it ended for X: +1 is a win, 0 a draw, −1 a loss.",
    ],
    search: { board: "XXOOX...O", to_move: "X", algorithm: "minimax", scoring: "outcome", step: "26" },
  },
  {
    title: "MAX and MIN",
    text: [
      "X wants a high score and is *MAX*; O wants a low one and is *MIN*.",
      "A node's score is the best of its children's scores for the side that moves there.",
      "After X 6, O can choose: O 5 scores −1 and O 7 scores 0, so the score of X 6 is −1.",
    ],
    search: { board: "XXOOX...O", to_move: "X", algorithm: "minimax", scoring: "outcome", step: "21" },
  },
  {
    title: "α and β",
    text: [
      "*α* is the score that MAX already has, *β* the score that MIN already has.",
      "X 5 gave MAX a draw, so α is 0; after X 6, O 5 wins, so β is −1.",
      "Once α ≥ β, the opponent will not let the game come here, so the rest is *pruned*: O 7 is never visited.",
    ],
    search: { board: "XXOOX...O", to_move: "X", scoring: "outcome", step: "17" },
  },
  {
    title: "The first cutoff",
    text: [
      "This tree is larger: minimax visits all 174 nodes, alpha-beta 42.",
      "After O 3, X can draw with 5, so α is 0; after X 7 instead, O 5 wins.",
      "So X will not play 7, whatever O 8 leads to: O 8 is pruned.",
    ],
    search: { board: "X.O.O.X..", to_move: "X", scoring: "outcome", step: "19" },
    focus: "1,3",
  },
  {
    title: "Block",
    text: [
      "O threatens to win with 7.",
      "Every move of X but 7 loses, because O plays 7 at once.",
      "The search needs no rule about blocking: MIN finds the −1.",
    ],
    search: { board: "XO..O...X", to_move: "X", algorithm: "minimax", scoring: "outcome", step: "433" },
  },
  {
    title: "Fork",
    text: [
      "X 0 threatens 2 and 6 at once.",
      "Quick wins: a win now scores 100 minus the number of its move, so a later win scores less.",
      "After X 0 every reply scores a win for X, so MIN can get no less than +92.",
    ],
    search: { board: ".X.XOO.O.", to_move: "X", step: "24" },
    focus: "0",
  },
  {
    title: "A deep cutoff",
    text: [
      "α is +95 since the first move: X 1 wins at once.",
      "Three moves further down, O 6 wins, so O 8 is pruned.",
      "The nodes between have no score yet: a bound from far above is enough.",
    ],
    search: { board: "O..OX..X.", to_move: "X", step: "10" },
    focus: "2,1",
  },
  {
    title: "Why order matters",
    text: [
      "Minimax visits 246 nodes here, and alpha-beta 89, trying the cells in order.",
      "Choose another order: with the best move always first it visits 47, with the worst first 217.",
      "A cutoff needs a good score early, so good programs guess the best move first.",
    ],
    search: { board: "XO.X..O..", to_move: "X", step: "231" },
  },
];

/** Positions of which no lesson has spoken, to predict their searches. */
export const EXERCISES = ["O.X.X.O..", "X...O.OX.", "X....O.XO", "O.XX....O"].map(
  (board) => `?board=${board}&to_move=X&scoring=outcome&predict=true`,
);
