from __future__ import annotations

import json

import pytest

from graphrag_pipeline import GraphSourceError
from graphrag_pipeline.graph.sources.graphology import GraphologyGraph
from tests.graph.sources.files import DATA, account, edges, load, node, said, shared, written

REAL = DATA / "formats/json-graph"
NODES = [{"key": "a", "attributes": {"label": "Pump", "x": 1.5}}, {"key": "b"}]


def text(edges_, nodes=NODES, **more):
    return json.dumps({"nodes": nodes, "edges": edges_, **more})


def test_keys_and_attributes_are_a_graph(tmp_path):
    edge = {"key": "e1", "source": "a", "target": "b", "attributes": {"type": "feeds", "weight": 2, "x": 0}}
    options = {"type": "mixed", "multi": True, "allowSelfLoops": True}
    content = text([edge], attributes={"name": "Plant"}, options=options)
    index, report = load(GraphologyGraph, written(tmp_path / "g.json", content))
    assert (node(index, "a").label, node(index, "a").properties, node(index, "b").label) == (
        "Pump",
        {"x": 1.5},
        "b",
    )
    (feeds,) = index.all_edges()
    assert (feeds.edge_type, feeds.weight, feeds.properties) == ("feeds", 2, {"id": "e1", "x": 0})
    assert account(report).read == {"nodes": 2, "edges": 1}
    assert (report.findings, report.notes) == ((), ("attributes of the graph were left out: name",))


def test_attributes_may_stand_beside_the_key_and_edges_be_pairs(tmp_path):
    nodes = [{"key": "a", "label": "Pump", "tag": "t"}, {"key": "b", "label": "Tank"}]
    content = text(
        [["a", "b"], ["b", "a", {"label": "returns"}]], nodes, tags=[{"key": "t"}], clusters=[], rev=3
    )
    index, report = load(GraphologyGraph, written(tmp_path / "g.json", content))
    assert (node(index, "a").label, node(index, "a").properties) == ("Pump", {"tag": "t"})
    assert edges(index) == ["a -related_to-> b", "b -returns-> a"]
    assert account(report).left == {"entries of side tables, which are no nodes or edges": 1}
    assert report.notes == (
        "the side table tags of 1 entries was left out",
        "the side table clusters of 0 entries was left out",
        "left out: rev, the number 3",
    )


def test_edges_without_direction_are_marked_and_counted(tmp_path):
    pairs = [{"source": "a", "target": "b", "undirected": flag} for flag in (True, False)]
    index, report = load(GraphologyGraph, written(tmp_path / "g.json", text(pairs)))
    assert [edge.properties for edge in index.all_edges()] == [{"undirected": True}, {}]
    assert report.notes == ("1 edges are undirected; each keeps the order in which its ends are written",)


def test_an_edge_key_that_is_a_number_is_an_id_and_no_type(tmp_path):
    content = text([{"key": 7, "source": "a", "target": "b"}])
    index, _ = load(GraphologyGraph, written(tmp_path / "g.json", content))
    (edge,) = index.all_edges()
    assert (edge.edge_type, edge.properties) == ("related_to", {"id": 7})


def test_entries_without_keys_are_skipped(tmp_path):
    content = text([{"source": "a"}], [{"attributes": {"label": "x"}}, {"key": None}])
    index, report = load(GraphologyGraph, written(tmp_path / "g.json", content))
    assert (index.node_count, index.edge_count) == (0, 0)
    assert said(report) == [
        "skipped ×2: a node without an id",
        "skipped ×1: an edge without a source or a target",
    ]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (text([], [{"id": "a"}]), "not graphology's JSON"),
        (text([["a"]]), "must hold source and target, not 1 values"),
        (text([["a", "b", "c"]]), "must be an object, not the text 'c'"),
        (text([{"source": ["a"], "target": "b"}], [{"key": '["a"]'}]), "written both as text and as"),
        (text([], [{"key": 1}, {"key": "1"}]), "written both as text and as a number"),
        (text([], [{"key": "a", "attributes": 3}]), "must be an object, not the number 3"),
        ('{"nodes": []}', "no list 'edges'"),
        ("[]", "must hold an object"),
    ],
)
def test_what_is_no_graphology_json_is_refused(tmp_path, content, what):
    path = written(tmp_path / "g.json", content)
    with pytest.raises(GraphSourceError, match=what) as refused:
        load(GraphologyGraph, path)
    assert str(path) in refused.value.where


@shared
def test_real_files_of_both_shapes_are_whole():
    index, report = load(GraphologyGraph, REAL / "graphology-les-miserables.json")
    assert (index.node_count, index.edge_count, index.dangling_edges) == (77, 254, 0)
    assert (node(index, "0.0").label, edges(index)[0], report.findings) == (
        "Myriel",
        "1.0 -related_to-> 0.0",
        (),
    )
    index, report = load(GraphologyGraph, REAL / "sigma-demo-dataset.json")
    assert (index.node_count, index.edge_count, index.dangling_edges) == (2085, 5409, 0)
    assert node(index, "cytoscape").properties["tag"] == "Tool"
    assert (edges(index)[0], report.findings) == ("cytoscape -related_to-> computational genomics", ())
    assert account(report).read == {"nodes": 2085, "edges": 5409, "clusters": 24, "tags": 11}
