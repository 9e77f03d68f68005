"""What the types of edges have in common with a query."""

from __future__ import annotations

import numpy as np

from graphrag_pipeline.graph.arrays import FloatArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.query import Query


def edge_word_shares(query: Query, index: GraphIndex) -> FloatArray:
    """Return for each edge type the share of the query's residual idf that its words make up, 0 … 1.

    The residual is what the query's mentions leave. A query whose residual no edge type shares a word with
    gives 1 for all: it says nothing about edges.
    """
    weight = index.text.ask(query.text).residual_weights
    types = index.text.edge_type_terms
    shares = np.array([sum(weight.get(term, 0.0) for term in terms) for terms in types], dtype=np.float64)
    best = float(shares.max(initial=0.0))
    return shares / best if best else np.ones(len(types))
