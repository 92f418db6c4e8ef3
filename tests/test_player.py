"""The review of a player: it finds every loss, and its numbers are those of other programs."""

import json
from collections import Counter
from dataclasses import asdict
from fractions import Fraction
from functools import cache
from itertools import product
from math import nan
from random import Random
from typing import Any, get_args

import pytest

from best_move.engine.position import Mark, Position, other
from best_move.engine.question import Difficulty
from best_move.oracle import Game, review
from best_move.player import GameCounts, InvalidPlayerError, Verdict, review_player
from tests.tables import table
from tests.truth import golden, levels, referee
from tests.truth.players import (
    SIDES,
    Frequencies,
    Moves,
    boards,
    may_play,
    met,
    own,
    perfect,
    possible_games,
    random_frequencies,
    random_player,
    review_of,
    rule_follower,
    swapped,
    to_move,
)

#  Players that choose at random; at this rate they play the same move on a board each time.
RATES = [0, 0.5, 0.95, 1]


def assert_lost(review: Verdict, side: Mark, player: Moves | Frequencies) -> str:
    """Assert that the lost game is possible and lost; return its final board."""
    assert review.lost_game
    board = "." * 9
    for cell in review.lost_game:
        assert cell in referee.moves(board)
        if to_move(board) == side:
            assert may_play(player[board], cell)
        board = referee.play(board, to_move(board), cell)
    assert referee.has_won(board, referee.opponent(side))
    return board


def test_a_review_is_hashable() -> None:
    """Equal reviews are one element of a set, because all their parts are frozen."""
    one, other = (review_of("O", rule_follower((0, 2, 6, 8))) for _ in range(2))
    assert one.mistakes
    assert len({one, other}) == 1


@pytest.mark.parametrize(("side", "rounds"), [("X", 5), ("O", 4)])
def test_boards_whose_move_is_missing_are_returned_by_ply(side: Mark, rounds: int) -> None:
    """Each round returns the boards of one ply that a perfect player can meet, in order."""
    moves: Moves = {}
    for ply in range(side == "O", 2 * rounds, 2):
        found = review_player(side, moves)
        assert (found.complete, found.review) == (False, None)
        assert {board.count(".") for board in found.boards} == {9 - ply}
        assert list(found.boards) == sorted(set(found.boards) - set(moves))
        moves |= {board: perfect()[board] for board in found.boards}
    found = review_player(side, moves)
    assert (found.complete, found.boards, len(moves)) == (True, (), golden.MET_BY_PERFECT[side])
    assert set(moves) == met(side, perfect())
    assert found == review_player(side, own(side, perfect())), (
        "boards that it cannot meet change nothing"
    )


def test_every_losing_move_makes_a_player_beatable() -> None:
    """Of the 835 players with one losing move, every 16th loses the game of its review."""
    losing = [
        (side, board, cell)
        for side in SIDES
        for board in sorted(met(side, perfect()))
        for cell, outcome in levels.outcomes(board).items()
        if outcome < 0
    ]
    assert len(losing) == 835
    for side, board, cell in losing[::16]:
        moves = own(side, perfect()) | {board: cell}
        review = review_of(side, moves)
        assert not review.unbeatable
        assert_lost(review, side, moves)
        assert (review.mistakes[0].board, review.mistakes[0].move) == (board, cell)


@pytest.mark.parametrize(
    ("moves", "games"),
    [(rule_follower((0, 2, 6, 8)), (430, 141, 12)), (perfect(), (457, 185, 0))],
    ids=["rules", "perfect"],
)
def test_reviews_reproduce_the_published_counts(moves: Moves, games: tuple[int, int, int]) -> None:
    """The counts over all games of both sides are published with a program that plays them."""
    first, second = (review_of(side, moves).games for side in SIDES)
    assert (first.won + second.won, first.drawn + second.drawn, first.lost + second.lost) == games


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("rate", RATES)
def test_the_probabilities_of_a_random_player_are_exact(rate: float, side: Mark) -> None:
    """The worst loss, the exploitability and the odds are those of a program from the rules."""
    frequencies = random_frequencies(1, rate)

    @cache
    def player(board: str) -> dict[int, Fraction]:
        numbers = [Fraction(number) for number in frequencies[board]]
        return {cell: number / sum(numbers) for cell, number in enumerate(numbers) if number}

    review = review_of(side, {}, frequencies)
    odds = review.against_random
    found = (review.worst_loss, review.exploitability, odds.win, odds.draw, odds.loss)
    loss = levels.best_response(side, player, levels.LOSS)
    payoff = levels.best_response(side, player, (-1, 0, 1))
    shares = levels.results(side, player, levels.random_moves)
    assert found == pytest.approx([float(exact) for exact in (loss, payoff, *shares)])


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("rate", RATES)
def test_the_games_of_a_random_player_are_all_possible_games(rate: float, side: Mark) -> None:
    """The counts are those of all games, and the lost game is possible and a shortest one."""
    for seed in range(2):
        frequencies = random_frequencies(seed, rate)
        review = review_of(side, {}, frequencies)
        games = possible_games(side, frequencies)
        ends = [board for board in games if referee.is_over(board)]
        won = [board for board in ends if referee.has_won(board, side)]
        lost = [board for board in ends if referee.has_won(board, referee.opponent(side))]
        drawn = {*ends}.difference(won, lost)
        counts = [sum(games[board] for board in each) for each in (won, drawn, lost)]
        assert review.games == GameCounts(*counts)
        assert review.unbeatable == (not lost)
        if lost:
            end = assert_lost(review, side, frequencies)
            assert end.count(".") == max(board.count(".") for board in lost)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("rate", RATES)
