from __future__ import annotations

import pytest

from graphrag_pipeline import GraphSourceError
from graphrag_pipeline.graph.reading.exact_ids import ExactIds
from graphrag_pipeline.graph.sources.intake import Intake
from graphrag_pipeline.graph.sources.triples import Passage, TripleIntake, chunk_id, entity_id, headline
from tests.graph.sources.files import account, edges, node, said


@pytest.mark.parametrize(
    ("name", "id_"),
    [
        ("Cairo, Illinois", "e:cairo illinois"),
        ("U.S.  Army", "e:u s army"),
        ("STRASSE", "e:strasse"),
        ("Straße", "e:strasse"),
        ("\u03a3\u0391\u03a3", "e:\u03c3\u03b1\u03c3"),
        ("Cafe\u0301", "e:caf\u00e9"),
        ("北条", "e:北条"),
        ("कि", "e:कि"),
        ("C++", "e:c"),
        ("???", "e:???"),
    ],
)
def test_names_are_one_entity_without_case_and_punctuation_in_every_script(name, id_):
    assert entity_id(name) == id_


def test_marks_of_a_script_tell_names_apart():
    assert entity_id("कि") != entity_id("की")


def test_names_are_exact_when_that_is_asked():
    assert entity_id("Cairo, Illinois", merge=False) == "e:Cairo, Illinois"


def test_a_passage_without_id_gets_the_one_hipporag_gives():
    # md5 of "abc" is a published test vector.
    assert chunk_id("abc") == "chunk-900150983cd24fb0d6963f7d28e17f72"
    assert chunk_id("\ud800").startswith("chunk-")


def test_the_first_line_that_is_not_blank_is_the_label():
    assert headline("\n  Pumps \nmore") == "Pumps"
    assert headline("word " * 30) == ("word " * 16).strip() + "…"
    assert headline("x" * 90) == "x" * 80 + "…"
    assert headline(" \n") == ""


def graph(*passages, merge=True):
    intake = Intake("test", namespace="n")
    records = TripleIntake(intake, merge=merge, tables=("entities", "triples"))
    for passage in passages:
        intake.read("passages")
        records.passage(passage)
    records.finish()
    loaded = intake.finish()
    return loaded.graph, loaded.report


def test_passages_mention_entities_and_triples_join_them():
    passage = Passage(
        "1", "Pumps", "Pump 4 feeds tank 2.", "f:1", ["Pump 4"], [["pump 4", "feeds", "Tank 2"]]
    )
    index, report = graph(passage)
    assert list(index.ids) == ["1", "e:pump 4", "e:tank 2"]
    assert edges(index) == ["1 -mentions-> e:pump 4", "1 -mentions-> e:tank 2", "e:pump 4 -feeds-> e:tank 2"]
    assert [edge.properties for edge in index.all_edges()] == [{}, {}, {"passage": "1"}]
    assert (node(index, "1").node_type, node(index, "1").label) == ("passage", "Pumps")
    assert node(index, "1").properties == {"text": "Pump 4 feeds tank 2."}
    assert (node(index, "e:pump 4").node_type, node(index, "e:pump 4").label) == ("entity", "Pump 4")
    assert node(index, "e:pump 4").properties == {"aliases": ["pump 4"]}
    assert said(report) == [
        "repaired ×1: names that differ in case, punctuation or spaces were read as one entity"
    ]
    assert report.findings[0].places == ("f:1: triples[0]: 'pump 4' is 'Pump 4'",)
    assert account(report).read == {"passages": 1, "entities": 1, "triples": 1}


def test_names_that_differ_are_two_entities_when_nothing_is_merged():
    index, report = graph(Passage("1", "t", "x", "f:1", ["A", "a"]), merge=False)
    assert (list(index.ids), report.findings) == (["1", "e:A", "e:a"], ())


def test_the_same_name_or_triple_counts_once_a_passage():
    triple = ["A", "likes", "B"]
    index, report = graph(
        Passage("1", "t", "x", "f:1", ["A", "A"], [triple, triple]),
        Passage("2", "t", "x", "f:2", [], [triple]),
    )
    assert edges(index) == [
        "1 -mentions-> e:a",
        "1 -mentions-> e:b",
        "e:a -likes-> e:b",
        "2 -mentions-> e:a",
        "2 -mentions-> e:b",
        "e:a -likes-> e:b",
    ]
    assert account(report).left == {
        "entities that their passage had named before": 1,
        "triples that their passage had before": 1,
    }


@pytest.mark.parametrize(
    ("triple", "what"),
    [
        (["a", "b"], "a triple that is no list of subject, relation and object"),
        (["a", "b", "c", "d"], "a triple that is no list of subject, relation and object"),
        ({"subject": "a"}, "a triple that is no list of subject, relation and object"),
        ("abc", "a triple that is no list of subject, relation and object"),
        (["", "b", "c"], "a triple whose subject or object is empty"),
        (["a", "b", "  "], "a triple whose subject or object is empty"),
        ([None, "b", "c"], "a triple whose subject or object is no text"),
        (["a", float("nan"), "c"], "a triple whose relation is no text"),
        (["a", ["b"], "c"], "a triple whose relation is no text"),
    ],
)
def test_a_malformed_triple_is_skipped_and_its_place_told(triple, what):
    _, report = graph(Passage("1", "t", "x", "f:1", [], [["a", "b", "c"], triple]))
    (finding,) = [found for found in report.findings if found.kind == "skipped"]
    assert (finding.what, finding.places) == (what, ("f:1: triples[1]",))


def test_numbers_are_names_and_white_space_is_taken_away():
    index, report = graph(Passage("1", "t", "x", "f:1", [" A\n", 1963], [["A", "in", 1963]]))
    assert list(index.ids) == ["1", "e:a", "e:1963"]
    assert said(report) == [
        "repaired ×1: white space around a name was taken away",
        "repaired ×2: a number was read as a name",
    ]


def test_an_empty_relation_stays_and_is_told():
    index, report = graph(Passage("1", "t", "x", "f:1", [], [["a", "", "b"]]))
    assert edges(index)[-1] == "e:a --> e:b"
    assert said(report) == ["blank ×1: an edge's type is empty"]


def test_lists_that_are_none_are_skipped():
    index, report = graph(
        Passage("1", "t", "x", "f:1", "A", {"a": 1}), Passage("2", "t", "x", "f:2", None, None)
    )
    assert index.node_count == 2
    assert said(report) == ["skipped ×1: entities that are no list", "skipped ×1: triples that are no list"]


def test_a_passage_may_not_have_the_id_of_an_entity():
    with pytest.raises(GraphSourceError, match="A passage has the id of an entity: e:a"):
        graph(Passage("e:a", "t", "x", "f:1", ["A"]))
    index, _ = graph(Passage("1963", "t", "x", "f:1", ["1963"]))
    assert edges(index) == ["1963 -mentions-> e:1963"]


def test_a_passage_without_text_is_told():
    _, report = graph(Passage("1", "", "", "f:1"))
    assert said(report) == [
        "blank ×1: a passage has no text",
        "blank ×1: a node's label is empty; its id is shown",
    ]


def test_ids_are_exact_text():
    ids = ExactIds()
    assert [ids.text(value, "f") for value in (2**63 + 1, "a ", 1.5, None, float("nan"))] == [
        "9223372036854775809",
        "a ",
        "1.5",
        "",
        "",
    ]
    assert ids.text("10", "f") == "10"
    for value, what in ((10, "both as text and as a number"), (True, "not true"), ([1], "not a list")):
        with pytest.raises(GraphSourceError, match=what):
            ids.text(value, "f")
