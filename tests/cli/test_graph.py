"""``graph doctor``, ``convert``, ``classify`` and ``matrix``."""

from __future__ import annotations

import json

import pytest

from tests.tiny import node


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    nodes = [{"id": "p1", "label": "Pump", "type": "Goal"}, {"id": "p2", "label": "Valve\x01", "type": ""}]
    edges = [{"source": "p1", "target": "p2"}, {"source": "p1", "target": "ghost"}, {"source": "p1"}]
    (tmp_path / "g.json").write_text(json.dumps({"nodes": [*nodes, nodes[0]], "links": edges}))
    clean = [node(name, name, zachman_cell="architect:who").to_dict() for name in "ab"]
    edge = {"source_id": "a", "target_id": "b", "edge_type": "uses"}
    (tmp_path / "clean.json").write_text(json.dumps({"nodes": clean, "edges": [edge]}))
    return tmp_path


def test_the_doctor_lists_everything_that_is_wrong(cli):
    found = json.loads(cli("graph", "doctor", "g.json", "--json").out)
    assert found["counts"] == {
        "dangling": 1,
        "duplicated": 1,
        "skipped": 1,
        "repaired": 1,
        "blank": 1,
        "isolated": 0,
        "unclassified": 2,
    }
    assert found["account"] == {
        "read": {"nodes": 3, "links": 3},
        "made": {},
        "left": {"an edge without a source or a target": 1, "nodes merged into one of the same id": 1},
        "nodes": 2,
        "edges": 2,
    }
    assert found["notes"] == ["detected as nodelink: its nodes have the key id"]
    assert found["findings"][0]["places"] == ["p1 -related_to-> ghost"]


def test_the_doctor_tells_people_the_same(cli):
    done = cli("graph", "doctor", "graph=nodelink", "graph.path=g.json")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].startswith("g.json: 2 nodes, 2 edges, sha256 ")
    assert lines[1:5] == [
        "read:   3 × nodes, 3 × links",
        "became: 2 nodes, 2 edges",
        "left:   1 × an edge without a source or a target, 1 × nodes merged into one of the same id",
        "sum:    6 = 6",
    ]
    assert [line.split()[0] for line in lines[7:]] == [
        "dangling",
        "duplicated",
        "skipped",
        "repaired",
        "blank",
        "unclassified",
    ]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["g.json"], 0),
        (["g.json", "--strict"], 1),
        (["clean.json", "--strict"], 0),
        (["g.json", "--strict", "--ignore", "unclassified"], 1),
        (["graph=demo", "--strict"], 0),
    ],
)
def test_strict_fails_when_anything_is_found(cli, arguments, code):
    assert cli("graph", "doctor", *arguments).code == code


def test_ignored_kinds_pass(cli):
    kinds = ["dangling", "duplicated", "skipped", "repaired", "blank", "unclassified"]
    ignored = [part for kind in kinds for part in ("--ignore", kind)]
    assert cli("graph", "doctor", "g.json", "--strict", *ignored).code == 0
    done = cli("graph", "doctor", "g.json", "--ignore", "blanks")
    assert done.code == 2
    assert "'blanks' is none of dangling, duplicated" in done.err


def test_a_clean_graph_is_said_to_be_clean(cli):
    assert cli("graph", "doctor", "clean.json").out.splitlines()[-1] == "nothing is wrong"


@pytest.mark.parametrize("name", ["a=b.json", "it's, {x}.json", "späß ${y}.json"])
def test_any_name_of_a_file_may_be_given_as_path(cli, here, name):
    (here / "clean.json").rename(here / name)
    done = cli("graph", "info", name)
    assert (done.code, done.out.splitlines()[0][: len(name)]) == (0, name)


def test_a_path_with_a_source_of_ones_own_choice(cli):
    assert cli("graph", "doctor", "g.json", "graph=nodelink").code == 0
    done = cli("graph", "doctor", "g.json", "graph=json")
    assert done.code == 2
    assert "graph=nodelink" in done.err


def test_a_query_on_auto_says_what_was_detected(cli):
    done = cli("query", "pump", "graph=auto", "graph.path=g.json", "bridge=noop")
    assert done.code == 0
    assert done.err.splitlines() == [
        "note: g.json: detected as nodelink: its nodes have the key id",
        "warning: g.json: dangling: 1, duplicated: 1, skipped: 1, repaired: 1, blank: 1; "
        "`graph doctor` lists them",
    ]


# -- convert ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("out", "more"),
    [("o.json", ()), ("o.graphml", ()), ("o.nodelink.json", ()), ("o.ttl", ()), ("o", ("--to", "csv"))],
)
def test_a_graph_is_written_and_reads_back_the_same(cli, out, more):
    done = cli("graph", "convert", "clean.json", out, *more)
    assert done.code == 0, done.err
    assert done.out.startswith(f"{out}: ")
    assert done.out.endswith(", 2 nodes, 1 edge\n")
    before, after = [json.loads(cli("graph", "info", path, "--json").out) for path in ("clean.json", out)]
    assert before["digest"] == after["digest"]


def test_what_is_lost_is_told_before_and_strict_writes_nothing(cli, here):
    (here / "w.json").write_text(
        json.dumps(
            {
                "nodes": [node("a").to_dict()],
                "edges": [{"source_id": "a", "target_id": "a", "edge_type": "t"}] * 2,
            }
        )
    )
    done = cli("graph", "convert", "w.json", "o.ttl", "--strict")
    assert done.code == 2
    assert done.err.splitlines()[1] == (
        "warning: turtle cannot carry all: an edge of the ends, type and namespace of another is left out, "
        "with its weight and properties: 1 (edge a -t-> a)"
    )
    assert not (here / "o.ttl").exists()
    assert cli("graph", "convert", "w.json", "o.ttl").code == 0