def test_mistakes_are_those_of_the_review_of_a_game(rate: float, side: Mark) -> None:
    """They are the moves that the review of a game, which is tested, judges so."""
    frequencies = random_frequencies(2, rate)
    mistakes = review_of(side, {}, frequencies).mistakes
    found = {(each.board, each.move): each for each in mistakes}
    assert len(found) == len(mistakes)
    for board, cell in product(met(side, frequencies), range(9)):
        if not may_play(frequencies[board], cell):
            continue
        (judged,) = review(Game(Position.parse(board, side), [cell])).moves
        mistake = found.pop((board, cell), None)
        assert (mistake is not None) == judged.mistake
        if mistake:
            share = frequencies[board][cell] / sum(frequencies[board])
            assert mistake.chance == pytest.approx(share)
            for name in ("outcome", "best_outcome", "best_moves", "missed"):
                assert getattr(mistake, name) == getattr(judged, name)
    assert not found


def perfect_replies(board: str) -> list[int]:
    """Return the moves that keep the outcome of best play."""
    outcomes = levels.outcomes(board)
    return [cell for cell in outcomes if outcomes[cell] == max(outcomes.values())]


@pytest.mark.parametrize("side", SIDES)
def test_the_result_against_perfect_play_is_the_worst_possible_result(side: Mark) -> None:
    """`against_perfect` is the worst result against opponents that make no mistakes."""
    some, moves_drawn = sorted(met(side, perfect()))[::20], random_player(0)
    changed = [perfect() | {board: moves_drawn[board]} for board in some]
    results = set()
    for moves in [*changed, *map(random_player, range(5))]:
        review = review_of(side, moves)
        player = {board: {move: Fraction(1)} for board, move in moves.items()}.__getitem__
        payoff = levels.expectation(side, player, perfect_replies, (-1, 0, 1))("." * 9)
        assert review.against_perfect == {-1: "win", 0: "draw", 1: "loss"}[int(payoff)]
        results.add((review.unbeatable, review.against_perfect))
    assert results == {(True, "draw"), (False, "draw"), (False, "loss")}


@pytest.mark.parametrize(("side", "limit"), [("X", 191 / 192), ("O", 866 / 945)])
def test_no_tie_break_exceeds_the_limit_of_safe_play(side: Mark, limit: float) -> None:
    """The limit is published, and `best_odds` reaches it."""
    for tie_break in ("first", "trap", "best_odds"):
        best = levels.TIE_BREAKS[tie_break]
        moves = {board: best(board)[0] for board in boards()}
        odds = review_of(side, moves).against_random
        assert (odds.limit, odds.loss) == (limit, 0)
        assert odds.win == limit if tie_break == "best_odds" else odds.win <= limit


#  What an opponent who knows the player can reach: the highest probability of its loss, and the
#  highest expected payoff (win 1, draw 0, loss -1). Computed by two programs; `hard` as X and
#  `medium` as O also by the best response of OpenSpiel. Those of random moves are published, too:
#  887/945 and 191/192 are the highest chances to win against them, 874/945 is the highest chance to
#  win less that to lose.
BEST_RESPONSES = {
    ("perfect", "X"): (0, 0),
    ("perfect", "O"): (0, 0),
    ("hard", "X"): (5_931_019 / 75_600_000, 5_462_539 / 75_600_000),
    ("hard", "O"): (126_103 / 1_024_000, 126_103 / 1_024_000),
    ("medium", "X"): (5_055_637 / 10_800_000, 4_879_357 / 10_800_000),
    ("medium", "O"): (659_911 / 1_024_000, 659_911 / 1_024_000),
    ("easy", "X"): (887 / 945, 874 / 945),
    ("easy", "O"): (191 / 192, 191 / 192),
}


