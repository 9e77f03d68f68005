from __future__ import annotations

import json

import pytest

from graphrag_pipeline import GraphSourceError
from graphrag_pipeline.graph.sources.llamaindex import LlamaIndexGraph
from tests.graph.sources.files import DATA, account, edges, load, node, only_edge, said, shared, written

REAL = DATA / "formats/llamaindex"


def entity(name, label="PERSON", **properties):
    return {"label": label, "embedding": None, "properties": properties, "name": name}


def relation(source, label, target, **properties):
    return {"label": label, "source_id": source, "target_id": target, "properties": properties}


CHUNK = {
    "label": "text_chunk",
    "embedding": [0.25, 0.5],
    "properties": {"file_name": "a.txt"},
    "text": "\nAnn knows Bo.\nMore.",
    "id_": "c1",
}
NODES = {"Ann": entity("Ann", triplet_source_id="c1"), "Bo": entity("Bo"), "c1": CHUNK}
KNOWS = relation("Ann", "KNOWS", "Bo", weight=2.5, since=1999)


def store(nodes=NODES, relations=None, **more):
    return json.dumps({"nodes": nodes, "relations": relations or {}, **more})


@pytest.mark.parametrize("key", ["Ann_KNOWS_Bo", "KNOWS"])
def test_nodes_relations_and_triplets_are_a_graph_whatever_relations_are_keyed_by(tmp_path, key):
    content = store(relations={key: KNOWS}, triplets=[["Ann", "KNOWS", "Bo"]])
    index, report = load(LlamaIndexGraph, written(tmp_path / "property_graph_store.json", content))
    assert (edges(index), only_edge(index).weight) == (["Ann -KNOWS-> Bo"], 2.5)
    assert only_edge(index).properties == {"since": 1999}
    assert (node(index, "Ann").node_type, node(index, "Ann").properties) == (
        "PERSON",
        {"triplet_source_id": "c1"},
    )
    assert account(report).read == {"nodes": 3, "relations": 1, "triplets": 1}
    assert account(report).left == {"triplets whose relation is an edge": 1}
    assert report.findings == ()


def test_a_chunk_has_its_text_and_a_label_to_read(tmp_path):
    path = written(tmp_path / "g.json", store())
    index, report = load(LlamaIndexGraph, path)
    chunk = node(index, "c1")
    assert (chunk.node_type, chunk.label) == ("text_chunk", "Ann knows Bo.")
    assert chunk.properties == {"text": "\nAnn knows Bo.\nMore.", "file_name": "a.txt"}
    assert report.notes == ("embeddings were left out: embedding ×1; graph.embeddings=keep keeps them",)
    index, _ = load(LlamaIndexGraph, path, embeddings="keep")
    assert node(index, "c1").properties["embedding"] == [0.25, 0.5]


def test_triplets_and_relations_without_each_other_are_edges_and_told(tmp_path):
    content = store(
        relations={"a": KNOWS, "b": relation("Bo", "LIKES", "Ann")},
        triplets=[["Bo", "KNOWS", "Ann"], ["Ann", "KNOWS", "Bo"], ["Bo", "KNOWS", "Ann"]],
    )
    path = written(tmp_path / "g.json", content)
    index, report = load(LlamaIndexGraph, path)
    assert edges(index) == ["Ann -KNOWS-> Bo", "Bo -LIKES-> Ann", "Bo -KNOWS-> Ann"]
    assert [(finding.kind, finding.what, finding.places) for finding in report.findings] == [
        ("blank", "a triplet has no relation; its edge has no properties", (f"{path}: triplets[0]",)),
        ("repaired", "a relation that no triplet names was read as an edge", (f"{path}: relations['b']",)),
    ]
    assert account(report).left == {"triplets whose relation is an edge": 2}


def test_a_store_without_triplets_has_its_relations(tmp_path):
    index, report = load(LlamaIndexGraph, written(tmp_path / "g.json", store(relations={"a": KNOWS})))
    assert (index.edge_count, report.findings) == (1, ())


def test_ends_that_are_no_nodes_dangle(tmp_path):
    content = store(nodes={}, triplets=[["a", "r", "b"], ["a", "r"], [1, "r", "b"], "abc"])
    index, report = load(LlamaIndexGraph, written(tmp_path / "g.json", content))
    assert (index.node_count, index.edge_count, index.dangling_edges) == (0, 1, 1)
    assert said(report)[-1] == "skipped ×3: a triplet that is no list of three texts"


def test_the_older_store_is_read(tmp_path):
    content = json.dumps({"graph_dict": {"Ann": [["knows", "Bo"], ["likes", "Tea"], ["x"]], "Cy": []}})
    index, report = load(LlamaIndexGraph, written(tmp_path / "graph_store.json", content))
    assert list(index.ids) == ["Ann", "Bo", "Tea", "Cy"]
    assert edges(index) == ["Ann -knows-> Bo", "Ann -likes-> Tea"]
    assert node(index, "Tea").node_type == "entity"
    assert account(report).made == {"nodes that triplets name": 4}
    assert said(report) == ["skipped ×1: a triplet that is no pair of a relation and an object"]


def test_in_a_folder_the_property_graph_goes_first(tmp_path):
    with pytest.raises(GraphSourceError, match="holds neither"):
        load(LlamaIndexGraph, tmp_path)
    written(tmp_path / "graph_store.json", '{"graph_dict": {"a": [["r", "b"]]}}')
    assert load(LlamaIndexGraph, tmp_path)[0].node_count == 2
    written(tmp_path / "property_graph_store.json", store())
    assert load(LlamaIndexGraph, tmp_path)[0].node_count == 3


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("[]", "must hold an object"),
        ('{"nodes": [], "links": []}', "no graph store of LlamaIndex"),
        ('{"graph_dict": []}', "must be an object"),
        ('{"graph_dict": {"a": "b"}}', "must have a list of pairs"),
        (store(nodes={"a": "b"}), "must be an object"),
        (store(relations={"a": {**KNOWS, "source_id": 3}}), "must be text, not the number 3"),
        (store(triplets="a"), "'triplets' must hold a list"),
        (store()[:-20], "not valid JSON"),
    ],
)
def test_what_is_no_store_is_refused(tmp_path, content, what):
    path = written(tmp_path / "g.json", content)
    with pytest.raises(GraphSourceError, match=what) as refused:
        load(LlamaIndexGraph, path)
    assert str(path) in refused.value.where


@shared
def test_a_real_store_is_whole():
    index, report = load(LlamaIndexGraph, REAL)
    assert (index.node_count, index.edge_count, index.dangling_edges) == (19, 54, 0)
    assert (report.findings, account(report).left) == ((), {"triplets whose relation is an edge": 54})
    assert edges(index)[0] == "ALEX MERCER -RELATED-> TAYLOR CRUZ"
    first = next(iter(index.all_edges()))
    assert (first.weight, first.properties["description"][:12]) == (37.0, "Alex Mercer ")
    assert (node(index, "chunk-1").label, node(index, "DULCE").label) == ("Sample chunk.", "DULCE")
