"""The READMEs: commands run, responses are as printed, tables and links are right."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import closing
from dataclasses import asdict
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from best_move import __version__
from best_move.engine import ALGORITHMS
from best_move.engine.choice import RATES
from best_move.engine.search import Search
from best_move.web.api.openapi import document, resolved
from best_move.web.api.problem_types import ProblemType
from best_move.web.api.responses import FOR_A_DAY
from best_move.web.chatbots.tools import TOOLS
from tests.next_version import next_version
from tests.processes import completed
from tests.readme import READMES, ROOT, SECTIONS, block, rows, section
from tests.server import BIN, Server
from tests.tables import table
from tests.truth import golden, players
from tests.truth.players import SIDES, met, review_of

SCHEMAS = document()["components"]["schemas"]
TEXTS = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in READMES}
ENVIRONMENT = {"PATH": f"{BIN}{os.pathsep}{os.defpath}"}
CURLS = [
    line
    for each in SECTIONS
    for language, text in each.blocks
    for line in text.splitlines()
    if language == "sh" and line.startswith("curl ")
]
RESPONSES = {
    command.strip(): response
    for each in SECTIONS
    for (_, command), (language, response) in pairwise(each.blocks)
    if language == "json"
}

#  The moves of a player that takes the first free cell.
FIRST_CELLS = players.table(lambda board: board.index("."))


def run(server: Server, command: list[str], text: str, typed: str = "") -> str:
    """Insert the server's port into a README's code, run it, and return the output."""
    here = at_port(server.port, text)
    return completed([*command, here], input=typed, check=True).stdout


def at_port(port: int, text: str) -> str:
    """Return a README's code with the address of a server of the tests."""
    return text.replace("localhost:8000", f"127.0.0.1:{port}")


def names_in(text: str) -> list[str]:
    """Return the words between backticks of a text."""
    return re.findall(r"`(\w+)`", text)


def printed_by(server: Server, heading: str) -> list[str]:
    """Run the Python example of a section; return the lines that it prints."""
    return run(server, [sys.executable, "-c"], block(heading, "python")).splitlines()


def assert_shown(shown: Any, response: Any) -> None:
    """Assert that a response has the fields and values that a README shows, except the time."""
    if isinstance(shown, list):
        for each, found in zip(shown, response, strict=True):
            assert_shown(each, found)
    elif isinstance(shown, dict):
        for name in shown.keys() - {"elapsed_ms"}:
            assert_shown(shown[name], response[name])
    else:
        assert shown == response


@pytest.mark.parametrize("command", CURLS)
def test_every_curl_line_gets_the_response_below_it(server: Server, command: str) -> None:
    """Each curl line gets the JSON response below it, or else one without an error."""
    response = json.loads(run(server, ["bash", "-c"], f"{command} --silent"))
    if command in RESPONSES:
        assert_shown(json.loads(RESPONSES[command]), response)
    else:
        assert "status" not in response, response.get("detail")


def test_no_url_is_in_single_quotes() -> None:
    """In cmd on Windows they quote nothing, and `&` ends the command."""
    quoted = [text for each in SECTIONS for _, text in each.blocks if "'localhost" in text]
    assert not quoted, "Write double quotes around the URL."


def test_every_response_is_below_its_request() -> None:
    """Each JSON response is below a curl line; a move, an error and several moves are shown."""
    assert set(RESPONSES) <= set(CURLS)
    shown = {name for response in RESPONSES.values() for name in json.loads(response)}
    assert {"move", "code", "results", "moves"} <= shown


def test_the_python_example_plays_a_game(server: Server) -> None:
    """The Python example runs as printed, and plays the published game."""
    assert [line.split()[1] for line in printed_by(server, "A script")] == [
        *map(str, golden.PUBLISHED_GAME)
    ]


