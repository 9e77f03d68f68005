from __future__ import annotations

import json

import pytest

from graphrag_pipeline import GraphSourceError
from graphrag_pipeline.graph.sources.hipporag import HippoRagGraph
from tests.graph.sources.files import DATA, account, edges, load, node, said, shared, written

REAL = DATA / "formats/hipporag"
DOC = {
    "idx": "chunk-1",
    "passage": "Pumps\nPump 4 feeds tank 2.",
    "extracted_entities": ["Pump 4"],
    "extracted_triples": [["pump 4", "feeds", "Tank 2"]],
}


def text(*docs, **more):
    return json.dumps({"docs": docs, **more})


def test_passages_entities_and_triples_are_a_graph(tmp_path):
    index, report = load(
        HippoRagGraph, written(tmp_path / "openie_results_x.json", text(DOC, avg_ent_chars=5.5))
    )
    passage = node(index, "chunk-1")
    assert (passage.label, passage.properties) == ("Pumps", {"text": "Pumps\nPump 4 feeds tank 2."})
    assert edges(index) == [
        "chunk-1 -mentions-> e:pump 4",
        "chunk-1 -mentions-> e:tank 2",
        "e:pump 4 -feeds-> e:tank 2",
    ]
    assert account(report).read == {"docs": 1, "extracted_entities": 1, "extracted_triples": 1}
    assert report.notes == ("left out, as they hold no graph: avg_ent_chars",)


def test_the_first_release_has_titles_and_no_ids(tmp_path):
    doc = {"title": "Pumps", "text": "Pump 4.", "passage": "Pumps\nPump 4.", "year": 1999}
    doc |= {"extracted_entities": [], "extracted_triples": []}
    index, report = load(HippoRagGraph, written(tmp_path / "openie_a.json", text(doc)))
    # md5sum of the passage, as HippoRAG computes it.
    assert list(index.ids) == ["chunk-9546e63e871fc62d97cde5fbf8b7fd4d"]
    (passage,) = index.all_nodes()
    assert (passage.label, passage.properties) == ("Pumps", {"year": 1999, "text": "Pump 4."})
    assert report.findings == ()


def test_a_folder_is_read_when_it_holds_one_file_of_results(tmp_path):
    written(tmp_path / "openie_results_ner_a.json", text(DOC))
    written(tmp_path / "a_b/graph.pickle", b"\x80\x04\x95")
    assert load(HippoRagGraph, tmp_path)[0].node_count == 3
    written(tmp_path / "openie_results_ner_b.json", text(DOC))
    with pytest.raises(GraphSourceError, match="holds 2 results") as refused:
        load(HippoRagGraph, tmp_path)
    assert "openie_results_ner_a.json, openie_results_ner_b.json" in refused.value.hint
    with pytest.raises(GraphSourceError, match="holds no openie_") as refused:
        load(HippoRagGraph, tmp_path / "a_b")
    assert "pickles can run code and are never read" in refused.value.hint


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("graph.pickle", b"", "is a Python pickle"),
        ("openie_a.json", b"\x80\x05\x95", "is a Python pickle"),
        ("hotpotqa_queries.named_entity_output.tsv", b"\t0\tquery", "named entities of queries"),
        ("openie_a.json", b"", "not valid JSON"),
        ("openie_a.json", b"[]", "must hold an object"),
        ("openie_a.json", b'{"nodes": []}', "no list 'docs'"),
        ("openie_a.json", b'{"docs": ["a"]}', "must be an object"),
        ("openie_a.json", text({**DOC, "idx": []}).encode(), "An id must be text or a number"),
        (
            "openie_a.json",
            text({**DOC, "idx": 1}, {**DOC, "idx": "1"}).encode(),
            "both as text and as a number",
        ),
    ],
)
def test_what_holds_no_results_is_refused(tmp_path, name, content, what):
    path = written(tmp_path / name, content)
    with pytest.raises(GraphSourceError, match=what) as refused:
        load(HippoRagGraph, path)
    assert str(path) in refused.value.where


def test_a_pickle_is_refused_before_it_is_kept_under_a_digest(tmp_path):
    path = written(tmp_path / "graph.pickle", b"\x80\x04")
    with pytest.raises(GraphSourceError, match="Python pickle"):
        HippoRagGraph(HippoRagGraph.Params(path=str(path))).fingerprint()


def test_what_a_model_left_out_is_told(tmp_path):
    docs = [{"idx": 0, "passage": "x", "extracted_entities": None}, {"extracted_entities": ["a"]}]
    index, report = load(HippoRagGraph, written(tmp_path / "openie_a.json", text(*docs)))
    assert list(index.ids) == ["0"]
    assert said(report) == [
        "blank ×1: a passage has no extracted_entities",
        "blank ×2: a passage has no extracted_triples",
        "skipped ×1: a passage without an id and a text",
    ]


def test_nan_is_no_text(tmp_path):
    content = text(
        {**DOC, "extracted_triples": [["a", float("nan"), "b"]], "extracted_entities": [float("nan")]}
    )
    assert "NaN" in content
    index, report = load(HippoRagGraph, written(tmp_path / "openie_a.json", content))
    assert index.node_count == 1
    assert said(report) == [
        "skipped ×1: an entity whose name is no text",
        "skipped ×1: a triple whose relation is no text",
    ]


def test_a_repeated_passage_is_told(tmp_path):
    _, report = load(HippoRagGraph, written(tmp_path / "openie_a.json", text(DOC, DOC)))
    assert report.duplicate_ids == ("chunk-1",)


@shared
def test_real_results_are_whole():
    index, report = load(HippoRagGraph, REAL)
    assert (index.node_count, index.edge_count, index.dangling_edges) == (120 + 1354, 2592, 0)
    assert account(report).read == {"docs": 120, "extracted_entities": 1029, "extracted_triples": 1074}
    assert report.counts()["skipped"] == 9
    places = [place.partition("docs")[2] for finding in report.of("skipped") for place in finding.places]
    assert places[0] == "[21]: extracted_triples[9]"
    with pytest.raises(GraphSourceError, match="named entities of queries"):
        load(HippoRagGraph, REAL / "hotpotqa_queries.named_entity_output.tsv")


@shared
def test_real_results_have_the_entities_that_hipporags_own_rule_makes():
    import re

    (path,) = REAL.glob("openie_*.json")
    docs = json.loads(path.read_text())["docs"]
    names = {name for doc in docs for name in doc["extracted_entities"]}
    triples = [triple for doc in docs for triple in doc["extracted_triples"] if len(triple) == 3]
    names |= {triple[at] for triple in triples for at in (0, 2)}
    ascii_names = {name for name in names if name.isascii()}
    rule = {re.sub("[^a-z0-9 ]", " ", name.lower()).strip() for name in ascii_names}
    index, _ = load(HippoRagGraph, REAL)
    ours = {" ".join(name.split()) for name in rule}
    assert ours <= {node_id.removeprefix("e:") for node_id in index.ids}
    assert len(ours) == len(rule)
    assert sum(edge.edge_type != "mentions" for edge in index.all_edges()) == len(triples)
