"""Seeds from a retriever of any make."""

from __future__ import annotations

import logging
from types import SimpleNamespace
from typing import Any

import pytest

from graphrag_pipeline import Query, RetrieverSeeds, StageError
from graphrag_pipeline.stages.seeds.retriever import read_hit
from tests.tiny import index_of, node

INDEX = index_of([node("a", "Alpha"), node("b", "Beta blocker"), node("c", "Gamma beta"), node("0", "Zero")])


class Returning:
    """A retriever with fixed hits; it keeps what it was asked."""

    def __init__(self, hits: Any) -> None:
        self.hits = hits
        self.asked: list[tuple[str, int]] = []

    def retrieve(self, text: str, k: int) -> Any:
        self.asked.append((text, k))
        if isinstance(self.hits, Exception):
            raise self.hits
        return self.hits


def seeds(hits: Any, text: str = "alpha", k: int = 10) -> list[str]:
    found = RetrieverSeeds(retriever=Returning(hits)).retrieve(Query(text, k), INDEX, k)
    return [seed.node_id for seed in found]


def thing(**fields: Any) -> SimpleNamespace:
    return SimpleNamespace(**fields)


@pytest.mark.parametrize(
    ("hit", "read"),
    [
        ("b", ("b", "")),
        (("b", 0.9), ("b", "")),
        (["b", 0.9, "some text"], ("b", "some text")),
        (("b", 0.9, 7), ("b", "")),
        ((None, 0.9, "text"), (None, "text")),
        ({"chunk_id": "b", "text": "t"}, ("b", "t")),
        ({"node_id": "b", "content": "t"}, ("b", "t")),
        ({"id": 0, "page_content": "t"}, ("0", "t")),
        ({"doc_id": "b"}, ("b", "")),
        ({"id": None, "doc_id": "d"}, ("d", "")),
        ({"id": "b", "chunk_id": "c"}, ("c", "")),
        ({"text": "t"}, (None, "t")),
        ({"text": ""}, (None, "")),
        (thing(id="b", content="t"), ("b", "t")),
        (thing(chunk=thing(chunk_id="b", text="t"), score=0.3), ("b", "t")),
        (thing(chunk={"chunk_id": "b", "text": "t"}), ("b", "t")),
        ({"chunk": {"id": "b"}, "id": "outer"}, ("b", "")),
        (thing(chunk=None, id="b"), ("b", "")),
        (thing(page_content="t", metadata={}), (None, "t")),
        ((thing(page_content="t", metadata={}), 0.8), (None, "t")),
        ((thing(id="b", page_content="t"), 0.8), ("b", "t")),
        ([{"chunk_id": "b", "text": "t"}, 0.8], ("b", "t")),
        ((thing(id="b", page_content="t"), 0.8, "other"), ("b", "other")),
        ((("b", 1), 0.8), None),
        (None, None),
        (7, ("7", "")),
        ((7, 0.9), ("7", "")),
        ({}, None),
        ((), None),
        ([None, 1], None),
        ({"text": 7}, None),
        (thing(score=1), None),
    ],
)
def test_a_hit_of_any_common_shape_is_read(hit, read):
    assert read_hit(hit) == read


def test_hits_whose_ids_are_nodes_give_those_nodes_in_order():
    assert seeds(["c", ("a", 0.2), {"id": "b"}, "c", thing(id=0)]) == ["c", "a", "b", "0"]


def test_bare_numbers_are_ids():
    assert seeds([0, (0, 0.5)]) == ["0"]
    assert seeds([7], "beta") == ["b", "c"]


def test_documents_with_scores_are_matched_by_id_or_text():
    hits = [(thing(page_content="beta", id=None), 0.9), (thing(page_content="x", id="a"), 0.5)]
    assert seeds(hits) == ["b", "c", "a"]


def test_a_hit_with_another_id_is_matched_by_its_text():
    assert seeds([{"id": "x1", "text": "BETA"}, "a"]) == ["b", "c", "a"]
    assert seeds([{"id": "x1", "text": "zebra alpha"}]) == ["a"]


def test_a_hit_whose_text_names_nothing_is_left_out():
    assert seeds([{"id": "x", "text": "zebra"}, "b"]) == ["b"]


@pytest.mark.parametrize(("k", "found"), [(1, ["b"]), (2, ["b", "c"]), (3, ["b", "c", "a"])])
def test_no_more_than_k_seeds_are_taken(k, found):
    assert seeds([{"text": "beta"}, "a", "0"], k=k) == found


def test_the_retriever_is_asked_for_k_hits_with_the_text_as_given():
    retriever = Returning(["a"])
    RetrieverSeeds(retriever=retriever).retrieve(Query(" A b ", 4), INDEX, 4)
    assert retriever.asked == [(" A b ", 4)]


@pytest.mark.parametrize("hits", [[], (), ["nobody"], [{"id": "x", "text": ""}], iter([]), {}])
def test_labels_are_matched_when_nothing_is_found(hits):
    assert seeds(hits, "beta") == ["b", "c"]


@pytest.mark.parametrize("hits", [RuntimeError("index is gone"), None, 7])
def test_labels_are_matched_when_the_retriever_fails(hits, caplog):
    with caplog.at_level(logging.WARNING):
        assert seeds(hits, "beta", k=1) == ["b"]
    assert "The retriever failed" in caplog.text
    assert "label matching goes on" in caplog.text


def test_a_failure_is_told_with_its_cause(caplog):
    seeds(ConnectionError("no route"))
    assert "ConnectionError: no route" in caplog.text


def test_malformed_hits_are_counted(caplog):
    assert seeds(["a", None, {}, 3, "b"]) == ["a", "b"]
    assert "2 of 5 hits of the retriever had neither id nor text." in caplog.text


def test_nothing_is_logged_when_all_is_well(caplog):
    seeds(["a"])
    assert caplog.text == ""


def test_a_generator_of_hits_is_taken():
    assert seeds(hit for hit in ("b", "a")) == ["b", "a"]


def test_without_a_retriever_the_error_says_how_to_hand_one_over():
    with pytest.raises(StageError, match="needs a retriever object") as error:
        RetrieverSeeds()
    assert "RetrieverSeeds(retriever=" in error.value.hint
