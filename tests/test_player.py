"""The review of a player: it finds every loss, and its counts and probabilities are those of an independent walk."""

from typing import get_args

import pytest

from best_move.engine.position import IllegalMoveError, Mark, Position
from best_move.engine.reason import Reason, reason
from best_move.player import Verdict, review_player
from tests import golden, levels, referee
from tests.players import (
    SIDES,
    Moves,
    Walk,
    perfect,
    random_player,
    review_of,
    rule_follower,
    to_move,
    worst_against_perfect,
)

RANDOM_PLAYERS = 400
OUTCOMES = {1: "win", 0: "draw", -1: "loss"}


def assert_lost(review: Verdict, side: Mark, moves: Moves) -> str:
    """Assert that the lost game has the player's moves and is lost; return its final board."""
    assert review.lost_game
    board = "." * 9
    for cell in review.lost_game:
        assert cell in referee.moves(board)
        if to_move(board) == side:
            assert moves[board] == cell
        board = referee.play(board, to_move(board), cell)
    assert referee.has_won(board, referee.opponent(side))
    return board


@pytest.mark.parametrize("side", SIDES)
def test_a_perfect_player_is_unbeatable(side: Mark) -> None:
    """The perfect player makes no mistake, and draws with a perfect opponent."""
    review = review_of(side, perfect())
    assert (review.unbeatable, review.lost_game, review.mistakes) == (True, None, ())
    assert (review.games.lost, review.against_random.loss, review.against_perfect) == (0, 0, "draw")


@pytest.mark.parametrize(("side", "rounds"), [("X", 5), ("O", 4)])
def test_boards_whose_move_is_missing_are_returned_by_ply(side: Mark, rounds: int) -> None:
    """Each round returns the boards of one ply that a perfect player can meet, each board once, in order."""
    moves: Moves = {}
    for ply in range(side == "O", 2 * rounds, 2):
        found = review_player(side, moves)
        assert (found.complete, found.review) == (False, None)
        assert {board.count(".") for board in found.boards} == {9 - ply}
        assert list(found.boards) == sorted(set(found.boards) - set(moves))
        moves |= {board: perfect()[board] for board in found.boards}
    found = review_player(side, moves)
    assert (found.complete, found.boards, len(moves)) == (True, (), golden.MET_BY_PERFECT[side])
    assert set(moves) == Walk(side, perfect()).met
    assert found == review_player(side, perfect()), "boards that it cannot meet change nothing"


def test_every_losing_move_makes_a_player_beatable() -> None:
    """Each of the 835 players with one losing move, but no other mistake, loses the game that the review returns."""
    beaten = 0
    for side in SIDES:
        for board in Walk(side, perfect()).met:
            grades = referee.grade_of_moves(board, side, 9, counts_plies=True)
            for losing in [cell for cell, (outcome, _) in grades.items() if outcome < 0]:
                moves = perfect() | {board: losing}
                review = review_of(side, moves)
                assert not review.unbeatable
                assert_lost(review, side, moves)
                assert [(mistake.board, mistake.move) for mistake in review.mistakes][:1] == [(board, losing)]
                beaten += 1
    assert beaten == golden.LOSING_MOVES


@pytest.mark.parametrize(
    ("moves", "games"),
    [(rule_follower((0, 2, 6, 8)), golden.GAMES_BY_RULES), (perfect(), golden.GAMES_OF_PERFECT)],
    ids=["rules", "perfect"],
)
def test_reviews_reproduce_the_published_counts(moves: Moves, games: tuple[int, int, int]) -> None:
    """Over all games on both sides, the numbers of wins, draws and losses are the published counts."""
    first, second = (review_of(side, moves).games for side in SIDES)
    assert (first.won + second.won, first.drawn + second.drawn, first.lost + second.lost) == games


def test_random_players_are_reviewed_exactly() -> None:
    """For 400 random players, counts, probabilities and the length of a lost game are those of an independent walk."""
    for seed in range(RANDOM_PLAYERS):
        side, moves = SIDES[seed % 2], random_player(seed)
        review, walk = review_of(side, moves), Walk(side, moves)
        assert (review.games.won, review.games.drawn, review.games.lost) == walk.games
        odds = review.against_random
        assert [odds.win, odds.draw, odds.loss] == list(map(float, walk.odds))
        assert review.unbeatable == (not walk.lost)
        if walk.lost:
            end = assert_lost(review, side, moves)
            assert end.count(".") == max(board.count(".") for board in walk.lost)


@pytest.mark.parametrize("side", SIDES)
def test_mistakes_are_those_of_the_referee(side: Mark) -> None:
    """The mistakes of random players are their moves with a worse result than a best move, on boards that they meet."""
    for seed in range(10):
        moves = random_player(seed)
        expected = {}
        for board in Walk(side, moves).met:
            grades = referee.grade_of_moves(board, side, 9, counts_plies=True)
            best = [cell for cell in grades if grades[cell] == max(grades.values())]
            result, best_result = grades[moves[board]][0], grades[best[0]][0]
            if result < best_result:
                position = Position.parse(board, side)
                rules = [reason(position.own, position.opponent, each) for each in best]
                missed = next(rule for rule in get_args(Reason) if rule in rules)
                expected[board] = (moves[board], OUTCOMES[result], OUTCOMES[best_result], tuple(best), missed)
        found = review_of(side, moves).mistakes
        assert {m.board: (m.move, m.outcome, m.best_outcome, m.best_moves, m.missed) for m in found} == expected
        assert len(found) == len(expected)


@pytest.mark.parametrize("side", SIDES)
def test_the_result_against_perfect_play_is_the_worst_possible_result(side: Mark) -> None:
    """`against_perfect` is the worst result against opponents that make no mistakes."""
    met, moves_drawn = sorted(Walk(side, perfect()).met), random_player(0)
    changed = [perfect() | {board: moves_drawn[board]} for board in met[::4]]
    results = set()
    for moves in [*changed, *map(random_player, range(10))]:
        review = review_of(side, moves)
        assert review.against_perfect == OUTCOMES[worst_against_perfect(side, moves)]
        results.add((review.unbeatable, review.against_perfect))
    assert results == {(True, "draw"), (False, "draw"), (False, "loss")}


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("tie_break", ["first", "trap", "best_odds"])
def test_the_odds_of_the_tie_breaks_equal_those_of_make_levels(tie_break: str, side: Mark) -> None:
    """Perfect players have the odds that `make levels` computes for their tie-breaks."""
    odds = review_of(side, perfect(tie_break)).against_random
    exact = levels.results(levels.oracle(tie_break=tie_break), levels.random_moves, side)
    assert (odds.win, odds.draw, odds.loss) == tuple(map(float, exact))
    assert odds.limit == float(golden.LIMITS[side])
    assert odds.win == odds.limit if tie_break == "best_odds" else odds.win <= odds.limit


def test_an_illegal_move_of_a_player_raises_an_error() -> None:
    """A move to a taken cell raises an error if the player meets the board; otherwise it is ignored."""
    moves = perfect() | {"X...O....": 0}
    with pytest.raises(IllegalMoveError):
        review_player("X", moves | {".........": 0})
    assert review_player("X", moves | {".........": 4}).complete
