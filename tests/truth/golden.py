"""Published and proven numbers that several tests need, with their sources; X starts."""

# Games by length in plies, 255,168 in all: H. Bottomley, "How many games of Noughts and Crosses are
# possible?", 2001.
GAMES = {5: 1_440, 6: 5_328, 7: 47_952, 8: 72_576, 9: 127_872}

# Numbers of boards.
BOARDS = 19_683  # all ways to fill nine cells
LEGAL_PAIRS = 10_956  # pairs of a board and a side to move, of games that X or O starts
STARTED_BY_X = 5_478  # boards of games that X starts

# The number of classes at each ply; a class has all rotations and reflections of a position: OEIS
# A008907.
CLASSES = (1, 3, 12, 38, 108, 174, 204, 153, 57, 15)

# Values of X's first moves two plies deep, backed up from the estimates: S. Russell and P. Norvig,
# "Artificial Intelligence: A Modern Approach", the exercise on tic-tac-toe in the chapter on
# adversarial search.
VALUES_AT_DEPTH_2 = {0: -1, 1: -2, 2: -1, 3: -2, 4: 1, 5: -2, 6: -1, 7: -2, 8: -1}

# The published game of the original program: both sides play the recommended move from the empty
# board.
PUBLISHED_GAME = (0, 4, 1, 2, 6, 3, 5, 7, 8)

# Nodes of a search of the empty board. Those of minimax and alphabeta are published, the others are
# counted here.
NODES = {
    ("minimax", "distance"): 549_946,
    ("minimax", "outcome"): 549_946,
    ("alphabeta", "distance"): 20_866,
    ("alphabeta", "outcome"): 18_297,
    ("ordered_alphabeta", "distance"): 2_108,
    ("ordered_alphabeta", "outcome"): 2_108,
    ("transposition_table", "distance"): 290,
    ("transposition_table", "outcome"): 290,
    ("iterative_deepening", "distance"): 1_043,
    ("iterative_deepening", "outcome"): 1_043,
}

# The fewest nodes that alpha-beta without a table can visit on the empty board, with any move order
# and either scoring; computed in test_minimal_tree.py.
LEAST_NODES = 1_452

# How many boards a perfect player meets on each side if it plays the best move on the lowest cell;
# counted here.
MET_BY_PERFECT = {"X": 81, "O": 426}

# The nodes of minimax and of alpha-beta for O's turns in the game 0, 4, 6, 3, 5, 1, 7, over the
# searches of O's moves: published in a course's hand-out.
COURSE_NODES = {
    "X........": (59_704, 4_089),
    "X...O.X..": (926, 278),
    "X..OOXX..": (60, 52),
    "XO.OOXXX.": (4, 4),
}
