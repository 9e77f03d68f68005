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


@pytest.mark.parametrize(("top", "rows"), [("1", 1), ("3", 3), ("0", 4), ("99", 4)])
def test_top_says_how_many_rows_are_shown(cli, graph_file, top, rows):
    done = cli("query", "risk", *over(graph_file), "--top", top)
    table = done.out.split("\n\n")[1].splitlines()[1:]
    more = [line for line in table if "more (--top 0 shows all)" in line]
    assert len(table) - len(more) == rows
    assert more == ([] if rows == 4 else [f"… and {4 - rows} more (--top 0 shows all)"])


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        (["zebra"], "Nothing found: no seeds: 'label' found no node for this query (slot seed)."),
        ([""], "Nothing found: no seeds: 'label' found no node for this query (slot seed)."),
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
    assert done.err == "warning: JSON cannot hold some values; replaced by null or by their text: 3\n"


def test_terminal_escapes_in_a_graph_are_spelled_out(cli, odd_file):
    done = cli("query", "risk", *over(odd_file), "--explain", "query.cell=architect:how")
    done_plain = cli("query", "risk \x1b[5m", *over(odd_file))
    for text in (done.out, done_plain.out, done.err, done_plain.err):
        assert not set(text) & set("\x1b\x07\x9b\u202e\x00\t")
    assert r"Risk \x1b[31m\x07\x9b\u202e🚀" in done_plain.out
    assert r"\x1b]0;x\x07" in done.out
    assert r"“risk \x1b[5m”" in done_plain.out


@pytest.mark.parametrize(
    "break_", ["\n", "\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"], ids=ascii
)
def test_a_line_break_in_a_graph_is_seen_and_breaks_no_line(cli, tmp_path, break_):
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(graph_of([node(f"risk{break_}1", f"a risk{break_}  9 forged")]).to_dict()))
    row = cli("query", "risk", *over(path), "personas=none").out.split("\n\n")[1].splitlines()[1]
    spelled = ascii(break_)[1:-1]
    assert f"risk{spelled}1" in row
    assert f"a risk{spelled}  9 forged" in row


def test_the_context_keeps_its_lines_on_a_terminal_and_all_of_it_in_json(cli, tmp_path):
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(graph_of([node("risk", "a risk\nof\x1b[2J\ttwo")]).to_dict()))
    command = ("query", "risk", *over(path), "personas=none", "context.single_line=false")
    assert "\n- [0.60] a risk\nof\\x1b[2J\\ttwo (concept, id=risk)\n" in cli(*command).out
    text = json.loads(cli(*command, "--json").out)["context_text"]
    assert text.splitlines()[1:] == ["- [0.60] a risk", "of\x1b[2J\ttwo (concept, id=risk)"]


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
    usage = "Usage: graphrag-pipeline query [OPTIONS] TEXT [OVERRIDES]..."
    top = "Usage: graphrag-pipeline [OPTIONS] COMMAND [ARGS]..."
    for arguments, said, hint in (
        (["query"], "Missing argument 'TEXT'.", usage),
        (["query", "x", "--nope"], "No such option", usage),
        (["nope"], "No such command 'nope'.", top),
        (["query", "x", "--top", "many"], "Invalid value for '--top': 'many' is not a valid integer", usage),
        (["query", "x", "--top", "-1"], "Invalid value for '--top': -1 is not in the range x>=0.", usage),
        (
            ["query", "x", "--plugin", "no.py"],
            "Invalid value for '--plugin': Path 'no.py' does not exist.",
            usage,
        ),
    ):
        done = cli(*arguments)
        assert done.code == 2
        assert done.out == ""
        first, second = done.err.splitlines()
        assert first.startswith(f"error: {said}")
        assert second == f"  hint:  {hint}"


