"""Breadth-first expansion over the undirected graph, in the reference's visit order."""

from __future__ import annotations

import numpy as np

from graphrag_pipeline.graph.arrays import BoolArray, IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates


class BreadthFirstParams(Params):
    """Breadth-first expansion takes no parameters; ``query.max_hops`` bounds it."""


class BreadthFirst(Component[BreadthFirstParams]):
    """All nodes within ``max_hops`` edges of a seed, nearest first."""

    name = "bfs"
    Params = BreadthFirstParams

    def expand(self, seeds: Candidates, query: Query, index: GraphIndex) -> Candidates:
        """Return seeds in order, then each next hop: by parent's turn, then global edge order."""
        seen = np.zeros(index.node_count, dtype=np.bool_)
        seen[seeds.node] = True
        levels = [Candidates.seeds(seeds.node)]
        for hop in range(1, query.hops + 1):
            level = _next_level(levels[-1].node, hop, seen, index)
            if not len(level):
                break
            levels.append(level)
        return Candidates.of(
            node=np.concatenate([level.node for level in levels]),
            parent=np.concatenate([level.parent for level in levels]),
            edge=np.concatenate([level.edge for level in levels]),
            hop=np.concatenate([level.hop for level in levels]),
        )


def _next_level(frontier: IntArray, hop: int, seen: BoolArray, index: GraphIndex) -> Candidates:
    """Return what the frontier discovers, and mark it seen.

    Working level by level gives the queue's order: all of one level leave the queue before any of the
    next, and of several ways to a node the first in that order discovers it.
    """
    owner, neighbour, edge = index.adjacency.gather(frontier)
    fresh = np.flatnonzero(~seen[neighbour])
    found = fresh[index.firsts(neighbour[fresh])]
    seen[neighbour[found]] = True
    return Candidates.of(
        neighbour[found].astype(np.int64),
        frontier[owner[found]],
        edge[found].astype(np.int64),
        np.full(found.size, hop),
    )
