"""The edges among the nodes of a context."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.stages.scored import ScoredNode


class Relation(NamedTuple):
    """An edge between two nodes, by their places among the nodes."""

    source: int
    target: int
    edge_type: str


def relations_among(nodes: Sequence[ScoredNode], index: GraphIndex) -> list[list[Relation]]:
    """Return for each node its edges to better nodes: every edge stands once, at its worse end.

    Edges of the graph come first, in the order of the better end and then in global edge order, then those
    of a bridge. Of edges alike in ends and type the first counts; loops are left out. Time is linear in the
    edges at the nodes.

    Args:
        nodes: The nodes, best first, each once.
        index: The graph.
    """
    found: list[dict[Relation, None]] = [{} for _ in nodes]
    own = [(place, node.position) for place, node in enumerate(nodes) if node.position is not None]
    if own:
        places, positions = (np.array(column, dtype=np.int64) for column in zip(*own, strict=True))
        owner, neighbour, edge = index.adjacency_over(parallel=True).gather(positions)
        other = index.rows(positions, neighbour)
        better = np.flatnonzero((other >= 0) & (other < owner))
        better = better[np.lexsort((edge[better], other[better], owner[better]))]
        edges = index.table.edges
        for row in better.tolist():
            worse, best = int(places[owner[row]]), int(places[other[row]])
            outward = int(edges.source[edge[row]]) == int(positions[owner[row]])
            ends = (worse, best) if outward else (best, worse)
            found[worse][Relation(*ends, edges.type[int(edge[row])])] = None
    _add_bridges(nodes, found)
    return [list(relations) for relations in found]


def _add_bridges(nodes: Sequence[ScoredNode], found: list[dict[Relation, None]]) -> None:
    place_of = {node.node_id: place for place, node in enumerate(nodes)}
    for place, node in enumerate(nodes):
        for edge in node.bridge_edges():
            source, target = place_of.get(edge.source_id), place_of.get(edge.target_id)
            if (
                source is not None
                and target is not None
                and place == max(source, target) != min(source, target)
            ):
                found[place][Relation(source, target, edge.edge_type)] = None