def test_a_game_without_a_server_is_that_of_the_service(server: Server, tmp_path: Path) -> None:
    """The program that looks up moves in the saved tablebase plays the service's game."""
    offline = section("Without a server")
    (save,) = re.findall(r"`(curl [^`]+)`", offline.text)
    run(server, ["env", "-C", str(tmp_path), "bash", "-c"], f"{save} --silent")
    ended = completed(
        [sys.executable, "-c", block("Without a server", "python")], cwd=tmp_path, check=True
    )
    assert ended.stdout.splitlines() == printed_by(server, "A script")
    with closing(server.connect()) as connection:
        connection.request("GET", "/tablebase.csv", headers={"Accept-Encoding": "gzip"})
        assert f"{len(connection.getresponse().read()) / 1000:.0f} kB" in offline.text


def test_the_back_end_replies_in_a_game_that_o_started(server: Server) -> None:
    """The back end's example prints the position after both moves, and the service's error."""
    position, error = printed_by(server, "A back end")
    board, status = position.split()
    assert (board[4], sorted(board), status) == ("O", sorted("XO......."), "in_progress")
    assert error.startswith("Cell 4 is taken by O.")


def test_the_bot_replies_or_shows_an_error(server: Server) -> None:
    """The bot's example shows both moves with a picture, and its own messages for errors."""
    first, taken, no_number, last = printed_by(server, "A bot")
    assert first.startswith("O plays the top-left corner. http://")
    assert first.endswith("/board.png?board=O...X....")
    assert (taken, no_number) == ("That cell is taken.", "Type a number from 1 to 9.")
    assert last.endswith("/board.png?board=O.O.X...X")


@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
def test_the_shell_plays_a_game_to_its_end(server: Server) -> None:
    """The shell's example plays the typed cells, explains errors, and stops at the end."""
    played = run(server, ["bash", "-c"], block("A shell", "bash"), typed="4\n4\n8\n1\n3\n6\n0\n")
    boards = [
        "".join(rows)
        for rows in re.findall(r"^([XO.]{3})\n([XO.]{3})\n([XO.]{3})$", played, re.MULTILINE)
    ]
    assert boards == ["." * 9, "O...X....", "O...X....", "O.O.X...X", "OXO.X..OX", "OXOXXO.OX"], (
        played
    )
    assert "Cell 4 is taken by X." in played
    assert played.endswith("The game is over: it is a draw.\n")


def test_the_chatbot_example_returns_the_move_and_its_reason(server: Server) -> None:
    """The chatbot's example prints the cell and the sentence; it sends fields of a request."""
    tool, reply = printed_by(server, "A chatbot")
    assert reply.startswith(
        "Cell 1: O plays the top side, which blocks X's three in a row. With best play"
    )
    parameters = json.loads(tool)["parameters"]
    assert set(parameters["properties"]) <= set(SCHEMAS["BestMoveRequest"]["properties"])
    assert parameters["required"] == list(parameters["properties"]), (
        "strict: every property is required"
    )
    assert parameters["additionalProperties"] is False
    assert "null" in parameters["properties"]["difficulty"]["type"], "optional fields may be null"
    levels = parameters["properties"]["difficulty"]["enum"]
    assert levels == [*RATES, None], "Update the schema of the example."


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_the_front_end_plays_a_game_to_its_end(server: Server) -> None:
    """A taken cell gets a message and changes nothing."""
    lines = run(
        server, ["node", "--input-type=module", "--eval"], block("A front end", "js")
    ).splitlines()
    first, taken, *others = lines
    assert taken.startswith("Cell 4 is taken by X.")
    boards = [line.split()[-1] for line in (first, *others)]
    assert taken.endswith(boards[0])
    assert (boards[0][4], boards[0].count("O")) == ("X", 1)
    assert [9 - board.count(".") for board in boards[:-1]] == list(range(2, 2 * len(boards), 2))
    assert "The game is over: " in lines[-1]


def test_the_examples_work_with_the_next_minor_version() -> None:
    """The examples for callers still work if the service sends new fields and new values."""
    with next_version() as port:
        for heading in ("A script", "A back end", "A bot", "A chatbot"):
            here = at_port(port, block(heading, "python"))
            assert completed([sys.executable, "-c", here], check=True).stdout
        if node := shutil.which("node"):
            here = at_port(port, block("A front end", "js"))
            completed([node, "--input-type=module", "--eval", here], check=True)


