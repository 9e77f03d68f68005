"""The state that travels from step to step, and the result it becomes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from graphrag_pipeline.graph.arrays import FloatArray, IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.records import KnowledgeNode
from graphrag_pipeline.model.result import QueryResult
from graphrag_pipeline.stages.candidates import Candidates, Extras
from graphrag_pipeline.stages.contract import Context, ScoredNode


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

    @property
    def scores(self) -> FloatArray:
        """Scores of candidates, then extras."""
        return np.concatenate([self.candidates.score, self.extras.score])

    def ranking(self) -> IntArray:
        """Return rows of candidates-then-extras, best score first; ties keep that order."""
        return np.argsort(-self.scores, kind="stable")

    def candidate_ids(self, index: GraphIndex) -> frozenset[str]:
        """Return the ids of the candidates."""
        return frozenset(index.ids[position] for position in self.candidates.node)

    def node(self, row: int, index: GraphIndex) -> KnowledgeNode:
        """Return the node of a row of candidates-then-extras; the graph's own record wins over a bridge's."""
        if row < len(self.candidates):
            return index.node(int(self.candidates.node[row]))
        extra = self.extras.nodes[row - len(self.candidates)]
        position = index.position(extra.node_id)
        return extra if position is None else index.node(position)

    def ranked(self, index: GraphIndex) -> Iterator[ScoredNode]:
        """Yield every node with its score, best first."""
        scores = self.scores.tolist()
        return (ScoredNode(self.node(row, index), scores[row]) for row in self.ranking().tolist())

    def result(self, index: GraphIndex) -> QueryResult:
        """Materialise the result."""
        return QueryResult(
            nodes=tuple(self.node(row, index) for row in range(len(self))),
            edges=(*self.candidates.edges(index), *self.extras.edges),
            paths=(*self.candidates.paths(index), *self.extras.paths),
            scored=tuple((scored.node.node_id, scored.score) for scored in self.ranked(index)),
            context_text=self.context.text,
        )
