from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from graphrag_pipeline import (
    Finding,
    GraphIndex,
    KnowledgeEdge,
    KnowledgeGraph,
    KnowledgeNode,
    LoadedGraph,
    SourceReport,
)
from graphrag_pipeline.graph.examine import examine, with_remarks
from tests.tiny import graph_of, index_of, node


def found(graph: GraphIndex | KnowledgeGraph, *findings: Finding) -> dict[str, tuple[int, tuple[str, ...]]]:
    loaded = LoadedGraph(graph, SourceReport("g", findings))
    return {entry.what: (entry.count, entry.places) for entry in examine(loaded)}


CELL = {"zachman_cell": "architect:who"}


def test_a_graph_without_faults_has_nothing_found():
    nodes = [node(name, **CELL) for name in "ab"]
    assert found(graph_of(nodes, "a>b")) == {}
    assert found(index_of()) == {}


def test_dangling_isolated_and_unclassified_are_found_in_the_graph_itself():
    nodes = [
        node("a", **CELL),
        node("b", zachman_cell="nowhere:who"),
        node("loop", **CELL),
        node("lost", **CELL),
        node("c"),
    ]
    assert found(graph_of(nodes, "a>b loop>loop lost>ghost c>a")) == {
        "an edge with an end that is no node; it is kept, and never walked": (1, ("lost -uses-> ghost",)),
        "a node without an edge to another node": (2, ("loop", "lost")),
        "a node without a Zachman cell": (1, ("c",)),
        "a node whose Zachman cell names no row": (1, ("b",)),
    }


def test_numbers_that_json_cannot_hold_are_found_whatever_the_source():
    nodes = [
        node("a", **CELL, text="NaN and -Infinity", n=1.5),
        node("b", **CELL, deep=[{"x": math.nan}, 1]),
        node("c", **CELL, several={1, 2}, odd=np.float32("inf")),
    ]
    edges = [
        KnowledgeEdge("a", "b", "t"),
        KnowledgeEdge("b", "c", "t", weight=2.0, properties={"down": -math.inf}),
    ]
    index = GraphIndex.from_records(nodes, edges)
    what = "properties hold NaN or an infinity, which no JSON can: there it is null"
    assert found(index) == {what: (3, ("b", "c", "b -t-> c"))}
    old = replace(index.table.edges.weight, value=np.array([math.nan, 2.0]))
    stored = GraphIndex(replace(index.table, edges=replace(index.table.edges, weight=old)))
    assert found(stored) == {
        what: (3, ("b", "c", "b -t-> c")),
        "a weight is NaN or infinite, which is refused by now: build the index anew": (1, ("a -t-> b",)),
    }


def test_the_summary_names_what_the_source_did_and_what_the_graph_shows():
    told = Finding("duplicated", "y", 1, ("a",))
    loaded = LoadedGraph(graph_of("a b", "a>b a>ghost a>ghoul"), SourceReport("g", (told,)))
    remarked = with_remarks(loaded)
    assert remarked.report.summary() == "dangling: 2, duplicated: 1"
    assert with_remarks(remarked).report == remarked.report
    assert [entry.count for entry in examine(remarked)] == [entry.count for entry in examine(loaded)]
    assert with_remarks(LoadedGraph(index_of("a b", "a>b"), SourceReport("g"))).report.summary() == ""


def test_labels_that_differ_in_case_alone_are_told_whatever_their_types():
    nodes = [
        KnowledgeNode("1", "creature", "TALIA", properties=CELL),
        KnowledgeNode("2", "person", "Talia", properties=CELL),
        KnowledgeNode("3", "place", "TALIA", properties=CELL),
    ]
    assert found(GraphIndex.from_records(nodes))[
        "labels that differ in upper and lower case alone; they stay two nodes"
    ] == (1, ("TALIA / Talia",))


def test_what_the_source_found_comes_with_it_in_the_order_of_kinds():
    told = [Finding("blank", "x", 2, ("r",)), Finding("duplicated", "y", 1, ("a",))]
    loaded = LoadedGraph(index_of("a", "a>b"), SourceReport("g", tuple(told)))
    assert [entry.kind for entry in examine(loaded)] == [
        "dangling",
        "duplicated",
        "blank",
        "isolated",
        "unclassified",
    ]


def test_a_count_is_exact_where_the_places_are_not_all_kept():
    index = GraphIndex.from_records(KnowledgeNode(f"n{number}", "t", "N") for number in range(10_050))
    isolated = next(
        entry for entry in examine(LoadedGraph(index, SourceReport("g"))) if entry.kind == "isolated"
    )
    assert (isolated.count, len(isolated.places)) == (10_050, 10_000)
