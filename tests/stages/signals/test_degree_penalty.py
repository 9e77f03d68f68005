"""The penalty of hubs."""

from __future__ import annotations

import math

import numpy as np
import pytest

from graphrag_pipeline import Candidates, Query
from graphrag_pipeline.stages.signals.degree_penalty import DegreePenalty, DegreePenaltyParams
from tests.tiny import index_of

# a has three neighbours (the second edge to b and the loop do not count), d has none.
GRAPH = index_of("a b c d e", "a>b a>b c>a a>e a>a")
ALL = Candidates.seeds(np.arange(5))


def penalties(form: str) -> list[float]:
    signal = DegreePenalty(DegreePenaltyParams.model_validate({"form": form}))
    return list(signal.compute(ALL, Query("x"), GRAPH).tolist())


def test_the_more_neighbours_the_lower():
    assert penalties("reciprocal") == pytest.approx([1 / (1 + math.log(3)), 1, 1, 1, 1])
    assert penalties("log") == pytest.approx([-math.log(3), 0, 0, 0, 0])


def test_no_penalty_is_a_plain_zero():
    assert [math.copysign(1, value) for value in penalties("log")[1:]] == [1, 1, 1, 1]


def test_the_degree_is_that_of_the_whole_graph_whoever_is_a_candidate():
    alone = Candidates.seeds(np.array([0]))
    assert DegreePenalty().compute(alone, Query("x"), GRAPH).tolist() == penalties("reciprocal")[:1]


def test_another_form_is_refused():
    with pytest.raises(ValueError, match="form"):
        DegreePenaltyParams.model_validate({"form": "square"})
