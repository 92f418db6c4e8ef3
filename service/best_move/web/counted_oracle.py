"""The oracle as requests and tool calls consult it: each search is counted."""

from best_move import oracle
from best_move.oracle import Answer, Game, Question, Review
from best_move.web.observability.counts import COUNTS


def consult_and_count(question: Question) -> Answer:
    """Consult the oracle, and count the search."""
    answer = oracle.consult(question)
    _count_searches(question.algorithm, 1, answer.nodes, answer.elapsed_ms)
    return answer


def review_and_count(game: Game) -> Review:
    """Review a game, and count a search for each of its moves."""
    review = oracle.review(game)
    _count_searches(oracle.REVIEW_ALGORITHM, len(review.moves), review.nodes, review.elapsed_ms)
    return review


def _count_searches(algorithm: str, searches: int, nodes: int, elapsed_ms: float) -> None:
    COUNTS.add(
        (("best_move_searches", algorithm), searches),
        (("best_move_nodes", algorithm), nodes),
        (("best_move_search_seconds", algorithm), elapsed_ms / 1000),
    )
