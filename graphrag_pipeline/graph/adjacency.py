"""Undirected neighbours in the order the reference tries them, as compressed sparse rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphrag_pipeline.graph.arrays import IntArray


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

    start: IntArray
    neighbour: IntArray
    edge: IntArray
    dangling: int

    @classmethod
    def from_edges(cls, node_count: int, source: IntArray, target: IntArray) -> Adjacency:
        """Build from edge ends in global edge order; -1 marks an unknown end."""
        known = (source >= 0) & (target >= 0)
        walkable = np.flatnonzero(known & (source != target))
        # Each edge is seen from both ends; of parallel edges the first in edge order is kept.
        owner = np.concatenate([source[walkable], target[walkable]])
        other = np.concatenate([target[walkable], source[walkable]])
        edge = np.concatenate([walkable, walkable])
        order = np.lexsort((edge, other, owner))
        owner, other, edge = owner[order], other[order], edge[order]
        fresh = np.ones(owner.size, dtype=np.bool_)
        fresh[1:] = (owner[1:] != owner[:-1]) | (other[1:] != other[:-1])
        owner, other, edge = owner[fresh], other[fresh], edge[fresh]
        order = np.lexsort((edge, owner))
        start = np.zeros(node_count + 1, dtype=np.int64)
        np.cumsum(np.bincount(owner, minlength=node_count), out=start[1:])
        return cls(start, other[order], edge[order], int(np.count_nonzero(~known)))

    def around(self, position: int) -> tuple[IntArray, IntArray]:
        """Return one node's neighbours and the edge to each, in order."""
        row = slice(self.start[position], self.start[position + 1])
        return self.neighbour[row], self.edge[row]

    def gather(self, positions: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        """Return the rows of several nodes, one after the other.

        Returns:
            For each entry: its owner's index in ``positions``, the neighbour, the edge.
        """
        counts = self.start[positions + 1] - self.start[positions]
        owner = np.repeat(np.arange(positions.size), counts)
        offset = np.arange(owner.size) - np.repeat(np.cumsum(counts) - counts, counts)
        entry = np.repeat(self.start[positions], counts) + offset
        return owner, self.neighbour[entry], self.edge[entry]
