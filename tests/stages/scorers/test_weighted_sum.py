"""The weighted sum."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline import Candidates
from graphrag_pipeline.stages.scorers.weighted_sum import WeightedSum, WeightedSumParams


def score(signals: dict[str, list[float]], weights: dict[str, float], clamp: bool = True) -> list[float]:
    columns = {name: np.array(column, dtype=np.float64) for name, column in signals.items()}
    size = len(next(iter(columns.values())))
    found = WeightedSum(WeightedSumParams(weights=weights, clamp=clamp)).score(
        columns, weights, Candidates.seeds(np.arange(size))
    )
    return list(found.tolist())


def test_the_references_sums_are_exact_to_the_bit():
    signals: dict[str, list[float]] = {
        "baseline": [1, 1, 1, 1],
        "label_match": [0, 1, 0, 1],
        "persona_match": [0, 0, 1, 1],
    }
    weights = WeightedSumParams().weights
    assert list(weights.items()) == [("baseline", 0.1), ("label_match", 0.5), ("persona_match", 0.4)]
    assert score(signals, weights) == [0.1, 0.1 + 0.5, 0.1 + 0.4, 0.1 + 0.5 + 0.4]


def test_the_order_of_the_weights_is_the_order_of_adding():
    signals: dict[str, list[float]] = {"a": [1], "b": [1], "c": [1]}
    forth, back = {"a": 0.1, "b": 0.2, "c": 0.3}, {"c": 0.3, "b": 0.2, "a": 0.1}
    assert score(signals, forth, clamp=False) == [0.1 + 0.2 + 0.3]
    assert score(signals, back, clamp=False) == [0.3 + 0.2 + 0.1]
    assert score(signals, forth) != score(signals, back)


@given(
    st.lists(st.tuples(st.floats(-2, 2), st.floats(-2, 2), st.floats(-2, 2)), min_size=1, max_size=40),
    st.tuples(st.floats(-2, 2), st.floats(-2, 2), st.floats(-2, 2)),
)
def test_every_sum_is_what_python_adds_up(rows, weights):
    names = "abc"
    signals = {name: [row[place] for row in rows] for place, name in enumerate(names)}
    found = score(signals, dict(zip(names, weights, strict=True)), clamp=False)
    for row, total in zip(rows, found, strict=True):
        expected = 0.0
        for weight, value in zip(weights, row, strict=True):
            expected = expected + weight * value
        assert total == expected


def test_scores_are_clamped_unless_asked_otherwise():
    signals: dict[str, list[float]] = {"a": [-1, 0.5, 3]}
    assert score(signals, {"a": 1.0}) == [0.0, 0.5, 1.0]
    assert score(signals, {"a": 1.0}, clamp=False) == [-1.0, 0.5, 3.0]


def test_a_weight_of_zero_is_allowed_and_nothing_is_negative_zero():
    assert math.copysign(1, score({"a": [1]}, {"a": -0.0})[0]) == 1


@pytest.mark.parametrize("weight", [1e9, -1e9, 0])
def test_a_weight_is_at_most_a_thousand_million_either_way(weight):
    assert WeightedSumParams(weights={"a": weight}).weights == {"a": weight}
    with pytest.raises(ValueError, match="1000000000"):
        WeightedSumParams(weights={"a": (weight or 1e9) * 1.001})


@pytest.mark.parametrize(
    "wrong", [{"weights": {}}, {"weights": {"a": float("nan")}}, {"weights": {"a": "x"}}, {"weight": {}}]
)
def test_weights_must_be_some_finite_numbers(wrong):
    with pytest.raises(ValueError, match="weight"):
        WeightedSumParams.model_validate(wrong)


COLUMNS: dict[str, list[float]] = {"a": [2, 4, 10], "b": [0.1, 0.3, 0.2]}


def test_signals_are_brought_onto_one_scale_before_they_are_weighted():
    params = {"weights": {"a": 1.0, "b": 0.5}, "clamp": False, "normalise": "minmax"}
    assert scaled(params) == pytest.approx([0, 0.25 + 0.5, 1 + 0.25])
    assert scaled(params | {"normalise": "rank"}) == pytest.approx([0, 0.5 + 0.5, 1 + 0.25])


def test_a_signal_may_have_a_scale_of_its_own():
    params = {"weights": {"a": 1.0, "b": 1.0}, "clamp": False, "normalise_signals": {"a": "rank"}}
    assert scaled(params) == pytest.approx([0.1, 0.5 + 0.3, 1 + 0.2])
    params = params | {"normalise": "minmax", "normalise_signals": {"b": "none"}}
    assert scaled(params) == pytest.approx([0.1, 0.25 + 0.3, 1 + 0.2])


def test_scores_below_zero_are_not_clamped_away_in_silence():
    for scale in ({"normalise": "zscore"}, {"normalise_signals": {"a": "zscore"}}):
        with pytest.raises(ValueError, match="set clamp to false"):
            WeightedSumParams.model_validate(scale)
        WeightedSumParams.model_validate({**scale, "clamp": False})


def test_without_a_scale_a_signal_is_taken_as_it_is_to_the_bit():
    plain = {"weights": {"a": 0.1, "b": 0.7}, "clamp": False}
    assert (
        scaled({**plain, "normalise": "none"}) == scaled(plain) == score(COLUMNS, {"a": 0.1, "b": 0.7}, False)
    )


def test_an_unknown_scale_is_refused():
    with pytest.raises(ValueError, match="normalise"):
        WeightedSumParams.model_validate({"normalise": "softmax"})


def scaled(params: dict[str, Any]) -> list[float]:
    made = WeightedSumParams.model_validate(params)
    columns = {name: np.array(column, dtype=np.float64) for name, column in COLUMNS.items()}
    return list(WeightedSum(made).score(columns, made.weights, Candidates.seeds(np.arange(3))).tolist())
