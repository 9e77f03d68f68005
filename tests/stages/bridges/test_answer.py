"""What an answer from outside is worth."""

from __future__ import annotations

from collections import OrderedDict
from types import MappingProxyType
from typing import Any

import pytest

from graphrag_pipeline.stages.bridges.answer import Answer, read_answer
from tests.tiny import edge, node

N = node("n").to_dict()
E = edge("a>b").to_dict()


def read(raw: object, nodes: str = "", edges: Any = (), score: float = 0.25) -> Answer:
    return read_answer(raw, set(nodes.split()), set(edges), score)


def ids(answer: Answer) -> list[str]:
    return [entry.node_id for entry in answer.extras.nodes]


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (None, "NoneType"),
        ([], "list"),
        ("x", "str"),
        (7, "int"),
        ({"a"}, "set"),
        (b"{}", "bytes"),
        (object, "type"),
    ],
)
def test_anything_but_a_mapping_is_worth_nothing_and_named(raw, kind):
    answer = read(raw)
    assert answer.skipped == (f"the answer is no mapping but {kind}",)
    assert (answer.extras.nodes, answer.extras.edges, answer.extras.paths) == ((), (), ())
    assert answer.extras.score.tolist() == []


@pytest.mark.parametrize("raw", [{}, {"other": 1}, {1: 2}, {"nodes": [], "edges": (), "paths": []}])
def test_a_mapping_without_parts_is_worth_nothing_and_fine(raw):
    assert read(raw).skipped == ()


@pytest.mark.parametrize("part", ["nodes", "edges", "paths"])
@pytest.mark.parametrize("value", [None, 7, "ab", {"a": 1}, {"n"}, iter([])])
def test_a_part_that_is_no_list_is_skipped_and_named(part, value):
    answer = read({"nodes": [N], "edges": [E], "paths": [["a"]], part: value})
    assert len(answer.skipped) == 1
    assert answer.skipped[0].startswith(f"{part}: must be a list, not ")
    left = {
        "nodes": len(answer.extras.nodes),
        "edges": len(answer.extras.edges),
        "paths": len(answer.extras.paths),
    }
    assert left == {"nodes": 1, "edges": 1, "paths": 1, part: 0}


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (None, "nodes[1]: The node must be an object, not null"),
        ("n", "nodes[1]: The node must be an object, not the text 'n'"),
        ({}, "nodes[1]: The key 'node_id' is missing."),
        ({**N, "node_id": 7}, "nodes[1]: The key 'node_id' must hold text, not the number 7."),
        ({**N, "node_id": None}, "nodes[1]: The key 'node_id' must hold text, not null."),
        ({**N, "label": ["x"]}, "nodes[1]: The key 'label' must hold text, not the list ['x']."),
        ({**N, "properties": []}, "nodes[1]: The key 'properties' must hold an object, not the list []."),
    ],
)
def test_a_malformed_node_is_skipped_alone_with_place_and_cause(entry, said):
    answer = read({"nodes": [N, entry, node("last").to_dict()]})
    assert ids(answer) == ["n", "last"]
    assert [line.rstrip(".") for line in answer.skipped] == [said.rstrip(".")]


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (7, "edges[0]: The edge must be an object"),
        ({"source_id": "a"}, "edges[0]: The key 'target_id' is missing"),
        ({**E, "weight": "1"}, "edges[0]: The key 'weight' must hold a number"),
    ],
)
def test_a_malformed_edge_is_skipped_alone_with_place_and_cause(entry, said):
    answer = read({"edges": [entry, E]})
    assert [found.key for found in answer.extras.edges] == [("a", "b", "uses")]
    assert answer.skipped[0].startswith(said)


def test_a_malformed_path_is_skipped_alone_and_an_empty_one_in_silence():
    answer = read({"paths": [["a", "b"], "ab", None, [], (), {"a": 1}, ("c",), [1, None]]})
    assert answer.extras.paths == (("a", "b"), ("c",), ("1", "None"))
    assert [line.split(":")[0] for line in answer.skipped] == ["paths[1]", "paths[2]", "paths[5]"]


def test_a_known_node_is_not_new_and_the_first_of_an_id_wins():
    entries = [node("a").to_dict(), node("b", "1").to_dict(), node("b", "2").to_dict(), node("c").to_dict()]
    answer = read({"nodes": entries}, "a x")
    assert [(entry.node_id, entry.label) for entry in answer.extras.nodes] == [("b", "1"), ("c", "c")]
    assert answer.skipped == ()


def test_an_edge_is_known_by_source_target_and_type():
    entries = [
        edge("a>b").to_dict(),
        edge("a>b", "owns").to_dict(),
        edge("b>a").to_dict(),
        edge("b>a").to_dict(),
    ]
    answer = read({"edges": entries}, edges=[("a", "b", "uses")])
    assert [found.key for found in answer.extras.edges] == [("a", "b", "owns"), ("b", "a", "uses")]


def test_the_first_of_two_equal_edges_wins():
    entries = [{**E, "weight": 2}, {**E, "weight": 3}]
    assert [found.weight for found in read({"edges": entries}).extras.edges] == [2]


def test_the_same_path_twice_counts_twice():
    assert read({"paths": [["a"], ["a"]]}).extras.paths == (("a",), ("a",))


def test_every_new_node_has_the_given_score():
    assert read({"nodes": [N, node("m").to_dict()]}, score=0.7).extras.score.tolist() == [0.7, 0.7]


def test_any_type_and_any_text_is_kept():
    odd = {**N, "node_type": "never heard of", "label": "\x00\ud800", "properties": {"x": float("nan")}}
    (found,) = read({"nodes": [odd]}).extras.nodes
    assert (found.node_type, found.label) == ("never heard of", "\x00\ud800")


@pytest.mark.parametrize("kind", [OrderedDict, MappingProxyType])
def test_any_kind_of_mapping_is_read(kind):
    assert ids(read(kind({"nodes": (kind(N),)}))) == ["n"]


def test_the_answer_is_not_changed():
    raw = {"nodes": [dict(N)], "edges": [dict(E)], "paths": [["a"]]}
    read(raw)
    assert raw == {"nodes": [N], "edges": [E], "paths": [["a"]]}
