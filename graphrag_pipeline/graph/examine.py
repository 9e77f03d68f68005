"""What is worth knowing about a graph before anybody trusts an answer from it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from graphrag_pipeline.graph.arrays import IntArray
from graphrag_pipeline.graph.cells import NO_CODE, UNREADABLE
from graphrag_pipeline.graph.compiling import as_index
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.sources.contract import LoadedGraph
from graphrag_pipeline.graph.sources.findings import KINDS, LISTED, Finding, Kind


def examine(loaded: LoadedGraph) -> tuple[Finding, ...]:
    """Return everything that its source found and that the graph itself shows, in the order of the kinds.

    The graph shows dangling edges, isolated nodes, nodes without a readable Zachman cell, and labels that
    differ in upper and lower case alone.
    """
    index = as_index(loaded.graph)
    found = [
        *loaded.report.findings,
        _dangling(index),
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


def _dangling(index: GraphIndex) -> Finding:
    places = index.dangling()
    return _finding(
        "dangling", "an edge with an end that is no node; it is kept, and never walked", places, _edge(index)
    )


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
