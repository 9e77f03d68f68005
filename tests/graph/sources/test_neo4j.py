from __future__ import annotations

import json

import pytest

from graphrag_pipeline import GraphSourceError
from graphrag_pipeline.graph.sources.neo4j.source import Neo4jGraph
from tests.graph.sources.files import DATA, account, edges, load, node, only_edge, said, shared, written

APOC = DATA / "formats/apoc-json"

PUMP = {"type": "node", "id": "0", "labels": ["Asset"], "properties": {"name": "Pump", "year": 1999}}
TANK = {"type": "node", "id": "1", "labels": ["Asset"], "properties": {"title": "Tank"}}
FEEDS = {
    "id": "7",
    "type": "relationship",
    "label": "FEEDS",
    "properties": {"since": 2001, "weight": 0.5},
    "start": {"id": "0", "labels": ["Asset"]},
    "end": {"id": "1", "labels": ["Asset"]},
}


def lines(*values):
    return "".join(json.dumps(value) + "\n" for value in values)


SHAPES = {
    "lines": lines(PUMP, TANK, FEEDS),
    "array": json.dumps([PUMP, TANK, FEEDS]),
    "indented array": json.dumps([PUMP, TANK, FEEDS], indent=1),
    "lists": json.dumps({"nodes": [PUMP, TANK], "rels": [FEEDS]}),
    "by id": json.dumps({"nodes": {"0": PUMP, "1": TANK}, "rels": {"7": FEEDS}}, indent=2),
    "one row": json.dumps({"a": PUMP, "r": FEEDS, "b": TANK}),
    "rows": lines({"n": PUMP}, {"n": TANK}, {"list": [[FEEDS]]}),
    "a path": json.dumps({"p": {"length": 1, "rels": [FEEDS], "nodes": [PUMP, TANK]}}),
}


@pytest.mark.parametrize("content", SHAPES.values(), ids=SHAPES.keys())
def test_every_shape_of_an_export_is_one_graph(tmp_path, content):
    index, report = load(Neo4jGraph, written(tmp_path / "g.json", content))
    pump, tank, feeds = node(index, "0"), node(index, "1"), only_edge(index)
    assert (pump.label, pump.node_type, pump.namespace) == ("Pump", "Asset", "neo4j")
    assert (dict(pump.properties), tank.label, dict(tank.properties)) == ({"year": 1999}, "Tank", {})
    assert (edges(index), feeds.weight) == (["0 -FEEDS-> 1"], 0.5)
    assert feeds.properties == {"since": 2001, "id": "7"}
    assert account(report).read == {"nodes": 2, "relationships": 1}
    assert report.findings == ()


def test_rows_name_each_node_and_relationship_once(tmp_path):
    rows = lines({"a": PUMP, "r": FEEDS, "n": "Pump"}, {"a": PUMP, "r": FEEDS, "n": None})
    index, report = load(Neo4jGraph, written(tmp_path / "g.json", rows))
    assert (list(index.ids), index.edge_count) == (["0", "1"], 1)
    assert account(report).left == {
        "repetitions of a node": 1,
        "repetitions of a relationship": 1,
        "values of rows that are no node, relationship or path": 2,
    }
    assert account(report).made == {"nodes that only relationships describe": 1}
    assert report.findings == ()


def test_a_node_that_differs_between_rows_is_a_finding(tmp_path):
    rows = lines({"a": PUMP}, {"a": {**PUMP, "properties": {"name": "Pump 2"}}})
    index, report = load(Neo4jGraph, written(tmp_path / "g.json", rows))
    assert node(index, "0").label == "Pump 2"
    assert report.duplicate_ids == ("0",)


def test_a_relationship_whose_id_means_two_things_is_kept_twice(tmp_path):
    rows = lines({"r": FEEDS}, {"r": {**FEEDS, "label": "OWNS"}}, {"r": {**FEEDS, "label": "OWNS"}})
    index, report = load(Neo4jGraph, written(tmp_path / "g.json", rows))
    assert edges(index) == ["0 -FEEDS-> 1", "0 -OWNS-> 1"]
    assert said(report) == ["repaired ×1: a relationship's id came again with other values; both are kept"]


def test_a_node_of_an_export_that_comes_again_is_a_finding(tmp_path):
    _, report = load(Neo4jGraph, written(tmp_path / "g.json", lines(PUMP, PUMP)))
    assert report.duplicate_ids == ("0",)


def test_ends_that_nothing_else_describes_become_nodes(tmp_path):
    ends = {"start": {"id": "8", "labels": ["Asset"], "properties": {"name": "Mill"}}, "end": {"id": "9"}}
    index, report = load(Neo4jGraph, written(tmp_path / "g.json", lines({**FEEDS, **ends}, FEEDS)))
    assert [(index.node(at).node_id, index.node(at).label) for at in range(index.node_count)] == [
        ("8", "Mill"),
        ("0", "0"),
        ("1", "1"),
    ]
    assert account(report).made == {"nodes that only relationships describe": 3}
    assert index.dangling_edges == 1