@pytest.mark.thorough
def test_a_fuzzer_finds_no_error(server: Server, tmp_path: Path) -> None:
    """The command for Schemathesis passes, here with few requests; `test_fuzzing` sends many."""
    command = at_port(server.port, block("A fuzzer", "text"))
    program, *words = command.split()
    fewer = ["--seed", "42", "--max-examples", "1", "--phases", "examples,fuzzing"]
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    ended = completed([ROOT / program, *words, *fewer], cwd=tmp_path)
    assert ended.returncode == 0, ended.stdout


def test_the_engine_example_finds_the_same_move_with_every_algorithm(server: Server) -> None:
    """The example prints a line for each algorithm, with the same move and score."""
    lines = printed_by(server, "The engine")
    assert [line.split()[0] for line in lines] == list(ALGORITHMS)
    assert len({line.partition("move")[2] for line in lines}) == 1


def test_the_example_in_process_gets_an_answer(server: Server) -> None:
    """The example without a server prints the move, its outcome and the nodes."""
    assert printed_by(server, "Use it in process") == ["1 draw 99"]


def test_the_node_table_has_the_golden_numbers() -> None:
    """The table of nodes has every algorithm with its golden numbers, and the lower bound."""
    expected = [
        [f"`{name}`", *(f"{golden.NODES[name, each]:,}" for each in ("distance", "outcome"))]
        for name in ALGORITHMS
    ]
    expected.append(["the least possible", *[f"{golden.LEAST_NODES:,}"] * 2])
    shown = [row[:-1] for row in rows("How it searches")]
    assert shown == expected, "Update the table of nodes in the engine's README."


def test_the_table_of_depth_limits_has_the_nodes_of_each_search() -> None:
    """The table has each algorithm with the nodes that it visits on the empty board."""
    expected = []
    for name, algorithm in ALGORITHMS.items():
        counts = []
        for depth in range(1, 10):
            search = Search("distance")
            algorithm(search, 0, 0, depth)
            counts.append(f"{search.nodes:,}")
        expected.append([f"`{name}`", *counts])
    assert rows("Nodes by depth limit") == expected


def test_the_numbers_beside_the_drawn_tree_are_those_of_its_searches(client: FlaskClient) -> None:
    """Minimax and alpha-beta visit as many nodes as the README says, and find the same move."""
    searches = [
        client.get(f"/best-move?board=X.O.O.X..&algorithm={name}").get_json()
        for name in ("minimax", "alphabeta")
    ]
    minimax, alphabeta = (found["nodes"] for found in searches)
    told = f"minimax visits {minimax} nodes and alpha-beta {alphabeta}, for the same move"
    assert told in section("Learn minimax").text
    assert searches[0]["move"] == searches[1]["move"]


def plain(text: str) -> str:
    """Return a text in lower case, without quotation marks, and with hyphens for minus signs."""
    return re.sub("[`'\"]", "", text).replace("\N{MINUS SIGN}", "-").lower()


def test_endpoints_are_those_of_the_openapi_document() -> None:
    """The table has every path, and the page with the forms."""
    named = [path for row in rows("Endpoints") for path in re.findall("`(/.*?)`", row[0])]
    assert {*named} == {*document()["paths"], "/docs"}, "Update the table of endpoints."


@pytest.mark.parametrize(
    ("heading", "schema"), [("Request fields", "BestMoveRequest"), ("Response fields", "BestMove")]
)
def test_fields_are_those_of_the_schema(heading: str, schema: str) -> None:
    """The table has every field of the schema, with each sentence of its description."""
    properties = SCHEMAS[schema]["properties"]
    cells = {name: row[-1] for row in rows(heading) for name in names_in(row[0])}
    assert cells.keys() == properties.keys(), f"Update the table of {heading.lower()}."
    for name, field in properties.items():
        described = field.get("description") or resolved(field)["description"]
        for sentence in described.removesuffix(".").replace(" Default: none", "").split(". "):
            assert plain(sentence).removesuffix(".") in plain(cells[name]), name


