"""What is worth knowing about a graph before anybody trusts an answer from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from graphrag_pipeline.graph.arrays import IntArray
from graphrag_pipeline.graph.cells import NO_CODE, UNREADABLE
from graphrag_pipeline.graph.columns.not_finite import rows_not_finite, weights_not_finite
from graphrag_pipeline.graph.compiling import as_index
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.sources.contract import LoadedGraph
from graphrag_pipeline.graph.sources.findings import KINDS, LISTED, Finding, Kind

DANGLING = "an edge with an end that is no node; it is kept, and never walked"
NO_JSON_NUMBER = "properties hold NaN or an infinity, which no JSON can: there it is null"
NOT_FINITE_WEIGHT = "a weight is NaN or infinite, which is refused by now: build the index anew"


def with_remarks(loaded: LoadedGraph) -> LoadedGraph:
    """Return a graph, compiled, whose report tells of the edges that a query will not use as they were given.

    A source tells what it did; that an edge leads nowhere shows in the graph alone, once it is whole. What
    the report tells already, as one that is kept with an index does, is not told twice.
    """
    index, report = as_index(loaded.graph), loaded.report
    told = {finding.what for finding in report.findings}
    more = [entry for entry in _of_edges(index) if entry.count and entry.what not in told]
    return LoadedGraph(index, replace(report, findings=(*report.findings, *more)))


def examine(loaded: LoadedGraph) -> tuple[Finding, ...]:
    """Return everything that its source found and that the graph itself shows, in the order of the kinds.

    The graph shows dangling edges, numbers that are not finite, isolated nodes, nodes without a readable
    Zachman cell, and labels that differ in upper and lower case alone.
    """
    remarked = with_remarks(loaded)
    index = as_index(remarked.graph)
    found = [
        *remarked.report.findings,
        _no_json(index),
        _isolated(index),
        _nodes(
            index,
            "unclassified",
            "a node without a Zachman cell",
            np.flatnonzero(index.perspectives == NO_CODE),
        ),
        _nodes(
            index,
            "unclassified",
            "a node whose Zachman cell names no row",
            np.flatnonzero(index.perspectives == UNREADABLE),
        ),
        _case_variants(index),
    ]
    order = {kind: place for place, kind in enumerate(KINDS)}
    return tuple(sorted((entry for entry in found if entry.count), key=lambda entry: order[entry.kind]))


def _of_edges(index: GraphIndex) -> tuple[Finding, Finding]:
    dangling = index.dangling() if index.dangling_edges else np.empty(0, dtype=np.int64)
    weights = weights_not_finite(index.table.edges.weight)
    return (
        _finding("dangling", DANGLING, dangling, _edge(index)),
        _finding("repaired", NOT_FINITE_WEIGHT, weights, _edge(index)),
    )


def _no_json(index: GraphIndex) -> Finding:
    nodes = rows_not_finite(index.table.nodes.properties)
    edges = rows_not_finite(index.table.edges.properties)
    places = [index.ids[row] for row in nodes[:LISTED]] + list(map(_edge(index), edges[:LISTED]))
    return Finding("repaired", NO_JSON_NUMBER, len(nodes) + len(edges), tuple(places[:LISTED]))


def _edge(index: GraphIndex) -> Callable[[int], str]:
    def name(position: int) -> str:
        source, target, edge_type = index.edge(position).key
        return f"{source} -{edge_type}-> {target}"

    return name


def _isolated(index: GraphIndex) -> Finding:
    # Loops and dangling edges lead nowhere, so a node that has only these is as isolated as one without any.
    edges, count = index.table.edges, index.node_count
    walked = (edges.source < count) & (edges.target < count) & (edges.source != edges.target)
    joined = np.zeros(count, dtype=np.bool_)
    joined[edges.source[walked]] = True
    joined[edges.target[walked]] = True
    return _nodes(index, "isolated", "a node without an edge to another node", np.flatnonzero(~joined))


def _case_variants(index: GraphIndex) -> Finding:
    first: dict[str, str] = {}
    places: list[str] = []
    count = 0
    for label in index.table.nodes.label:
        known = first.setdefault(label.lower(), label)
        if known != label:
            count += 1
            if len(places) < LISTED:
                places.append(f"{known} / {label}")
    what = "labels that differ in upper and lower case alone; they stay two nodes"
    return Finding("duplicated", what, count, tuple(places))


def _nodes(index: GraphIndex, kind: Kind, what: str, positions: IntArray) -> Finding:
    return _finding(kind, what, positions, lambda position: index.ids[position])


def _finding(kind: Kind, what: str, positions: IntArray, name: Callable[[int], str]) -> Finding:
    return Finding(kind, what, len(positions), tuple(name(place) for place in positions[:LISTED].tolist()))
