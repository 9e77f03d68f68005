"""The working set of a query, as frozen columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np

from graphrag_pipeline.graph.arrays import BoolArray, FloatArray, IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.records import KnowledgeEdge, KnowledgeNode

NOWHERE = -1
"""Parent and edge of a seed."""


@dataclass(frozen=True)
class Candidates:
    """Candidates in visit order, one entry per candidate in every column.

    Args:
        node: Node positions, each once.
        parent: Position of the node it was discovered from; :data:`NOWHERE` for a seed.
        edge: Position of the edge it was discovered over; :data:`NOWHERE` for a seed.
        hop: Edges between it and its seed.
        score: Scores; zeros until a score stage ran.
        signals: The columns the scores were made of, by signal name.
    """

    node: IntArray
    parent: IntArray
    edge: IntArray
    hop: IntArray
    score: FloatArray
    signals: Mapping[str, FloatArray] = field(default_factory=dict)

    @classmethod
    def of(cls, node: IntArray, parent: IntArray, edge: IntArray, hop: IntArray) -> Self:
        """Build unscored candidates."""
        return cls(node, parent, edge, hop, np.zeros(node.size))

    @classmethod
    def seeds(cls, node: IntArray) -> Self:
        """Build candidates that are all seeds, best first."""
        nowhere = np.full(node.size, NOWHERE, dtype=np.int64)
        return cls.of(node, nowhere, nowhere, np.zeros(node.size, dtype=np.int64))

    def __len__(self) -> int:
        return self.node.size

    def keep(self, mask: BoolArray) -> Self:
        """Return the candidates where ``mask`` is true, in the same order."""
        return replace(
            self,
            node=self.node[mask],
            parent=self.parent[mask],
            edge=self.edge[mask],
            hop=self.hop[mask],
            score=self.score[mask],
            signals={name: column[mask] for name, column in self.signals.items()},
        )

    @cached_property
    def row_of(self) -> Mapping[int, int]:
        """The row of each node position."""
        return {int(node): row for row, node in enumerate(self.node)}

    @cached_property
    def parent_row(self) -> IntArray:
        """The row of each parent; :data:`NOWHERE` for a seed and where the parent was dropped."""
        rows = (self.row_of.get(int(parent), NOWHERE) for parent in self.parent)
        return np.fromiter(rows, np.int64, len(self))

    def edges(self, index: GraphIndex) -> list[KnowledgeEdge]:
        """Return the discovering edges whose two ends are candidates, in visit order."""
        return [index.edge(int(edge)) for edge in self.edge[self.parent_row >= 0]]

    def paths(self, index: GraphIndex) -> list[tuple[str, ...]]:
        """Return the path from its seed to each candidate, where every node on it is a candidate."""
        paths: list[tuple[str, ...] | None] = []
        for node, hop, parent_row in zip(self.node, self.hop, self.parent_row, strict=True):
            head = () if hop == 0 else paths[parent_row] if parent_row >= 0 else None
            paths.append(None if head is None else (*head, index.ids[node]))
        return [path for path in paths if path is not None]


@dataclass(frozen=True)
class Extras:
    """Nodes, edges and paths that came from a bridge.

    Args:
        nodes: New nodes in the bridge's order, each id once.
        edges: New edges in the bridge's order.
        paths: Paths in the bridge's order.
        score: One score per node.
        signals: The columns the scores were made of, where a score stage ran after the bridge.
    """

    nodes: tuple[KnowledgeNode, ...] = ()
    edges: tuple[KnowledgeEdge, ...] = ()
    paths: tuple[tuple[str, ...], ...] = ()
    score: FloatArray = field(default_factory=lambda: np.zeros(0))
    signals: Mapping[str, FloatArray] = field(default_factory=dict)

    @cached_property
    def index(self) -> GraphIndex:
        """The nodes as a small graph of their own, so that stages look at extras as they look at nodes."""
        return GraphIndex.from_nodes(self.nodes)

    def as_candidates(self) -> Candidates:
        """Return the nodes as candidates over :attr:`index`."""
        return replace(Candidates.seeds(np.arange(len(self.nodes))), score=self.score, signals=self.signals)

    def keep(self, mask: BoolArray, candidate_ids: frozenset[str]) -> Self:
        """Return the nodes where ``mask`` is true, with the edges and paths that run between what is left.

        Args:
            mask: One bool per node.
            candidate_ids: Ids of the graph's own candidates.
        """
        nodes = tuple(node for node, kept in zip(self.nodes, mask, strict=True) if kept)
        known = candidate_ids | {node.node_id for node in nodes}
        return replace(
            self,
            nodes=nodes,
            edges=tuple(edge for edge in self.edges if {edge.source_id, edge.target_id} <= known),
            paths=tuple(path for path in self.paths if known.issuperset(path)),
            score=self.score[mask],
            signals={name: column[mask] for name, column in self.signals.items()},
        )