@pytest.mark.parametrize("level", get_args(Difficulty))
@pytest.mark.parametrize("side", SIDES)
def test_the_levels_lose_as_much_as_published_to_a_best_response(
    level: Difficulty, side: Mark
) -> None:
    """The worst loss and the exploitability of each level are golden."""
    player = levels.oracle(level, "random" if level == "perfect" else "first")
    frequencies = {
        board: [float(player(board).get(cell, 0)) for cell in range(9)] for board in boards()
    }
    review = review_of(side, {}, frequencies)
    found = (review.worst_loss, review.exploitability)
    assert found == pytest.approx(BEST_RESPONSES[level, side], abs=1e-9)
    assert (review.unbeatable, review.against_perfect) == (
        (True, "draw") if level == "perfect" else (False, "loss")
    )


@pytest.mark.parametrize("side", SIDES)
def test_a_player_gets_the_same_review_by_moves_and_by_frequencies(side: Mark) -> None:
    """A player gets the same review by moves, by frequencies, and by both."""
    for moves in (perfect(), *map(random_player, range(4))):
        review = review_of(side, moves)
        frequencies = {
            board: [0.1 * (cell == move) for cell in range(9)] for board, move in moves.items()
        }
        assert review_of(side, {}, frequencies) == review
        some = dict([*frequencies.items()][::2])
        others = {board: moves[board] for board in moves if board not in some}
        assert review_of(side, others, some) == review
        assert review.worst_loss == (not review.unbeatable)
        assert {mistake.chance for mistake in review.mistakes} <= {1}


@pytest.mark.parametrize("side", SIDES)
def test_a_player_that_plays_to_lose_is_lost_for_certain(side: Mark) -> None:
    """Both numbers are at most 1, though the sums of rounded chances may exceed 1."""
    frequencies = {}
    for board in boards():
        outcomes = levels.outcomes(board)
        worst = min(outcomes.values())
        frequencies[board] = [int(outcomes.get(cell) == worst) for cell in range(9)]
    review = review_of(side, {}, frequencies)
    for number in (review.worst_loss, review.exploitability):
        assert 1 - 1e-9 <= number <= 1


@pytest.mark.parametrize("side", SIDES)
def test_the_chance_of_a_mistake_is_the_probability_that_was_sent(side: Mark) -> None:
    """A sum of probabilities that is 1 only up to rounding adds no digits to them."""
    rng = Random(1)  # noqa: S311, a game
    frequencies = {}
    for board, cells in boards().items():
        hundredths = Counter(rng.choices(cells, k=100))
        frequencies[board] = [hundredths[cell] / 100 for cell in range(9)]
    mistakes = review_of(side, {}, frequencies).mistakes
    assert mistakes
    for mistake in mistakes:
        assert mistake.chance == frequencies[mistake.board][mistake.move]


@pytest.mark.parametrize("side", SIDES)
def test_the_player_of_games_that_o_starts_is_reviewed(side: Mark) -> None:
    """Whether it is complete or not, the review is that of X's games with swapped letters."""
    frequencies = own(side, random_frequencies(7, 0.8))
    first = [*frequencies][-1]
    for known in (frequencies, {first: frequencies[first]}):
        expected = review_player(side, {}, known)
        same = {swapped(board): numbers for board, numbers in known.items()}
        found = review_player(other(side), {}, same, "O")
        assert {*map(swapped, found.boards)} == {*expected.boards}
        assert swapped(json.dumps(asdict(found)["review"])) == json.dumps(
            asdict(expected)["review"]
        )


