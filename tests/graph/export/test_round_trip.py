"""What is written is what is read back, in every format that can carry it."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphrag_pipeline import GraphIndex, KnowledgeEdge, KnowledgeNode
from graphrag_pipeline.graph.compiling import as_index
from graphrag_pipeline.graph.export.formats import FORMATS, export, writer_for
from graphrag_pipeline.graph.export.turtle import REPEATED
from graphrag_pipeline.graph.sources.auto import AutoGraph, AutoGraphParams
from graphrag_pipeline.graph.sources.demo_graph import DemoGraph

NAMES = {
    "json": "g.json",
    "nodelink": "g.nodelink.json",
    "graphml": "g.graphml",
    "turtle": "g.ttl",
    "csv": "csv",
    "parquet": "parquet",
}


def there_and_back(index: GraphIndex, folder: Path, form: str) -> GraphIndex:
    """Write a graph, read it again by what its file holds, and return what was read."""
    path = folder / NAMES[form]
    export(index, path, writer_for(path, form), replace=True)
    return there_again(path)


def there_again(path: Path) -> GraphIndex:
    """Read a graph by what its file holds."""
    loaded = AutoGraph(AutoGraphParams(path=str(path))).load()
    assert loaded.report.account is not None
    assert loaded.report.account.balanced
    return as_index(loaded.graph)


def with_weights(index: GraphIndex, weights: list[float]) -> GraphIndex:
    """Return a graph with any weights, as a compiled graph of an older version may have them."""
    column = replace(index.table.edges.weight, value=np.array(weights))
    return GraphIndex(replace(index.table, edges=replace(index.table.edges, weight=column)))


def lost(index: GraphIndex, form: str) -> list[str]:
    """What the format says it cannot carry."""
    return [loss.what for loss in writer_for(Path(NAMES[form]), form).losses(index)]


RICH = GraphIndex.from_records(
    [
        KnowledgeNode("a", "task", "Größe <&> \"'", "crm", "https://x.example/a?b=1&c=ü", {"n": 1, "x": 1.0}),
        KnowledgeNode(
            "b c", "", "two\nlines\tand\r\nmore ", properties={"n": 2.5, "list": [1, {"k": None}], "": "e"}
        ),
        KnowledgeNode("9007199254740993", "t", "北条 🚀", properties={"n": 9007199254740993, "big": 2**70}),
        KnowledgeNode("d", "t", "  blanks  ", properties={"label": "own", "id": 7, "weight": "w", "t": True}),
        KnowledgeNode(
            "e", "t", "007", properties={"n": "NA", "empty": "", "o": {}, "mixed": [True, "1", 1.5]}
        ),
        KnowledgeNode("cr", "t", "one\rtwo", properties={"cr": "a\rb", "z": [1], "a": 1}),
        KnowledgeNode("f", "t", "F", properties={"neg": -0.0, "tiny": 5e-324, "s": " "}),
    ],
    [
        KnowledgeEdge("a", "b c", "uses"),
        KnowledgeEdge("a", "b c", "owns of", "crm"),
        KnowledgeEdge("b c", "ghost/x y", "uses"),
        KnowledgeEdge("d", "d", "is:same"),
    ],
)
WEIGHTED = GraphIndex.from_records(
    [KnowledgeNode(name, "t", name) for name in "ab"],
    [
        KnowledgeEdge("a", "b", "t", weight=1, properties={"id": "e1", "source": "s", "key": 3}),
        KnowledgeEdge("a", "b", "t", weight=0.25, properties={"key": "k", "weight": [1], "edge_type": "x"}),
        KnowledgeEdge("a", "b", "t", properties={"label": "l", "target": 2, "directed": False}),
        KnowledgeEdge("b", "a", "t", weight=2**60),
    ],
)


@pytest.mark.parametrize("form", FORMATS)
def test_a_rich_graph_comes_back_equal(tmp_path, form):
    assert lost(RICH, form) == []
    back = there_and_back(RICH, tmp_path, form)
    assert back.to_dict() == RICH.to_dict()
    if form != "turtle":  # a set of statements has no order
        assert back.digest == RICH.digest


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "turtle"])
def test_weights_edge_properties_and_parallel_edges_come_back_equal(tmp_path, form):
    assert lost(WEIGHTED, form) == []
    back = there_and_back(WEIGHTED, tmp_path, form)
    assert back.to_dict() == WEIGHTED.to_dict()
    assert [type(edge.weight) for edge in back.all_edges()] == [int, float, float, int]


def test_turtle_says_that_a_triple_cannot_be_there_twice(tmp_path):
    assert lost(WEIGHTED, "turtle") == [REPEATED]
    back = there_and_back(WEIGHTED, tmp_path, "turtle")
    first, _, _, last = WEIGHTED.all_edges()
    assert back.all_edges() == [first, last]


@pytest.mark.parametrize("form", FORMATS)
def test_the_demo_graph_comes_back_equal(tmp_path, form):
    demo = as_index(DemoGraph().load().graph)
    assert lost(demo, form) == []
    assert there_and_back(demo, tmp_path, form).to_dict() == demo.to_dict()


@pytest.mark.parametrize("form", FORMATS)
def test_the_empty_graph_comes_back_empty(tmp_path, form):
    back = there_and_back(GraphIndex.from_records([]), tmp_path, form)
    assert (back.node_count, back.edge_count) == (0, 0)


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "json"])
def test_what_importers_do_not_keep_is_told_before(tmp_path, form):
    index = GraphIndex.from_records(
        [
            KnowledgeNode("a", "t", "bell \x07", properties={"none": None, "nan": math.nan, "x": 1}),
            KnowledgeNode("", "t", "no id"),
            KnowledgeNode("c", "t", ""),
        ],
        [KnowledgeEdge("a", "", "t"), KnowledgeEdge("a", "c", "t", weight=2.0)],
    )
    index = with_weights(index, [1.0, math.inf])
    tables = form in ("csv", "parquet")
    what = lost(index, form)
    assert set(what) >= {
        "a control character or lone surrogate was replaced by U+FFFD",
        "a property that is null or NaN is left out",
        "a node whose id is the empty text is left out",
        "an edge with an end whose id is the empty text is left out",
        "a weight that is not finite becomes 1.0",
    }
    assert ("an empty label is read back as the node's id" in what) is not tables
    back = there_and_back(index, tmp_path, form)
    assert [(node.node_id, node.label, node.properties) for node in back.all_nodes()] == [
        ("a", "bell \ufffd", {"none": None, "x": 1} if tables else {"x": 1}),
        ("c", "" if tables else "c", {}),
    ]
    assert [(edge.key, edge.weight) for edge in back.all_edges()] == [(("a", "c", "t"), 1.0)]


ENDLESS = {"nan": math.nan, "up": math.inf, "in": [1, -math.inf, {"x": math.nan}], "x": 1e308}


def refuse(word: str) -> Any:
    raise AssertionError(f"{word} is no JSON")


@pytest.mark.parametrize("form", FORMATS)
def test_numbers_that_are_not_finite_are_told_and_no_json_holds_them(tmp_path, form, monkeypatch):
    given = GraphIndex.from_records(
        [KnowledgeNode("a", "t", "the NaN of Infinity", properties=ENDLESS)],
        [KnowledgeEdge("a", "a", "t", properties={"down": -math.inf})],
    )
    index = with_weights(given, [math.nan])
    found = writer_for(Path("x"), form).losses(index)
    told = {loss.what: loss.count for loss in found}
    carried = form in ("graphml", "turtle")
    alone = 1 if form == "json" else 0  # which has null where others have no property
    assert told["a number that is NaN or infinite is written as null"] == 2 + 2 * (not carried) + alone
    assert told["a weight that is not finite becomes 1.0"] == 1
    assert told.get("a property that is null or NaN is left out", 0) == 1 - alone
    export(index, tmp_path / NAMES[form], writer_for(Path("x"), form))
    monkeypatch.setattr(json, "loads", partial(json.loads, parse_constant=refuse))
    back = there_again(tmp_path / NAMES[form])
    (node,), (edge,) = back.all_nodes(), back.all_edges()
    read = {key: value for key, value in node.properties.items() if value is not None}
    assert read == {"in": [1, None, {"x": None}], "x": 1e308, **({"up": math.inf} if carried else {})}
    assert edge.weight == 1.0
    assert edge.properties.get("down") == (-math.inf if carried else None)


def test_an_infinity_among_texts_comes_back_from_the_json_text_of_graphml(tmp_path):
    nodes = [
        KnowledgeNode("a", "t", "A", properties={"p": -math.inf}),
        KnowledgeNode("b", "t", "B", properties={"p": "Infinity"}),
    ]
    index = GraphIndex.from_records(nodes)
    assert lost(index, "graphml") == []
    assert there_and_back(index, tmp_path, "graphml").to_dict() == index.to_dict()
    assert ">-1e999<" in (tmp_path / NAMES["graphml"]).read_text()


@pytest.mark.parametrize("form", FORMATS)
def test_whole_numbers_beyond_any_float_are_finite(tmp_path, form):
    index = GraphIndex.from_records([KnowledgeNode("a", "t", "A", properties={"n": 10**400})])
    edges = [KnowledgeEdge("a", "a", "t", weight=10**400)]
    index = GraphIndex.from_records(index.all_nodes(), edges)
    assert lost(index, form) == []
    assert there_and_back(index, tmp_path, form).all_edges() == edges


# -- any graph -------------------------------------------------------------------------------------

TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff")
)
ID = TEXT.map(lambda text: f"n{text}")
SCALAR = st.one_of(
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXT,
    st.sampled_from(["\t", "\r\n", "null", "1e5", "[1]"]),
)
VALUE = st.recursive(
    SCALAR, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3)
)
PROPERTIES = st.dictionaries(TEXT, VALUE, max_size=3)
WEIGHT = st.one_of(st.just(1.0), st.integers(-5, 5), st.floats(-1e9, 1e9))
NODES = st.lists(
    st.builds(
        KnowledgeNode,
        ID,
        TEXT,
        TEXT.map(lambda text: f"L{text}"),
        TEXT,
        st.just("") | TEXT.map(lambda text: f"https://x.example/{text}"),
        PROPERTIES,
    ),
    max_size=5,
    unique_by=lambda node: node.node_id,
)


@st.composite
def graphs(draw: Any) -> GraphIndex:
    nodes = draw(NODES)
    end = st.sampled_from([*(node.node_id for node in nodes), "ghost"])
    edge = st.builds(KnowledgeEdge, end, end, TEXT, TEXT, WEIGHT, PROPERTIES)
    return GraphIndex.from_records(nodes, draw(st.lists(edge, max_size=5)))


@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(index=graphs())
def test_any_graph_without_losses_comes_back_equal(tmp_path, form, index):
    if form == "turtle":  # which says that it has no place for an edge that repeats another
        edges = {(*edge.key, edge.namespace): edge for edge in reversed(index.all_edges())}
        index = GraphIndex.from_records(index.all_nodes(), reversed(edges.values()))
    assert lost(index, form) == []
    assert there_and_back(index, tmp_path, form).to_dict() == index.to_dict()
