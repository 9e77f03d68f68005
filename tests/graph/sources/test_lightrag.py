from __future__ import annotations

import json
import re

import networkx as nx
import pytest

from graphrag_pipeline import GraphSourceError, SourceReport
from graphrag_pipeline.graph.sources.lightrag.source import LightRagGraph, NanoGraph
from graphrag_pipeline.graph.sources.lightrag.text import keywords, parts, unquoted
from tests.graph.sources.files import DATA, edges, load, node, only_edge, said, shared, written

GRAPH = "graph_chunk_entity_relation.graphml"
CHUNKS = "kv_store_text_chunks.json"
REPORTS = "kv_store_community_reports.json"
UNDIRECTED = "the graph is undirected; each edge keeps the order in which its ends are written"


@pytest.fixture
def folder(tmp_path):
    """A working folder: what networkx writes of two entities, and stores as they are given."""

    def make(nodes: dict[str, dict], rels: list[tuple[str, str, dict]] = [], **stores):  # noqa: B006
        graph: nx.Graph[str] = nx.Graph()
        for name, data in nodes.items():
            graph.add_node(name, **data)
        for source, target, data in rels:
            graph.add_edge(source, target, **data)
        tmp_path.mkdir(exist_ok=True)
        nx.write_graphml(graph, tmp_path / GRAPH)
        for name, store in stores.items():
            written(tmp_path / f"kv_store_{name}.json", json.dumps(store, ensure_ascii=False))
        return tmp_path

    return make


def rows(report: SourceReport) -> dict[str, int]:
    """How many rows each table has."""
    assert report.account is not None
    return dict(report.account.read)


DAM = {"entity_type": '"GEO"', "description": '"A dam."<SEP>"It holds water."', "source_id": "c1<SEP>c2"}
GATE = {"entity_type": '"GEO"', "description": '"A gate."', "source_id": "c1"}
TWO = {'"DAM"': DAM, '"GATE"': GATE}
HAS = {
    "weight": 2.0,
    "description": '"The dam has a gate."',
    "keywords": '"parts, water"<SEP>"flow"',
    "source_id": "c1",
}


def test_joined_texts_are_split_and_quotes_are_taken_off(folder):
    index, report = load(LightRagGraph, folder(TWO, [('"DAM"', '"GATE"', HAS)]))
    dam = node(index, "DAM")
    assert (dam.node_type, dam.label, dam.namespace) == ("GEO", "DAM", "lightrag")
    assert dam.properties == {"description": "A dam.\nIt holds water.", "chunk_ids": ["c1", "c2"]}
    assert edges(index) == ["DAM -related_to-> GATE"]
    assert only_edge(index).weight == 2.0
    assert only_edge(index).properties == {
        "description": "The dam has a gate.",
        "keywords": ["parts", "water", "flow"],
        "chunk_ids": ["c1"],
    }
    assert rows(report) == {"nodes": 2, "edges": 1}
    assert report.findings == ()
    assert report.notes == (
        UNDIRECTED,
        "ids are written in quotes; the quotes are taken off",
        f"entities name text chunks, but none are read: no {CHUNKS}, or graph.passages=false",
    )


def test_what_later_releases_write_is_read(folder):
    entity = {
        "entity_id": "Dam",
        "entity_type": "geo",
        "description": "A dam.",
        "file_path": "a.txt<SEP>b.txt",
        "created_at": 1747052803,
        "truncate": "",
    }
    index, report = load(LightRagGraph, folder({"Dam": entity}))
    assert node(index, "Dam").properties == {
        "description": "A dam.",
        "file_paths": ["a.txt", "b.txt"],
        "created_at": 1747052803,
        "truncate": "",
    }
    assert (report.findings, report.notes) == ((), (UNDIRECTED,))


def test_several_types_and_clusters_are_lists(folder):
    entity = {"entity_type": '"GEO"<SEP>"PLACE"', "clusters": '[{"level": 0, "cluster": "3"}]'}
    index, _ = load(NanoGraph, folder({'"DAM"': entity}))
    dam = node(index, "DAM")
    assert (dam.node_type, dam.namespace) == ("GEO", "nano")
    assert dam.properties == {"entity_types": ["GEO", "PLACE"], "clusters": [{"level": 0, "cluster": "3"}]}


def test_faults_of_values_are_told(folder):
    entity = {"entity_type": "", "description": '""', "clusters": "[{"}
    index, report = load(NanoGraph, folder({"DAM": entity}))
    assert node(index, "DAM").properties == {"clusters": "[{"}
    assert said(report) == [
        "blank ×1: a description is empty",
        "repaired ×1: a value is no valid JSON; it stays text",
        "blank ×1: a node's type is empty",
    ]


