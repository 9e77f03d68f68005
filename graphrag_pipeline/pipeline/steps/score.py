"""Running signals and a scorer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from graphrag_pipeline.errors import GraphRAGError
from graphrag_pipeline.graph.arrays import FloatArray, frozen
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.pipeline.steps.step import Outcome, Place
from graphrag_pipeline.pipeline.working import WorkingSet
from graphrag_pipeline.plugin.causes import plugin_errors
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.contract import Scorer, Signal


@dataclass(frozen=True, slots=True)
class ScoreStep:
    """Scores candidates, and extras that an earlier bridge brought, from the same signals.

    Signals see extras as a small graph of their own. The scorer sees all at once, as a score that depends
    on the other candidates must: extras are seeds there, at positions behind the graph's last.

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
        own, extras = working.candidates, working.extras
        columns = self.columns(own, query, index)
        if not extras.nodes:
            score = self._score(columns, own)
            return Outcome(replace(working, candidates=replace(own, score=score, signals=columns)))
        others = extras.as_candidates()
        more = self.columns(others, query, extras.index)
        joined = {name: frozen(np.concatenate([columns[name], more[name]])) for name in more}
        score = self._score(joined, own.append(replace(others, node=others.node + index.node_count)))
        own = replace(own, score=score[: len(own)], signals=columns)
        extras = replace(extras, score=score[len(own) :], signals=more)
        return Outcome(replace(working, candidates=own, extras=extras))

    def columns(self, candidates: Candidates, query: Query, index: GraphIndex) -> dict[str, FloatArray]:
        """Return the column of each signal; none is asked about no candidates."""
        size = len(candidates)
        if not size:
            return dict.fromkeys(self.signals, np.zeros(0))
        columns: dict[str, FloatArray] = {}
        for name, signal in self.signals.items():
            place = replace(self.place, kind="signal", use=name)
            try:
                values = signal.compute(candidates, query, index)
            except GraphRAGError:
                raise
            except plugin_errors() as error:  # the runner would name the scorer
                raise place.failure(error) from error
            columns[name] = place.column(values, size, "values")
        return columns

    def _score(self, columns: Mapping[str, FloatArray], candidates: Candidates) -> FloatArray:
        score = self.component.score(MappingProxyType(dict(columns)), self.weights, candidates)
        return self.place.column(score, len(candidates), "scores")
