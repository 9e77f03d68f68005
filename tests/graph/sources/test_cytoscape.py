from __future__ import annotations

import json

import pytest

from graphrag_pipeline import GraphSourceError
from graphrag_pipeline.graph.sources.cytoscape import CytoscapeGraph
from tests.graph.sources.files import DATA, edges, load, node, only_edge, said, shared, written

PUMP = {"data": {"id": "a", "name": "Pump", "parent": "z"}, "position": {"x": 1, "y": 2}, "selected": False}
TANK = {"data": {"id": "b", "label": "Tank"}, "classes": "big", "position": None}
FEEDS = {"data": {"id": "ab", "source": "a", "target": "b", "interaction": "feeds", "weight": 2}}


SHAPES = {
    "elements apart": {
        "elements": {"nodes": [PUMP, TANK], "edges": [FEEDS]},
        "data": {"name": "n"},
        "style": [],
    },
    "elements in a list": {"elements": [{"group": "nodes", **PUMP}, TANK, FEEDS], "style": [], "data": {}},
    "bare": {"nodes": [PUMP, TANK], "edges": [FEEDS]},
    "a bare list": [PUMP, TANK, {"group": "edges", **FEEDS}],
}


@pytest.mark.parametrize("data", SHAPES.values(), ids=SHAPES.keys())
def test_every_shape_is_one_graph(tmp_path, data):
    index, report = load(CytoscapeGraph, written(tmp_path / "g.cyjs", json.dumps(data)))
    pump, tank = node(index, "a"), node(index, "b")
    assert (pump.label, pump.properties) == ("Pump", {"parent": "z", "position": {"x": 1, "y": 2}})
    assert (tank.label, tank.properties) == ("Tank", {"classes": "big"})
    assert (edges(index), only_edge(index).weight) == (["a -feeds-> b"], 2)
    assert only_edge(index).properties == {"id": "ab"}
    assert report.findings == ()
    left = [key for key in ("style", "data") if isinstance(data, dict) and key in data]
    assert all(key in report.notes[0] for key in ("left out", "selected", *left))


def test_interaction_is_the_type_before_any_other_attribute(tmp_path):
    data = [PUMP, TANK, {"data": {**FEEDS["data"], "label": "a (feeds) b"}}]
    path = written(tmp_path / "g.json", json.dumps(data))
    index, _ = load(CytoscapeGraph, path)
    assert (edges(index), only_edge(index).properties["label"]) == (["a -feeds-> b"], "a (feeds) b")
    index, _ = load(CytoscapeGraph, path, edge_type="label")
    assert (edges(index), only_edge(index).properties["interaction"]) == (["a -a (feeds) b-> b"], "feeds")


def test_a_graph_without_edges_is_one_only_under_elements(tmp_path):
    path = written(tmp_path / "g.json", json.dumps({"elements": {"nodes": [PUMP]}}))
    assert load(CytoscapeGraph, path)[0].node_count == 1
    path = written(tmp_path / "g.json", json.dumps({"nodes": [PUMP]}))
    with pytest.raises(GraphSourceError, match="no list 'edges'"):
        load(CytoscapeGraph, path)


def test_networkx_says_that_a_graph_is_undirected(tmp_path):
    data = {"data": [], "directed": False, "elements": {"nodes": [PUMP, TANK], "edges": [FEEDS]}}
    _, report = load(CytoscapeGraph, written(tmp_path / "g.json", json.dumps(data)))
    assert (
        report.notes[0] == "the graph is undirected; each edge keeps the order in which its ends are written"
    )


def test_elements_without_ids_are_skipped_and_ends_may_dangle(tmp_path):
    data = [{"data": {"name": "x"}}, {"data": {"source": "a", "target": "b"}}, {"group": "edges", "data": {}}]
    index, report = load(CytoscapeGraph, written(tmp_path / "g.json", json.dumps(data)))
    assert (index.node_count, index.edge_count, index.dangling_edges) == (0, 1, 1)
    assert said(report) == [
        "skipped ×1: a node without an id",
        "skipped ×1: an edge without a source or a target",
    ]


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ([{"numberVerification": [{"longNumber": 1}]}, {"nodes": [{"@id": 1}]}], "The file is CX"),
        ([{"CXVersion": "2.0"}, {"nodes": [{"id": 1}]}], "The file is CX"),
        ({"nodes": [{"id": "a"}], "edges": []}, "not Cytoscape's JSON"),
        ([{"id": "a"}], "neither of the group nodes nor of the group edges"),
        ([{"group": "layers", "data": {}}], "neither of the group nodes nor of the group edges"),
        ({"elements": "a"}, "must be a list or an object"),
        ({"elements": {}}, "no list 'nodes'"),
        ({"nodes": [PUMP, {"data": "b"}], "edges": []}, "must be an object, not the text 'b'"),
        ([{"data": {"id": 1}}, {"data": {"id": "1"}}], "written both as text and as a number"),
        (3, "must be a list or an object, not the number 3"),
    ],
)
def test_what_is_no_cytoscape_json_is_refused(tmp_path, data, what):
    path = written(tmp_path / "g.json", json.dumps(data))
    with pytest.raises(GraphSourceError, match=what) as refused:
        load(CytoscapeGraph, path)
    assert str(path) in refused.value.where


def test_what_networkx_writes_of_numbers_as_ids_is_read(tmp_path):
    import networkx as nx

    path = written(tmp_path / "g.json", json.dumps(nx.cytoscape_data(nx.path_graph(3))))
    index, _ = load(CytoscapeGraph, path)
    assert (list(index.ids), index.edge_count, index.dangling_edges) == (["0", "1", "2"], 2, 0)


@shared
def test_a_real_network_is_whole():
    index, report = load(CytoscapeGraph, DATA / "formats/cytoscape/gal.json")
    assert (index.node_count, index.edge_count, index.dangling_edges) == (331, 362, 0)
    assert report.findings == ()
    first = node(index, "392")
    assert (first.label, first.properties["COMMON"], first.properties["gal1RGsig"]) == (
        "YKR026C",
        "GCN3",
        9.1177e-4,
    )
    assert (edges(index)[0], {edge.edge_type for edge in index.all_edges()}) == (
        "392 -pp-> 391",
        {"pp", "pd"},
    )
