from __future__ import annotations

import json

import pytest

from graphrag_pipeline import GraphSourceError
from graphrag_pipeline.graph.sources.node_link import NodeLinkGraph
from tests.graph.sources.files import DATA, account, edges, load, node, said, shared, written


def text(nodes, rels, key="links", **more):
    return json.dumps({"directed": True, "nodes": nodes, key: rels, **more})


TWO = [{"id": "p1", "label": "Pump"}, {"id": "p2", "label": "Valve"}]
FEEDS = [{"source": "p1", "target": "p2", "rel": "feeds"}]


@pytest.mark.parametrize("key", ["links", "edges"])
def test_edges_may_be_under_links_or_edges(tmp_path, key):
    index, report = load(NodeLinkGraph, written(tmp_path / "g.json", text(TWO, FEEDS, key)))
    assert [node(index, id_).label for id_ in ("p1", "p2")] == ["Pump", "Valve"]
    assert edges(index) == ["p1 -feeds-> p2"]
    assert account(report).read == {"nodes": 2, key: 1}
    assert report.findings == ()


def test_equal_links_and_edges_are_one_list(tmp_path):
    index, _ = load(NodeLinkGraph, written(tmp_path / "g.json", text(TWO, FEEDS, edges=FEEDS)))
    assert index.edge_count == 1


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (text(TWO, FEEDS, edges=[]), "both 'edges' and 'links', and they differ"),
        (json.dumps({"nodes": TWO}), "neither 'edges' nor 'links'"),
        (
            text([{"id": 3}, {"id": 4}], [{"source": 0, "target": 1}]),
            "positions in the list of nodes, not ids",
        ),
        (text([{"id": 10}, {"id": "10"}], []), "The id 10 is written both as text and as a number"),
        (text(["a"], []), "must be an object, not the text 'a'"),
        (text("a", []), "'nodes' must hold a list, not the text 'a'"),
        ("[]", "must hold an object, not a list"),
        ('{"nodes": [', "not valid JSON"),
        ("<!DOCTYPE html><html>", "not valid JSON"),
    ],
)
def test_what_cannot_be_meant_is_refused(tmp_path, content, what):
    path = written(tmp_path / "g.json", content)
    with pytest.raises(GraphSourceError) as refused:
        load(NodeLinkGraph, path)
    assert what in str(refused.value)
    assert str(path) in refused.value.where


def test_positions_are_ends_when_that_is_said(tmp_path):
    path = written(tmp_path / "g.json", text([{"id": 3}, {"id": 4}], [{"source": 0, "target": 1}]))
    index, _ = load(NodeLinkGraph, path, ends="index")
    assert edges(index) == ["3 -related_to-> 4"]


def test_a_position_that_is_none_is_refused(tmp_path):
    path = written(tmp_path / "g.json", text([{"id": 3}], [{"source": 0, "target": 1}]))
    with pytest.raises(GraphSourceError, match="1 is no position in the list of 1 nodes"):
        load(NodeLinkGraph, path, ends="index")


def test_ids_that_are_numbers_are_exact_text(tmp_path):
    path = written(tmp_path / "g.json", text([{"id": 9007199254740993}, {"id": 9007199254740992}], []))
    index, _ = load(NodeLinkGraph, path)
    assert list(index.ids) == ["9007199254740993", "9007199254740992"]


def test_a_text_key_of_a_parallel_edge_is_its_type(tmp_path):
    rels = [{"source": "p1", "target": "p2", "key": key} for key in ("owns", "uses", 0)]
    index, _ = load(NodeLinkGraph, written(tmp_path / "g.json", text(TWO, rels, multigraph=True)))
    assert edges(index) == ["p1 -owns-> p2", "p1 -uses-> p2", "p1 -related_to-> p2"]
    assert [edge.properties for edge in index.all_edges()] == [{}, {}, {}]


def test_a_number_as_key_is_a_property_where_it_does_not_number_parallel_edges(tmp_path):
    rels = [{"source": "p1", "target": "p2", "type": "t", "key": 3}]
    index, _ = load(NodeLinkGraph, written(tmp_path / "g.json", text(TWO, rels)))
    assert [edge.properties for edge in index.all_edges()] == [{"key": 3}]


@pytest.mark.parametrize(
    ("content", "what", "hint"),
    [
        ({"nodes": [{"nid": 1}, {"nid": 2}], "links": []}, "no entry has the key 'id'", "nid"),
        (
            {"nodes": [{"id": 1}, {"id": 2}], "edges": [{"from": 1, "to": 2}]},
            "no entry has the key 'source' and 'target'",
            "from, to",
        ),
        ({"nodes": [{"id": 1}], "adjacency": [[]]}, "networkx's adjacency data", "node_link_data"),
    ],
)
def test_a_file_that_would_lose_everything_is_refused_with_the_keys_it_has(tmp_path, content, what, hint):
    with pytest.raises(GraphSourceError, match=what) as refused:
        load(NodeLinkGraph, written(tmp_path / "g.json", json.dumps(content)))
    assert hint in refused.value.hint


