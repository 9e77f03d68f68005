"""What seed retrievers have in common."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import Field

from graphrag_pipeline.graph.text.postings import Bm25, Variant
from graphrag_pipeline.model.component import Params

Share: TypeAlias = Annotated[float, Field(ge=0, le=1)]
Factor: TypeAlias = Annotated[float, Field(ge=0, le=1e6)]


class FieldWeights(Params):
    """How much a term counts in each field of a node."""

    label: Factor = 1.0
    """In the label."""
    aliases: Factor = 1.0
    """In other names."""
    type: Factor = 1.0
    """In the name of the type."""
    passage: Factor = 1.0
    """In what the node says."""


class Bm25Params(Params):
    """Which BM25."""

    variant: Variant = "lucene"
    """Formula: ``lucene``, ``robertson``, ``atire``, ``bm25l`` or ``bm25plus``."""
    k1: float = Field(default=1.5, ge=0, le=100)
    """How soon more of one term stops counting."""
    b: float = Field(default=0.75, ge=0, le=1)
    """How much length counts."""
    delta: float = Field(default=0.5, ge=0, le=10)
    """What ``bm25l`` and ``bm25plus`` add."""
    fields: FieldWeights = FieldWeights()
    """How much a term counts in each field."""

    @property
    def form(self) -> Bm25:
        """The form of BM25."""
        weights = self.fields
        fields = (weights.label, weights.aliases, weights.type, weights.passage)
        return Bm25(self.k1, self.b, self.variant, self.delta, fields)
