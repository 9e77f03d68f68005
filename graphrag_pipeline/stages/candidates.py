"""The working set of a query, as frozen columns."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np

from graphrag_pipeline.graph.arrays import BoolArray, FloatArray, IntArray, frozen
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.text.settings import TextSettings
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
        evidence: What seed retrievers and expanders found out about each candidate, by name: ``mention``,
            ``path_max``. Signals read it; no scorer changes it.
    """

    node: IntArray
    parent: IntArray
    edge: IntArray
    hop: IntArray
    score: FloatArray
    signals: Mapping[str, FloatArray] = field(default_factory=dict)
    evidence: Mapping[str, FloatArray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("node", "parent", "edge", "hop", "score"):
            object.__setattr__(self, name, frozen(getattr(self, name)))

    @classmethod
    def of(
        cls,
        node: IntArray,
        parent: IntArray,
        edge: IntArray,
        hop: IntArray,
        *,
        evidence: Mapping[str, FloatArray] | None = None,
    ) -> Self:
        """Build unscored candidates."""
        return cls(node, parent, edge, hop, np.zeros(node.size), evidence=evidence or {})

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
            evidence={name: column[mask] for name, column in self.evidence.items()},
        )

    def evidence_of(self, name: str) -> FloatArray:
        """Return a column of evidence; zeros where nothing gave it."""
        column = self.evidence.get(name)
        return np.zeros(len(self)) if column is None else column

    def append(self, more: Self) -> Self:
        """Return these candidates and then others, unscored signals left out.

        Evidence that only one of the two has is 0 for the other.
        """
        names = dict.fromkeys([*self.evidence, *more.evidence])
        return replace(
            self,
            node=np.concatenate([self.node, more.node]),
            parent=np.concatenate([self.parent, more.parent]),
            edge=np.concatenate([self.edge, more.edge]),
            hop=np.concatenate([self.hop, more.hop]),
            score=np.concatenate([self.score, more.score]),
            signals={},
            evidence={
                name: np.concatenate([self.evidence_of(name), more.evidence_of(name)]) for name in names
            },
        )

    @cached_property
    def _order(self) -> IntArray:
        return np.argsort(self.node, kind="stable")

    def rows(self, wanted: IntArray) -> IntArray:
        """Return the row of each node position; :data:`NOWHERE` where it is no candidate."""
        if not len(self):
            return np.full(wanted.size, NOWHERE, dtype=np.int64)
        place = np.searchsorted(self.node, wanted, sorter=self._order)
        rows = self._order[np.minimum(place, len(self) - 1)]
        return np.where(self.node[rows] == wanted, rows, NOWHERE)

    def row(self, node: int | None) -> int:
        """Return the row of one node position; :data:`NOWHERE` for None and for no candidate."""
        return NOWHERE if node is None else int(self.rows(np.array([node]))[0])

    @cached_property
    def parent_row(self) -> IntArray:
        """The row of each parent; :data:`NOWHERE` for a seed and where the parent was dropped."""
        return self.rows(self.parent)

    def edges(self, index: GraphIndex) -> list[KnowledgeEdge]:
        """Return the discovering edges whose two ends are candidates, in visit order."""
        return [index.edge(int(edge)) for edge in self.edge[self.parent_row >= 0]]

    def intact(self) -> BoolArray:
        """Tell of each candidate whether every node on the path from its seed is a candidate."""
        whole: BoolArray = self.hop == 0
        # Parents stand before their children, so one pass in hop order is enough.
        for hop in range(1, int(self.hop.max(initial=0)) + 1):
            rows = np.flatnonzero((self.hop == hop) & (self.parent_row >= 0))
            whole[rows] = whole[self.parent_row[rows]]
        return whole

    def paths(self, index: GraphIndex) -> list[tuple[str, ...]]:
        """Return the path from its seed to each candidate, where every node on it is a candidate."""
        paths: list[tuple[str, ...] | None] = []
        rows = zip(index.ids_at(self.node), self.hop.tolist(), self.parent_row.tolist(), strict=True)
        for node_id, hop, parent_row in rows:
            head = () if hop == 0 else paths[parent_row] if parent_row >= 0 else None
            paths.append(None if head is None else (*head, node_id))
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
        text_settings: How the text of the graph is analysed, and so theirs.
    """

    nodes: tuple[KnowledgeNode, ...] = ()
    edges: tuple[KnowledgeEdge, ...] = ()
    paths: tuple[tuple[str, ...], ...] = ()
    score: FloatArray = field(default_factory=lambda: np.zeros(0))
    signals: Mapping[str, FloatArray] = field(default_factory=dict)
    text_settings: TextSettings | None = None

    @cached_property
    def index(self) -> GraphIndex:
        """The nodes as a small graph of their own, so that stages look at extras as they look at nodes."""
        made = GraphIndex.from_records(self.nodes)
        return made if self.text_settings is None else made.with_text(self.text_settings)

    def as_candidates(self) -> Candidates:
        """Return the nodes as candidates over :attr:`index`."""
        return replace(Candidates.seeds(np.arange(len(self.nodes))), score=self.score, signals=self.signals)

    def keep(self, mask: BoolArray, candidate_ids: Container[str]) -> Self:
        """Return the nodes where ``mask`` is true, with the edges and paths that run between what is left.

        Args:
            mask: One bool per node.
            candidate_ids: Ids of the graph's own candidates.
        """
        nodes = tuple(node for node, kept in zip(self.nodes, mask, strict=True) if kept)
        own = {node.node_id for node in nodes}

        def known(node_id: str) -> bool:
            return node_id in own or node_id in candidate_ids

        return replace(
            self,
            nodes=nodes,
            edges=tuple(edge for edge in self.edges if known(edge.source_id) and known(edge.target_id)),
            paths=tuple(path for path in self.paths if all(map(known, path))),
            score=self.score[mask],
            signals={name: column[mask] for name, column in self.signals.items()},
        )
