"""The rule ``hop``: how far from its seed a candidate is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from pydantic import Field, model_validator

from graphrag_pipeline.graph.arrays import BoolArray, IntArray
from graphrag_pipeline.model.component import Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.filters.rules.judgement import Judgement, Scene


class HopParams(Params):
    """Edges between a candidate and its seed; a seed, and a node of a bridge, is at 0."""

    min: int = Field(default=0, ge=0, le=1_000_000)
    """Fewest."""
    max: int | None = Field(default=None, ge=0, le=1_000_000)
    """Most; null sets no limit."""

    @model_validator(mode="after")
    def _is_a_range(self) -> Self:
        if self.max is not None and self.max < self.min:
            raise ValueError(f"min {self.min} is more than max {self.max}, so nothing fits")
        return self


@dataclass(frozen=True, slots=True)
class HopTest:
    """Whether a candidate's hop is in the range."""

    params: HopParams

    label = "hop"
    reasons = ("hop",)

    def applies(self, query: Query) -> bool:
        """Always."""
        return True

    def judge(self, scene: Scene, rows: IntArray) -> Judgement:
        """Compare hops."""
        hop = scene.candidates.hop[rows]
        most = np.inf if self.params.max is None else self.params.max
        holds: BoolArray = (hop >= self.params.min) & (hop <= most)
        return Judgement.of(holds)

    def remarks(self, scene: Scene) -> tuple[str, ...]:
        """Nothing."""
        return ()