def test_what_is_there_is_replaced_with_force_only(cli, here):
    (here / "o.json").write_text("mine")
    done = cli("graph", "convert", "clean.json", "o.json")
    assert (done.code, (here / "o.json").read_text()) == (2, "mine")
    assert "--force replaces it" in done.err
    assert cli("graph", "convert", "clean.json", "o.json", "--force").code == 0


def test_the_configured_graph_can_be_converted_too(cli):
    assert (
        cli("graph", "convert", "graph=demo", "demo.graphml").out
        == "demo.graphml: graphml, 191 nodes, 420 edges\n"
    )


@pytest.mark.parametrize(
    "arguments", [("", "o.json"), ("clean.json", ""), ("none.json", "o.json"), ("clean.json", "o")]
)
def test_wrong_places_are_refused_in_one_message(cli, arguments):
    done = cli("graph", "convert", *arguments)
    assert done.code == 2
    assert done.err.count("error:") == 1


# -- classify and matrix ---------------------------------------------------------------------------


def test_classify_counts_writes_and_lists_the_unclassified(cli):
    found = json.loads(cli("graph", "classify", "g.json", "--table", "archimate", "--json").out)
    assert (found["given"], found["kept"], found["confidence"]) == (1, 0, {"high": 1})
    assert (found["unclassified"], found["unclassified_types"], found["unclassified_ids"]) == (
        1,
        {"": 1},
        ["p2"],
    )
    assert {cell: count for cell, count in found["cells"].items() if count} == {"executive:why": 1}
    out = cli("graph", "classify", "g.json", "--table", "archimate", "-o", "c.json").out
    assert "gave 1 of 2 nodes a cell, 0 had one, 1 have none" in out
    assert "unclassified: (blank) 1\nfirst of these: p2\n" in out
    assert json.loads(cli("graph", "info", "c.json", "--json").out)["cells"]["executive"]["why"] == 1


def test_a_table_of_ones_own_replaces_the_shipped_one(cli, here):
    (here / "t.yaml").write_text("perspectives: [{gives: engineer, type: 'g*'}]\n")
    found = json.loads(cli("graph", "classify", "g.json", "--table", "t.yaml", "--json").out)
    assert (found["rows"]["engineer"], found["row_only"], found["row_only_ids"]) == (1, 1, ["p1"])
    assert cli("graph", "classify", "g.json", "--table", "archmate").code == 2


def test_matrix_shows_draws_and_holds_a_floor(cli, here):
    done = cli("graph", "matrix", "clean.json", "--svg", "m.svg", "--html", "m.html")
    assert done.code == 0
    assert "cells with a node: 1 of 36; nodes without a cell: 0" in done.out
    assert (here / "m.svg").read_text().startswith("<svg ")
    assert (here / "m.html").read_text().startswith("<!doctype html>")
    assert cli("graph", "matrix", "graph=demo", "--floor", "15").code == 0
    done = cli("graph", "matrix", "graph=demo", "--floor", "16")
    assert (done.code, done.err) == (1, "error: below the floor of 16: executive 15\n")
    assert cli("graph", "matrix", "graph=demo", "--floor", "2", "--each-cell").code == 0
    assert cli("graph", "matrix", "graph=demo", "--floor", "3", "--each-cell").code == 1


def test_matrix_as_json_has_every_cell(cli):
    found = json.loads(cli("graph", "matrix", "g.json", "--table", "archimate", "--json", "--floor", "1").out)
    assert len(found["cells"]) == 36
    assert (found["cells"]["executive:why"], found["without_cell"], found["filled"]) == (1, 1, 1)
    assert set(found["below_floor"]) == {"business_mgmt", "architect", "engineer", "technician", "enterprise"}


def test_pictures_are_replaced_with_force_only(cli, here):
    (here / "m.svg").write_text("mine")
    done = cli("graph", "matrix", "clean.json", "--svg", "m.svg")
    assert (done.code, (here / "m.svg").read_text()) == (2, "mine")
    assert cli("graph", "matrix", "clean.json", "--svg", "m.svg", "--force").code == 0
    assert cli("graph", "matrix", "clean.json", "--svg", "m", "--html", "m").code == 2
    assert cli("graph", "matrix", "clean.json", "--floor", "-1").code == 2
    assert cli("graph", "matrix", "clean.json", "--each-cell").code == 2


def test_classified_graphs_go_to_tables_too_and_a_taken_place_is_told_first(cli, here):
    assert cli("graph", "classify", "clean.json", "-o", "t", "--to", "csv").code == 0
    assert (here / "t" / "nodes.csv").exists()
    done = cli("graph", "classify", "clean.json", "-o", "clean.json")
    assert (done.code, done.out) == (2, "")


def test_null_turns_the_table_off_that_a_source_has_by_default(cli, here):
    model = (
        '<archimate:model xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:archimate='
        '"http://www.archimatetool.com/archimate" name="m" id="m">'
        '<element xsi:type="archimate:Goal" name="G" id="g"/></archimate:model>'
    )
    (here / "m.archimate").write_text(model)
    for more, without in ((), 0), (("graph.zachman=null",), 1), (("graph.zachman=reference",), 0):
        found = json.loads(cli("graph", "matrix", "m.archimate", *more, "--json").out)
        assert found["without_cell"] == without


def test_the_count_is_of_what_was_written(cli, here):
    edge = {"source_id": "a", "target_id": "a", "edge_type": "t"}
    data = {"nodes": [node("a").to_dict(), node("").to_dict()], "edges": [edge, edge]}
    (here / "w.json").write_text(json.dumps(data))
    assert cli("graph", "convert", "w.json", "o.ttl").out == "o.ttl: turtle, 1 node, 1 edge\n"
