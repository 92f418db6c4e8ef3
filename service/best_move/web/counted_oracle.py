"""The oracle as requests and tool calls consult it: each search is counted."""

from best_move import oracle
from best_move.oracle import Answer, Question
from best_move.web.observability.counts import COUNTS


def consult_and_count(question: Question) -> Answer:
    """Consult the oracle, and count the search."""
    answer = oracle.consult(question)
    algorithm = question.algorithm
    COUNTS.add(
        (("best_move_searches", algorithm), 1),
        (("best_move_nodes", algorithm), answer.nodes),
        (("best_move_search_seconds", algorithm), answer.elapsed_ms / 1000),
    )
    return answer
