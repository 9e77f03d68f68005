"""Spreading values along paths: the state of a beam, hop by hop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from graphrag_pipeline.graph.arrays import Array, BoolArray, FloatArray, IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.stages.candidates import NOWHERE, Candidates


class StepFactor(Protocol):
    """How much of a value a step keeps."""

    def __call__(self, origin: Array, neighbour: Array, edge: Array) -> FloatArray:
        """Return one factor, 0 … 1, for each step."""
        ...


@dataclass(frozen=True, slots=True)
class BeamLimits:
    """Where a beam ends.

    Args:
        hops: Most edges on a path.
        width: Most nodes that spread further at each hop.
        floor: Least value that spreads.
        keep: Most nodes that are kept.
    """

    hops: int
    width: int
    floor: float
    keep: int


class Beam:
    """The best value of each node over paths from seeds, with the tree of those paths.

    A node's value is the largest product of a seed's value and the factors of the steps to it. Seeds keep
    their place, and so does a node that others were reached through: its value may still rise, and the
    path that is told of it is then not the best one. So the paths make up a tree.

    Args:
        seeds: Nodes to start from, with their values in ``score``.
        trusted: The part of each seed's value that is followed by itself, as with mentions.
        index: The graph.
        limits: Where to end.
    """

    def __init__(self, seeds: Candidates, trusted: FloatArray, index: GraphIndex, limits: BeamLimits) -> None:
        size = index.node_count
        self._index = index
        self._adjacency = index.adjacency_over(parallel=True)
        self._limits = limits
        self._seeds = seeds.node
        self.value = np.zeros(size)
        self.trusted = np.zeros(size)
        self._missing = np.zeros(size)
        self._parent = np.full(size, NOWHERE, dtype=np.int64)
        self._edge = np.full(size, NOWHERE, dtype=np.int64)
        self._hop = np.zeros(size, dtype=np.int64)
        self._fixed = np.zeros(size, dtype=np.bool_)
        self._walked = np.zeros(size, dtype=np.bool_)
        self._found: list[IntArray] = [seeds.node]
        self.value[seeds.node] = seeds.score
        self.trusted[seeds.node] = trusted
        self._missing[seeds.node] = np.log1p(-np.minimum(seeds.score, CERTAIN))
        self._fixed[seeds.node] = True
        self._seen = np.zeros(size, dtype=np.bool_)
        self._seen[seeds.node] = True

    def spread(self, factor: StepFactor) -> None:
        """Walk to the end."""
        frontier = self._widest(self._seeds)
        for _ in range(self._limits.hops):
            frontier = self._widest(self._level(frontier, factor))
            if not frontier.size:
                return

    def _widest(self, nodes: IntArray) -> IntArray:
        kept = nodes[self.value[nodes] >= self._limits.floor]
        if kept.size > self._limits.width:
            kept = kept[np.argsort(-self.value[kept], kind="stable")[: self._limits.width]]
        return kept

    def _level(self, frontier: IntArray, factor: StepFactor) -> IntArray:
        owner, neighbour, edge = self._adjacency.gather(frontier)
        if not neighbour.size:
            return neighbour.astype(np.int64)
        origin = frontier[owner]
        kept = factor(origin, neighbour, edge)
        value = self.value[origin] * kept
        strong = np.flatnonzero(value >= self._limits.floor)
        if not strong.size:
            return np.zeros(0, dtype=np.int64)
        origin, neighbour, edge = origin[strong], neighbour[strong].astype(np.int64), edge[strong]
        value, trusted = value[strong], self.trusted[origin] * kept[strong]
        # Each edge counts, also one of several between two nodes, and a step back. A node that walks on
        # again, because a better path to it was found, counts once.
        missing = np.where(self._walked[origin], 0.0, np.log1p(-np.minimum(value, CERTAIN)))
        self._walked[frontier] = True
        # By node, then the best value, then the order of the walk.
        order = np.lexsort((-value, neighbour))
        nodes = neighbour[order]
        first = np.flatnonzero(np.concatenate([[True], nodes[1:] != nodes[:-1]]))
        node, best = nodes[first], order[first]
        self._missing[node] += np.add.reduceat(missing[order], first)
        surer = np.maximum.reduceat(trusted[order], first)
        better_trusted = surer > self.trusted[node]
        self.trusted[node] = np.maximum(self.trusted[node], surer)
        better = self._take(node, origin[best], edge[best], value[best])
        return node[better | (better_trusted & self._seen[node])]

    def _take(self, node: IntArray, origin: IntArray, edge: Array, value: FloatArray) -> BoolArray:
        better: BoolArray = value > self.value[node]
        # Whoever is walked from now keeps its place, so that its children's hops stay right.
        self._fixed[origin[better & ~self._fixed[node]]] = True
        moved = better & ~self._fixed[node]
        at = node[moved]
        self._parent[at], self._edge[at] = origin[moved], edge[moved]
        self._hop[at] = self._hop[origin[moved]] + 1
        self.value[node[better]] = value[better]
        fresh = at[~self._seen[at]]
        self._seen[fresh] = True
        self._found.append(fresh)
        return better

    def candidates(self) -> Candidates:
        """Return the best nodes by value, parents before children, ties in the order they were found."""
        found = np.concatenate(self._found)
        order = np.lexsort((self._hop[found], -self.value[found]))
        node = found[order][: self._limits.keep]
        node = self._with_parents(node)
        evidence = {
            "path_max": self.value[node],
            "path_from_mention": self.trusted[node],
            # Who walks on from a node counts once, with the value it had then.
            "path_sum": np.maximum(-np.expm1(self._missing[node]), self.value[node]),
        }
        return Candidates.of(node, self._parent[node], self._edge[node], self._hop[node], evidence=evidence)

    def _with_parents(self, node: IntArray) -> IntArray:
        """Add the seeds and the ancestors of the kept nodes, and put parents first."""
        wanted = np.zeros(self._index.node_count, dtype=np.bool_)
        wanted[node] = wanted[self._seeds] = True
        level = node
        while (level := self._parent[level][self._parent[level] >= 0]).size:
            level = level[~wanted[level]]
            wanted[level] = True
        found = np.concatenate(self._found)
        chosen = found[wanted[found]]
        return chosen[np.lexsort((-self.value[chosen], self._hop[chosen]))]


CERTAIN = 1.0 - 1e-9
"""Largest probability of a path in a noisy or: at 1 nothing else would count."""
