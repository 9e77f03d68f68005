"""The state that travels from step to step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import repeat

import numpy as np

from graphrag_pipeline.graph.arrays import FloatArray, IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.records import KnowledgeNode
from graphrag_pipeline.stages.candidates import NOWHERE, Candidates, Extras
from graphrag_pipeline.stages.scored import Context, ScoredNode
from graphrag_pipeline.stages.trails import WorkingTrails

FIRST = 256
"""Nodes that are ranked before all are: contexts rarely need more."""
CHUNK = 64
"""Nodes that are read at a time."""


def _none() -> Candidates:
    return Candidates.seeds(np.zeros(0, dtype=np.int64))


@dataclass(frozen=True, slots=True)
class WorkingSet:
    """Candidates from the graph, extras from bridges, and the context written so far."""

    candidates: Candidates = field(default_factory=_none)
    extras: Extras = field(default_factory=Extras)
    context: Context = field(default_factory=Context)

    def __len__(self) -> int:
        return len(self.candidates) + len(self.extras.nodes)

    def edge_count(self) -> int:
        """How many edges the result has, without reading them."""
        return int(np.count_nonzero(self.candidates.parent_row >= 0)) + len(self.extras.edges)

    def path_count(self) -> int:
        """How many paths the result has, without making them."""
        return int(np.count_nonzero(self.candidates.intact())) + len(self.extras.paths)

    @property
    def scores(self) -> FloatArray:
        """Scores of candidates, then extras."""
        return np.concatenate([self.candidates.score, self.extras.score])

    def ranking(self) -> IntArray:
        """Return rows of candidates-then-extras, best score first; ties keep that order."""
        return np.argsort(-self.scores, kind="stable")

    def nodes(self, rows: IntArray, index: GraphIndex) -> list[KnowledgeNode]:
        """Return the nodes of rows of candidates-then-extras; the graph's own record wins over a bridge's."""
        own = rows < len(self.candidates)
        if own.all():
            return index.nodes(self.candidates.node[rows])
        records = iter(index.nodes(self.candidates.node[rows[own]]))
        first = len(self.candidates)
        return [next(records) if row < first else self._extra(row - first, index) for row in rows.tolist()]

    def _extra(self, row: int, index: GraphIndex) -> KnowledgeNode:
        extra = self.extras.nodes[row]
        return index.get_node(extra.node_id) or extra

    def ranked(self, index: GraphIndex) -> Iterator[ScoredNode]:
        """Yield every node with its score, best first; nodes are read as they are asked for."""
        scores = self.scores
        trails = WorkingTrails(self.candidates, self.extras, index)
        best = best_rows(scores, FIRST)
        yield from self._scored(best, scores, index, trails)
        if scores.size > best.size:
            yield from self._scored(self.ranking()[best.size :], scores, index, trails)

    def _scored(
        self, rows: IntArray, scores: FloatArray, index: GraphIndex, trails: WorkingTrails
    ) -> Iterator[ScoredNode]:
        own = len(self.candidates)
        for start in range(0, rows.size, CHUNK):
            chunk = rows[start : start + CHUNK]
            found = chunk.tolist(), scores[chunk].tolist()
            if int(chunk.max()) >= own:
                for node, row, score in zip(self.nodes(chunk, index), *found, strict=True):
                    yield ScoredNode(node, score, index.position(node.node_id), trails, row)
                continue
            nodes = self.candidates.node[chunk]
            columns = (
                *index.names_at(nodes),
                found[1],
                repeat(index),
                nodes.tolist(),
                repeat(trails),
                found[0],
            )
            yield from map(ScoredNode.stored, *columns)


def best_rows(scores: FloatArray, count: int) -> IntArray:
    """Return the first ``count`` rows of the stable ranking by score, in linear time."""
    if scores.size <= count:
        return np.argsort(-scores, kind="stable")
    # Most candidates of a large graph share the lowest score, and ties that wide are slow to partition.
    floor = scores.min()
    above = np.flatnonzero(scores > floor)
    if above.size > count:
        bar = np.partition(scores[above], above.size - count)[above.size - count]
        level = above[scores[above] == bar]
        above = above[scores[above] > bar]
    else:
        level = np.flatnonzero(scores == floor)
    best = above[np.argsort(-scores[above], kind="stable")]
    return np.concatenate([best, level[: count - best.size]])


@dataclass(frozen=True, slots=True)
class NodesThere:
    """Tells whether an id is a candidate's or an extra's."""

    working: WorkingSet
    index: GraphIndex
    extras: frozenset[str] = frozenset()

    @classmethod
    def of(cls, working: WorkingSet, index: GraphIndex) -> NodesThere:
        """Know the working set."""
        return cls(working, index, frozenset(node.node_id for node in working.extras.nodes))

    def __contains__(self, node_id: object) -> bool:
        if node_id in self.extras:
            return True
        return (
            isinstance(node_id, str) and self.working.candidates.row(self.index.position(node_id)) != NOWHERE
        )


@dataclass(frozen=True, slots=True)
class EdgesThere:
    """Tells whether an edge, by source, target and type, joins candidates already or is an extra."""

    working: WorkingSet
    index: GraphIndex
    extras: frozenset[tuple[str, str, str]] = frozenset()

    @classmethod
    def of(cls, working: WorkingSet, index: GraphIndex) -> EdgesThere:
        """Know the working set."""
        return cls(working, index, frozenset(edge.key for edge in working.extras.edges))

    def __contains__(self, key: object) -> bool:
        if key in self.extras:
            return True
        if not isinstance(key, tuple):
            return False
        source, target = self.index.position(key[0]), self.index.position(key[1])
        # A candidate has one edge, the one that discovered it: from its parent, either way round.
        return self._joins(source, target, key) or self._joins(target, source, key)

    def _joins(self, parent: int | None, child: int | None, key: tuple[str, ...]) -> bool:
        candidates = self.working.candidates
        row = candidates.row(child)
        if parent is None or row == NOWHERE or candidates.parent[row] != parent:
            return False
        return candidates.row(parent) != NOWHERE and self.index.edge(int(candidates.edge[row])).key == key
