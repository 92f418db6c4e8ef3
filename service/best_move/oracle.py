"""The oracle: the best move in a position, and the review of a game.

Questions, answers and games are NamedTuples; Question is in engine/question.py. Reviews are frozen
dataclasses, whose fields are those of the API's responses, with the same names and in the same
order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Literal, NamedTuple, get_args, get_origin, get_type_hints

from best_move.engine.choice import Choice, Rng, assess_line, choose
from best_move.engine.position import CELLS, Cells, Mark, Position
from best_move.engine.question import MAX_SEED, Question
from best_move.engine.reason import Reason, first_reason, reason_of
from best_move.engine.score import Assessment, Outcome, Scoring, outcome, value
from best_move.engine.search import Search
from best_move.engine.solved import solve
from best_move.engine.text import kept_text, mistake_text, move_text, outlook_text, over_text

__all__ = ["Answer", "Game", "JudgedMove", "Question", "Review", "consult", "review"]

#  A compiled class has no documentation, and its methods no types. So Position has its
#  documentation from here, a module that is not compiled.
Position.__doc__ = """A legal position: the marks of both sides as bitboards, and the side to move.

- `Position.parse(board: str, to_move: Mark | None = None) -> Position` reads nine cells, row by
  row: X, O, or `.` for an empty cell.
- `after(move: int) -> Position` returns the position after a move, a cell from 0 to 8.
- `play(moves: Sequence[int]) -> Position` returns the position after moves, in this order.
- `started_by(side: Mark) -> Position` returns the position in a game that a side started.
- `board: str`, `to_move: Mark`, `starts: Mark`, `ply: int`, `status: Status`,
  `legal_moves: tuple[int, ...]` and `winning_line: tuple[int, ...]` describe it.
- `x: int` and `o: int` are bitboards, as are `own: int` and `opponent: int` of the side to move.

