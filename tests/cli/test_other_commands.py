"""`graph`, `plugins`, `config`, and the tables they are shown in."""

from __future__ import annotations

import json
import unicodedata

import pytest
from click import unstyle

from graphrag_pipeline.cli.jsonable import jsonable
from graphrag_pipeline.cli.output import BLANKS, listed, message, printable, write
from graphrag_pipeline.cli.table import Column, measure, table
from tests.cli.screen import Screen
from tests.tiny import edge, graph_of, node


@pytest.fixture
def broken_file(tmp_path):
    """A graph with one of each oddity."""
    graph = graph_of(
        [
            node("a", zachman_cell="architect:how"),
            node("b", zachman_cell="architect"),
            node("c", zachman_cell="nobody:how"),
            node("d\x1b[1m"),
            node("e", zachman_cell={"perspective": "engineer", "interrogative": "who"}),
        ],
        [edge("a>a", "owns"), edge("a>ghost"), edge("b>a")],
    )
    data = graph.to_dict()
    data["nodes"].append(node("a", zachman_cell="architect:why").to_dict())
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(data))
    return path


def test_graph_info_counts_types_cells_and_oddities(cli, broken_file):
    done = cli("graph", "info", "graph=json", f"graph.path={broken_file}", "--json")
    info = json.loads(done.out)
    assert (done.code, done.err) == (0, "")
    assert (info["nodes"], info["edges"], info["self_loops"]) == (5, 3, 1)
    assert info["node_types"] == {"concept": 5}
    assert info["edge_types"] == {"uses": 2, "owns": 1}
    assert info["dangling_edges"] == [["a", "ghost", "uses"]]
    assert info["duplicate_ids"] == ["a"]
    assert info["unreadable_cells"] == ["c"]
    assert info["without_cell"] == 1
    filled = {
        (row, column): count
        for row, columns in info["cells"].items()
        for column, count in columns.items()
        if count
    }
    assert filled == {("architect", "why"): 1, ("architect", "any"): 1, ("engineer", "who"): 1}
    assert [len(columns) for columns in info["cells"].values()] == [7] * 6
    assert len(info["digest"]) == 64


def test_graph_info_for_people_says_the_same(cli, broken_file):
    out = cli("graph", "info", "graph=json", f"graph.path={broken_file}").out
    assert f"{broken_file}: 5 nodes, 3 edges, sha256 " in out
    assert "node types: concept 5" in out
    assert "edge types: uses 2, owns 1" in out
    assert "nodes without a cell: 1; self loops: 1" in out
    assert "dangling edges: 1: a -> ghost" in out
    assert "duplicated: 1: an id came again; its last node counts, in the first one's place: a" in out
    assert "unreadable cells: 1: c" in out
    row = next(line.split() for line in out.splitlines() if line.startswith("architect"))
    assert row == ["architect", "0", "0", "0", "0", "0", "1", "1"]


def test_plugins_list_as_json_names_the_built_in_components(cli):
    done = cli("plugins", "list", "--json")
    report = json.loads(done.out)
    text = json.dumps(report)
    assert done.code == 0
    for name in ("label", "retriever", "bfs", "zachman", "weighted_sum", "bullets", "chars4", "networkx"):
        assert f'"{name}"' in text


def test_plugins_list_shows_one_that_failed(cli, tmp_path):
    plugin = tmp_path / "bad_plugin.py"
    plugin.write_text("1 / 0")
    done = cli("plugins", "list", "--plugin", plugin)
    assert done.code == 0
    assert "ZeroDivisionError" in done.out
    assert "ZeroDivisionError" in done.err
    strict = cli("plugins", "list", "--plugin", plugin, "--strict-plugins")
    assert (strict.code, strict.out) == (2, "")


def test_config_show_is_yaml_that_holds_what_was_asked(cli):
    import yaml

    done = cli("config", "show", "query.k=4", "bridge=mock")
    shown = yaml.safe_load(done.out)
    assert done.code == 0
    assert shown["query"]["k"] == 4
    assert shown["bridge"]["use"] == "mock"
    assert json.loads(cli("config", "show", "query.k=4", "bridge=mock", "--json").out) == shown


def test_config_show_tells_where_a_value_comes_from(cli):
    out = cli("config", "show", "query.k=4", "--provenance").out
    line = next(line for line in out.splitlines() if line.startswith("query.k "))
    assert line.split()[1] == "4"
    assert "query.k=4" in line


def test_config_check_tells_right_from_wrong(cli, tmp_path):
    right, wrong = tmp_path / "right.yaml", tmp_path / "wrong.yaml"
    right.write_text("query: {k: 3}\n")
    wrong.write_text("query: {kk: 3}\n")
    assert cli("config", "check", right).code == 0
    done = cli("config", "check", right, wrong)
    assert done.code == 2
    assert "kk" in done.err
    assert "wrong.yaml" in done.err


def test_config_schema_is_json_schema(cli):
    schema = json.loads(cli("config", "schema").out)
    assert "query" in schema["properties"]


# -- tables ------------------------------------------------------------------------------------


def test_a_table_aligns_by_terminal_cells_not_by_characters():
    columns = (Column("name"), Column("n", right=True))
    shown = unstyle(table(columns, [("数据", 1), ("ab", 22), ("e\u0301🚀", 3)]))
    assert shown.splitlines() == ["name   n", "数据   1", "ab    22", "e\u0301🚀    3"]


