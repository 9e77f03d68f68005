"""What a path is, by what it holds; the files here are the least that tells."""

from __future__ import annotations

import os

import pytest

from graphrag_pipeline import GraphSourceError
from graphrag_pipeline.graph.reading.json_shape import data_at_start
from graphrag_pipeline.graph.sources.auto import HOMES, AutoGraph
from graphrag_pipeline.graph.sources.detect import detect
from tests.graph.sources.files import DATA, shared, written

FILES = [
    ("g.json", '{"nodes": [{"node_id": "a"}]}', "json"),
    ("g.json", '{"version": "1", "nodes": [{"node_id": "a", "properties": {"id": 1}}], "edges": []}', "json"),
    ("g.json", '{"directed": true, "nodes": [{"id": 1}], "links": []}', "nodelink"),
    ("g.json", '{"multigraph": true, "nodes": [], "edges": []}', "nodelink"),
    *(
        (
            "g.json",
            '{"directed": true, "multigraph": false, "nodes": [{' + more + ', "id": "a"}], "edges": []}',
            "nodelink",
        )
        for more in ('"type": "node", "labels": ["P"]', '"key": "K"', '"data": {"id": 1}', '"node_id": "n"')
    ),
    ("g.json", '{"links": [{"source": 1, "target": 2}' + ', {"source": 1, "target": 2}' * 20_000, "nodelink"),
    ("g.cyjs", '{"style": [{"a": 1}' + ', {"a": 1}' * 40_000, "cytoscape"),
    ("g.json", '{"nodes": [{"data": {"id": "a"}}], "edges": []}', "cytoscape"),
    ("g.json", '{"elements": {"nodes": []}}', "cytoscape"),
    ("g.json", '[{"group": "nodes", "data": {"id": "a"}}]', "cytoscape"),
    ("g.json", '{"nodes": [{"key": "a"}], "edges": []}', "graphology"),
    ("g.json", '{"type":"node","id":"0","labels":["U"]}\n{"type":"node","id":"1","labels":["U"]}\n', "neo4j"),
    ("g.json", '{"type":"node","id":"0","labels":["U"]}\n', "neo4j"),
    ("g.json", '[{"type":"node","id":"0","labels":["U"]}]', "neo4j"),
    ("g.json", '{"nodes":{"0":{"type":"node","id":"0","labels":["U"]}},"rels":{}}', "neo4j"),
    ("g.json", '{"nodes":[{"id":"0","label":"U","properties":{}}],"relationships":[]}', "neo4j"),
    ("g.json", '{"u":{"type":"node","id":"0","labels":["U"]}}\n', "neo4j"),
    ("g.json", '{"nodes":{"A":{"label":"P","embedding":null}},"relations":{},"triplets":[]}', "llamaindex"),
    ("g.json", '{"docs": [{"passage": "x"}]}', "hipporag"),
    ("g.json", '[{"@id": "urn:a"}]', "rdf"),
    ("g.json", '{"@context": {}, "@graph": []}', "rdf"),
    ("g.json", '[{"n":{"identity":1,"labels":["U"],"properties":{}}}]', "neo4j"),
    ("g.json", '{"rows":[{"type":"node","id":"0","labels":["U"]}]}\n', "neo4j"),
    ("p.jsonl", '{"text": "no id"}\n', "openie"),
    ("hotpotqa_queries.named_entity_output.tsv", "a\tb\n", "hipporag"),
    ("p.jsonl", '{"id": "p1", "text": "x"}\n{"id": "p2", "text": "y"}\n', "openie"),
    ("g.xml", '<?xml version="1.0"?><!-- <gexf> --><graphml xmlns="x"/>', "graphml"),
    ("g", "\ufeff<graphml/>", "graphml"),
    ("g", "<graphml/>".encode("utf-16"), "graphml"),
    ("graph_chunk_entity_relation.graphml", "<graphml/>", "lightrag"),
    ("g.xml", '<!DOCTYPE g [<!ENTITY a "b">]>\n<gexf version="1.3"/>', "gexf"),
    ("g.xml", '<rdf:RDF xmlns:rdf="x"/>', "rdf"),
    ("g", '<archimate:model xmlns:archimate="http://www.archimatetool.com/archimate"/>', "archimate"),
    ("g", '<m:model xmlns:m="http://www.opengroup.org/xsd/archimate/3.0/"/>', "archimate"),
    ("g.archimate", b"PK\x03\x04rest", "archimate"),
    ("g", b"PAR1rest", "parquet"),
    ("g", "@prefix a: <b> .", "rdf"),
    ("g", "<urn:a> <urn:b> <urn:c> .", "rdf"),
    ("g.nt", "# nothing\n", "rdf"),
    ("g.gml", "graph [ ]", "gml"),
    ("g", 'Creator "x"\ngraph\n[\n node\n [\n id 1\n', "gml"),
    ("g.csv", "source;target\n", "csv"),
    ("g.txt", "source\ttarget\n", "csv"),
]


