"""Whether a candidate's label or id contains the query text."""

from __future__ import annotations

import numpy as np

from graphrag_pipeline.graph.arrays import FloatArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates


class LabelMatchParams(Params):
    """Label match takes no parameters."""


class LabelMatch(Component[LabelMatchParams]):
    """1 where label or id contains the lower-cased query text, else 0; empty text matches nothing."""

    name = "label_match"
    Params = LabelMatchParams

    def compute(self, candidates: Candidates, query: Query, index: GraphIndex) -> FloatArray:
        """Return 1 or 0 per candidate; unlike seeding, the text is not stripped."""
        if not query.text:
            return np.zeros(len(candidates))
        return index.named(query.text.lower(), candidates.node).astype(np.float64)
