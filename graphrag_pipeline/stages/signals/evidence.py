"""Signals that say what seed retrievers and expanders found out."""

from __future__ import annotations

from graphrag_pipeline.graph.arrays import FloatArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates


class EvidenceParams(Params):
    """Evidence is taken as it is."""


class _Evidence(Component[EvidenceParams]):
    """The column of evidence that has the signal's name; 0 where nobody gave it."""

    Params = EvidenceParams

    def compute(self, candidates: Candidates, query: Query, index: GraphIndex) -> FloatArray:
        """Return the column."""
        return candidates.evidence_of(self.name)


class MentionSignal(_Evidence):
    """The value that the seeds ``mention`` and ``hybrid`` gave a node that the query names; 0 … 1."""

    name = "mention"


class PathMax(_Evidence):
    """The value of the best path from a seed, by the expander ``beam``; 0 … 1."""

    name = "path_max"


class PathFromMention(_Evidence):
    """The value of the best path from a mention, by the expander ``beam``; 0 … 1."""

    name = "path_from_mention"


class PathSum(_Evidence):
    """1 - Π(1 - value) over the steps that lead to a node, by the expander ``beam``; 0 … 1."""

    name = "path_sum"
