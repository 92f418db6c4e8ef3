"""Published and proven numbers of the game."""

# Positions at each ply of the complete game tree, every order of moves counted. The sum is the size of the tree.
PERFT = (1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872)

# Games by their plies, 255,168 in all: H. Bottomley, "How many games of Noughts and Crosses are possible?", 2001.
GAMES = {5: 1_440, 6: 5_328, 7: 47_952, 8: 72_576, 9: 127_872}

# Boards: every way to fill nine cells; those that games reach, and with each side to move that they can have; of
# those that games begun by X reach, all and the finished ones.
BOARDS = 19_683
LEGAL_BOARDS = 8_533
LEGAL_PAIRS = 10_956
STARTED_BY_X = 5_478
STARTED_BY_X_FINISHED = 958

# The game that the original program published: both sides play the recommended move from the empty board.
PUBLISHED_GAME = (0, 4, 1, 2, 6, 3, 5, 7, 8)

# Nodes on the empty board. Those of minimax and alphabeta are published, the others are counted here.
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

# The least nodes of any alpha-beta on the empty board, to prove the draw and to prove one side of it alone; counted in
# minimal_tree.py. A draw is the same with either scoring, and so are they.
LEAST_NODES = 1_452
LEAST_NODES_FOR_A_DRAW_AT_LEAST = 182
LEAST_NODES_FOR_A_DRAW_AT_MOST = 1_280

# Nodes of a search of each of the 10,956 positions, added up; counted here.
NODES_IN_ALL = {
    ("minimax", "distance"): 4_252_986,
    ("minimax", "outcome"): 4_252_986,
    ("alphabeta", "distance"): 621_222,
    ("alphabeta", "outcome"): 550_930,
    ("ordered_alphabeta", "distance"): 243_756,
    ("ordered_alphabeta", "outcome"): 239_956,
    ("transposition_table", "distance"): 197_476,
    ("transposition_table", "outcome"): 194_730,
    ("iterative_deepening", "distance"): 300_710,
    ("iterative_deepening", "outcome"): 412_808,
}

# Of the 9,040 unfinished positions, those that take iterative deepening fewer nodes than the table search, or more.
FEWER_NODES_BY_DEEPENING = 4_356
MORE_NODES_BY_DEEPENING = 4_020

# After X's first move, how many of O's eight replies lose.
LOSING_REPLIES = {0: 7, 1: 4, 2: 7, 3: 4, 4: 4, 5: 4, 6: 7, 7: 4, 8: 7}
