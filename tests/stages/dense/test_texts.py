from __future__ import annotations

import pytest

from graphrag_pipeline.graph.text.settings import TextSettings
from graphrag_pipeline.stages.dense.texts import TextChoice, distinct_texts
from tests.tiny import index_of, node

HARBOUR = node("h", "Harbour", aliases=["Port", "Haven"], text="Ships moor here.")
CRANE = node("c", "Crane", alias="Hoist")


@pytest.mark.parametrize(
    ("fields", "harbour", "crane"),
    [
        (("label",), "Harbour", "Crane"),
        (("label", "passage"), "Harbour. Ships moor here.", "Crane"),
        (("passage", "label"), "Ships moor here. Harbour", "Crane"),
        (("passage",), "Ships moor here.", ""),
        (("type", "aliases"), "concept. Port, Haven", "concept. Hoist"),
    ],
)
def test_the_fields_are_joined_in_the_order_given(fields, harbour, crane):
    found = distinct_texts(index_of([HARBOUR, CRANE]), TextChoice(fields))
    assert found.texts == [text for text in (harbour, crane) if text]
    assert found.row.tolist() == [0, 1 if crane else -1]


def test_only_nodes_that_say_something_have_a_text_where_passages_are_wanted():
    found = distinct_texts(index_of([CRANE, HARBOUR]), TextChoice(nodes="passages"))
    assert found.texts == ["Harbour. Ships moor here."]
    assert found.row.tolist() == [-1, 0]


def test_a_text_that_several_nodes_have_is_there_once():
    index = index_of([node("a", "Quay"), node("b", "Pier"), node("c", "Quay"), node("d", " Quay ")])
    found = distinct_texts(index, TextChoice(("label",)))
    assert found.texts == ["Quay", "Pier"]
    assert found.row.tolist() == [0, 1, 0, 0]


def test_a_label_that_is_the_passage_is_said_once():
    found = distinct_texts(index_of([node("a", "Quay", text="Quay")]), TextChoice())
    assert found.texts == ["Quay"]


def test_blank_texts_are_none():
    found = distinct_texts(index_of([node("a", " "), node("b", "", text="\n")]), TextChoice())
    assert found.texts == []
    assert found.row.tolist() == [-1, -1]


def test_the_text_settings_say_which_property_is_the_passage():
    index = index_of([node("a", "Quay", note="Built of stone.")])
    choice = TextChoice(("passage",))
    assert distinct_texts(index, choice).texts == []
    index = index.with_text(TextSettings(passage_keys=("note",)))
    assert distinct_texts(index, choice).texts == ["Built of stone."]


def test_unicode_is_kept():
    index = index_of([node("a", "北条 の 港", text="Łódź — \u0131\U0001f6a2")])
    assert distinct_texts(index, TextChoice()).texts == ["北条 の 港. Łódź — \u0131\U0001f6a2"]


def test_an_empty_graph_has_no_texts():
    found = distinct_texts(index_of(), TextChoice())
    assert (found.texts, found.row.size) == ([], 0)
