"""Published and proven numbers of the game with their sources; X starts, unless stated."""

from fractions import Fraction

# Positions at each ply of the complete game tree, counting every order of moves. Their sum is the
# size of the tree.
PERFT = (1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872)

# Games by length in plies and by status at the end, 255,168 in all:
# H. Bottomley, "How many games of Noughts and Crosses are possible?", 2001.
GAMES = {5: 1_440, 6: 5_328, 7: 47_952, 8: 72_576, 9: 127_872}
GAMES_BY_STATUS = {"x_won": 131_184, "o_won": 77_904, "draw": 46_080}

# The shares of games of random moves that X wins, draws and loses: M. Daly, archive of the
# newsgroup rec.puzzles.
RANDOM_GAMES = (Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420))

# The highest chance of winning against random moves without ever risking a loss; computed in
# levels.py.
LIMITS = {"X": Fraction(191, 192), "O": Fraction(866, 945)}

# Numbers of boards.
BOARDS = 19_683  # all ways to fill nine cells
LEGAL_BOARDS = 8_533  # boards of games that X or O starts
LEGAL_PAIRS = 10_956  # pairs of a legal board and a side that can be to move on it
STARTED_BY_X = 5_478  # boards of games that X starts
STARTED_BY_X_FINISHED = 958  # boards on which such a game is over

# How many finished boards X has won: D. Aha, "Tic-Tac-Toe Endgame", UCI Machine Learning
# Repository, 1991.
STARTED_BY_X_WON_BY_X = 626

# The number of classes at each ply; a class has all rotations and reflections of a position. X
# forces a class if X can force a win or has won. Source: OEIS A008907, and row 3 of A317573,
# A317574 and A317576.
CLASSES = (1, 3, 12, 38, 108, 174, 204, 153, 57, 15)
CLASSES_FORCED_BY_X = (0, 0, 7, 9, 85, 67, 139, 70, 23, 12)
CLASSES_FORCED_BY_O = (0, 0, 0, 8, 5, 72, 38, 56, 23, 0)
CLASSES_FINISHED = (0, 0, 0, 0, 0, 21, 21, 58, 23, 15)

# Finished classes by status: T. Bolon, "How to never lose at Tic-Tac-Toe", 2013.
CLASSES_BY_STATUS = {"x_won": 91, "o_won": 44, "draw": 3}

# Unfinished classes: OEIS A008907 minus A317576.
CLASSES_UNFINISHED = 627

# Unfinished classes whose moves differ in outcome: counted here; a published set of exam questions
# has the same size.
CLASSES_WITH_MISTAKES = 431

# Decided classes by outcome for the side to move and plies to the end; counted here.
CLASSES_BY_DISTANCE = {
    ("loss", 0): 135,
    ("loss", 2): 72,
    ("loss", 4): 17,
    ("win", 1): 321,
    ("win", 3): 51,
    ("win", 5): 18,
}

# The 304 matchboxes of MENACE by the number of marks; MENACE always starts, and needs no box if one
# cell is left: D. Michie, "Trial and Error", Penguin Science Survey 2, 1961.
MATCHBOXES = {0: 1, 2: 12, 4: 108, 6: 183}

# Values of X's first moves two plies deep, backed up from the estimates: S. Russell and P. Norvig,
# "Artificial Intelligence: A Modern Approach", the exercise on tic-tac-toe in the chapter on
# adversarial search.
VALUES_AT_DEPTH_2 = {0: -1, 1: -2, 2: -1, 3: -2, 4: 1, 5: -2, 6: -1, 7: -2, 8: -1}

# A board on which X has a single winning move, that move, and the plies to the win. Proof: X on 6
# threatens to win on 0 and 8, O threatens nothing, and no other move of X makes two threats.
SINGLE_WIN = ("...XOO.X.", 6, 3)

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

# Nodes of alpha-beta that counts no plies and cuts off only if alpha > beta, as the course CS188 at
# Berkeley demands; counted here.
NODES_WITH_STRICT_CUTOFFS = {"X.O.O.X..": 107, ".........": 146_120}

# The fewest nodes that alpha-beta without a table can visit on the empty board, with any move order
# and either scoring; computed in minimal_tree.py.
LEAST_NODES = 1_452  # to prove the draw
LEAST_NODES_FOR_A_DRAW_AT_LEAST = 182  # to prove that X gets at least a draw
LEAST_NODES_FOR_A_DRAW_AT_MOST = 1_280  # to prove that X gets at most a draw

# Of the 9,040 unfinished positions, those on which iterative deepening visits fewer nodes than one
# search with a table, and those on which it visits more; counted here.
FEWER_NODES_BY_DEEPENING = 4_356
MORE_NODES_BY_DEEPENING = 4_020

# After X's first move, how many of O's eight replies lose; counted here.
LOSING_REPLIES = {0: 7, 1: 4, 2: 7, 3: 4, 4: 4, 5: 4, 6: 7, 7: 4, 8: 7}

# How many boards a perfect player meets on each side if it plays the best move on the lowest cell;
# counted here.
MET_BY_PERFECT = {"X": 81, "O": 426}
LOSING_MOVES = 835  # on all these boards

# The numbers of games that a player wins, draws and loses against all replies, as X and as O
# together. They are published with a program that plays all these games.
GAMES_BY_RULES = (
    430,
    141,
    12,
)  # a player that wins, else blocks, else takes the center, a corner or a side
GAMES_OF_PERFECT = (457, 185, 0)

# The highest probability of a loss that an opponent can reach who knows the player, and its highest
# expected payoff (win 1, draw 0, loss -1), by level and side. Computed by two programs; `hard` as X
# and `medium` as O also by the best response of OpenSpiel. Those of random moves are published,
# too: 887/945 and 191/192 are the highest chances to win against them, 874/945 is the highest
# chance to win less that to lose.
BEST_RESPONSES = {
    ("perfect", "X"): (Fraction(0), Fraction(0)),
    ("perfect", "O"): (Fraction(0), Fraction(0)),
    ("hard", "X"): (Fraction(5_931_019, 75_600_000), Fraction(5_462_539, 75_600_000)),
    ("hard", "O"): (Fraction(126_103, 1_024_000), Fraction(126_103, 1_024_000)),
    ("medium", "X"): (Fraction(5_055_637, 10_800_000), Fraction(4_879_357, 10_800_000)),
    ("medium", "O"): (Fraction(659_911, 1_024_000), Fraction(659_911, 1_024_000)),
    ("easy", "X"): (Fraction(887, 945), Fraction(874, 945)),
    ("easy", "O"): (Fraction(191, 192), Fraction(191, 192)),
}

# The nodes of minimax and of alpha-beta for O's turns in the game 0, 4, 6, 3, 5, 1, 7, over the
# searches of O's moves: published in a course's hand-out.
COURSE_NODES = {
    "X........": (59_704, 4_089),
    "X...O.X..": (926, 278),
    "X..OOXX..": (60, 52),
    "XO.OOXXX.": (4, 4),
}
