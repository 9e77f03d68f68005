"""Breadth-first expansion over the undirected graph, in the reference's visit order."""

from __future__ import annotations

import numpy as np
from pydantic import Field

from graphrag_pipeline.graph.adjacency import Adjacency, Direction
from graphrag_pipeline.graph.arrays import Array, BoolArray, IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.contract import ExpanderParams


class BreadthFirstParams(ExpanderParams):
    """Where breadth-first expansion may go; ``query.max_hops`` bounds it in any case."""

    max_hops: int | None = Field(default=None, ge=0)
    """Most edges between a seed and a candidate, where that is less than ``query.max_hops``."""
    edge_types: tuple[str, ...] | None = None
    """Types of the edges that are walked; null means all."""
    direction: Direction = "both"
    """``out`` walks from source to target only, ``in`` the other way."""
    fan_out: int | None = Field(default=None, ge=1)
    """Most nodes that are discovered from one node: the first, in edge order; null means all."""


class BreadthFirst(Component[BreadthFirstParams]):
    """All nodes within ``max_hops`` edges of a seed, nearest first."""

    name = "bfs"
    Params = BreadthFirstParams

    def expand(self, seeds: Candidates, query: Query, index: GraphIndex) -> Candidates:
        """Return seeds in order, then each next hop: by parent's turn, then global edge order."""
        params = self.params
        hops = query.hops if params.max_hops is None else min(query.hops, params.max_hops)
        adjacency = index.adjacency_over(params.edge_types, params.direction)
        closed = np.zeros(index.node_count, dtype=np.bool_)
        return breadth_first(seeds.node, hops, index, adjacency, closed, params.fan_out)


def breadth_first(
    seeds: IntArray,
    hops: int,
    index: GraphIndex,
    adjacency: Adjacency,
    closed: BoolArray,
    fan_out: int | None = None,
) -> Candidates:
    """Return seeds in order, then each next hop: by parent's turn, then global edge order.

    Args:
        seeds: Where to start.
        hops: Most edges on a path.
        index: The graph.
        adjacency: The edges that are walked.
        closed: Nodes that are not gone to; those visited are added.
        fan_out: Most nodes that are discovered from one node.
    """
    closed[seeds] = True
    levels = [Candidates.seeds(seeds)]
    for hop in range(1, hops + 1):
        level = _next_level(levels[-1].node, hop, closed, index, adjacency, fan_out)
        if not len(level):
            break
        levels.append(level)
    return Candidates.of(
        node=np.concatenate([level.node for level in levels]),
        parent=np.concatenate([level.parent for level in levels]),
        edge=np.concatenate([level.edge for level in levels]),
        hop=np.concatenate([level.hop for level in levels]),
    )


def _next_level(
    frontier: IntArray,
    hop: int,
    closed: BoolArray,
    index: GraphIndex,
    adjacency: Adjacency,
    fan_out: int | None,
) -> Candidates:
    """Return what the frontier discovers, and close it.

    Working level by level gives the queue's order: all of one level leave the queue before any of the
    next, and of several ways to a node the first in that order discovers it.
    """
    owner, neighbour, edge = adjacency.gather(frontier)
    fresh = np.flatnonzero(~closed[neighbour])
    found = fresh[index.firsts(neighbour[fresh])]
    if fan_out is not None:
        found = found[_place_in_group(owner[found]) < fan_out]
    closed[neighbour[found]] = True
    return Candidates.of(
        neighbour[found].astype(np.int64),
        frontier[owner[found]],
        edge[found].astype(np.int64),
        np.full(found.size, hop),
    )


def _place_in_group(group: Array) -> IntArray:
    """Return the place of each entry among those of its group, from 0; a group's entries stand together."""
    if not group.size:
        return np.zeros(0, dtype=np.int64)
    starts = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]]))
    sizes = np.diff(np.append(starts, group.size))
    return np.arange(group.size) - np.repeat(starts, sizes)
