"""`query`: what people and programs see."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from graphrag_pipeline import load_pipeline
from tests.tiny import edge, graph_of, node


@pytest.fixture
def graph_file(tmp_path: Path) -> Path:
    """A graph of four nodes, and the overrides to query it."""
    graph = graph_of(
        [
            node("a", "Risk", zachman_cell="architect:how"),
            node("b", "Control", owner="FCON-001", zachman_cell="engineer:how"),
            node("c", "Audit"),
            node("d", "Owner"),
        ],
        "a>b b>c c>d",
    )
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(graph.to_dict()))
    return path


def over(path: Path, personas: str = "none", bridge: str = "noop") -> list[str]:
    return ["graph=json", f"graph.path={path}", f"personas={personas}", f"bridge={bridge}"]


def test_people_get_a_table_and_the_context(cli, graph_file):
    done = cli("query", "risk", *over(graph_file), "query.persona=FCON-001")
    assert done.code == 0
    assert done.err == ""
    lines = done.out.splitlines()
    assert lines[0] == "“risk” · k 10 · 3 hops · persona FCON-001"
    assert lines[1].startswith("4 nodes, 3 edges, 4 paths of a graph of 4 nodes and 3 edges, in ")
    assert lines[3].split() == ["#", "score", "id", "label", "type", "cell", "hop", "signals"]
    assert lines[4].split() == ["1", "0.60", "a", "Risk", "concept", "architect:how", "0", "label_match"]
    assert lines[5].split() == ["2", "0.50", "b", "Control", "concept", "engineer:how", "1", "persona_match"]
    assert lines[6].split() == ["3", "0.10", "c", "Audit", "concept", "2"]
    assert lines[9] == "[GraphRAG context — top-scored nodes]"
    assert lines[10] == "- [0.60] Risk (concept, id=a)"


def test_json_is_the_results_dict(cli, graph_file):
    done = cli("query", "risk", *over(graph_file), "--json")
    expected = load_pipeline(over(graph_file)).run("risk").to_dict()
    assert done.code == 0
    assert json.loads(done.out) == expected
    assert list(json.loads(done.out)) == list(expected)


def test_json_of_the_demo_is_what_python_gives(cli):
    done = cli("query", "persona", "--json", "bridge=mock", "query.persona=FCON-001")
    expected = load_pipeline(["bridge=mock", "query.persona=FCON-001"]).run("persona").to_dict()
    assert json.loads(done.out) == json.loads(json.dumps(expected))


def test_explain_shows_what_every_stage_did(cli, graph_file):
    done = cli("query", "risk", *over(graph_file), "query.cell=architect:how", "--explain")
    rows = [line.split() for line in done.out.splitlines()]
    assert [row[1] for row in rows if row[:1] and row[0] in "1234567" and row[1] in {"seed", "filter"}] == [
        "seed",
        "filter",
        "filter",
    ]
    assert "dropped by filter, other_perspective: b" in done.out
    assert "dropped by filter, no_cell: c, d" in done.out


def test_explain_as_json_has_the_trace_beside_the_result(cli, graph_file):
    done = cli("query", "risk", *over(graph_file), "query.cell=architect:how", "--json", "--explain")
    told = json.loads(done.out)
    trace = told.pop("trace")
    assert told == load_pipeline([*over(graph_file), "query.cell=architect:how"]).run("risk").to_dict()
    assert [step["slot"] for step in trace["slots"]] == [
        "seed",
        "expand",
        "filter",
        "score",
        "bridge",
        "filter",
        "context",
    ]
    assert trace["slots"][2]["dropped"] == [
        ["b", "other_perspective"],
        ["c", "no_cell"],
        ["d", "no_cell"],
    ]
    assert trace["query"]["cell"] == "architect:how"
    assert trace["hops"] == [0]


def test_without_explain_json_has_no_trace(cli, graph_file):
    assert "trace" not in json.loads(cli("query", "risk", *over(graph_file), "--json").out)


@pytest.mark.parametrize(("top", "rows"), [("1", 1), ("3", 3), ("0", 4), ("99", 4), ("-1", 4)])
def test_top_says_how_many_rows_are_shown(cli, graph_file, top, rows):
    done = cli("query", "risk", *over(graph_file), "--top", top)
    table = done.out.split("\n\n")[1].splitlines()[1:]
    more = [line for line in table if "more (--top 0 shows all)" in line]
    assert len(table) - len(more) == rows
    assert more == ([] if rows == 4 else [f"… and {4 - rows} more (--top 0 shows all)"])


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        (["zebra"], "Nothing found: no node matches the text (slot seed)."),
        ([""], "Nothing found: no node matches the text (slot seed)."),
        (["risk", "query.k=0"], "Nothing found: k is 0 or less (slot seed)."),
        (
            ["risk", "query.cell=enterprise:why"],
            "the stage in slot filter dropped every candidate (2 no_cell, 2 other_perspective).",
        ),
    ],
)
def test_when_nothing_is_found_the_reason_is_told(cli, graph_file, extra, said):
    done = cli("query", extra[0], *over(graph_file), *extra[1:])
    assert done.code == 0
    assert said in done.out


def test_an_empty_graph_is_told(cli, tmp_path):
    (tmp_path / "g.json").write_text('{"nodes": []}')
    done = cli("query", "risk", *over(tmp_path / "g.json"))
    assert (done.code, "Nothing found: the graph is empty." in done.out) == (0, True)


ODD: dict[str, Any] = {
    "nan": float("nan"),
    "inf": [float("inf"), {"deep": float("-inf")}],
    "emoji": "🚀 👩‍💻",
    "surrogate": "\ud800",
    "nul": "\x00",
    "escape": "\x1b[31m",
    "big": 10**40,
    "quote": '"\\\n\u2028',
}


@pytest.fixture
def odd_file(tmp_path: Path) -> Path:
    graph = graph_of(
        [node("risk", "Risk \x1b[31m\x07\x9b\u202e🚀", **ODD), node("\x1b]0;x\x07", "\ttwo\nlines")]
    )
    graph.add_edge(edge("risk>\x1b]0;x\x07"))
    path = tmp_path / "odd.json"
    path.write_text(json.dumps(graph.to_dict()))
    return path


def test_json_is_valid_whatever_the_properties_hold(cli, odd_file):
    done = cli("query", "risk", *over(odd_file), "--json")

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    first = json.loads(done.out, parse_constant=refuse)["nodes"][0]
    assert first["properties"] == {**ODD, "nan": None, "inf": [None, {"deep": None}]}
    assert first["label"] == "Risk \x1b[31m\x07\x9b\u202e🚀"
    assert done.err.startswith("warning: ")
    assert "not finite" in done.err
    assert "3" in done.err


def test_terminal_escapes_in_a_graph_are_spelled_out(cli, odd_file):
    done = cli("query", "risk", *over(odd_file), "--explain", "query.cell=architect:how")
    done_plain = cli("query", "risk \x1b[5m", *over(odd_file))
    for text in (done.out, done_plain.out, done.err, done_plain.err):
        assert not set(text) & set("\x1b\x07\x9b\u202e\x00\t")
    assert r"Risk \x1b[31m\x07\x9b\u202e🚀" in done_plain.out
    assert r"\x1b]0;x\x07" in done.out
    assert r"“risk \x1b[5m”" in done_plain.out


def test_every_row_of_the_table_is_one_line(cli, odd_file):
    table = cli("query", "risk", *over(odd_file)).out.split("\n\n")[1].splitlines()
    assert len(table) == 3


# -- standard error and exit codes -------------------------------------------------------------


def test_warnings_go_to_standard_error(cli):
    done = cli("query", "persona", "--json", "query.persona=FCON-01")
    assert done.code == 0
    assert done.err.startswith("warning: unknown persona 'FCON-01'")
    assert "FCON-001" in done.err
    json.loads(done.out)


def test_skipped_personas_are_warned_about(cli, tmp_path, graph_file):
    people = tmp_path / "people.yaml"
    people.write_text("- id: A\n- name: nobody\n")
    done = cli("query", "risk", *over(graph_file, personas="file"), f"personas.path={people}")
    assert done.code == 0
    assert done.err == f"warning: {people}:2: persona left out, it has no id\n"


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        (["graph=json", "graph.path=missing.json"], "missing.json"),
        (["query.kk=3"], "query.kk"),
        (["query.k=many"], "query.k"),
        (["query.cell=architect:whom"], "query.cell"),
        (["seed=labl"], "labl"),
        (["context.max_tokens=0"], "context.max_tokens"),
        (["pipeline.order=[score,seed]"], "pipeline.order"),
        (["graph=networkx"], "networkx graph object"),
    ],
)
def test_wrong_input_is_one_message_and_code_2(cli, overrides, said):
    done = cli("query", "risk", *overrides)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("error: ")
    assert said in done.err
    assert "Traceback" not in done.err


def test_a_missing_text_and_an_unknown_option_are_code_2(cli):
    for arguments in (["query"], ["query", "x", "--nope"], ["nope"], ["query", "x", "--top", "many"]):
        done = cli(*arguments)
        assert done.code == 2
        assert done.out == ""
        assert "Error: " in done.err


PLUGIN = """
from graphrag_pipeline import BridgeParams, Component, Params, hookimpl

