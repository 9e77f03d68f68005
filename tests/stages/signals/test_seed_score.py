"""The score that seeds came with."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from graphrag_pipeline import Candidates, Query
from graphrag_pipeline.stages.signals.seed_score import SeedScore
from tests.tiny import index_of, pipeline_of


def test_seeds_have_the_score_they_came_with_and_others_none():
    tree = Candidates.of(*np.array([[0, 1, 2], [-1, 0, -1], [-1, 0, -1], [0, 1, 0]]))
    scored = replace(tree, score=np.array([0.9, 0.4, -2.0]))
    assert SeedScore().compute(scored, Query("x"), index_of("a b c", "a>b")).tolist() == [0.9, 0, -2.0]


def test_it_is_what_the_seed_retriever_said():
    class Seeds:
        def retrieve(self, query, index, k):
            return [("b", 7.5), ("a", 0.25)]

    trace = pipeline_of(index_of("a b c", "a>c"), "seed expand score", given={"seed": Seeds()}).trace("x")
    assert trace.result.scored  # the reference's signals
    working = pipeline_of(index_of("a b c", "a>c"), "seed expand", given={"seed": Seeds()}).trace("x").working
    column = SeedScore().compute(working.candidates, Query("x"), index_of("a b c", "a>c"))
    assert column.tolist() == [7.5, 0.25, 0]