@pytest.mark.parametrize(("name", "content", "source"), FILES)
def test_a_file_is_known_by_its_content_or_name(tmp_path, name, content, source):
    found = detect(written(tmp_path / name, content))
    assert found.source == source, found
    assert found.source in HOMES
    assert found.why


FOLDERS = [
    (["entities.parquet"], "msgraphrag"),
    (["create_final_entities.parquet"], "msgraphrag"),
    (["output/entities.parquet"], "msgraphrag"),
    (["output/20240101-000000/artifacts/create_final_entities.parquet"], "msgraphrag"),
    (["graph_chunk_entity_relation.graphml", "kv_store_text_chunks.json"], "lightrag"),
    (["graph_chunk_entity_relation.graphml", "kv_store_community_reports.json"], "nano"),
    (["property_graph_store.json"], "llamaindex"),
    (["openie_results_ner_x.json"], "hipporag"),
    (["nodes.parquet", "edges.parquet"], "parquet"),
    (["edges.csv"], "csv"),
]


@pytest.mark.parametrize(("names", "source"), FOLDERS)
def test_a_folder_is_known_by_the_files_it_holds(tmp_path, names, source):
    for name in names:
        written(tmp_path / name, "x")
    assert detect(tmp_path).source == source


def test_an_index_is_known_by_its_manifest(tmp_path):
    from tests.tiny import index_of

    index_of("a").save(tmp_path / "i")
    assert detect(tmp_path / "i").source == "index"
    assert AutoGraph(AutoGraph.Params(path=str(tmp_path / "i"))).load().graph.node_count == 1


@pytest.mark.parametrize(
    ("name", "content", "hint"),
    [
        ("g.graphml", "<!DOCTYPE html><html>", "It looks like an HTML page."),
        ("g.csv", "", "The file is empty."),
        ("graph.pickle", b"\x80\x04\x95abc", "a Python pickle"),
        ("g.bin", b"\x89PNG", "a PNG image"),
        ("g.bin", b"a\0b\0c", "a binary file"),
        ("g.json", '{"a": 1}', "Say what it is"),
        ("g.json", "[]", "Say what it is"),
        ("g.json", "{", "Say what it is"),
        ("g.xml", "<root/>", "It looks like XML."),
        ("g.txt", "hello", "Say what it is"),
    ],
)
def test_a_file_that_is_no_graph_is_refused_with_what_it_looks_like(tmp_path, name, content, hint):
    with pytest.raises(GraphSourceError, match="This is no graph file that is known") as refused:
        detect(written(tmp_path / name, content))
    assert hint in refused.value.hint


def test_a_folder_that_holds_none_is_refused_with_what_it_holds(tmp_path):
    with pytest.raises(GraphSourceError) as refused:
        detect(tmp_path)
    assert refused.value.hint == "It is empty."
    written(tmp_path / "notes.txt", "x")
    with pytest.raises(GraphSourceError) as refused:
        detect(tmp_path)
    assert refused.value.hint.startswith("It holds: notes.txt.")


def test_what_is_not_there_is_refused(tmp_path):
    with pytest.raises(GraphSourceError, match="cannot be read"):
        detect(tmp_path / "none")


def test_what_was_detected_is_the_first_note(tmp_path):
    path = written(tmp_path / "g.json", '{"nodes": [{"id": "a"}], "links": []}')
    loaded = AutoGraph(AutoGraph.Params(path=str(path), namespace="crm", unknown_ends="make")).load()
    assert loaded.report.notes[0] == "detected as nodelink: its nodes have the key id"
    assert [entry.namespace for entry in loaded.graph.all_nodes()] == ["crm"]


