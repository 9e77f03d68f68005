"""Whether a candidate mentions the query's persona."""

from __future__ import annotations

import numpy as np

from graphrag_pipeline.graph.arrays import FloatArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates


class PersonaMatchParams(Params):
    """Persona match takes no parameters; ``personas.anchors`` says which texts stand for a persona."""


class PersonaMatch(Component[PersonaMatchParams]):
    """1 where label, id, a property key or a property value mentions the persona, else 0."""

    name = "persona_match"
    Params = PersonaMatchParams

    def compute(self, candidates: Candidates, query: Query, index: GraphIndex) -> FloatArray:
        """Return 1 where any anchor, lower-cased, is mentioned; zeros without a persona."""
        mask = np.zeros(len(candidates), dtype=np.bool_)
        for anchor in query.persona_anchors:
            mask |= index.mentioning(anchor.lower(), candidates.node)
        return mask.astype(np.float64)