def test_ids_that_differ_in_quotes_only_are_one_node_and_told(folder):
    index, report = load(LightRagGraph, folder({'"DAM"': DAM, "DAM": GATE}, [("DAM", '"DAM"', {})]))
    assert (list(index.ids), edges(index)) == (["DAM"], ["DAM -related_to-> DAM"])
    assert report.duplicate_ids == ("DAM",)


STORE = {
    "c1": {"tokens": 5, "content": "The dam.\nIt has a gate.", "chunk_order_index": 0, "full_doc_id": "d1"},
    "c3": {"tokens": 0, "content": "", "chunk_order_index": 1, "full_doc_id": "d2", "file_path": "own.txt"},
}


def test_text_chunks_are_passages_that_mention_entities(folder):
    index, report = load(LightRagGraph, folder(TWO, text_chunks=STORE))
    passage = node(index, "c1")
    assert (passage.node_type, passage.label) == ("passage", "The dam.")
    assert passage.properties == {
        "text": "The dam.\nIt has a gate.",
        "tokens": 5,
        "chunk_order_index": 0,
        "full_doc_id": "d1",
    }
    assert edges(index) == ["c1 -mentions-> DAM", "c1 -mentions-> GATE"]
    assert said(report) == [
        "blank ×1: a passage has no text",
        "blank ×1: a node's label is empty; its id is shown",
        "skipped ×1: a mention of a passage that is not in the store of text chunks is left out",
    ]
    assert report.findings[-1].places[0].endswith(": c2")
    assert rows(report) == {"nodes": 2, "text chunks": 2, "mentions": 3}
    assert "c2" not in index.ids


def test_a_passage_has_the_file_of_its_document(folder):
    documents = {
        "d1": {"status": "processed", "file_path": "a.txt"},
        "d4": {"status": "processed", "file_path": ""},
        "d2": {"status": "FAILED", "file_path": "b.txt"},
        "d3": {},
    }
    index, report = load(LightRagGraph, folder(TWO, text_chunks=STORE, doc_status=documents))
    assert [node(index, id_).properties["file_path"] for id_ in ("c1", "c3")] == ["a.txt", "own.txt"]
    assert report.notes[-1] == "not all documents are processed: 1 failed, 1 no status, of 4"


def test_documents_that_are_all_processed_are_no_remark(folder):
    store = {**STORE, "c4": {"content": "x", "full_doc_id": "d4"}}
    documents = {"d4": {"status": "PROCESSED", "file_path": ""}}
    index, report = load(LightRagGraph, folder({"A": DAM}, text_chunks=store, doc_status=documents))
    assert "file_path" not in node(index, "c4").properties
    assert report.notes == (UNDIRECTED,)


def test_an_entity_id_that_is_another_one_is_kept(folder):
    index, _ = load(LightRagGraph, folder({"Dam": {**DAM, "entity_id": "DAM-1"}}))
    assert node(index, "Dam").properties["entity_id"] == "DAM-1"


def test_a_chunk_without_id_mentions_nothing(folder):
    index, report = load(LightRagGraph, folder({"A": DAM}, text_chunks={"": {"content": "x"}}))
    assert (list(index.ids), index.edge_count) == (["A"], 0)
    assert report.counts()["skipped"] == 3


def test_passages_can_be_left_out_or_asked_for(folder):
    path = folder(TWO, text_chunks=STORE)
    index, _ = load(LightRagGraph, path, passages=False)
    assert (list(index.ids), index.edge_count) == (["DAM", "GATE"], 0)
    (path / CHUNKS).unlink()
    with pytest.raises(GraphSourceError, match=f"The folder has no file {CHUNKS}."):
        load(LightRagGraph, path, passages=True)


def test_a_long_first_line_is_cut_in_the_label_only(folder):
    text = "word " * 30
    index, _ = load(LightRagGraph, folder(TWO, text_chunks={"c1": {"content": text}}))
    assert node(index, "c1").label == "word " * 15 + "word…"
    assert node(index, "c1").properties == {"text": text}


REPORT = {
    "report_string": "# Water\n\nThe dam and its gate.",
    "report_json": {"title": "Water", "summary": "The dam.", "rating": 7.5, "findings": []},
    "level": 0,
    "title": "Cluster 0",
    "edges": [['"DAM"', '"GATE"']],
    "nodes": ['"DAM"', '"GATE"'],
    "chunk_ids": ["c1"],
    "occurrence": 1.0,
    "sub_communities": ["1"],
}