def test_a_parameter_that_the_detected_source_does_not_have_is_refused(tmp_path):
    path = written(tmp_path / "g.json", '{"nodes": []}')
    with pytest.raises(GraphSourceError, match=r"detected as json .* no parameter namespace"):
        AutoGraph(AutoGraph.Params(path=str(path), namespace="x")).load()


def test_another_format_of_the_same_bytes_is_another_fingerprint(tmp_path):
    one = written(tmp_path / "a" / "graph_chunk_entity_relation.graphml", "<graphml/>")
    two = written(tmp_path / "b" / "g.graphml", "<graphml/>")
    prints = {AutoGraph(AutoGraph.Params(path=str(path))).fingerprint() for path in (one, two)}
    assert len(prints) == 2


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ('{"a": [1, 2, {"b": "x,]}", "c": [3', {"a": [1, 2, {"b": "x,]}", "c": []}]}),
        ('{"a": {"b": 1}, "c', {"a": {"b": 1}}),
        ('{"a": 1}{"b": 2}', {"a": 1}),
        ("[", []),
        ("", None),
        ("}", None),
        ('{"a" 1, "b"', None),
        ('{"a": "\\"", "b', {"a": '"'}),
        ('{"a": 1, "b": "cut, in {the mid', {"a": 1}),
        ('{"a": 1, "b": "cut \\', {"a": 1}),
    ],
)
def test_the_start_of_a_json_file_is_data(text, data):
    assert data_at_start(text) == data


@shared
@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("formats/msgraphrag/v0.1.1", "msgraphrag"),
        ("formats/msgraphrag/v3.1.2", "msgraphrag"),
        ("formats/lightrag/lightrag-vi-books", "lightrag"),
        ("formats/hipporag/openie_musique_train_results_ner_gpt-3.5-turbo-1106.json", "hipporag"),
        ("formats/llamaindex", "llamaindex"),
        ("formats/apoc-json/all.json", "neo4j"),
        ("formats/apoc-json/query_nodes_path.json", "neo4j"),
        ("formats/cytoscape/gal.json", "cytoscape"),
        ("formats/json-graph/sigma-demo-dataset.json", "graphology"),
        ("formats/gml/football.gml", "gml"),
        ("formats/skos-turtle/yso.ttl", "rdf"),
        ("formats/rdf-xml/groups.rdf", "rdf"),
        ("formats/jsonld/test-hierarchy.jsonld", "rdf"),
        ("formats/kag-csv/Company.csv", "csv"),
        ("archimate/zoo/model.xml", "archimate"),
        ("archimate/zoo/model.archimate", "archimate"),
        ("bug_files/invented/archi_native_zip.archimate", "archimate"),
        ("fcc-kg/graph.json", "json"),
        ("mh-2wiki/passages.jsonl", "openie"),
        ("mh-2wiki/graph.json", "json"),
        ("mh-musique-openie/graph.json", "json"),
        ("lihua/graph.json", "json"),
        ("kg-2wiki/graph.json", "json"),
    ],
)
def test_real_files_are_known(path, source):
    assert detect(DATA / path).source == source


def test_what_is_nested_without_end_is_told_at_once(tmp_path):
    import time

    deep = "[" * 100_000 + "]" * 100_000
    for text in (
        deep,
        '{"directed":true,"multigraph":false,"nodes":[{"id":"a","p":' + deep + '}],"edges":[]}',
    ):
        started = time.process_time()
        with pytest.raises(GraphSourceError):
            AutoGraph(AutoGraph.Params(path=str(written(tmp_path / "g.json", text)))).load()
        assert time.process_time() - started < 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(GraphSourceError, match="no file but a pipe or a device"):
        detect(tmp_path / "pipe")


def test_an_error_of_the_detected_source_says_which_that_is(tmp_path):
    path = written(tmp_path / "odd.csv", "person_a,person_b,strength\nx,y,3\n")
    with pytest.raises(GraphSourceError) as refused:
        AutoGraph(AutoGraph.Params(path=str(path))).load()
    assert refused.value.hint.endswith(
        "It was detected as csv: its name ends with .csv. Parameters of that source need graph=csv."
    )


def test_a_folder_that_may_not_be_looked_into_is_one_message(tmp_path, monkeypatch):
    def denied(self):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(tmp_path), "is_dir", denied)
    with pytest.raises(GraphSourceError, match="cannot be looked at: Permission denied"):
        detect(tmp_path / "g.csv")