def test_a_described_end_gives_way_to_its_own_record(tmp_path):
    end = {"id": "1", "labels": ["Old"], "properties": {"name": "Old"}}
    index, report = load(Neo4jGraph, written(tmp_path / "g.json", lines({**FEEDS, "end": end}, PUMP, TANK)))
    assert (node(index, "1").label, index.node_count) == ("Tank", 2)
    assert account(report).made == {}


def test_of_several_labels_the_first_that_is_no_mark_is_the_type(tmp_path):
    labels = ["__Entity__", "__KGBuilder__", "Person", "User"]
    path = written(tmp_path / "g.json", lines({**PUMP, "labels": labels}, TANK))
    index, _ = load(Neo4jGraph, path)
    assert (node(index, "0").node_type, node(index, "0").properties["labels"]) == ("Person", labels)
    assert "labels" not in node(index, "1").properties
    index, _ = load(Neo4jGraph, path, type_labels=("User", "Person"))
    assert (node(index, "0").node_type, node(index, "1").node_type) == ("User", "Asset")


def test_a_node_may_have_no_labels_and_no_properties(tmp_path):
    index, report = load(Neo4jGraph, written(tmp_path / "g.json", lines({"type": "node", "id": 3}, TANK)))
    assert (node(index, "3").node_type, node(index, "3").label) == ("node", "3")
    assert report.findings == ()


def test_the_property_that_is_the_label_can_be_named(tmp_path):
    path = written(tmp_path / "g.json", lines(PUMP, TANK))
    index, _ = load(Neo4jGraph, path, label_property="year")
    assert (node(index, "0").label, node(index, "1").label) == ("1999", "1")
    assert node(index, "0").properties == {"name": "Pump", "year": 1999}


def test_element_ids_are_ids(tmp_path):
    a, b = "4:0c1f:0", "4:0c1f:1"
    people = [
        {"identity": 0, "labels": ["Person"], "properties": {"name": "Ann"}, "elementId": a},
        {"identity": 1, "labels": ["Person"], "properties": {"name": "Bo"}, "elementId": b},
    ]
    knows = {
        "identity": 5,
        "start": 0,
        "end": 1,
        "type": "KNOWS",
        "properties": {},
        "elementId": "5:0c1f:5",
        "startNodeElementId": a,
        "endNodeElementId": b,
    }
    segments = [{"start": people[0], "relationship": knows, "end": people[1]}]
    path = {"start": people[0], "end": people[1], "segments": segments, "length": 1.0}
    index, report = load(Neo4jGraph, written(tmp_path / "records.json", json.dumps([{"p": path}])))
    assert [node(index, id_).label for id_ in (a, b)] == ["Ann", "Bo"]
    assert edges(index) == [f"{a} -KNOWS-> {b}"]
    assert report.findings == ()


def test_vectors_are_left_out_and_counted_unless_they_are_wanted(tmp_path):
    pump = {**PUMP, "properties": {"name": "Pump", "embedding": [0.5, 1], "loads": [1, 2]}}
    path = written(tmp_path / "g.json", lines(pump, TANK))
    index, report = load(Neo4jGraph, path)
    assert node(index, "0").properties == {"loads": [1, 2]}
    assert report.notes == ("embeddings were left out: embedding ×1; graph.embeddings=keep keeps them",)
    index, report = load(Neo4jGraph, path, embeddings="keep")
    assert (node(index, "0").properties["embedding"], report.notes) == ([0.5, 1], ())


def test_the_graph_of_neo4j_graphrag_is_read(tmp_path):
    data = {
        "nodes": [
            {"id": "d:1", "label": "Document", "properties": {"path": "a.pdf"}, "embedding_properties": None},
            {
                "id": "c:1",
                "label": "Chunk",
                "properties": {"text": "Pump 4", "index": 0},
                "embedding_properties": {"embedding": [0.1], "other": [0.2]},
            },
        ],
        "relationships": [
            {
                "start_node_id": "c:1",
                "end_node_id": "d:1",
                "type": "FROM_DOCUMENT",
                "properties": None,
                "embedding_properties": None,
            }
        ],
        "schema": {},
    }
    index, report = load(Neo4jGraph, written(tmp_path / "g.json", json.dumps(data)))
    assert edges(index) == ["c:1 -FROM_DOCUMENT-> d:1"]
    assert (node(index, "c:1").node_type, node(index, "c:1").properties) == (
        "Chunk",
        {"text": "Pump 4", "index": 0},
    )
    assert report.notes == (
        "left out, as they are no nodes or relationships: schema",
        "embeddings were left out: embedding ×1, other ×1; graph.embeddings=keep keeps them",
    )


def test_a_key_that_is_not_the_id_is_told(tmp_path):
    data = {"nodes": {"5": PUMP, "1": {"labels": ["Asset"]}}, "rels": {}}
    index, report = load(Neo4jGraph, written(tmp_path / "g.json", json.dumps(data)))
    assert list(index.ids) == ["0", "1"]
    assert said(report) == ["repaired ×1: an entry's id is not its key; the id counts"]