def test_reports_on_communities_are_nodes_that_have_members(folder):
    reports = {"0": REPORT, "1": {"level": 1, "title": "Cluster 1", "nodes": ['"DAM"'], "report_string": "x"}}
    path = folder(TWO, community_reports=reports)
    index, report = load(NanoGraph, path)
    community = node(index, "community-0")
    assert (community.node_type, community.label) == ("community", "Water")
    assert community.properties == {
        "level": 0,
        "occurrence": 1.0,
        "chunk_ids": ["c1"],
        "text": "# Water\n\nThe dam and its gate.",
        "summary": "The dam.",
        "rating": 7.5,
    }
    assert node(index, "community-1").label == "Cluster 1"
    assert edges(index) == [
        "DAM -in_community-> community-0",
        "GATE -in_community-> community-0",
        "community-1 -in_community-> community-0",
        "DAM -in_community-> community-1",
    ]
    assert rows(report) == {"nodes": 2, "community reports": 2, "members of communities": 4}
    index, _ = load(NanoGraph, path, communities=False)
    assert index.node_count == 2


def test_the_path_may_be_the_graphml_file(folder):
    path = folder(TWO, text_chunks=STORE)
    assert load(LightRagGraph, path / GRAPH)[0].digest == load(LightRagGraph, path)[0].digest


def test_the_files_are_named_in_a_fixed_order_and_only_those_that_are_read(folder):
    path = folder(TWO, text_chunks=STORE, doc_status={}, community_reports={}, llm_response_cache={})
    source = NanoGraph(NanoGraph.Params(path=str(path)))
    assert [file.name for file in source.files()] == [GRAPH, CHUNKS, "kv_store_doc_status.json", REPORTS]
    source = NanoGraph(NanoGraph.Params(path=str(path), passages=False, communities=False))
    assert [file.name for file in source.files()] == [GRAPH]


def test_a_folder_without_graph_is_refused_and_inner_ones_are_named(folder, tmp_path):
    with pytest.raises(GraphSourceError, match=f"The folder has no file {GRAPH}."):
        load(LightRagGraph, tmp_path)
    (tmp_path / "team").mkdir()
    folder(TWO).joinpath(GRAPH).rename(tmp_path / "team" / GRAPH)
    with pytest.raises(GraphSourceError, match="have one: team"):
        load(LightRagGraph, tmp_path)


@pytest.mark.parametrize("store", [[], {"c1": "text"}, {"c1": None}])
def test_a_store_of_another_shape_is_refused(folder, store):
    with pytest.raises(GraphSourceError, match=r"must (hold|be) an object") as refused:
        load(LightRagGraph, folder(TWO, text_chunks=store))
    assert CHUNKS in refused.value.where


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ('"A"', "A"),
        (' "A" ', "A"),
        ("A", "A"),
        ('"', '"'),
        ('""', ""),
        ('"A" and "B"', '"A" and "B"'),
        ('"The "Gate" opens"', 'The "Gate" opens'),
        ('""Gate" is said"', '"Gate" is said'),
        ('5" pipe', '5" pipe'),
        ('"The end is lost', "The end is lost"),
        ('"A" is said', '"A" is said'),
    ],
)
def test_only_quotes_around_all_of_a_text_are_taken_off(text, plain):
    assert unquoted(text) == plain


def test_parts_and_keywords_are_without_repetition():
    assert parts('"b"<SEP>a<SEP><SEP>"b" ') == ["b", "a"]
    assert keywords('"x, y"<SEP>z\uff0cx, ') == ["x", "y", "z"]


@shared
@pytest.mark.parametrize(
    ("name", "nodes", "rels", "duplicated", "skipped"),
    [("nano-dickens", 694, 250, 0, 0), ("lightrag-vi-books", 978 + 3, 631 + 106, 2, 1361)],
)
def test_real_folders(name, nodes, rels, duplicated, skipped):
    index, report = load(LightRagGraph, DATA / f"formats/lightrag/{name}")
    assert (index.node_count, index.edge_count, index.dangling_edges) == (nodes, rels, 0)
    counts = report.counts()
    assert [counts[kind] for kind in ("repaired", "skipped", "blank", "duplicated")] == [
        0,
        skipped,
        0,
        duplicated,
    ]
    assert not any(re.search('^"|<SEP>|"$', found.label) for found in index.all_nodes())


@shared
def test_a_real_folder_has_what_its_files_have():
    path = DATA / "formats/lightrag/lightrag-vi-books"
    index, _ = load(LightRagGraph, path)
    other = nx.read_graphml(path / GRAPH)
    chunks = json.loads((path / CHUNKS).read_text(encoding="utf-8"))
    names = {name.strip('"').strip() for name in other.nodes}
    assert {found.node_id for found in index.all_nodes()} == names | set(chunks)
    told = [chunk for _, text in other.nodes(data="source_id") for chunk in str(text).split("<SEP>")]
    mentions = [edge for edge in index.all_edges() if edge.edge_type == "mentions"]
    assert len(mentions) == sum(chunk in chunks for chunk in told) == 106
    assert len(told) - len(mentions) == 1361
    assert node(index, "NHÃ NAM").node_type == "PUBLISHER"