class Broken(Component):
    name = "broken"
    Params = Params
    def expand(self, seeds, query, index):
        raise ZeroDivisionError("no way")

@hookimpl
def graphrag_register_expanders():
    return [Broken]
"""


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    path = tmp_path / "broken_plugin.py"
    path.write_text(PLUGIN)
    return path


def test_a_stage_that_fails_is_one_message_and_code_1(cli, graph_file, plugin):
    done = cli("query", "risk", *over(graph_file), "--plugin", plugin, "expand.use=broken")
    assert done.code == 1
    assert done.out == ""
    assert "error: The expander 'broken' failed: ZeroDivisionError: no way" in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("place", [0, 1, 99])
def test_debug_anywhere_raises_what_went_wrong(cli, graph_file, plugin, place):
    arguments: list[Any] = ["query", "risk", *over(graph_file), "--plugin", plugin, "expand.use=broken"]
    arguments.insert(place, "--debug")
    with pytest.raises(Exception, match="no way") as error:
        cli(*arguments)
    assert isinstance(error.value.__cause__, ZeroDivisionError)


def test_a_failing_bridge_is_a_warning_and_code_0(cli, graph_file):
    done = cli("query", "risk", *over(graph_file, bridge="lyra"))
    assert done.code == 0
    assert done.err.startswith("warning: The bridge 'lyra' failed, the query goes on without it: LYRA is not")
    assert re.search(r"^1 +0\.60 +a ", done.out, re.MULTILINE)