PLUGIN = """
from graphrag_pipeline import Component, ExpanderParams, hookimpl

class Broken(Component):
    name = "broken"
    Params = ExpanderParams
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
def test_debug_anywhere_shows_the_traceback_and_keeps_the_code(cli, graph_file, plugin, place):
    arguments: list[Any] = ["query", "risk", *over(graph_file), "--plugin", plugin, "expand.use=broken"]
    arguments.insert(place, "--debug")
    done = cli(*arguments)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("debug: Traceback (most recent call last):\n")
    assert "ZeroDivisionError: no way\n\nThe above exception was the direct cause" in done.err
    assert "\nerror: The expander 'broken' failed: ZeroDivisionError: no way\n" in done.err


def test_a_failing_bridge_is_a_warning_and_code_0(cli, graph_file):
    done = cli("query", "risk", *over(graph_file, bridge="lyra"))
    assert done.code == 0
    assert done.err.startswith("warning: The bridge 'lyra' failed, the query goes on without it: LYRA is not")
    assert re.search(r"^1 +0\.60 +a ", done.out, re.MULTILINE)


@pytest.mark.parametrize(("top", "shown"), [("1", 1), ("3", 3), ("4", 4), ("0", 4)])
def test_top_limits_the_lines_of_the_context_too(cli, graph_file, top, shown):
    out = cli("query", "risk", *over(graph_file), "--top", top).out
    context = out.split("\n\n")[2].splitlines()
    assert context[0] == "[GraphRAG context — top-scored nodes]"
    assert [line for line in context if line.startswith("- ")] == context[1 : 1 + shown]
    rest = {1: ["… and 3 more lines (--top 0 shows all)"], 3: ["… and 1 more line (--top 0 shows all)"]}
    assert context[1 + shown :] == rest.get(shown, [])


def test_top_does_not_limit_json(cli, graph_file):
    done = cli("query", "risk", *over(graph_file), "--top", "1", "--json")
    told = json.loads(done.out)
    assert len(told["scored"]) == 4
    assert told["context_text"].count("\n- ") == 4


SOURCE = """
import sys
from graphrag_pipeline import Component, KnowledgeGraph, KnowledgeNode, Params, hookimpl
print("imported")

class Loud(Component):
    name = "loud"
    Params = Params
    def load(self):
        print("loaded")
        graph = KnowledgeGraph()
        odd = {"set": {"b", "a"}, "bytes": b"x", "tuple": (1, 2), 7: "key", "nan": float("nan")}
        graph.add_node(KnowledgeNode("a", "t", "Risk", properties={**odd, "object": object()}))
        return graph

    def keep(self, candidates, query, index):
        print("kept")

@hookimpl
def graphrag_register_graph_sources():
    return [Loud]
@hookimpl
def graphrag_register_filters():
    return [Loud]
"""


@pytest.fixture
def loud(tmp_path: Path) -> Path:
    path = tmp_path / "loud_plugin.py"
    path.write_text(SOURCE)
    return path


def test_what_plugins_print_goes_to_standard_error(cli, loud):
    done = cli("query", "risk", "--json", "--plugin", loud, "graph=loud", "filter=loud", "bridge=noop")
    assert done.code == 0
    assert json.loads(done.out)["scored"] == [["a", 0.6]]
    lines = done.err.splitlines()
    assert [line for line in lines if line in ("imported", "loaded", "kept")] == [
        "imported",
        "loaded",
        "kept",
        "kept",
    ]


def test_what_json_cannot_hold_is_replaced_and_warned_about_once(cli, loud):
    done = cli("query", "risk", "--json", "--plugin", loud, "graph=loud", "bridge=noop")
    properties = json.loads(done.out)["nodes"][0]["properties"]
    assert properties == {
        "set": ["a", "b"],
        "bytes": "b'x'",
        "tuple": [1, 2],
        "7": "key",
        "nan": None,
        "object": "<object>",
    }
    warnings = [line for line in done.err.splitlines() if line.startswith("warning: ")]
    assert warnings == ["warning: JSON cannot hold some values; replaced by null or by their text: 5"]


def test_an_override_of_the_text_is_noted(cli, graph_file):
    done = cli("query", "risk", *over(graph_file), "query.text=audit")
    assert done.code == 0
    assert done.err == "note: TEXT is asked, so 'query.text=audit' has no effect\n"
    assert done.out.startswith("“risk”")


def test_references_see_the_text_that_is_asked(cli, graph_file):
    done = cli("query", "risk", *over(graph_file), "query.persona=${query.text}")
    assert done.out.splitlines()[0] == "“risk” · k 10 · 3 hops · persona risk"


def test_a_plugin_to_leave_out_that_is_not_there_is_warned_about(cli, graph_file):
    done = cli("query", "risk", *over(graph_file), "--no-plugin", "nobody", "--no-plugin", "nothing")
    assert done.code == 0
    assert done.err == (
        "warning: There is no plugin 'nobody' to leave out.\n"
        "warning: There is no plugin 'nothing' to leave out.\n"
    )


def test_what_a_graph_file_repeats_is_warned_about(cli, graph_file):
    data = json.loads(graph_file.read_text())
    data["nodes"].append(data["nodes"][0])
    graph_file.write_text(json.dumps(data))
    done = cli("query", "risk", *over(graph_file))
    assert done.err == f"warning: {graph_file}: duplicated: 1; `graph doctor` lists them\n"


def test_a_source_that_exits_is_one_message_that_names_it(cli, loud):
    loud.write_text(SOURCE.replace('print("loaded")', "sys.exit(7)"))
    done = cli("query", "risk", "--plugin", loud, "graph=loud")
    assert (done.code, done.out) == (2, "")
    assert "error: The graph source 'loud' failed: SystemExit: 7.\n  where: plugin loud_plugin" in done.err
