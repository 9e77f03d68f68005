"""Scorers that differ in nothing but their weights: one pass over the signals scores all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from graphrag_pipeline.graph.arrays import FloatArray
from graphrag_pipeline.pipeline.steps.score import ScoreStep
from graphrag_pipeline.pipeline.steps.step import Step
from graphrag_pipeline.stages.scorers.normalise import Normalisation, normalised
from graphrag_pipeline.stages.scorers.weighted_sum import WeightedSum

CELLS = 16_384
"""Scores that are added up at a time: 128 KB, so that they stay in a core's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """Weighted sums of the same signals on the same scales.

    Args:
        identity: Digest of all that its members have in common.
        step: One of its members.
        names: The signals, in the order they are added.
        scales: The scale of each.
        clamp: Whether scores are limited to 0 … 1.
    """

    identity: bytes
    step: ScoreStep
    names: tuple[str, ...]
    scales: tuple[Normalisation, ...]
    clamp: bool

    def member(self, weights: FloatArray) -> ScoreStep:
        """Return the step of one member."""
        given = dict(zip(self.names, weights.tolist(), strict=True))
        return replace(self.step, weights=MappingProxyType(given))

    def scores(self, columns: Mapping[str, FloatArray], weights: FloatArray) -> FloatArray:
        """Return the scores of all members, to the last bit what each gives by itself.

        A matrix product would add in an order of its own; these sums are taken signal by signal, for
        all members at once.

        Args:
            columns: One number per candidate, by signal.
            weights: By member and signal.

        Returns:
            By member and candidate.
        """
        size = next(iter(columns.values())).size
        scaled = [normalised(columns[name], how) for name, how in zip(self.names, self.scales, strict=True)]
        scores = np.empty((len(weights), size))
        rows = max(1, CELLS // max(size, 1))
        for start in range(0, len(weights), rows):
            total = np.zeros((1, size))
            for column, weight in zip(scaled, weights[start : start + rows].T, strict=True):
                # While all members agree, one row stands for all.
                same = bool((weight == weight[0]).all())
                total = total + (weight[:1, None] if same else weight[:, None]) * column
            if self.clamp:
                total = np.clip(total, 0.0, 1.0)
            scores[start : start + rows] = total
        return scores


def family_of(identity: bytes, step: Step) -> Family | None:
    """Return the family of a step; None where only the step itself knows how it scores."""
    if not isinstance(step, ScoreStep) or type(step.component) is not WeightedSum:
        return None
    params = step.component.params
    names = tuple(step.weights)
    scales = tuple(params.normalise_signals.get(name, params.normalise) for name in names)
    return Family(identity, step, names, scales, params.clamp)
