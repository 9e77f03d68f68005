"""Score as the weighted sum of signals."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from graphrag_pipeline.graph.arrays import FloatArray
from graphrag_pipeline.model.component import Component
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.contract import ScorerParams


class WeightedSumParams(ScorerParams):
    """Which signals count, and how much."""

    clamp: bool = True
    """Limit scores to 0 … 1."""


class WeightedSum(Component[WeightedSumParams]):
    """Weights times signals, added in the order of the weights."""

    name = "weighted_sum"
    Params = WeightedSumParams

    def score(
        self, signals: Mapping[str, FloatArray], weights: Mapping[str, float], candidates: Candidates
    ) -> FloatArray:
        """Return the sums.

        Columns are added one by one: a matrix product may add in another order on another machine, and
        the last bit of a score would change with it.
        """
        total = np.zeros(len(candidates))
        for name, weight in weights.items():
            total = total + weight * signals[name]
        return np.clip(total, 0.0, 1.0) if self.params.clamp else total