def test_request_fields_have_their_words_and_defaults() -> None:
    """The table has the fields in the order of the schema, with all words that are allowed."""
    properties = SCHEMAS["BestMoveRequest"]["properties"]
    listed = rows("Request fields")
    assert [name.strip("`") for name, *_ in listed] == [*properties]
    for row, field in zip(listed, properties.values(), strict=True):
        words = names_in(row[1])
        for name in re.findall(r"schemas/(\w+)", str(field)):
            assert words == SCHEMAS[name].get("enum", words), f"Update {row[0]} in the table."
        if "default" in field:
            assert row[2].strip("`") == json.dumps(field["default"]).strip('"')


@pytest.mark.parametrize(
    ("path", "heading", "node"),
    [
        ("/search-tree", "The search as a tree", "SearchTreeNode"),
        ("/number-tree", "A tree of numbers", "NumberTreeNode"),
    ],
)
def test_tree_fields_are_those_of_the_schema(path: str, heading: str, node: str) -> None:
    """The table has every field of a node, and the text above the table names every parameter."""
    named = [name for row in rows(heading) for name in names_in(row[0])]
    fields = SCHEMAS[node]["properties"]
    assert sorted(named) == sorted(fields), "Update the table of a node's fields in TREES.md."
    parameters = document()["paths"][path]["get"]["parameters"]
    above, _, _ = section(heading).text.partition("```")
    names = {parameter["name"] for parameter in parameters}
    assert names <= {*names_in(above)}, "Name each parameter above the table in TREES.md."


def test_the_change_log_has_the_version() -> None:
    """A heading names the version, with its date if it is released."""
    headings = [each.heading for each in SECTIONS if each.path.name == "CHANGELOG.md"]
    has_version = any(heading.startswith(__version__) for heading in headings)
    assert has_version, f"Add {__version__} to the change log."


def test_the_readme_names_each_chat_tool() -> None:
    """The section on chat clients names all tools."""
    named = names_in(section("Chat clients").text)
    assert {*TOOLS} <= {*named}, "Name each tool in the README."


def test_the_rule_on_caching_has_the_header_of_cacheable_responses() -> None:
    """The text has the header exactly as it is sent."""
    assert FOR_A_DAY in " ".join(section("Effects of a request").text.split())


def test_the_table_of_metrics_has_all_metrics(server: Server) -> None:
    """The table has each metric with its labels."""
    named = {
        name.removesuffix("_total"): set(names_in(labels))
        for names, labels, _ in rows("Metrics")
        for name in names_in(names)
    }
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "best_move", "arguments": {}},
    }
    with closing(server.connect()) as connection:
        for request in (
            ("GET", "/best-move?board=........."),
            ("POST", "/mcp", json.dumps(call), {"Content-Type": "application/json"}),
            ("GET", "/nowhere"),
            ("GET", "/metrics"),
        ):
            connection.request(*request)
            text = connection.getresponse().read().decode()
    counted = {
        family.name: {*chain.from_iterable(sample.labels for sample in family.samples)} - {"le"}
        for family in text_string_to_metric_families(text)
        if family.samples
    }
    assert counted == named, "Update the table of metrics in the deployment guide."


def test_the_table_of_errors_has_all_problems() -> None:
    """The table has each problem with its status, and every cause in the document's examples."""
    lines = rows("Error codes")
    listed = {(int(status), code.strip("`")) for status, code, *_ in lines}
    problems = {(kind.status, kind.code) for kind in ProblemType}
    assert listed == problems, "Update the table of error codes in API.md."
    causes = {code for row in lines for cell in row[3:4] for code in names_in(cell)}
    shown = re.findall(r"'pointer': '[^']*', 'code': '(\w+)'", str(document()))
    assert set(shown) <= causes, "Name each cause in the table of error codes in API.md."