def test_columns_that_may_be_cut_give_way_the_widest_first():
    columns = (Column("a"), Column("b", cut=True), Column("c", cut=True))
    shown = unstyle(table(columns, [("x" * 5, "y" * 20, "z" * 12)], width=29))
    assert shown.splitlines()[1] == "xxxxx  yyyyyyyyy…  zzzzzzzzz…"
    assert all(measure(line) <= 29 for line in shown.splitlines())


def test_columns_are_never_cut_below_eight_cells_and_others_never():
    columns = (Column("a"), Column("b", cut=True))
    shown = unstyle(table(columns, [("x" * 30, "y" * 30)], width=10))
    assert shown.splitlines()[1] == "x" * 30 + "  " + "y" * 7 + "…"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("\x1b[31m", r"\x1b[31m"),
        ("a\tb\nc\rd", r"a\tb\nc\rd"),
        ("a\x0b\x0c\x1c\x85b", r"a\x0b\x0c\x1c\x85b"),
        ("\x9b\x07\x00", r"\x9b\x07\x00"),
        ("\u202a\u202e\u2066\u2069\u200e\u200f", r"\u202a\u202e\u2066\u2069\u200e\u200f"),
        ("\ud800", r"\ud800"),
        ("数据 🚀 é", "数据 🚀 é"),
        ("\u2028\u2029", r"\u2028\u2029"),
        ("\u00a0\u2003\u3000", "   "),
        ("👩\u200d💻", "👩\u200d💻"),
    ],
)
def test_text_is_made_safe_to_show(text, shown):
    assert printable(text) == shown


def test_what_is_to_be_kept_is_kept():
    assert printable("a\nb\x1b", keep="\n") == "a\nb\\x1b"


def test_every_blank_of_unicode_is_harmless():
    every = (chr(code) for code in range(0x110000))
    assert "".join(c for c in every if unicodedata.category(c) == "Zs") == f" {BLANKS}"


def test_a_list_is_cut_and_each_text_of_it_stays_on_its_line():
    assert listed(["a\nb", "c"], 3) == r"a\nb, c"
    assert listed(["a", "b", "c"], 2) == "a, b, …"
    assert listed(["a", "b"], 2, 5) == "a, b, …"


def test_a_title_of_a_column_cannot_break_its_line():
    assert table((Column("a\nb"), Column("c\x1b[2J")), [(1, 2)]).splitlines() == [
        r"a\nb  c\x1b[2J",
        "1     2",
    ]


def test_what_is_written_without_thought_is_safe_too(capsys):
    write("a\x1b[31mb\u202e\nc\u00a0d")
    assert capsys.readouterr().out == "a\\x1b[31mb\\u202e\nc\u00a0d\n"


def test_only_the_colours_of_a_table_reach_a_terminal(monkeypatch):
    screen = Screen()
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.delenv("NO_COLOR", raising=False)
    write(table((Column("id", colour="cyan"),), [("a\x1b[2J\nb",)]) + "\nc\x1b]0;x\x07")
    shown = "\x1b[2mid\x1b[0m\n\x1b[36ma\\x1b[2J\\nb\x1b[0m\nc\\x1b]0;x\\x07\n"
    assert screen.getvalue() == shown


def test_no_line_of_a_message_can_pass_for_another_message(capsys):
    message("warning", "unknown: x\nerror: all is lost\n  hint: none\n\nnote: y")
    assert capsys.readouterr().err == (
        "warning: unknown: x\n  error: all is lost\n  hint: none\n\n  note: y\n"
    )


def test_config_check_as_json_writes_nothing_to_standard_error(cli, tmp_path):
    right, wrong = tmp_path / "right.yaml", tmp_path / "wrong.yaml"
    right.write_text("query: {k: 3}\n")
    wrong.write_text("query: {kk: 3}\n")
    done = cli("config", "check", right, wrong, "--json")
    assert (done.code, done.err) == (2, "")
    found = json.loads(done.out)
    assert found[str(right)] == []
    assert [problem["key"] for problem in found[str(wrong)]] == ["query.kk"]


def test_graph_info_lists_what_was_repaired(cli, tmp_path):
    path = tmp_path / "g.json"
    path.write_text('{"nodes": [{"node_id": "a", "node_type": "t", "label": "x", "label": "y"}]}')
    said = "the key 'label' was written twice in one object; its last value counts"
    found = json.loads(cli("graph", "info", "graph=json", f"graph.path={path}", "--json").out)["findings"]
    assert found == [{"kind": "repaired", "what": said, "count": 1, "places": []}]
    assert f"repaired: 1: {said}" in cli("graph", "info", "graph=json", f"graph.path={path}").out


@pytest.mark.parametrize(
    ("value", "clean", "count"),
    [
        ({"a": [1, None, True, "x", 0.5]}, {"a": [1, None, True, "x", 0.5]}, 0),
        ((1, (2,)), [1, [2]], 0),
        ({3, 1, 2}, [1, 2, 3], 1),
        ([float("nan"), float("-inf")], [None, None], 2),
        ({1: {None: "x"}}, {"1": {"None": "x"}}, 2),
        (1j, "1j", 1),
        (object(), "<object>", 1),
    ],
)
def test_what_json_cannot_hold_is_replaced_and_counted(value, clean, count):
    assert jsonable(value) == (clean, count)


def test_a_value_that_holds_itself_is_cut_off():
    loop: list[object] = []
    loop.append(loop)
    clean, count = jsonable(loop)
    assert count == 1
    assert len(json.dumps(clean)) < 1000
