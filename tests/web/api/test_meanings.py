"""What the OpenAPI document says about nulls, counts and conditions is true of each response."""

import json
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final, cast

from flask.testing import FlaskClient

from best_move.web.api.openapi import document, resolved
from tests.fuzzing import EXAMPLES
from tests.truth import players, referee
from tests.truth.number_trees import any_tree
from tests.truth.textbook import Numbers

Json = dict[str, Any]
POSITIONS: Final = sorted(referee.reachable())
SCHEMAS: Final = document()["components"]["schemas"]

#  A description with one of these says when a field has which value.
CONDITION: Final = re.compile(
    r"\b(null|empty (if|at)|the (number|size) of (?!a |the leaf)|true if|the same as)\b"
)
#  Of the fields of responses, those that only a search of all games could judge.
JUDGED_ELSEWHERE: Final = {"PlayerReview.complete", "Verdict.unbeatable", "Verdict.games"}


def is_over(position: Json) -> bool:
    """Return whether the game is over."""
    status: str = position["status"]
    return status != "in_progress"


def has_right_distance(scored: Json, answer: Json, *, ended: bool = False) -> bool:
    """Return whether a distance is 0 or null when the document says so."""
    distance: int | None = scored["distance"]
    if ended:
        return distance == 0
    is_unknown: bool = scored["outcome"] == "unknown" or answer["scoring"] == "outcome"
    return (distance is None) == is_unknown


def ended(node: Json) -> bool:
    """Return whether the game is over at a node."""
    return not referee.moves(node["board"])


def height(node: Json) -> int:
    """Return the number of plies below a node."""
    return max((1 + height(child) for child in node["children"]), default=0)


def collapsed(node: Json) -> Iterator[Json]:
    """Yield the nodes whose children are omitted."""
    if node["href"]:
        yield node
    for child in node["children"]:
        yield from collapsed(child)


def visited(node: Json) -> int:
    """Return the number of nodes of a subtree, from those of the subtrees of its children."""
    below: list[int] = [child["nodes"] for child in node["children"]]
    return 1 + sum(below)


def branch(node: Json, answer: Json) -> Numbers:
    """Return the part of a tree of numbers at which a node of its search stands."""
    (path,) = paths_to(node, answer["tree"])
    numbers = json.loads(answer["numbers"])
    for move in path:
        numbers = numbers[move]
    return cast("Numbers", numbers)


def paths_to(node: Json, root: Json) -> Iterator[list[int]]:
    """Yield the path from a root to a node, if the node is below it."""
    if node is root:
        yield []
    for child in root["children"]:
        for path in paths_to(node, child):
            yield [child["move"], *path]


def unvisited(node: Json, answer: Json) -> set[int]:
    """Return the branches below a node of a tree of numbers that the search did not try."""
    numbers = branch(node, answer)
    branches = set() if isinstance(numbers, int) else {*range(len(numbers))}
    return branches - {child["move"] for child in node["children"]}


def untried(node: Json) -> set[int]:
    """Return the legal moves at a node that no child of it makes."""
    is_leaf = node["depth"] == 0 or ended(node)
    legal = [] if is_leaf else referee.moves(node["board"])
    return {*legal} - {child["move"] for child in node["children"]}


Meaning = Callable[[Json, Json, Json], bool]