def test_records_without_ids_are_skipped_and_told(tmp_path):
    content = lines(
        {"type": "node", "labels": ["A"]}, {"type": "relationship", "label": "R", "start": {"id": 1}}
    )
    index, report = load(Neo4jGraph, written(tmp_path / "g.json", content))
    assert (index.node_count, index.edge_count) == (0, 0)
    assert said(report) == [
        "skipped ×1: a node without an id",
        "skipped ×1: an edge without a source or a target",
    ]


def test_a_broken_line_is_refused_or_skipped(tmp_path):
    path = written(tmp_path / "g.json", lines(PUMP) + '{"type": "no\n' + lines(TANK) + '{"id": "7", "ty')
    with pytest.raises(GraphSourceError) as refused:
        load(Neo4jGraph, path)
    assert refused.value.where == f"{path}:2:10"
    assert "graph.bad_lines=skip" in refused.value.hint
    index, report = load(Neo4jGraph, path, bad_lines="skip")
    assert (list(index.ids), said(report)) == (["0", "1"], ["skipped ×2: a line that is no JSON"])
    assert report.findings[0].places == (f"{path}:2", f"{path}:4")


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("", "not valid JSON"),
        ("[]", "holds no node, relationship or path"),
        ('{"nodes": [{"data": {"id": "a"}}], "edges": []}', "holds no node, relationship or path"),
        (lines(PUMP, {**TANK, "id": 0}), "The id 0 is written both as text and as a number"),
        (lines({**PUMP, "id": ["a"]}, TANK), "An id must be text or a number, not a list"),
        (lines({**PUMP, "labels": [1]}, TANK), "labels of a node must be a list of texts"),
        (lines({**PUMP, "properties": "x"}, TANK), "'properties' must hold an object"),
        (lines({**FEEDS, "label": 3}, TANK), "type of a relationship must be text"),
        ('{"nodes": "a", "rels": []}', "'nodes' must hold a list or an object"),
        ('{"nodes": ["a"], "rels": []}', "must be an object, not the text 'a'"),
        (b"\x1f\x8b\x08\x00", "not UTF-8"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_what_cannot_be_meant_is_refused(tmp_path, content, what):
    path = written(tmp_path / "g.json", content)
    with pytest.raises(GraphSourceError, match=what) as refused:
        load(Neo4jGraph, path)
    assert str(path) in refused.value.where


def test_values_nested_too_deep_are_skipped(tmp_path):
    row = json.loads("[" * 150 + json.dumps(TANK) + "]" * 150)
    index, report = load(Neo4jGraph, written(tmp_path / "g.json", lines({"a": PUMP}, {"b": row})))
    assert (list(index.ids), said(report)) == (
        ["0"],
        ["skipped ×1: a value nested deeper than 100 levels"],
    )


@shared
@pytest.mark.parametrize(
    ("file", "nodes", "relationships"),
    [
        ("all.json", 3, 1),
        ("all_array.json", 3, 1),
        ("all_id_as_keys.json", 3, 1),
        ("all_withoutNodeProps_withoutRelProps.json", 3, 1),
        ("data.json", 3, 1),
        ("graph.json", 3, 1),
        ("multiLabels.json", 16, 4),
        ("query_nodes_path.json", 2, 1),
    ],
)
def test_real_exports_are_whole(file, nodes, relationships):
    index, report = load(Neo4jGraph, APOC / file)
    assert (index.node_count, index.edge_count, index.dangling_edges) == (nodes, relationships, 0)
    assert report.findings == ()


@shared
def test_real_values_arrive_as_they_are():
    index, _ = load(Neo4jGraph, APOC / "all_id_as_keys.json")
    adam = node(index, "0")
    assert (adam.label, adam.node_type, node(index, "2").label) == ("Adam", "User", "2")
    assert adam.properties["kids"] == ["Sam", "Anna", "Grace"]
    assert adam.properties["place"] == {
        "crs": "wgs-84",
        "latitude": 13.1,
        "longitude": 33.46789,
        "height": None,
    }
    index, _ = load(Neo4jGraph, APOC / "multiLabels.json")
    assert (node(index, "5").label, node(index, "5").properties["labels"]) == (
        "stylishnoob4",
        ["Stream", "User"],
    )
    assert node(index, "0").properties["id"] == "129004176"
    assert edges(index)[3] == "6 -REL_GAME_TO_LANG-> 7"


@shared
def test_all_real_shapes_of_one_database_are_one_graph():
    first, *rest = [
        load(Neo4jGraph, APOC / f"{name}.json")[0] for name in ("all", "all_array", "all_id_as_keys")
    ]
    for index in rest:
        assert list(index.all_nodes()) == list(first.all_nodes())
        assert list(index.all_edges()) == list(first.all_edges())