def test_the_table_of_costs_has_every_algorithm() -> None:
    """The table has a row for each algorithm, in the order of the registry."""
    listed = [name.strip("`") for name, *_ in rows("What they cost")]
    assert listed == list(ALGORITHMS), "Update the costs in the engine's README by `make bench`."


def test_every_make_command_is_a_target() -> None:
    """READMEs name each target of the Makefile except `clean`, and no other."""
    named = {
        name
        for text in TEXTS.values()
        for name in re.findall(r"(?:^|`)make ([a-z-]+)", text, re.MULTILINE)
    }
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))
    assert named == targets - {"clean"}


@pytest.mark.parametrize("name", TEXTS)
def test_every_link_works(name: str) -> None:
    """Each link in a README leads to a file of the project, and to a heading that exists."""
    anchors = {
        (each.path.resolve(), re.sub(r"[^\w-]", "", each.heading.lower().replace(" ", "-")))
        for each in SECTIONS
    }
    for target, _, anchor in re.findall(r"\]\(([^)#]*)(#?)([^)]*)\)", TEXTS[name]):
        path = ((ROOT / name).parent / target).resolve() if target else ROOT / name
        assert path.exists(), target
        assert not anchor or (path, anchor) in anchors, anchor


@pytest.mark.parametrize("name", TEXTS)
def test_every_named_file_exists(name: str) -> None:
    """Each path in a README, in a command or a sentence, exists in the project."""
    for path in re.findall(r"\b(?:service|tests)/[\w./-]*\w", TEXTS[name]):
        assert (ROOT / path).exists(), path