#  field -> (words of its description, whether they are true of an object that has the field, given
#  the response and the request)
MEANINGS: Final[dict[str, tuple[str, Meaning]]] = {
    "BatchResult.answer": (
        "null if there is a problem",
        lambda it, *_: (it["answer"] is None) == (it["problem"] is not None),
    ),
    "BatchResult.problem": (
        "null if there is an answer",
        lambda it, *_: (it["problem"] is None) == (it["answer"] is not None),
    ),
    "BestMove.move": (
        "null if the game is over",
        lambda it, *_: (it["move"] is None) == is_over(it["position"]),
    ),
    "BestMove.distance": (
        "0 if it is over; otherwise null if the outcome is `unknown` or with `scoring=outcome`",
        lambda it, *_: has_right_distance(it, it, ended=is_over(it["position"])),
    ),
    "BestMove.reason": (
        "null if the game is over",
        lambda it, *_: (it["reason"] is None) == is_over(it["position"]),
    ),
    "BestMove.outlook": (
        "empty if the game is over",
        lambda it, *_: is_over(it["position"]) <= (it["outlook"] == ""),
    ),
    "BestMove.after": (
        "The same as `position` if the game was already over",
        lambda it, *_: (it["after"] == it["position"]) == is_over(it["position"]),
    ),
    "ScoredMove.distance": (
        "otherwise null if the outcome is `unknown` or with `scoring=outcome`",
        lambda it, answer, _: has_right_distance(it, answer),
    ),
    "Position.winning_line": (
        "empty if there is none",
        lambda it, *_: (it["winning_line"] == []) == (it["status"] not in {"x_won", "o_won"}),
    ),
    "GameReview.mistakes": (
        "The number of mistakes of each side",
        lambda it, *_: all(
            count == sum(each["mistake"] for each in it["moves"] if each["player"] == side)
            for side, count in it["mistakes"].items()
        ),
    ),
    "GameReview.first_mistake": (
        "null if there is none",
        lambda it, *_: (
            it["first_mistake"]
            == next((at for at, each in enumerate(it["moves"]) if each["mistake"]), None)
        ),
    ),
    "ReviewedMove.mistake": (
        "True if the outcome of the move is worse than that of the best move",
        lambda it, *_: it["mistake"] == (it["outcome"] != it["best_outcome"]),
    ),
    "ReviewedMove.missed": (
        "Null if the move is no mistake",
        lambda it, *_: (it["missed"] is None) == (not it["mistake"]),
    ),
    "PlayerReview.review": (
        "null until the moves are complete",
        lambda it, *_: (it["review"] is None) == (not it["complete"]),
    ),
    "Verdict.lost_game": (
        "null if it can lose none",
        lambda it, *_: (it["lost_game"] is None) == it["unbeatable"] == (it["games"]["lost"] == 0),
    ),
    "SearchTree.plies": (
        "no node is more than so many plies below the root",
        lambda it, *_: (
            height(it["tree"]) <= it["plies"]
            and not (height(it["tree"]) < it["plies"] and [*collapsed(it["tree"])])
        ),
    ),
    "SearchTreeNode.distance": (
        "otherwise null if the outcome is `unknown` or with `scoring=outcome`",
        lambda it, answer, _: has_right_distance(it, answer, ended=referee.is_over(it["board"])),
    ),
    "SearchTreeNode.nodes": (
        "The size of the subtree, including this node",
        lambda it, *_: bool(it["href"]) or it["nodes"] == visited(it),
    ),
    "SearchTreeNode.cut": (
        "null if none were, or if `children` are omitted",
        lambda it, *_: (it["cut"] is None) == (bool(it["href"]) or not untried(it)),
    ),
    "SearchTreeNode.best": (
        "Null if the node has no `children`",
        lambda it, *_: (it["best"] is None) == (it["children"] == []),
    ),
    "SearchTreeNode.href": (
        "null if none are omitted",
        lambda it, *_: (it["href"] is None) == (it["nodes"] == visited(it)),
    ),
    "SearchTreeNode.children": (
        "empty if they are omitted",
        lambda it, *_: bool(it["href"]) <= (it["children"] == []),
    ),
    "NumberTreeNode.nodes": (
        "The number of nodes visited in the subtree, including this node",
        lambda it, *_: it["nodes"] == visited(it),
    ),
    "NumberTreeNode.best": (
        "Null at a leaf",
        lambda it, *_: (it["best"] is None) == (it["children"] == []),
    ),
    "NumberTreeNode.cut": (
        "null if none were",
        lambda it, answer, _: (it["cut"] is None) == (not unvisited(it, answer)),
    ),
    "NumberTreeNode.children": (
        "empty at a leaf",
        lambda it, answer, _: (it["children"] == []) == isinstance(branch(it, answer), int),
    ),
}


def sends(bound: str) -> Meaning:
    """Return whether a bound is the one that was sent."""
    return lambda it, _, sent: it[bound] == sent.get(bound)


def has_no(bound: str) -> Meaning:
    """Return whether minimax, which has no window, shows none."""
    return lambda it, _, sent: sent["algorithm"] == "alphabeta" or it[bound] is None


for kind in ("SearchTree", "NumberTree"):
    for bound in ("alpha", "beta"):
        MEANINGS[f"{kind}.{bound}"] = ("The value sent; null if none was sent", sends(bound))
        MEANINGS[f"{kind}Node.{bound}"] = ("null if there is none", has_no(bound))
    MEANINGS[f"{kind}Node.move"] = (
        "null at the root",
        lambda it, answer, _: (it["move"] is None) == (it is answer["tree"]),
    )


def objects(schema: Json, value: Any) -> Iterator[tuple[str, Json]]:
    """Yield each object in a value of a schema, with the name of its own schema."""
    for name in re.findall(r"'#/components/schemas/(\w+)'", str(schema.get("anyOf", schema))):
        if isinstance(value, dict) and "properties" in SCHEMAS[name]:
            yield name, value
            for field, inner in SCHEMAS[name]["properties"].items():
                yield from objects(inner, value.get(field))
    if isinstance(value, list):
        for each in value:
            yield from objects(schema.get("items", {}), each)


def judge(name: str, answer: Json, sent: Json, judged: set[str]) -> None:
    """Assert that all objects of a response are as they are described; note what was judged."""
    for schema, it in objects({"$ref": f"#/components/schemas/{name}"}, answer):
        for field in SCHEMAS[schema]["properties"]:
            key = f"{schema}.{field}"
            if key in MEANINGS:
                words, is_true = MEANINGS[key]
                assert is_true(it, answer, sent), (words, key, it[field], sent)
                judged.add(key)


