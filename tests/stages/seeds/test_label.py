"""Seeds by label and id."""

from __future__ import annotations

import pytest

from graphrag_pipeline import GraphIndex, Query
from graphrag_pipeline.stages.seeds.label import LabelSeeds
from tests.tiny import index_of, node

NODES = [
    node("n1", "Risk owner"),
    node("n2", "Owner of data"),
    node("risk-9", "Nine"),
    node("n4", "Data risk owner"),
    node("n5", ""),
]


@pytest.fixture
def index() -> GraphIndex:
    return index_of(NODES)


def seeds(text: str, index: GraphIndex, k: int = 10) -> list[str]:
    return [seed.node_id for seed in LabelSeeds().retrieve(Query(text, k), index, k)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("risk owner", ["n1", "n4"]),
        ("  RISK Owner\n", ["n1", "n4"]),
        ("risk", ["n1", "risk-9", "n4"]),
        ("N5", ["n5"]),
        ("n", ["n1", "n2", "risk-9", "n4", "n5"]),
        ("isk ow", ["n1", "n4"]),
    ],
)
def test_a_text_names_the_nodes_whose_label_or_id_holds_it_in_node_order(index, text, found):
    assert seeds(text, index) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("data zebra", ["n2", "n4"]),
        ("nine data", ["risk-9", "n2", "n4"]),
        ("owner\t nine  owner", ["n1", "n2", "n4", "risk-9"]),
        ("risk  owner", ["n1", "risk-9", "n4", "n2"]),
        ("zebra", []),
        ("who is the risk owner?", ["n1", "risk-9", "n4"]),
    ],
)
def test_without_a_match_each_word_is_tried_in_turn_each_node_once(index, text, found):
    assert seeds(text, index) == found


@pytest.mark.parametrize("text", ["", " ", "\t\n", "\u3000"])
def test_a_blank_text_names_nothing(index, text):
    assert seeds(text, index) == []


def test_the_first_k_win(index):
    assert seeds("risk", index, 2) == ["n1", "risk-9"]
    assert seeds("nine data", index, 1) == ["risk-9"]


def test_every_seed_has_score_one(index):
    assert {seed.score for seed in LabelSeeds().retrieve(Query("risk"), index, 10)} == {1.0}


def test_lower_case_is_pythons():
    index = index_of([node("a", "ΣΊΣΥΦΟΣ"), node("b", "STRASSE"), node("c", "İ")])
    assert seeds("σίσυφος", index) == ["a"]
    assert seeds("straße", index) == []
    assert seeds("İ", index) == ["c"]


def test_an_empty_graph_has_no_seeds():
    assert seeds("risk", index_of()) == []
