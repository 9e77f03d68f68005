"""Whether a candidate is a text rather than a thing that texts are about."""

from __future__ import annotations

import numpy as np

from graphrag_pipeline.graph.arrays import FloatArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates


class TextualParams(Params):
    """Textual takes no parameters; ``text.passage_keys`` says which properties hold a text."""


class Textual(Component[TextualParams]):
    """1 for nodes of a type whose nodes nearly all have a text, and much of all text; else 0."""

    name = "textual"
    Params = TextualParams

    def compute(self, candidates: Candidates, query: Query, index: GraphIndex) -> FloatArray:
        """Return 1 or 0 per candidate, by its type."""
        textual: FloatArray = index.text.textual[candidates.node].astype(np.float64)
        return textual
