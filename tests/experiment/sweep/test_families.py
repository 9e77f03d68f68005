"""Scoring many weight vectors at once gives, to the last bit, what each gives by itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline.experiment.sweep.families import CELLS, family_of
from graphrag_pipeline.experiment.sweep.measuring import best
from graphrag_pipeline.pipeline.steps.score import ScoreStep
from graphrag_pipeline.pipeline.steps.step import Place
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.scorers.rrf import ReciprocalRankFusion
from graphrag_pipeline.stages.scorers.weighted_sum import WeightedSum, WeightedSumParams

NAMES = ("a", "b", "c")
NUMBERS = st.floats(-1e6, 1e6, allow_subnormal=True)


def step_of(component, weights):
    return ScoreStep(Place("score", "scorer", component.name), component, {}, weights)


def family(**params):
    weights = dict.fromkeys(NAMES, 0.5)
    return family_of(b"f", step_of(WeightedSum(WeightedSumParams(weights=weights, **params)), weights))


@given(
    columns=st.integers(1, 40).flatmap(
        lambda size: st.lists(st.lists(NUMBERS, min_size=size, max_size=size), min_size=3, max_size=3)
    ),
    weights=st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=9),
    clamp=st.booleans(),
    scale=st.sampled_from(["none", "minmax", "rank"]),
)
def test_all_members_score_as_each_alone(columns, weights, clamp, scale):
    found = family(clamp=clamp, normalise=scale, normalise_signals={"b": "none"})
    signals = {name: np.array(column) for name, column in zip(NAMES, columns, strict=True)}
    scores = found.scores(signals, np.array(weights))
    candidates = Candidates.seeds(np.arange(len(columns[0])))
    for row, weight in zip(scores, weights, strict=True):
        member = found.member(np.array(weight))
        alone = member.component.score(signals, dict(zip(NAMES, weight, strict=True)), candidates)
        assert row.tobytes() == alone.tobytes()


def test_more_members_than_fit_a_core_s_cache_score_the_same():
    generator = np.random.default_rng(1)
    signals = {name: generator.random(500) for name in NAMES}
    weights = generator.random((CELLS // 500 * 2 + 1, 3))
    weights[:, 0] = 0.25
    found = family(clamp=False)
    scores = found.scores(signals, weights)
    for row, weight in zip(scores, weights, strict=True):
        expected = sum((w * signals[name] for w, name in zip(weight, NAMES, strict=True)), np.zeros(500))
        assert row.tobytes() == expected.tobytes()


def test_only_the_built_in_weighted_sum_has_a_family():
    class Mine(WeightedSum):
        """May score in any way."""

    weights = {"a": 1.0}
    params = WeightedSumParams(weights=weights)
    assert family_of(b"f", step_of(WeightedSum(params), weights)) is not None
    assert family_of(b"f", step_of(Mine(params), weights)) is None
    assert family_of(b"f", step_of(ReciprocalRankFusion(), weights)) is None


@given(
    scores=st.integers(1, 60).flatmap(
        lambda size: st.lists(
            st.lists(st.integers(0, 4).map(float), min_size=size, max_size=size), min_size=1, max_size=4
        )
    ),
    depth=st.integers(1, 20),
)
def test_the_first_of_a_ranking_are_those_of_the_whole_stable_ranking(scores, depth):
    table = np.array(scores)
    expected = np.argsort(-table, axis=1, kind="stable")[:, :depth]
    np.testing.assert_array_equal(best(table, depth), expected)


def test_ties_keep_the_order_of_the_nodes():
    assert best(np.full((2, 50), 0.25), 3).tolist() == [[0, 1, 2], [0, 1, 2]]


@pytest.mark.parametrize("size", [0, 1])
def test_rankings_may_be_shorter_than_their_depth(size):
    assert best(np.zeros((2, size)), 5).shape == (2, size)
