"""One JSON object a line."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline import KnowledgeNode
from graphrag_pipeline.stages.context.body import plain
from graphrag_pipeline.stages.context.jsonl import JsonLines, JsonLinesParams, json_line
from tests.stages.context.scored import ranked, written
from tests.tiny import edge, node


def jsonl(nodes: Any, edges: Any = (), budget: int = 10_000, **params: Any) -> Any:
    return written(JsonLines(JsonLinesParams(**params)), *ranked(nodes, edges), budget)


def objects(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def test_an_object_has_what_is_known_of_a_node():
    nodes = [
        node("a", "Ann"),
        node("b", "Bob", zachman_cell="architect:who", age=7, text=" Bob sails. "),
    ]
    context = jsonl(nodes, [edge("b>a", "knows")], properties=("age", "none"), text=True)
    assert objects(context.text) == [
        {"id": "a", "label": "Ann", "type": "concept", "score": 1.0},
        {
            "id": "b",
            "label": "Bob",
            "type": "concept",
            "score": 0.9,
            "cell": "architect:who",
            "text": "Bob sails.",
            "properties": {"age": 7},
            "relations": [{"source": "b", "type": "knows", "target": "a"}],
        },
    ]


def test_case_82_type_and_direction_of_an_edge_are_written():
    for nodes in ([node("a"), node("b")], [node("b"), node("a")]):
        found = objects(jsonl(nodes, [edge("a>b", "supplies")]).text)[1]["relations"]
        assert found == [{"source": "a", "type": "supplies", "target": "b"}]


def test_no_more_relations_than_wanted():
    nodes, edges = [node("a"), node("b"), node("c")], [edge("a>c"), edge("b>c"), edge("a>c", "knows")]
    assert len(objects(jsonl(nodes, edges, relations=2).text)[2]["relations"]) == 2
    assert "relations" not in objects(jsonl(nodes, edges, relations=0).text)[2]


def test_lines_are_valid_at_every_budget():
    nodes = [node(f"n{place}", 'x"\n' * place) for place in range(9)]
    whole = len(jsonl(nodes).text)
    for budget in range(0, whole + 1, 7):
        assert all(found["id"] for found in objects(jsonl(nodes, budget=budget).text))


@given(st.text(), st.text())
def test_any_text_is_one_line_and_comes_back(label: str, value: str):
    context = jsonl([KnowledgeNode("a", "t", label, properties={"p": value})], properties=("p",))
    (found,) = objects(context.text)
    assert (found["label"], found["properties"]["p"]) == (label, value)


@pytest.mark.parametrize("odd", ["a\u2028b", "a\u2029b", "a\x85b", "\ud800", "\x7f", "\r\n", "\x1c"])
def test_what_readers_take_for_the_end_of_a_line_is_escaped(odd):
    line = json_line({"x": odd})
    assert len(line.splitlines()) == 1
    assert line.isascii()
    assert json.loads(line) == {"x": odd}


class Odd:
    pass


@pytest.mark.parametrize(
    ("value", "as_json"),
    [
        (float("nan"), None),
        ([1, float("inf"), {"x": float("-inf")}], [1, None, {"x": None}]),
        ({"b", "a"}, ["a", "b"]),
        (Odd(), "<Odd>"),
        ({("t",): 1, "k": 2}, {"k": 2}),
        ((1, "x"), [1, "x"]),
    ],
)
def test_what_json_cannot_hold_is_replaced(value, as_json):
    assert plain(value) == as_json


def test_a_value_without_an_end_or_too_long_for_json_is_null():
    value: list[Any] = []
    value.append(value)
    assert plain(value) is None
    assert plain(10**5000) is None
