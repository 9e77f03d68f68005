"""Score as the weighted sum of signals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

import numpy as np
from pydantic import Field, model_validator

from graphrag_pipeline.graph.arrays import FloatArray
from graphrag_pipeline.model.component import Component
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.contract import ScorerParams
from graphrag_pipeline.stages.scorers.normalise import Normalisation, normalised


class WeightedSumParams(ScorerParams):
    """Which signals count, how much, and on which scale."""

    normalise: Normalisation = "none"
    """Scale that each signal is brought onto before it is weighted."""
    normalise_signals: dict[str, Normalisation] = Field(default_factory=dict)
    """Scale of single signals, by name; ``normalise`` is for the others."""
    clamp: bool = True
    """Limit scores to 0 … 1."""

    @model_validator(mode="after")
    def _zscore_is_not_clamped(self) -> Self:
        if self.clamp and "zscore" in (self.normalise, *self.normalise_signals.values()):
            raise ValueError("zscore gives values below 0, and clamp would make them 0; set clamp to false")
        return self


class WeightedSum(Component[WeightedSumParams]):
    """Weights times signals, added in the order of the weights.

    Score = Σ weight · scale(signal) over the signals, limited to 0 … 1 when ``clamp`` is set. A scale is
    taken over all candidates that are scored together, extras of a bridge included.
    """

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
            how = self.params.normalise_signals.get(name, self.params.normalise)
            total = total + weight * normalised(signals[name], how)
        return np.clip(total, 0.0, 1.0) if self.params.clamp else total
