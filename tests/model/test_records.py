"""Nodes and edges as plain data."""

from __future__ import annotations

import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline import GraphSourceError, KnowledgeEdge, KnowledgeNode

NODE = {"node_id": "n", "node_type": "concept", "label": "N"}
EDGE = {"source_id": "a", "target_id": "b", "edge_type": "uses"}

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=5,
)
properties = st.dictionaries(st.text(max_size=3), json_values, max_size=3)
names = st.text(max_size=4)
nodes = st.builds(KnowledgeNode, names, names, names, names, names, properties)
edges = st.builds(
    KnowledgeEdge,
    names,
    names,
    names,
    names,
    st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    properties,
)


def test_a_node_without_a_uri_is_given_one():
    assert KnowledgeNode("n", "concept", "N").uri == "fcc:concept/n"
    assert KnowledgeNode("n", "concept", "N", namespace="x").uri == "x:concept/n"
    assert KnowledgeNode("n", "concept", "N", uri="urn:1").uri == "urn:1"
    assert KnowledgeNode.from_dict({**NODE, "uri": None}).uri == "fcc:concept/n"


def test_a_nodes_keys_come_in_the_references_order():
    assert list(KnowledgeNode.from_dict(NODE).to_dict().items()) == [
        ("node_id", "n"),
        ("node_type", "concept"),
        ("label", "N"),
        ("namespace", "fcc"),
        ("uri", "fcc:concept/n"),
        ("properties", {}),
    ]


def test_an_edges_keys_come_in_the_references_order():
    assert list(KnowledgeEdge.from_dict(EDGE).to_dict().items()) == [
        ("source_id", "a"),
        ("target_id", "b"),
        ("edge_type", "uses"),
        ("namespace", "fcc"),
        ("weight", 1.0),
        ("properties", {}),
    ]


@given(nodes)
def test_a_node_survives_dict_json_and_pickle(node):
    assert KnowledgeNode.from_dict(node.to_dict()) == node
    assert KnowledgeNode.from_dict(json.loads(json.dumps(node.to_dict()))) == node
    assert pickle.loads(pickle.dumps(node)) == node


@given(edges)
def test_an_edge_survives_dict_and_json(edge):
    assert KnowledgeEdge.from_dict(edge.to_dict()) == edge
    assert KnowledgeEdge.from_dict(json.loads(json.dumps(edge.to_dict()))) == edge


@pytest.mark.parametrize("written", ["1", "1.0", "0", "-0.0", "1e3", "12345678901234567890", "0.1"])
def test_a_weight_stays_the_number_it_was_written_as(written):
    edge = KnowledgeEdge.from_dict(json.loads(json.dumps(EDGE)[:-1] + f', "weight": {written}}}'))
    assert json.dumps(edge.weight) == json.dumps(json.loads(written))
    assert type(edge.weight) is type(json.loads(written))


def test_unknown_keys_are_ignored():
    assert KnowledgeNode.from_dict({**NODE, "colour": "red"}) == KnowledgeNode.from_dict(NODE)
    assert KnowledgeEdge.from_dict({**EDGE, "id": 1}) == KnowledgeEdge.from_dict(EDGE)


@pytest.mark.parametrize("key", NODE)
def test_a_node_without_a_required_key_is_refused_by_its_name(key):
    with pytest.raises(GraphSourceError, match=f"The key '{key}' is missing") as error:
        KnowledgeNode.from_dict({name: value for name, value in NODE.items() if name != key})
    assert sorted(error.value.hint.removeprefix("Keys given: ").rstrip(".").split(", ")) == sorted(
        set(NODE) - {key}
    )


@pytest.mark.parametrize("key", EDGE)
def test_an_edge_without_a_required_key_is_refused_by_its_name(key):
    with pytest.raises(GraphSourceError, match=f"The key '{key}' is missing"):
        KnowledgeEdge.from_dict({name: value for name, value in EDGE.items() if name != key})


@pytest.mark.parametrize("key", [*NODE, "namespace"])
@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "null"),
        (7, "the number 7"),
        (1.5, "the number 1.5"),
        (True, "true"),
        (False, "false"),
        ([], r"the list \[\]"),
        ({"a": 1}, r"the object {'a': 1}"),
    ],
)
def test_a_nodes_text_must_be_text(key, value, said):
    with pytest.raises(GraphSourceError, match=f"The key '{key}' must hold text, not {said}\\."):
        KnowledgeNode.from_dict({**NODE, key: value})


@pytest.mark.parametrize("value", [7, [], {}])
def test_a_uri_must_be_text_or_null(value):
    with pytest.raises(GraphSourceError, match="'uri' must hold text"):
        KnowledgeNode.from_dict({**NODE, "uri": value})


@pytest.mark.parametrize("value", ["1", None, True, [1], {}])
def test_a_weight_must_be_a_number(value):
    with pytest.raises(GraphSourceError, match="'weight' must hold a number"):
        KnowledgeEdge.from_dict({**EDGE, "weight": value})


@pytest.mark.parametrize("value", [None, "x", [["a", 1]], 0])
def test_properties_must_be_an_object(value):
    with pytest.raises(GraphSourceError, match="'properties' must hold an object"):
        KnowledgeNode.from_dict({**NODE, "properties": value})
    with pytest.raises(GraphSourceError, match="'properties' must hold an object"):
        KnowledgeEdge.from_dict({**EDGE, "properties": value})


@pytest.mark.parametrize("value", [None, "n", 3, ["node_id"], [("node_id", "n")]])
def test_a_record_must_be_an_object(value):
    with pytest.raises(GraphSourceError, match="must be an object"):
        KnowledgeNode.from_dict(value)
    with pytest.raises(GraphSourceError, match="must be an object"):
        KnowledgeEdge.from_dict(value)


def test_a_long_wrong_value_is_cut_in_the_message():
    with pytest.raises(GraphSourceError) as error:
        KnowledgeNode.from_dict({**NODE, "label": ["x"] * 10_000})
    assert len(str(error.value)) < 250


def test_records_are_frozen_and_do_not_share_the_callers_dict():
    given_properties = {"a": 1}
    node = KnowledgeNode.from_dict({**NODE, "properties": given_properties})
    given_properties["a"] = 2
    assert node.properties == {"a": 1}
    node.to_dict()["properties"]["a"] = 3
    assert node.properties == {"a": 1}
    with pytest.raises(AttributeError):
        node.label = "x"  # type: ignore[misc]


def test_an_edge_is_known_by_source_target_and_type():
    assert KnowledgeEdge("a", "b", "uses", weight=3).key == ("a", "b", "uses")
