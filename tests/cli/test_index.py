"""`index`: compiled graphs on disk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tiny import graph_of, node


@pytest.fixture
def built(cli, tmp_path: Path, monkeypatch) -> Path:
    """A graph file with a repeated id, and the index that was built from it."""
    monkeypatch.chdir(tmp_path)
    data = graph_of([node("a", "Risk"), node("b", "Control")], "a>b b>ghost").to_dict()
    data["nodes"].append(data["nodes"][0])
    Path("g.json").write_text(json.dumps(data))
    done = cli("index", "build", "graph=json", "graph.path=g.json", "--output", "idx")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("idx: 2 nodes, 2 edges, ")
    assert "from g.json, by graphrag-pipeline " in done.out
    assert "duplicated: 1" in done.out
    return Path("idx")


def test_an_index_answers_as_the_file_it_was_built_from(cli, built):
    rest = ("personas=none", "bridge=noop", "--json")
    mapped = cli("query", "risk", "graph=index", f"graph.path={built}", *rest)
    plain = cli("query", "risk", "graph=json", "graph.path=g.json", *rest)
    assert (mapped.code, mapped.out) == (0, plain.out)
    assert mapped.err == "warning: idx: dangling: 1, duplicated: 1; `graph doctor` lists them\n"


def test_info_and_graph_info_tell_of_the_same_graph(cli, built):
    info = json.loads(cli("index", "info", built, "--json").out)
    graph = json.loads(cli("graph", "info", "graph=json", "graph.path=g.json", "--json").out)
    assert (info["nodes"], info["edges"], info["dangling_edges"], info["source"]) == (2, 2, 1, "g.json")
    assert info["digest"] == graph["digest"]
    assert info["report"]["findings"] == graph["findings"]
    assert [(found["kind"], found["places"]) for found in graph["findings"]] == [
        ("duplicated", ["a"]),
        ("dangling", ["b -uses-> ghost"]),
    ]
    assert info["digest"] in cli("index", "info", built).out


def test_verify_tells_right_from_changed(cli, built):
    assert cli("index", "verify", built).out.startswith("idx: right, sha256 ")
    file = next(built.rglob("node.label.blob.npy"))
    file.write_bytes(file.read_bytes()[:-1] + b"x")
    done = cli("index", "verify", built)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: This is no index that can be opened: node.label.blob.npy was changed")
    assert "graphrag-pipeline index build" in done.err


@pytest.mark.parametrize("command", ["info", "verify"])
def test_what_is_no_index_is_one_message_and_code_2(cli, built, command):
    for place in ("missing", "g.json", "."):
        done = cli("index", command, place)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith(
            "error: This is no index that can be opened: manifest.json cannot be read ("
        )


def test_building_into_a_directory_of_other_things_is_refused(cli, built):
    done = cli("index", "build", "--output", ".")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: The directory holds other things than an index.\n")
    assert cli("index", "build").code == 2


def test_building_again_replaces_the_index(cli, built):
    done = cli("index", "build", "--output", built, "--json")
    assert json.loads(done.out)["nodes"] > 100
    assert json.loads(cli("index", "info", built, "--json").out)["source"] == "demo"