def any_move(dice: Random) -> Json:
    """Return a random request for a move."""
    board, side = dice.choice(POSITIONS)
    fields = {
        "algorithm": dice.choice(["alphabeta", "minimax", "transposition_table"]),
        "max_depth": dice.randint(1, 9),
        "analysis": dice.random() < 0.5,
        "difficulty": dice.choice(["perfect", "easy"]),
        "tie_break": dice.choice(["first", "trap"]),
        "seed": 1,
    }
    named = {name: value for name, value in fields.items() if dice.random() < 0.4}
    scoring = dice.choice(["distance", "outcome"])
    return {"board": board, "starts": referee.starter(board, side), "scoring": scoring, **named}


def any_batch(dice: Random) -> Json:
    """Return a batch with random requests, of which one has an impossible board."""
    moves = ({**any_move(dice), "analysis": False} for _ in range(2))
    return {"requests": [{"board": "XX......."}, *moves]}


def any_game(dice: Random) -> Json:
    """Return a random game, or its beginning."""
    board, side, played = ".........", "X", []
    for _ in range(dice.randint(1, 9)):
        if not referee.is_over(board):
            played.append(dice.choice(referee.moves(board)))
            board, side = referee.play(board, side, played[-1]), referee.opponent(side)
    return {"board": ".........", "starts": "X", "played": played}


def any_player(dice: Random) -> Json:
    """Return a random player, a perfect one, or one without most of its moves."""
    moves = dice.choice([players.perfect(), players.random_player(dice.randint(0, 99)), {}])
    return {"side": "X", "moves": players.own("X", moves)}


def any_search(dice: Random) -> Json:
    """Return a random search of a position near the end, or of its first plies."""
    board, side = dice.choice([each for each in POSITIONS if each[0].count(".") < 8])
    fields: Json = {
        "plies": dice.randint(0, 4),
        "max_depth": dice.randint(1, 6),
        "maximizer": dice.choice("XO"),
        "order": dice.choice(["cells", "best_first", "worst_first"]),
        "scoring": dice.choice(["distance", "outcome"]),
    }
    named = {name: value for name, value in fields.items() if dice.random() < 0.7}
    position = {"board": board, "starts": referee.starter(board, side)}
    return {**position, **named, **any_window(dice, 100)}


def any_numbers(dice: Random) -> Json:
    """Return a random search of a tree of numbers."""
    return {"tree": json.dumps(any_tree(dice)), **any_window(dice, 9)}


def any_window(dice: Random, most: int) -> Json:
    """Return minimax, or alpha-beta with a window that may lack a side."""
    if dice.random() < 0.3:
        return {"algorithm": "minimax"}
    alpha = dice.randint(-most, most - 1)
    window = {"alpha": alpha, "beta": dice.randint(alpha + 1, most)}
    sides = {name: value for name, value in window.items() if dice.random() < 0.5}
    return {"algorithm": "alphabeta", **sides}


#  path -> a generator of requests, the method, and the schema of the response
REQUESTS: Final[dict[str, tuple[Callable[[Random], Json], str, str]]] = {
    "/best-move": (any_move, "POST", "BestMove"),
    "/best-moves": (any_batch, "POST", "BestMoves"),
    "/game-review": (any_game, "POST", "GameReview"),
    "/player-review": (any_player, "POST", "PlayerReview"),
    "/search-tree": (any_search, "GET", "SearchTree"),
    "/number-tree": (any_numbers, "GET", "NumberTree"),
}


def test_each_field_is_as_described(client: FlaskClient) -> None:
    """In generated responses, each null and each count is what the document says."""
    judged: set[str] = set()
    for path, (generate, method, schema) in REQUESTS.items():
        dice = Random(75)  # noqa: S311, no secret
        for _ in range(EXAMPLES // 2):
            sent = generate(dice)
            in_body, in_query = (sent, None) if method == "POST" else (None, sent)
            response = client.open(path, method=method, json=in_body, query_string=in_query)
            assert response.status_code == 200, response.text
            judge(schema, response.get_json(), sent, judged)
    assert judged == MEANINGS.keys()


def test_each_condition_in_a_description_is_judged() -> None:
    """`MEANINGS` has the words of each description of a response that name a condition."""
    described = {
        f"{name}.{field}": each.get("description") or resolved(each).get("description", "")
        for name, schema in SCHEMAS.items()
        for field, each in schema.get("properties", {}).items()
        if "title" in schema and not name.endswith("Request")
    }
    for key, (words, _) in MEANINGS.items():
        assert words in described[key], key
    conditional = {key for key, text in described.items() if CONDITION.search(text.lower())}
    unjudged = conditional - JUDGED_ELSEWHERE - MEANINGS.keys()
    assert not unjudged, "Add to `MEANINGS` the words of their condition, and what is then true."
