from __future__ import annotations

import json

import pytest

from graphrag_pipeline import GraphSourceError
from graphrag_pipeline.graph.sources.json_file import JsonGraph, JsonGraphParams
from graphrag_pipeline.graph.sources.openie import OpenIeGraph
from tests.graph.sources.files import DATA, account, edges, load, node, said, shared, written

PASSAGE = {"id": "p1", "title": "Pumps", "text": "Pump 4 feeds tank 2.", "entities": ["Pump 4"]}


def lines(*values):
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)


def test_a_line_is_a_passage_with_entities_and_triples(tmp_path):
    line = {
        **PASSAGE,
        "triples": [["Pump 4", "feeds", "Tank 2"]],
        "sources": ["a.pdf"],
        "metadata": {"page": 3},
    }
    index, report = load(OpenIeGraph, written(tmp_path / "p.jsonl", lines(line)))
    assert node(index, "p1").properties == {"page": 3, "sources": ["a.pdf"], "text": "Pump 4 feeds tank 2."}
    assert edges(index) == [
        "p1 -mentions-> e:pump 4",
        "p1 -mentions-> e:tank 2",
        "e:pump 4 -feeds-> e:tank 2",
    ]
    assert node(index, "p1").namespace == "openie"
    assert account(report).read == {"lines": 1, "entities": 1, "triples": 1}
    assert report.findings == ()


def test_types_and_aliases_of_any_line_describe_an_entity(tmp_path):
    content = lines(
        {"id": 1, "text": "x", "types": {"PUMP 4": "asset", "Nobody": "person"}, "aliases": {"Pump 4": "P4"}},
        PASSAGE,
        {"id": 2, "text": "x", "aliases": {"Pump 4": ["P4", "P-4"]}, "types": {"Pump 4": ["machine", 3]}},
    )
    index, report = load(OpenIeGraph, written(tmp_path / "p.jsonl", content))
    pump = node(index, "e:pump 4")
    assert (pump.node_type, pump.properties) == ("asset", {"aliases": ["P4", "P-4"]})
    assert list(index.ids) == ["1", "p1", "2", "e:pump 4"]
    assert said(report) == [
        "repaired ×1: types that are no texts were left out",
        "blank ×1: types or aliases of a name that no passage has",
    ]


def test_an_entity_of_several_types_keeps_them_all_and_is_told(tmp_path):
    content = lines(
        {**PASSAGE, "entities": ["TALIA"], "types": {"TALIA": "creature"}},
        {"id": "p2", "text": "x", "entities": ["Talia"], "types": {"Talia": "person"}},
    )
    path = written(tmp_path / "p.jsonl", content)
    index, report = load(OpenIeGraph, path)
    talia = node(index, "e:talia")
    assert (talia.node_type, talia.properties) == (
        "creature",
        {"aliases": ["Talia"], "types": ["creature", "person"]},
    )
    assert said(report) == [
        "repaired ×1: names that differ in case, punctuation or spaces were read as one entity",
        "repaired ×1: an entity has several types; its first one counts",
    ]
    index, _ = load(OpenIeGraph, path, merge_names=False)
    assert [node(index, id_).node_type for id_ in ("e:TALIA", "e:Talia")] == ["creature", "person"]


def test_a_passage_needs_an_id_or_a_text(tmp_path):
    index, report = load(OpenIeGraph, written(tmp_path / "p.jsonl", lines({"text": "abc"}, {"title": "x"})))
    assert list(index.ids) == ["chunk-900150983cd24fb0d6963f7d28e17f72"]
    assert said(report) == ["skipped ×1: a passage without an id and a text"]


def test_a_byte_order_mark_blank_lines_and_line_ends_of_windows_are_fine(tmp_path):
    content = "\ufeff" + lines(PASSAGE).replace("\n", "\r\n\r\n") + lines({"id": "图", "text": "— é"})
    index, report = load(OpenIeGraph, written(tmp_path / "p.jsonl", content))
    assert (list(index.ids), report.findings) == (["p1", "图", "e:pump 4"], ())


def test_a_repeated_passage_and_a_repeated_key_are_told(tmp_path):
    content = lines(PASSAGE) + '{"id": "p1", "id": "p1", "text": "new"}\n'
    index, report = load(OpenIeGraph, written(tmp_path / "p.jsonl", content))
    assert node(index, "p1").properties == {"text": "new"}
    assert said(report) == [
        "duplicated ×1: an id came again; its last node counts, in the first one's place",
        "repaired ×1: a key was written twice in one object; its last value counts",
    ]


def test_control_characters_are_replaced_and_counted(tmp_path):
    content = '{"id": "p1", "text": "ratio \\f rac", "entities": ["a\\u0001b"]}\n'
    index, report = load(OpenIeGraph, written(tmp_path / "p.jsonl", content))
    assert node(index, "p1").properties == {"text": "ratio \ufffd rac"}
    assert edges(index) == ["p1 -mentions-> e:a b"]
    assert said(report) == ["repaired ×2: a control character or lone surrogate was replaced by U+FFFD"]


@pytest.mark.parametrize(
    ("line", "what", "place"),
    [
        ('{"id": "[", "x": ' + "[" * 100_000, "lists and objects are nested too deeply", "2:217"),
        ('{"id": ' + "7" * 5_000 + "}", "a whole number has more than 4,300 digits", "2"),
    ],
)
def test_a_line_past_what_can_be_read_is_told_in_plain_words_with_its_place(tmp_path, line, what, place):
    path = written(tmp_path / "p.jsonl", lines(PASSAGE) + line + "\n")
    with pytest.raises(GraphSourceError) as refused:
        load(OpenIeGraph, path)
    assert refused.value.what == f"The line cannot be read as JSON: {what}."
    assert refused.value.where == f"{path}:{place}"


