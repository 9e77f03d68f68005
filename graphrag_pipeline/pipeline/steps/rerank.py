"""Running a reranker."""

from __future__ import annotations

from dataclasses import dataclass, replace

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.pipeline.steps.step import Outcome, Place
from graphrag_pipeline.pipeline.working import WorkingSet
from graphrag_pipeline.stages.contract import Reranker


@dataclass(frozen=True, slots=True)
class RerankStep:
    """Gives candidates new scores; the nodes of a bridge keep theirs."""

    place: Place
    component: Reranker

    def run(self, working: WorkingSet, query: Query, index: GraphIndex) -> Outcome:
        """Replace the scores; without candidates the reranker is not called."""
        candidates = working.candidates
        if not len(candidates):
            return Outcome(working, idle="no candidates")
        given = self.component.rerank(candidates, query, index)
        score = self.place.column(given, len(candidates), "scores")
        return Outcome(replace(working, candidates=replace(candidates, score=score)))
