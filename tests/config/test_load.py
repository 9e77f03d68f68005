"""From overrides to a pipeline."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from graphrag_pipeline import (
    ConfigError,
    GraphIndex,
    GraphRAG,
    GraphSourceError,
    PersonaRegistry,
    PluginError,
    load_pipeline,
)
from graphrag_pipeline.config.load import load_graph, load_index
from graphrag_pipeline.config.settings import load_settings
from graphrag_pipeline.graph.compiling import as_index
from graphrag_pipeline.graph.storage.write import write_index
from graphrag_pipeline.graph.text import links as text_links
from graphrag_pipeline.plugin.host import PluginHost
from tests.tiny import graph_of, index_of, node


@pytest.fixture(autouse=True)
def _no_installed_plugins(monkeypatch, tmp_path):
    monkeypatch.setenv("GRAPHRAG_PLUGINS_DISABLE_AUTOLOAD", "1")
    monkeypatch.delenv("GRAPHRAG_PLUGINS", raising=False)
    monkeypatch.chdir(tmp_path)


SOURCES = """
import sys
from graphrag_pipeline import Component, KnowledgeGraph, KnowledgeNode, Params, PersonaRegistry, hookimpl
from graphrag_pipeline.graph.sources.contract import PersonaSourceParams

def graph():
    made = KnowledgeGraph()
    made.add_node(KnowledgeNode("a", "t", "Risk"))
    return made

class Odd(Component):
    name = "odd"
    Params = {params}
    def load(self):
        {body}

@hookimpl
def graphrag_register_{kind}_sources():
    return [Odd]
