"""Running signals and a scorer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from graphrag_pipeline.errors import GraphRAGError
from graphrag_pipeline.graph.arrays import FloatArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.pipeline.steps.step import Outcome, Place
from graphrag_pipeline.pipeline.working import WorkingSet
from graphrag_pipeline.plugin.causes import PLUGIN_ERRORS
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.contract import Scorer, Signal


@dataclass(frozen=True, slots=True)
class ScoreStep:
    """Scores candidates, and extras that an earlier bridge brought, from the same signals.

    Args:
        place: Where it stands.
        component: The scorer.
        signals: The signals, in the order of the weights.
        weights: One weight per signal.
    """

    place: Place
    component: Scorer
    signals: Mapping[str, Signal]
    weights: Mapping[str, float]

    def run(self, working: WorkingSet, query: Query, index: GraphIndex) -> Outcome:
        """Set score and signal columns; with nothing to score nothing is called."""
        if not len(working):
            return Outcome(working, idle="no candidates")
        candidates, extras = working.candidates, working.extras
        if len(candidates):
            columns, score = self._score(candidates, query, index)
            candidates = replace(candidates, score=score, signals=columns)
        if extras.nodes:
            columns, score = self._score(extras.as_candidates(), query, extras.index)
            extras = replace(extras, score=score, signals=columns)
        return Outcome(replace(working, candidates=candidates, extras=extras))

    def _score(
        self, candidates: Candidates, query: Query, index: GraphIndex
    ) -> tuple[dict[str, FloatArray], FloatArray]:
        size = len(candidates)
        columns: dict[str, FloatArray] = {}
        for name, signal in self.signals.items():
            place = replace(self.place, kind="signal", use=name)
            try:
                values = signal.compute(candidates, query, index)
            except GraphRAGError:
                raise
            except PLUGIN_ERRORS as error:  # the runner would name the scorer
                raise place.failure(error) from error
            columns[name] = place.column(values, size, "values")
        score = self.component.score(MappingProxyType(columns), self.weights, candidates)
        return columns, self.place.column(score, size, "scores")
