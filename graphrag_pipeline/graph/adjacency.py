"""Undirected neighbours in the order the reference tries them, as compressed sparse rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from graphrag_pipeline.graph.arrays import Array, BoolArray, IntArray, frozen

Direction: TypeAlias = Literal["both", "out", "in"]
"""Along edges in either direction, from source to target, or from target to source."""


@dataclass(frozen=True, slots=True)
class Adjacency:
    """Who is next to whom.

    The neighbours of node ``i`` are ``neighbour[start[i]:start[i + 1]]``, in global edge order, each
    once, reached over the first edge that joins the two; self loops and edges with an unknown end are
    left out. None of that changes a breadth-first visit order.

    Args:
        start: Row starts, ``node_count + 1`` of them.
        neighbour: Node positions.
        edge: Edge position for each entry of ``neighbour``.
        dangling: How many edges had an unknown end.
    """

    start: Array
    neighbour: Array
    edge: Array
    dangling: int

    @classmethod
    def from_edges(
        cls,
        node_count: int,
        source: Array,
        target: Array,
        chosen: BoolArray | None = None,
        direction: Direction = "both",
        parallel: bool = False,
    ) -> Adjacency:
        """Build from edge ends in global edge order; an end that is no node's position is unknown.

        Args:
            node_count: How many nodes there are.
            source: Sources of the edges.
            target: Targets of the edges.
            chosen: The edges that count; None means all.
            direction: From which end they are seen.
            parallel: Keep every edge between two nodes, not the first alone.
        """
        known = (source >= 0) & (source < node_count) & (target >= 0) & (target < node_count)
        walkable = np.flatnonzero(known & (source != target) & (True if chosen is None else chosen))
        # Each edge is seen from both ends: entries 2e and 2e + 1, so entries are in edge order.
        owner = np.stack([source[walkable], target[walkable]], axis=1).reshape(-1)
        other = np.stack([target[walkable], source[walkable]], axis=1).reshape(-1)
        seen = np.ones(owner.size, dtype=np.bool_)
        if direction != "both":
            seen[(1 if direction == "out" else 0) :: 2] = False
        entry = np.flatnonzero(seen)
        if not parallel:
            entry = entry[_firsts(owner[entry], other[entry], node_count)]
        # Stable, so the edge order stays within each row.
        entry = entry[np.argsort(owner[entry], kind="stable")]
        start = np.zeros(node_count + 1, dtype=np.int64)
        np.cumsum(np.bincount(owner[entry], minlength=node_count), out=start[1:])
        return cls(
            frozen(start.astype(_type(entry.size))),
            frozen(other[entry].astype(_type(node_count))),
            frozen(walkable[entry // 2].astype(_type(source.size))),
            int(np.count_nonzero(~known)),
        )

    def around(self, position: int) -> tuple[Array, Array]:
        """Return one node's neighbours and the edge to each, in order."""
        row = slice(self.start[position], self.start[position + 1])
        return self.neighbour[row], self.edge[row]

    def gather(self, positions: IntArray) -> tuple[Array, Array, Array]:
        """Return the rows of several nodes, one after the other.

        Returns:
            For each entry: its owner's index in ``positions``, the neighbour, the edge.
        """
        start = self.start[positions]
        counts = self.start[positions + 1] - start
        before = np.cumsum(counts) - counts
        # In the type of the rows: half the memory to move for all but the largest graphs.
        entry = np.arange(int(counts.sum()), dtype=self.start.dtype)
        entry += np.repeat((start - before).astype(self.start.dtype), counts)
        owner = np.repeat(np.arange(positions.size, dtype=self.start.dtype), counts)
        return owner, self.neighbour[entry], self.edge[entry]


def _firsts(owner: Array, other: Array, node_count: int) -> IntArray:
    """Return the first entry of each pair of owner and other, ascending."""
    key = owner.astype(np.int64) * node_count + other
    order = np.argsort(key, kind="stable")
    key = key[order]
    repeated = np.zeros(key.size, dtype=np.bool_)
    repeated[order[1:]] = key[1:] == key[:-1]
    return np.flatnonzero(~repeated)


def _type(size: int) -> type[np.int32] | type[np.int64]:
    return np.int32 if size < 2**31 else np.int64