def test_a_named_attribute_that_is_nowhere_is_told_with_its_neighbour(tmp_path):
    path = written(tmp_path / "g.json", text([{"id": "a", "title": "A"}], []))
    _, report = load(NodeLinkGraph, path, label="titel")
    assert said(report) == [
        "blank ×1: the attribute 'titel', which graph.label names, is on no node (did you mean 'title'?)"
    ]


def test_control_characters_are_replaced_and_counted(tmp_path):
    path = written(
        tmp_path / "g.json", text([{"id": "n1", "label": "Valve\x01 7", "note": "form\ffeed"}], [])
    )
    index, report = load(NodeLinkGraph, path)
    assert (node(index, "n1").label, node(index, "n1").properties) == (
        "Valve\ufffd 7",
        {"note": "form\ufffdfeed"},
    )
    assert said(report) == ["repaired ×2: a control character or lone surrogate was replaced by U+FFFD"]


def test_an_entry_without_id_is_skipped_and_its_edges_dangle(tmp_path):
    rels = [*FEEDS, {"source": "p1"}]
    index, report = load(
        NodeLinkGraph, written(tmp_path / "g.json", text([{"id": "p1"}, {"label": "x"}], rels))
    )
    assert (index.node_count, index.edge_count, index.dangling_edges) == (1, 1, 1)
    assert said(report) == [
        "skipped ×1: a node without an id",
        "skipped ×1: an edge without a source or a target",
    ]


def test_unknown_ends_become_nodes_when_asked(tmp_path):
    path = written(tmp_path / "g.json", text([{"id": "p1"}], FEEDS))
    index, report = load(NodeLinkGraph, path, unknown_ends="make")
    assert (node(index, "p2").node_type, index.dangling_edges) == ("unknown", 0)
    assert account(report).made == {"nodes that only edges name": 1}


def test_a_repeated_id_and_a_repeated_key_are_told(tmp_path):
    content = '{"nodes": [{"id": "a", "v": 1}, {"id": "a", "v": 2, "v": 3}], "links": []}'
    index, report = load(NodeLinkGraph, written(tmp_path / "g.json", content))
    assert node(index, "a").properties == {"v": 3}
    assert report.duplicate_ids == ("a",)
    assert {kind: count for kind, count in report.counts().items() if count} == {
        "duplicated": 1,
        "repaired": 1,
    }
    assert account(report).left == {"nodes merged into one of the same id": 1}


def test_a_weight_that_is_no_number_is_kept_as_property(tmp_path):
    rels = [{"source": "p1", "target": "p2", "weight": weight} for weight in ("0.5", 2, "heavy", None)]
    index, report = load(NodeLinkGraph, written(tmp_path / "g.json", text(TWO, rels)))
    assert [edge.weight for edge in index.all_edges()] == [0.5, 2, 1.0, 1.0]
    assert [edge.properties for edge in index.all_edges()] == [{}, {}, {"weight": "heavy"}, {}]
    assert report.counts()["repaired"] == 1


def test_numbers_that_are_not_finite_are_told_each_with_its_place(tmp_path):
    rels = '{"source": "a", "target": "a", "weight": NaN}, {"source": "a", "target": "a", "weight": -1e400}'
    content = f'{{"nodes": [{{"id": "a", "x": NaN, "y": [1e400], "z": 1}}], "links": [{rels}]}}'
    index, report = load(NodeLinkGraph, written(tmp_path / "g.json", content))
    assert [edge.weight for edge in index.all_edges()] == [1.0, 1.0]
    assert [edge.properties for edge in index.all_edges()] == [{}, {"weight": float("-inf")}]
    assert node(index, "a").properties == {"y": [float("inf")], "z": 1}
    assert {(found.what, found.places) for found in report.findings} == {
        (
            "a value is NaN, which stands for no value; it is left out",
            (f"{tmp_path / 'g.json'}: nodes[0]: x", f"{tmp_path / 'g.json'}: links[0]: weight"),
        ),
        (
            "a weight is no number; 1.0 counts, and the property weight keeps it",
            (f"{tmp_path / 'g.json'}: links[1]",),
        ),
    }


def test_attributes_can_be_named(tmp_path):
    path = written(tmp_path / "g.json", text([{"id": "a", "caption": "A", "sort": "tool"}], []))
    index, _ = load(NodeLinkGraph, path, label="caption", node_type="sort")
    assert (node(index, "a").label, node(index, "a").node_type) == ("A", "tool")


@shared
@pytest.mark.parametrize("key", ["links", "edges"])
def test_real_files_of_both_spellings_are_one_graph(key):
    index, report = load(NodeLinkGraph, DATA / f"formats/json-graph/networkx-node-link-{key}.json")
    assert (index.node_count, index.edge_count) == (115, 613)
    assert report.findings == ()
