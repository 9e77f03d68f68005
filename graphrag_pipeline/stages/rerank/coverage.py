"""Rerank so that the best candidates together hold the terms of the query."""

from __future__ import annotations

import numpy as np
from pydantic import Field

from graphrag_pipeline.graph.arrays import FloatArray, IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.rerank.order import MOST, best_first, scores_in_order
from graphrag_pipeline.stages.rerank.terms import terms_of
from graphrag_pipeline.stages.scorers.normalise import normalised


class QueryCoverageParams(Params):
    """How many candidates are looked at, and how much new terms count."""

    depth: int = Field(default=50, ge=1, le=MOST)
    """How many of the best candidates are put in a new order."""
    trade_off: float = Field(default=0.8, ge=0, le=1)
    """1 looks at the score only, 0 only at the terms of the query that a candidate adds."""
    repeat: float = Field(default=0.0, ge=0, le=1)
    """What is left of a term's weight each time a candidate has it; 0 counts it once."""


class QueryCoverage(Component[QueryCoverageParams]):
    """Next comes the candidate with the highest trade_off · relevance + (1 - trade_off) · gain.

    Gain is the share of the query's idf that the candidate's terms have and no candidate above it had, 0 to
    1; with ``repeat`` a term keeps that part of its weight for each further candidate. Relevance is the
    score as it lies between the lowest and the highest of all candidates. Of equals the one with the better
    score comes first, then the one visited first. So a question that needs two texts gets one for each half
    rather than two for the first.

    Source: the greedy algorithm for weighted coverage, G. L. Nemhauser, L. A. Wolsey, M. L. Fisher, "An
    analysis of approximations for maximizing submodular set functions", Mathematical Programming 14, 1978.
    """

    name = "coverage"
    Params = QueryCoverageParams

    def rerank(self, candidates: Candidates, query: Query, index: GraphIndex) -> FloatArray:
        """Return the scores, those of the best ``depth`` candidates dealt out in the new order."""
        codes = np.unique(index.text.codes(query.text))
        weight = index.text.idf[codes]
        if not weight.sum() > 0:
            return candidates.score
        rows = best_first(candidates.score, self.params.depth)
        relevance = normalised(candidates.score, "minmax")[rows]
        has = _held(terms_of(index, candidates.node[rows]), codes)
        order = self._order(relevance, has, weight / weight.sum())
        return scores_in_order(candidates.score, rows[order])

    def _order(self, relevance: FloatArray, has: FloatArray, weight: FloatArray) -> IntArray:
        good = self.params.trade_off * relevance
        order = np.zeros(good.size, dtype=np.int64)
        for place in range(good.size):
            # Not a matrix product, which may add in another order on another machine.
            value = good + (1 - self.params.trade_off) * (has * weight).sum(axis=1)
            value[order[:place]] = -np.inf
            order[place] = np.argmax(value)
            weight = np.where(has[order[place]] > 0, weight * self.params.repeat, weight)
        return order


def _held(terms: list[IntArray], codes: IntArray) -> FloatArray:
    """Return 1 where a candidate (row) has a term of the query (column), else 0."""
    has = np.zeros((len(terms), codes.size))
    row = np.repeat(np.arange(len(terms)), [of_one.size for of_one in terms])
    every = np.concatenate([*terms, np.zeros(0, dtype=np.int64)])
    column = np.minimum(np.searchsorted(codes, every), codes.size - 1)
    held = codes[column] == every
    has[row[held], column[held]] = 1.0
    return has