"""


@pytest.fixture
def source(tmp_path):
    """A plugin file with a source that does as told."""

    def _source(kind: str, body: str) -> Path:
        path = Path(tmp_path) / "odd_source.py"
        params = "Params" if kind == "graph" else "PersonaSourceParams"
        path.write_text(SOURCES.format(kind=kind, body=body, params=params))
        return path

    return _source


@pytest.mark.parametrize("kind", ["graph", "persona"])
@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("raise KeyError('gone')", "failed: KeyError: 'gone'"),
        ("sys.exit(3)", "failed: SystemExit: 3"),
        ("return None", "returned NoneType, not a "),
        ("return 'graph.json'", "returned str, not a "),
        ("return [1]", "returned list, not a "),
    ],
)
def test_a_source_that_fails_or_returns_the_wrong_thing_is_named_with_its_plugin(source, kind, body, said):
    group = "graph" if kind == "graph" else "personas"
    with pytest.raises(GraphSourceError) as error:
        load_pipeline(f"{group}=odd", plugins=source(kind, body))
    assert error.value.what.startswith(f"The {kind} source 'odd' {said}")
    assert error.value.where.startswith("plugin odd_source")
    if "failed" in said:
        assert "odd_source.py:15" in error.value.where
    else:
        wanted = "a LoadedGraph or a KnowledgeGraph" if kind == "graph" else "a PersonaRegistry"
        assert error.value.what.endswith(f"not {wanted}.")


def test_a_loaded_graph_without_a_graph_is_refused(source):
    body = "from graphrag_pipeline.graph.sources.contract import LoadedGraph; return LoadedGraph(None, None)"
    with pytest.raises(GraphSourceError, match="returned LoadedGraph, not a LoadedGraph or a KnowledgeGraph"):
        load_pipeline("graph=odd", plugins=source("graph", body))


def test_a_source_may_return_a_graph_as_it_is(source):
    pipeline = load_pipeline(["graph=odd", "personas=none"], plugins=[source("graph", "return graph()")])
    assert pipeline.run("risk").scored == (("a", 0.6),)


def test_a_sources_own_error_keeps_its_words(source):
    body = (
        "from graphrag_pipeline import GraphSourceError; raise GraphSourceError('Closed.', where='the shop')"
    )
    with pytest.raises(GraphSourceError, match=r"^Closed\.") as error:
        load_pipeline("graph=odd", plugins=str(source("graph", body)))
    assert error.value.where == "the shop"


def test_what_stands_alone_need_not_be_in_a_list(tmp_path, source):
    (tmp_path / "mine" / "context").mkdir(parents=True)
    (tmp_path / "mine" / "context" / "short.yaml").write_text("use: bullets\nmax_tokens: 9\n")
    for one in (str, Path):
        pipeline = load_pipeline(
            "context=short",
            config_dirs=one(tmp_path / "mine"),
            plugins=one(source("graph", "return graph()")),
            graph=graph_of("a"),
        )
        assert pipeline.run("a").context_text.splitlines()[1] == "- [0.60] a (concept, id=a)"


@pytest.mark.parametrize("wrong", [7, "graph.json", {"nodes": []}, [node("a")], None])
def test_what_is_no_graph_is_refused_with_what_one_is(wrong: Any):
    if wrong is not None:
        with pytest.raises(
            GraphSourceError, match="A graph is a KnowledgeGraph, a GraphIndex or a networkx"
        ) as error:
            load_pipeline(graph=wrong)
        assert f"not {type(wrong).__name__}." in error.value.what
    with pytest.raises(GraphSourceError, match=f"not {type(wrong).__name__}") as error:
        GraphRAG(wrong)
    assert "KnowledgeGraph.from_dict" in error.value.hint


@pytest.mark.parametrize("wrong", [7, "retriever", object])
def test_what_is_no_retriever_is_refused(wrong: Any):
    with pytest.raises(PluginError, match=r"The retriever has no method retrieve\(text, k\)"):
        GraphRAG(graph_of("a"), retriever=wrong)


def test_what_is_no_bridge_is_refused():
    with pytest.raises(PluginError) as error:
        GraphRAG(graph_of("a"), lyra_bridge=object())  # type: ignore[arg-type]
    assert "has no method graph_of_thought_query" in error.value.what
    assert error.value.where.startswith("slot bridge: <object object")


@pytest.mark.parametrize(
    ("slot", "kind"), [("seed", "seed retriever"), ("score", "scorer"), ("expand", "expander")]
)
def test_an_object_that_lacks_a_stages_methods_and_a_class_are_refused(slot, kind):
    with pytest.raises(PluginError, match=f"The object given for a {kind} has no method "):
        load_pipeline(graph=graph_of("a"), stages={slot: object()})
    from graphrag_pipeline.stages.seeds.label import LabelSeeds

    with pytest.raises(PluginError, match="is a class, not an object"):
        load_pipeline(graph=graph_of("a"), stages={"seed": LabelSeeds})


def test_a_query_that_is_none_is_refused():
    pipeline = load_pipeline(graph=graph_of("a"))
    with pytest.raises(ConfigError, match="query: must be a Query or a text, got 7"):
        pipeline.run(7)  # type: ignore[arg-type]


def test_an_index_is_taken_as_it_is():
    index = index_of("a")
    assert load_pipeline(graph=index).index is index
    assert GraphRAG(index).pipeline.index is index


def test_what_the_source_remarked_is_warned_about(tmp_path, caplog):
    entry = node("a").to_dict()
    text = json.dumps({"nodes": [entry, entry]}).replace('"label"', '"label": "b", "label"')
    (tmp_path / "g.json").write_text(text)
    with caplog.at_level(logging.WARNING):
        load_pipeline(["graph=json", "graph.path=g.json"])
    assert [record.getMessage() for record in caplog.records] == [
        "g.json: duplicated: 1, repaired: 2; `graph doctor` lists them"
    ]


def test_edges_that_lead_nowhere_are_warned_about_beside_what_was_repeated(tmp_path, caplog):
    edge = {"source_id": "a", "target_id": "ghost", "edge_type": "t"}
    entry = node("a").to_dict()
    (tmp_path / "g.json").write_text(json.dumps({"nodes": [entry, entry], "edges": [edge]}))
    given = ["graph=json", "graph.path=g.json", "index.cache_from_nodes=1", "index.cache_dir=kept"]
    with caplog.at_level(logging.WARNING):
        load_pipeline(given)
        load_pipeline(given)
    assert [record.getMessage() for record in caplog.records] == [
        "g.json: dangling: 1, duplicated: 1; `graph doctor` lists them"
    ] * 2


def test_a_sound_source_is_not_warned_about(caplog):
    load_pipeline()
    assert caplog.records == []


def test_a_change_of_the_source_or_of_a_result_does_not_reach_later_answers():
    graph = graph_of([node("a", "Risk", tags=["x"])])
    pipeline = load_pipeline("personas=none", graph=graph, personas=PersonaRegistry())
    first = pipeline.run("risk")
    first.nodes[0].properties["tags"].append("y")
    graph.get_node("a").properties["tags"].append("z")  # type: ignore[union-attr]
    graph.add_node(node("b", "Risk"))
    second = pipeline.run("risk")
    assert [(entry.node_id, entry.properties) for entry in second.nodes] == [("a", {"tags": ["x"]})]
    assert isinstance(pipeline.index, GraphIndex)


def test_a_source_that_changes_while_it_is_read_is_not_kept_under_its_old_digest(tmp_path):
    plugin = tmp_path / "moving.py"
    plugin.write_text(
        "from graphrag_pipeline import Component, KnowledgeGraph, KnowledgeNode, hookimpl\n"
        "class Moving(Component):\n"
        "    name = 'moving'\n"
        "    content = 'old'\n"
        "    def fingerprint(self):\n"
        "        return Moving.content\n"
        "    def load(self):\n"
        "        Moving.content = 'new'\n"
        "        graph = KnowledgeGraph()\n"
        "        graph.add_node(KnowledgeNode('a', 'thing', 'A'))\n"
        "        return graph\n"
        "@hookimpl\n"
        "def graphrag_register_graph_sources():\n"
        "    return [Moving]\n",
        encoding="utf-8",
    )
    kept = tmp_path / "kept"
    overrides = ["graph=moving", f"index.cache_dir={kept}", "index.cache_from_nodes=0", "personas=none"]
    host = PluginHost.discover(files=[plugin], entry_points=False, environ={})
    load_pipeline(overrides, host=host)
    assert not kept.exists()
    load_pipeline(overrides, host=host)
    assert len(list(kept.iterdir())) == 1


def test_links_are_part_of_the_graph_that_a_config_loads(tmp_path):
    path = tmp_path / "g.json"
    nodes = [{"node_id": "p", "node_type": "passage", "label": "P", "properties": {"text": "In Riga."}}]
    nodes += [{"node_id": "r", "node_type": "place", "label": "Riga"}]
    path.write_text(json.dumps({"nodes": nodes, "edges": []}))
    host = PluginHost.discover(entry_points=False, environ={})
    for links, count in (("none", 0), ("text", 1)):
        settings = load_settings(["graph=json", f"graph.path={path}", f"links={links}"], host=host)
        assert as_index(load_graph(settings, host).graph).edge_count == count
        assert as_index(load_index(settings, host).graph).edge_count == count


def test_a_graph_with_links_is_kept_apart_from_the_one_without(tmp_path):
    path = tmp_path / "g.json"
    nodes = [{"node_id": "p", "node_type": "passage", "label": "P", "properties": {"text": "In Riga."}}]
    nodes += [{"node_id": "r", "node_type": "place", "label": "Riga"}]
    path.write_text(json.dumps({"nodes": nodes, "edges": []}))
    kept = [f"index.cache_dir={tmp_path / 'cache'}", "index.cache_from_nodes=0"]
    common = ["graph=json", f"graph.path={path}", *kept, "seed=mention"]
    for _ in range(2):
        assert load_pipeline([*common, "links=text"]).run("Riga").edges[0].edge_type == "link:mention"
        assert load_pipeline(common).run("Riga").edges == ()
    assert len(list((tmp_path / "cache" / "text").iterdir())) == 2


def test_links_of_a_compiled_graph_are_found_once(tmp_path, monkeypatch):
    nodes = [node("p", text="In Riga."), node("r", "Riga")]
    write_index(index_of(nodes).table, tmp_path / "index")
    kept = [f"index.cache_dir={tmp_path / 'cache'}", "index.cache_from_nodes=0"]
    command = ["graph=index", f"graph.path={tmp_path / 'index'}", *kept, "links=text", "seed=mention"]
    first = load_pipeline(command)
    monkeypatch.setattr(text_links, "link_edges", lambda *_: pytest.fail("they are found again"))
    again = load_pipeline(command)
    assert again.index.digest == first.index.digest
    assert again.run("Riga").edges[0].edge_type == "link:mention"
    monkeypatch.undo()
    write_index(index_of([*nodes, node("q", text="Riga again.")]).table, tmp_path / "other")
    command[1] = f"graph.path={tmp_path / 'other'}"
    assert load_pipeline(command).index.edge_count == 2
