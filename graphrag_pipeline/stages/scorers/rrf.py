"""Score by reciprocal rank fusion: each signal ranks the candidates, and the ranks are added up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
from pydantic import Field

from graphrag_pipeline.graph.arrays import FloatArray
from graphrag_pipeline.model.component import Component
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.contract import ScorerParams
from graphrag_pipeline.stages.scorers.normalise import average_ranks


class ReciprocalRankFusionParams(ScorerParams):
    """Which signals vote, with which weight, and how fast a vote falls with the rank."""

    k: float = Field(default=60.0, gt=0, le=1e6)
    """Added to each rank: the smaller, the more the first ranks count."""
    voters: Literal["positive", "all"] = "positive"
    """Whom a signal ranks: the candidates for which it is above 0, or all."""
    scale: bool = True
    """Divide by the score of a candidate that all signals rank first, so that scores are at most 1."""


class ReciprocalRankFusion(Component[ReciprocalRankFusionParams]):
    """The sum of weight / (k + rank) over the signals that rank a candidate.

    Rank 1 is the highest value of a signal. Equal values share the mean of their ranks, so a signal that
    says the same of many says little of each. Where ``scale`` is set, the sum is divided by
    Σ abs(weight) / (k + 1).

    Source: G. V. Cormack, C. L. A. Clarke, S. Büttcher, "Reciprocal rank fusion outperforms Condorcet and
    individual rank learning methods", SIGIR 2009. Theirs has k = 60, no weights, and no ties.
    """

    name = "rrf"
    Params = ReciprocalRankFusionParams

    def score(
        self, signals: Mapping[str, FloatArray], weights: Mapping[str, float], candidates: Candidates
    ) -> FloatArray:
        """Return the sums; they do not depend on the order of the weights."""
        if not len(candidates):
            return np.zeros(0)
        total = _added([weight * self._vote(signals[name]) for name, weight in weights.items()])
        most = _added([np.abs([weight]) * (1 / (self.params.k + 1)) for weight in weights.values()])[0]
        return total / most if self.params.scale and most else total

    def _vote(self, column: FloatArray) -> FloatArray:
        ranked = column > 0 if self.params.voters == "positive" else np.ones(column.size, dtype=np.bool_)
        vote = np.zeros(column.size)
        vote[ranked] = 1 / (self.params.k + average_ranks(-column[ranked]))
        return vote


def _added(votes: list[FloatArray]) -> FloatArray:
    """Add up columns from the smallest entry on: equal entries in another order give the same bits."""
    rows = np.sort(np.stack(votes), axis=0)
    total = np.zeros(rows.shape[1])
    for row in rows:
        total = total + row
    return total
