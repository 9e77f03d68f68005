"""The rule ``persona``: whether a node mentions the query's persona."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphrag_pipeline.graph.arrays import IntArray
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.filters.rules.judgement import Judgement, Scene


@dataclass(frozen=True, slots=True)
class PersonaTest:
    """Whether label, id, a property key or a property value mentions a text that stands for the persona."""

    label = "persona"
    reasons = ("persona",)

    def applies(self, query: Query) -> bool:
        """Whether the query has a persona."""
        return bool(query.persona_anchors)

    def judge(self, scene: Scene, rows: IntArray) -> Judgement:
        """Look for every anchor, in lower case, as the signal ``persona_match`` does."""
        holds = np.zeros(rows.size, dtype=np.bool_)
        node = scene.candidates.node[rows]
        for anchor in scene.query.persona_anchors:
            holds |= scene.index.mentioning(anchor.lower(), node)
        return Judgement.of(holds)

    def remarks(self, scene: Scene) -> tuple[str, ...]:
        """Nothing."""
        return ()