@pytest.mark.parametrize(
    ("name", "side", "starts"),
    [*product(["moves"], SIDES, SIDES), ("frequencies", "X", "X"), ("frequencies", "X", "O")],
)
def test_every_illegal_move_has_an_error(name: str, side: Mark, starts: Mark) -> None:
    """On every board, possible or not, each illegal move has an error that names the rule."""
    moves = {board: index // 7 % 9 for index, board in enumerate(referee.all_boards())}
    frequencies = {board: [int(cell == move) for cell in range(9)] for board, move in moves.items()}
    with pytest.raises(InvalidPlayerError) as raised:
        review_player(side, *((moves, {}) if name == "moves" else ({}, frequencies)), starts)
    assert {entry.table for entry in raised.value.entries} == {name}
    errors = {entry.board: entry.text for entry in raised.value.entries}
    for board, cell in moves.items():
        free = referee.moves(board)
        lead = board.count(starts) - board.count(other(starts))
        if referee.reachable().isdisjoint({(board, "X"), (board, "O")}):
            assert board in errors
        elif lead != (side != starts):
            assert f"It is not {side}'s turn: {starts} moves first, " in errors[board]
        elif not free:
            assert "The game is over." in errors[board]
        elif cell not in free:
            assert f" Free cells: {', '.join(map(str, free))}." in errors[board]
        else:
            assert board not in errors


class OtherNumber:
    """A number that is neither int nor float, such as NumPy's float32."""

    def __repr__(self) -> str:
        return "float32(0.5)"


#  An entry of `moves` for the board X...O...., the cause of its error, and the end of its text.
MOVES = table("""
0  cell_taken  Cell 0 is taken by X. Free cells: 1, 2, 3, 5, 6, 7, 8.
9  wrong_value  an integer from 0 to 8, not 9.
-1.0  wrong_value  an integer from 0 to 8, not -1.0.
0.5  wrong_type  an integer from 0 to 8, not 0.5.
"5"  wrong_type  an integer from 0 to 8, not "5".
True  wrong_type  an integer from 0 to 8, not true.
None  wrong_type  an integer from 0 to 8, not null.
(0, 1)  wrong_type  not [0, 1].
""")
NO_ARRAY = " In Python, send a list or tuple of int or float (`.tolist()` of an array)."
FREQUENCIES = table(f"""
[0, 0, 1, 0, 1, 0, 0, 0, 0]  cell_taken  Cell 4 is taken by O. Free cells: 1, 2, 3, 5, 6, 7, 8.
[1] * 8 + [-1]  wrong_value  0, 17]. The number of cell 8 is -1.
[1] * 8 + [1e10]  wrong_value  The number of cell 8 is 10000000000.0.
[1] * 8 + [nan]  wrong_value  The number of cell 8 is NaN.
[1] * 8 + ["0.2"]  wrong_value  The number of cell 8 is "0.2".
[0, 0, True] + [1] * 6  wrong_value  The number of cell 2 is true.
[1] * 8 + [OtherNumber()]  wrong_value  The number of cell 8 is float32(0.5).{NO_ARRAY}
[0] * 9  no_move  All frequencies are 0. At least one must be positive.
[1] * 8  wrong_length  0, 17]. This array has 8.
[1] * 10  wrong_length  0, 17]. This array has 10.
5  wrong_type  0, 17], not 5.
b""  wrong_type  0, 17], not b''.{NO_ARRAY}
"9" * 50  wrong_type  0, 17], not "{"9" * 37}…".
""")
INVALID = [("moves", *row) for row in MOVES] + [("frequencies", *row) for row in FREQUENCIES]


@pytest.mark.parametrize(("name", "entry", "cause", "text"), INVALID)
def test_an_invalid_entry_raises_an_error(name: str, entry: str, cause: str, text: str) -> None:
    """The error names the table, the board, the cause and what is wrong."""
    value = eval(entry, {"nan": nan, "OtherNumber": OtherNumber})  # noqa: S307, our own text
    tables: dict[str, Any] = {name: {"X...O....": value}}
    with pytest.raises(InvalidPlayerError) as raised:
        review_player("X", **tables)
    [invalid] = raised.value.entries
    assert (invalid.table, invalid.board, invalid.cause) == (name, "X...O....", cause)
    assert invalid.text.endswith(text)
    assert str(raised.value) == f'On "X...O....": {invalid.text}'


def test_all_invalid_entries_are_in_the_error() -> None:
    """The error has each invalid entry; its text has the first, and the number of others."""
    moves = {"X...O....": 0, "X........": 1, "XXXOO....": 8, "X": 4, "O...X....": 1}
    with pytest.raises(InvalidPlayerError) as raised:
        review_player("X", moves, {"O...X....": [0, 1, 0, 0, 0, 0, 0, 0, 0], "OX.......": [0] * 9})
    causes = "repeated_board cell_taken wrong_side_to_move wrong_side_to_move wrong_length no_move"
    assert " ".join(entry.cause for entry in raised.value.entries) == causes
    assert str(raised.value).endswith("Remove it from one of them. And 5 more.")
