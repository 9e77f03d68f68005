"""A graph as a walk sees it whose gate keeps it out of some nodes or edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from graphrag_pipeline.graph.adjacency import Adjacency, Direction
from graphrag_pipeline.graph.arrays import Array, BoolArray, IntArray
from graphrag_pipeline.graph.index import GraphIndex

UNKNOWN, OPEN, SHUT = 0, 1, 2


class Judge(Protocol):
    """Decides where a walk may go."""

    def __call__(self, origin: IntArray, node: IntArray, edge: IntArray) -> BoolArray:
        """Tell of each step, from a node over an edge to a node, whether it may be taken."""
        ...


class Gate:
    """Asks a judge once about each node that a walk comes to, or about each step.

    Its memory has one byte for each node or step of the graph, and touches those of the walk only.

    Args:
        index: The graph.
        judge: Decides.
        by_step: Ask about each step, because the edge matters; else about each node.
    """

    def __init__(self, index: GraphIndex, judge: Judge, *, by_step: bool = False) -> None:
        self.by_step = by_step
        self._index = index
        self._judge = judge
        self._state = np.zeros(2 * index.edge_count if by_step else index.node_count, dtype=np.uint8)

    def passes(self, origin: Array, node: Array, edge: Array) -> BoolArray:
        """Tell of each step whether it may be taken."""
        key = self._key(node, edge) if self.by_step else node
        unknown = np.flatnonzero(self._state[key] == UNKNOWN)
        if unknown.size:
            fresh = unknown[self._firsts(key[unknown])]
            steps = (column[fresh].astype(np.int64) for column in (origin, node, edge))
            self._state[key[fresh]] = np.where(self._judge(*steps), OPEN, SHUT)
        passes: BoolArray = self._state[key] == OPEN
        return passes

    def know(self, node: IntArray, passes: BoolArray) -> None:
        """Take over what is known of some nodes already; not for a gate that asks about steps."""
        self._state[node] = np.where(passes, OPEN, SHUT)

    def _key(self, node: Array, edge: Array) -> IntArray:
        """Return a number for each edge and the direction it is walked in."""
        key: IntArray = 2 * edge.astype(np.int64) + (self._index.table.edges.target[edge] == node)
        return key

    def _firsts(self, key: Array) -> IntArray:
        return np.sort(np.unique(key, return_index=True)[1]) if self.by_step else self._index.firsts(key)


@dataclass(frozen=True, slots=True)
class GatedAdjacency(Adjacency):
    """Neighbours without those that a gate keeps a walk from.

    ``around`` and ``gather`` are gated. The arrays are those of the whole graph, so that a node has the
    degree it has there.

    Args:
        walked: The rows that are gated; with every parallel edge where the gate asks about steps, since the
            first edge between two nodes may be shut and the second open.
        gate: The gate.
        parallel: Whether several edges between two nodes are wanted.
    """

    walked: Adjacency
    gate: Gate
    parallel: bool

    def around(self, position: int) -> tuple[Array, Array]:
        """Return one node's neighbours and the edge to each, in order."""
        _, neighbour, edge = self.gather(np.array([position]))
        return neighbour, edge

    def gather(self, positions: IntArray) -> tuple[Array, Array, Array]:
        """Return the rows of several nodes, one after the other; see :meth:`.Adjacency.gather`."""
        owner, neighbour, edge = self.walked.gather(positions)
        entry = np.flatnonzero(self.gate.passes(positions[owner], neighbour, edge))
        if self.gate.by_step and not self.parallel:
            pair = owner[entry].astype(np.int64) * (self.start.size - 1) + neighbour[entry]
            entry = entry[np.sort(np.unique(pair, return_index=True)[1])]
        return owner[entry], neighbour[entry], edge[entry]


class GatedIndex(GraphIndex):
    """An index whose neighbours are gated; all the rest is the index's own, what it has worked out included.

    Sent to another process it arrives as the whole index.

    Args:
        index: The whole index.
        gate: The gate.
    """

    __slots__ = ("_gate", "_whole")

    def __init__(self, index: GraphIndex, gate: Gate) -> None:
        self._whole = index
        self._gate = gate

    # Any: the attributes of an index are of many types, and a type checker sees them in the base class.
    def __getattribute__(self, name: str) -> Any:
        own = object.__getattribute__
        # Not inherited: what an index works out and keeps would be kept in this short-lived object.
        return own(self, name) if name in _GATED else getattr(own(self, "_whole"), name)

    @property
    def adjacency(self) -> Adjacency:
        """Neighbours of each node that the gate lets through."""
        return self.adjacency_over()

    def adjacency_over(
        self, edge_types: Sequence[str] | None = None, direction: Direction = "both", parallel: bool = False
    ) -> Adjacency:
        """Return the neighbours over some edges that the gate lets through."""
        plain = self._whole.adjacency_over(edge_types, direction, parallel)
        by_step = self._gate.by_step
        walked = self._whole.adjacency_over(edge_types, direction, parallel=True) if by_step else plain
        return GatedAdjacency(
            plain.start, plain.neighbour, plain.edge, plain.dangling, walked, self._gate, parallel
        )


_GATED = frozenset({"adjacency", "adjacency_over", "_gate", "_whole"})