def proved(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run `best-move prove` in a folder, with the tests' Python; return the ended process."""
    command = [str(BIN / "best-move"), "prove", *arguments]
    return completed(command, cwd=folder, env=ENVIRONMENT)


def test_the_program_in_the_readme_gets_the_verdict_in_the_readme(tmp_path: Path) -> None:
    """The README's command, run on the README's program, prints the README's verdict."""
    heading = "Is my player unbeatable?"
    (tmp_path / "player.py").write_text(block("A program to prove", "python"))
    ended = proved(shlex.split(block(heading, "sh"))[2:], tmp_path)
    assert "\n".join(line.rstrip() for line in ended.stdout.splitlines()).startswith(
        block(heading, "text")
    )
    assert ended.returncode == 1


@pytest.mark.parametrize("talk", ["", "print('A move:', 4)"], ids=["silent", "talkative"])
def test_a_course_module_is_reviewed(tmp_path: Path, talk: str) -> None:
    """The command calls a module that has boards as lists of lists and moves as pairs."""
    (tmp_path / "tictactoe.py").write_text(
        f"{talk}\n"
        "def minimax(board):\n"
        f"    {talk}\n"
        "    return next((i, j) for i in range(3) for j in range(3) if board[i][j] is None)\n"
    )
    heading = "A module in the form of a course"
    (tmp_path / "course.py").write_text(block(heading, "python"))
    [command] = re.findall("`best-move prove (.*?)`", section(heading).text)
    ended = proved(["--json", *command.split()], tmp_path)
    expected = {side: asdict(review_of(side, FIRST_CELLS)) for side in SIDES}
    assert json.loads(ended.stdout).items() >= json.loads(json.dumps(expected)).items()


def test_a_class_is_judged(tmp_path: Path) -> None:
    """The program prints the verdicts of each file, or the message of one that fails."""
    (tmp_path / "class").mkdir()
    players = {"first.py": "board.index('.')", "row.py": "'0,0'"}
    for name, cell in players.items():
        (tmp_path / "class" / name).write_text(
            f"import sys\nfor board in sys.stdin:\n    print({cell})\n"
        )
    program = tmp_path / "judge.py"
    program.write_text(block("A class", "python"))
    ended = completed([sys.executable, program], check=True, cwd=tmp_path, env=ENVIRONMENT)
    first, row = ended.stdout.splitlines()
    for side in SIDES:
        review = review_of(side, FIRST_CELLS)
        lost_game = " ".join(map(str, review.lost_game or ()))
        assert f" loses {lost_game}, mistakes: {len(review.mistakes)} " in first
    assert row.startswith("row.py ")
    assert row.endswith("Print anything else to standard error.")


@pytest.mark.parametrize(
    ("move", "limit", "judgment"),
    table("""
choice([(i, j) for i in range(3) for j in range(3) if board[i][j] is None])  300  loses .* loses
board[3][0]  300  the program exited with status 1[.]
sleep(60)  1  the program exceeded the limit of 1 s for all boards[.]
"""),
)
def test_a_class_of_course_modules_is_judged(
    move: str, limit: str, judgment: str, tmp_path: Path
) -> None:
    """A module that chooses at random gets a verdict, one that crashes or hangs the cause."""
    module = tmp_path / "class" / "module.py"
    module.parent.mkdir()
    module.write_text(
        "from random import choice\n"
        "from time import sleep\n"
        "def minimax(board):\n"
        f"    return {move}\n"
    )
    (tmp_path / "course.py").write_text(block("A module in the form of a course", "python"))
    [added, after] = re.findall("put `(.*?)` after `(.*?)`", section("A class").text)[0]
    program = block("A class", "python").replace(after, f"{after}, {added}").replace("300", limit)
    ended = completed([sys.executable, "-c", program], check=True, cwd=tmp_path, env=ENVIRONMENT)
    assert re.search(judgment, ended.stdout)


@pytest.mark.parametrize("board", golden.COURSE_NODES)
@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
def test_the_command_counts_the_nodes_of_a_turn(server: Server, algorithm: str, board: str) -> None:
    """The command prints the published count for each turn and algorithm, as the text does."""
    command = block("Node counts", "sh").replace("X........", board).replace("minimax", algorithm)
    count = golden.COURSE_NODES[board][algorithm == "alphabeta"]
    assert run(server, ["bash", "-c"], command) == f"{count}\n"
    assert str(count) in section("Node counts").text


#  A model that gives three answers that are no legal move, then the first free cell.
MODEL = """
def ask_model(board, asked=[]):
    asked.append(board)
    return ["4.", "X", str(board.rfind("X")), str(board.index("."))][(len(asked) - 1) % 4]


stored = """


def test_the_answers_of_a_model_are_collected_and_reviewed(server: Server, tmp_path: Path) -> None:
    """The program counts illegal answers, stops after too many, and continues from its file."""
    program = at_port(server.port, block("A language model", "python"))
    program = program.replace("\nstored = ", MODEL)
    few = completed([sys.executable, "-c", program], cwd=tmp_path)
    assert (few.returncode, few.stderr) == (1, "More than 100 illegal answers.\n")
    more = program.replace("100", "10_000")
    ended = completed([sys.executable, "-c", more], cwd=tmp_path, check=True)
    found = json.loads((tmp_path / "answers.json").read_text())
    boards = met("X", FIRST_CELLS)
    assert found["frequencies"] == {
        board: [3 * (cell == FIRST_CELLS[board]) for cell in range(9)] for board in boards
    }
    assert found["illegal"] == 9 * len(boards)
    review = review_of("X", FIRST_CELLS)
    verdict, numbers, *mistakes = ended.stdout.splitlines()
    assert verdict == f"can lose the game {[*(review.lost_game or ())]} in 3 samples"
    assert numbers.startswith(f"{found['illegal']} illegal answers; ")
    assert [line[:9] for line in mistakes] == [mistake.board for mistake in review.mistakes]


def test_a_trained_policy_improves_with_training(server: Server) -> None:
    """The policy wins more games against random moves after each part of its training."""
    lines = printed_by(server, "A trained policy")
    shares = [float(re.findall(r"([\d.]+)%", line)[0]) for line in lines]
    assert len(shares) == 3
    assert shares == sorted(shares)