`parse` raises InvalidBoardError or IllegalPositionError, `started_by` IllegalPositionError, and
`after` and `play` IllegalMoveError. All raise TypeError or ValueError for any other invalid
argument, such as a move that is not a cell.
"""


class Answer(NamedTuple):
    """The move, its assessment, and the principal variation, which starts with the move.

    On a finished board `move` and `reason` are None, the principal variation is empty, and `after`
    is the question's position; otherwise `after` is the position after the move. `text` describes
    the move and, if the game is over, how it ended. `outlook` describes what best play leads to
    after the move, and whether there was a better move; it is empty if the game is over. `nodes` is
    the number of nodes visited, including the root, and `elapsed_ms` is the search time in
    milliseconds. `moves` assesses every legal move, best first; it is None unless the question
    asked for an analysis. `optimal` is false if the search found a better move, and `repeatable` is
    false if chance could change the answer.
    """

    question: Question
    assessment: Assessment
    after: Position
    text: str
    nodes: int
    elapsed_ms: float
    moves: dict[int, Assessment] | None
    outlook: str = ""
    move: int | None = None
    reason: Reason | None = None
    principal_variation: Cells = ()
    optimal: bool = True
    repeatable: bool = True


class Game(NamedTuple):
    """A position, and the moves played from it.

    The scoring determines which moves are the best: with `outcome`, all moves that have the best
    outcome; with `distance`, of these moves those that win soonest or lose last. If `numbered` is
    true, the texts have the number of each cell beside its name.
    """

    start: Position
    played: Sequence[int]
    scoring: Scoring = "distance"
    numbered: bool = False


@dataclass(frozen=True)
class JudgedMove:
    """A move of a game, and what it changed.

    `player` is the side that made the move. `outcome` is the result of best play after this move,
    and `best_outcome` after a best move; both are for `player`. The move is a mistake if `outcome`
    is worse than `best_outcome`; `missed` is then the first of the best moves' reasons in the order
    of `Reason`, otherwise it is None. `best_moves` are the moves with the best score, sorted by
    cell.
    """

    move: int
    player: Mark
    mistake: bool
    outcome: Outcome
    best_outcome: Outcome
    best_moves: Cells
    missed: Reason | None
    text: str


@dataclass(frozen=True)
class Review:
    """A game, move by move, and the position at its end.

    `mistakes` is the number of mistakes by side. `first_mistake` is the index of the first mistake
    in `moves`, or None if no move is a mistake.
    """

    moves: tuple[JudgedMove, ...]
    position: Position
    mistakes: dict[Mark, int]
    first_mistake: int | None


def consult(question: Question) -> Answer:
    """Search, and return the answer.

    Without chance, a question always gets the same answer except for `elapsed_ms`. Raises TypeError
    or ValueError if a field has no valid value; `analysis` and `numbered` are not checked.
    """
    _check(question, Question, "position")
    _check_range("max_depth", question.max_depth, 1, CELLS)
    if question.seed is not None:
        _check_range("seed", question.seed, 0, MAX_SEED)
    search = Search(question.scoring)
    rng = Rng(question)

    start = perf_counter()
    choice = choose(question, search, rng)
    elapsed_ms = round((perf_counter() - start) * 1000, 3)
    return _answer(question, choice, search.nodes, elapsed_ms, repeatable=rng.repeatable)


def review(game: Game) -> Review:
    """Return the review of a game. The score of every position is known, so nothing is searched.

    Raises IllegalMoveError for the first move that is illegal, and TypeError or ValueError if a
    field has no valid value.
    """
    _check(game, Game, "start")
    played = tuple(game.played)
    end = game.start.play(played)
    solved = solve(game.start)
    moves = []
    for move in played:
        scores = {each: -after.score for each, after in solved.after.items()}
        if game.scoring == "outcome":
            scores = {each: int(value(score)) for each, score in scores.items()}
        moves.append(_judge(solved.position, move, scores, numbered=game.numbered))
        solved = solved.after[move]

    mistakes: dict[Mark, int] = {"X": 0, "O": 0}
    for judged in moves:
        mistakes[judged.player] += judged.mistake
    first_mistake = next((index for index, judged in enumerate(moves) if judged.mistake), None)
    return Review(tuple(moves), end, mistakes, first_mistake)


#  The words that are valid in each field of a question or a game that has a Literal type.
_WORDS = {
    kind: {
        field: get_args(hint)
        for field, hint in get_type_hints(kind).items()
        if get_origin(hint) is Literal
    }
    for kind in (Question, Game)
}


def _check(question: Question | Game, kind: type[Question | Game], position_field: str) -> None:
    """Raise an error unless the question or game, its position and its words are valid."""
    if not isinstance(question, kind):
        raise TypeError(f"The argument must be a {kind.__name__}, not {question!r}.")
    if not isinstance(getattr(question, position_field), Position):
        text = f"`{position_field}` must be a Position, such as Position.parse('.........')."
        raise TypeError(text)
    for field, words in _WORDS[kind].items():
        word = getattr(question, field)
        if word not in words:
            listed = ", ".join(words)
            raise ValueError(f"`{field}` must be one of {listed}, not {word!r}.")


def _check_range(field: str, number: object, lowest: int, highest: int) -> None:
    if isinstance(number, int) and lowest <= number <= highest:
        return
    expected = f"an integer from {lowest} to {highest}"
    raise ValueError(f"`{field}` must be {expected}, not {number!r}.")


def _answer(
    question: Question, choice: Choice, nodes: int, elapsed_ms: float, *, repeatable: bool
) -> Answer:
    position = question.position
    line = choice.line
    assessment = assess_line(question, line)
    moves = None
    if question.analysis:
        #  A finished board has one line, which is empty.
        moves = {line.moves[0]: assess_line(question, line) for line in choice.lines if line.moves}
    if not line.moves:
        text = over_text(position)
        return Answer(question, assessment, position, text, nodes, elapsed_ms, moves)

    move = line.moves[0]
    after = position.after(move)
    reason = reason_of(position, move)
    text = move_text(position, move, reason, numbered=question.numbered)
    outlook = outlook_text(
        after, assessment, question.max_depth, choice.mistakes, optimal=choice.optimal
    )
    return Answer(
        question=question,
        assessment=assessment,
        after=after,
        text=f"{text} {over_text(after)}".rstrip(),
        nodes=nodes,
        elapsed_ms=elapsed_ms,
        moves=moves,
        outlook=outlook,
        move=move,
        reason=reason,
        principal_variation=line.moves,
        optimal=choice.optimal,
        repeatable=repeatable,
    )


def _judge(position: Position, move: int, scores: dict[int, int], *, numbered: bool) -> JudgedMove:
    """Return the judgment of a move, given the scores of all moves, sorted by cell."""
    text = move_text(position, move, reason_of(position, move), numbered=numbered)
    score = scores[move]
    best_score = max(scores.values())
    best_moves = tuple(each for each in scores if scores[each] == best_score)
    result = outcome(score, exact=True)
    best_result = outcome(best_score, exact=True)
    missed = None
    if result != best_result:
        reasons = {best: reason_of(position, best) for best in best_moves}
        missed = first_reason(reasons.values())
        judgment = mistake_text(position.to_move, result, best_result, missed, reasons)
    else:
        quicker = best_moves if score < best_score else ()
        judgment = over_text(position.after(move)) or kept_text(result, quicker)
    return JudgedMove(
        move=move,
        player=position.to_move,
        mistake=result != best_result,
        outcome=result,
        best_outcome=best_result,
        best_moves=best_moves,
        missed=missed,
        text=f"{text} {judgment}",
    )
