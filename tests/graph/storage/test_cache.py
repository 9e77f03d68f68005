"""Indexes kept from one run to the next."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from graphrag_pipeline import Account, Finding, SourceReport, load_pipeline
from graphrag_pipeline.graph.compiling import as_index
from graphrag_pipeline.graph.storage.cache import IndexCache, user_directory
from tests.graph.storage.conftest import everything
from tests.tiny import graph_of, node

LEFT_OUT = SourceReport(
    "g.json",
    (Finding("skipped", "a node without an id", 1, ("g.json: nodes[7]",)),),
    Account({"nodes": 3}, {"ends": 1}, {"a node without an id": 1}, 2, 1),
    ("an undirected graph",),
)


def test_what_was_kept_is_found_with_its_remarks_by_the_digest_of_its_source(tmp_path):
    cache, index = IndexCache(tmp_path / "new"), everything()
    assert cache.find("one", "g.json") is None
    cache.keep(index, LEFT_OUT, "one")
    cache.keep(everything("x"), SourceReport("h.json"), "two")
    found = cache.find("one", "g.json")
    assert found is not None
    assert (as_index(found.graph).digest, found.report) == (index.digest, LEFT_OUT)
    assert cache.find("three", "g.json") is None


def test_a_damaged_index_counts_as_none_and_is_built_anew(tmp_path, caplog):
    cache, index = IndexCache(tmp_path), everything()
    cache.keep(index, SourceReport("g.json"), "one")
    next(tmp_path.rglob("node.row.npy")).write_bytes(b"x")
    assert cache.find("one", "g.json") is None
    assert (
        "A cached index is of no use, the graph is compiled anew. "
        "This is no index that can be opened: node.row.npy has 1 bytes" in caplog.text
    )
    cache.keep(index, SourceReport("g.json"), "one")
    assert cache.find("one", "g.json") is not None


def test_a_cache_that_cannot_be_written_is_a_warning(tmp_path, caplog):
    (tmp_path / "file").write_text("x")
    IndexCache(tmp_path / "file").keep(everything(), SourceReport("g.json"), "one")
    assert (
        "The index is not cached; index.cache_dir=null ends this. The index cannot be written: "
        in caplog.text
    )


def test_the_users_directory_follows_xdg(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert user_directory() == tmp_path / "graphrag-pipeline" / "index"
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    assert user_directory() == tmp_path / "me" / ".cache" / "graphrag-pipeline" / "index"


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """Query a graph file with a cache."""
    monkeypatch.setenv("GRAPHRAG_PLUGINS_DISABLE_AUTOLOAD", "1")
    monkeypatch.delenv("GRAPHRAG_PLUGINS", raising=False)
    monkeypatch.chdir(tmp_path)

    def _ask(*overrides: str) -> list[str]:
        given = ["graph=json", "graph.path=g.json", "personas=none", "bridge=noop"]
        pipeline = load_pipeline([*given, "index.cache_dir=kept", "index.cache_from_nodes=1", *overrides])
        return [entry.label for entry in pipeline.run("risk").nodes]

    return _ask


def write(*labels: str) -> None:
    nodes = [node(str(row), label) for row, label in enumerate(labels)]
    Path("g.json").write_text(json.dumps(graph_of(nodes).to_dict()))


def test_a_graph_file_is_compiled_once_until_its_content_changes(ask, monkeypatch):
    from graphrag_pipeline.graph.sources import json_file

    write("Risk 1")
    assert ask() == ["Risk 1"]
    monkeypatch.setattr(json_file, "load_json_graph", None)
    assert ask() == ["Risk 1"]
    Path("g.json").rename("h.json")
    assert ask("graph.path=h.json") == ["Risk 1"]
    monkeypatch.undo()


def test_a_changed_file_gives_the_new_answers(ask):
    write("Risk 1")
    assert ask() == ["Risk 1"]
    before = Path("g.json").stat()
    write("Risk 2")
    os.utime("g.json", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert ask() == ["Risk 2"]
    assert len(list(Path("kept").iterdir())) == 2


def test_what_the_source_remarked_is_warned_about_from_the_cache_too(ask, caplog):
    entry = node("a", "Risk").to_dict()
    Path("g.json").write_text(json.dumps({"nodes": [entry, entry]}))
    for _ in range(2):
        caplog.clear()
        assert ask() == ["Risk"]
        assert [record.getMessage() for record in caplog.records] == [
            "g.json: duplicated: 1; `graph doctor` lists them"
        ]


def test_small_graphs_and_without_a_directory_no_graph_are_kept(ask):
    write("Risk 1")
    assert ask("index.cache_from_nodes=2") == ["Risk 1"]
    assert ask("index.cache_dir=null") == ["Risk 1"]
    assert not Path("kept").exists()


def test_without_a_home_directory_nothing_is_kept_and_the_query_runs(ask, monkeypatch):
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", nowhere)
    write("Risk 1")
    assert ask("index.cache_dir=auto") == ["Risk 1"]


def test_a_written_index_is_a_graph_source(ask):
    from graphrag_pipeline import GraphIndex, GraphSourceError

    GraphIndex.from_records([node("0", "Risk 1")]).save("g")
    assert ask("graph=index", "graph.path=g") == ["Risk 1"]
    file = next(Path("g").rglob("node.label.blob.npy"))
    file.write_bytes(file.read_bytes()[:-1] + b"7")
    assert ask("graph=index", "graph.path=g") == ["Risk 7"]
    with pytest.raises(GraphSourceError, match=r"node\.label\.blob\.npy was changed"):
        ask("graph=index", "graph.path=g", "graph.verify=true")


def test_an_entry_that_is_no_index_is_replaced(tmp_path, caplog):
    cache = IndexCache(tmp_path)
    cache.keep(everything(), SourceReport("g.json"), "one")
    next(tmp_path.rglob("manifest.json")).write_text("{}", encoding="ascii")
    assert cache.find("one", "g.json") is None
    caplog.clear()
    cache.keep(everything(), SourceReport("g.json"), "one")
    assert caplog.text == ""
    assert cache.find("one", "g.json") is not None


def test_an_entry_that_opens_is_left_as_it_is(tmp_path):
    cache = IndexCache(tmp_path)
    cache.keep(everything(), SourceReport("g.json"), "one")
    before = sorted(tmp_path.rglob("*"))
    cache.keep(everything(), SourceReport("g.json"), "one")
    assert sorted(tmp_path.rglob("*")) == before


def test_a_directory_whose_name_is_no_name_holds_nothing(tmp_path, caplog):
    for name in ("x" * 300, "a\0b"):
        assert IndexCache(tmp_path / name).find("one", "g.json") is None
        IndexCache(tmp_path / name).keep(everything(), SourceReport("g.json"), "one")
    assert caplog.text.count("The index is not cached") == 2


def test_a_relative_xdg_directory_is_ignored_as_the_rules_say(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert user_directory() == tmp_path / ".cache" / "graphrag-pipeline" / "index"


@pytest.mark.parametrize("name", ["node.label.blob", "adjacency.neighbour", "node.type", "edge.weight"])
def test_a_flipped_bit_in_a_kept_index_is_found_and_the_index_built_anew(tmp_path, caplog, name):
    cache = IndexCache(tmp_path)
    cache.keep(everything(), SourceReport("g.json"), "one")
    file = next(tmp_path.rglob(f"{name}.npy"))
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    assert cache.find("one", "g.json") is None
    assert f"{name}.npy was changed after it was written" in caplog.text
    cache.keep(everything(), SourceReport("g.json"), "one")
    found = cache.find("one", "g.json")
    assert found is not None
    assert as_index(found.graph).digest == everything().digest