def test_a_broken_line_is_refused_and_named(tmp_path):
    path = written(tmp_path / "p.jsonl", lines(PASSAGE) + '{"id": }\n' + lines({"id": "p2", "text": "x"}))
    with pytest.raises(GraphSourceError, match="line is not valid JSON") as refused:
        load(OpenIeGraph, path)
    assert refused.value.where == f"{path}:2:8"
    assert refused.value.hint == "Correct the line, or leave such lines out: graph.bad_lines=skip."


def test_a_last_line_that_was_cut_off_is_refused_and_said_to_be(tmp_path):
    path = written(tmp_path / "p.jsonl", lines(PASSAGE) + '{"id": "p2", "text": "x')
    with pytest.raises(GraphSourceError) as refused:
        load(OpenIeGraph, path)
    assert refused.value.where == f"{path}:2:22"
    assert refused.value.hint.startswith("The last line ends too early")


def test_broken_lines_can_be_skipped(tmp_path):
    content = lines(PASSAGE).encode() + b'{"id": }\n\xff\xfe\n' + b"[" * 5000 + b'\n{"id": "p2", "te'
    path = written(tmp_path / "p.jsonl", content)
    index, report = load(OpenIeGraph, path, bad_lines="skip")
    assert list(index.ids) == ["p1", "e:pump 4"]
    assert said(report) == ["skipped ×4: a line that is no JSON"]
    assert report.findings[0].places == tuple(f"{path}:{number}" for number in (2, 3, 4, 5))
    assert account(report).read["lines"] == 5


@pytest.mark.parametrize("bad_lines", ["refuse", "skip"])
@pytest.mark.parametrize(
    ("content", "what", "hint"),
    [
        (b"", "is empty", ""),
        (b"\n \n", "is empty", ""),
        (b"<!DOCTYPE html>\n", "not valid JSON", "HTML page"),
        (b"PK\x03\x04\xff", "not UTF-8", "ZIP archive"),
        ("\ufeff{}".encode("utf-16"), "not UTF-8", "UTF-16"),
        (b'["p1"]\n', "must be an object, not a list", ""),
        (lines({**PASSAGE, "id": True}), "An id must be text or a number, not true", ""),
        (lines({**PASSAGE, "id": 1}, {**PASSAGE, "id": "1"}), "written both as text and as a number", ""),
        (lines({**PASSAGE, "types": ["a"]}), "must be an object, not a list", ""),
        (lines({**PASSAGE, "metadata": "a"}), "must be an object, not the text", ""),
    ],
)
def test_what_holds_no_passages_is_refused(tmp_path, content, what, hint, bad_lines):
    path = written(tmp_path / "p.jsonl", content)
    with pytest.raises(GraphSourceError, match=what) as refused:
        load(OpenIeGraph, path, bad_lines=bad_lines)
    assert str(path) in refused.value.where
    assert hint in refused.value.hint


def test_a_line_that_is_too_long_is_refused_before_it_is_held(tmp_path, monkeypatch):
    monkeypatch.setattr("graphrag_pipeline.graph.reading.json_lines.LONGEST", 1 << 20)
    path = written(tmp_path / "p.jsonl", b'{"id": "p1"}\n' + b"x" * (2 << 20))
    with pytest.raises(GraphSourceError, match="A line is longer than 1 MiB"):
        load(OpenIeGraph, path, bad_lines="skip")


def once(path):
    loaded = OpenIeGraph(OpenIeGraph.Params(path=str(path))).load()
    return loaded.graph, loaded.report


@shared
@pytest.mark.parametrize(("folder", "passages"), [("mh-2wiki", 9616), ("lihua", 442)])
def test_real_passages_without_triples_are_nodes(folder, passages):
    index, report = once(DATA / folder / "passages.jsonl")
    assert (index.node_count, index.edge_count, report.findings) == (passages, 0, ())


@shared
def test_real_passages_with_triples_are_whole():
    index, report = once(DATA / "mh-musique-openie/passages.jsonl")
    # 17,419 triples, of which 185 are not of three texts and 30 come twice in their passage.
    assert sum("passage" in edge.properties for edge in index.all_edges()) == 17_419 - 185 - 30
    assert (index.node_count, index.edge_count, index.dangling_edges) == (1890 + 19_104, 42_734, 0)
    assert account(report).read == {"lines": 1890, "entities": 17_658, "triples": 17_419}
    assert report.counts()["skipped"] == 185
    passage = node(index, "m0000")
    assert (passage.label, passage.node_type) == ("Journal of Mathematical Physics", "passage")


@shared
@pytest.mark.parametrize(("folder", "nodes", "relations"), [("lihua", 501, 1998), ("kg-2wiki", 2184, 1595)])
def test_the_graphs_beside_them_are_in_our_own_json(folder, nodes, relations):
    loaded = JsonGraph(JsonGraphParams(path=str(DATA / folder / "graph.json"))).load()
    assert (loaded.graph.node_count, loaded.graph.edge_count) == (nodes, relations)


def test_metadata_named_as_a_key_of_the_passage_stays_beside_it(tmp_path):
    metadata = {"text": "other", "page": 3, "metadata.page": 5, "lang": "en"}
    content = lines({"id": "p", "text": "x", "page": 4, "metadata": metadata})
    index, _ = load(OpenIeGraph, written(tmp_path / "p.jsonl", content))
    assert node(index, "p").properties == {
        "lang": "en",
        "metadata.page": 5,
        "metadata.text": "other",
        "metadata.metadata.page": 3,
        "page": 4,
        "text": "x",
    }
