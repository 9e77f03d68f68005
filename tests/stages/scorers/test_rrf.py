"""Reciprocal rank fusion."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from graphrag_pipeline import Candidates
from graphrag_pipeline.stages.scorers.rrf import ReciprocalRankFusion, ReciprocalRankFusionParams


def score(
    signals: dict[str, list[float]], weights: dict[str, float] | None = None, **params: Any
) -> list[float]:
    weights = dict.fromkeys(signals, 1.0) if weights is None else weights
    columns = {name: np.array(column, dtype=np.float64) for name, column in signals.items()}
    made = ReciprocalRankFusionParams.model_validate({"weights": weights, "scale": False, **params})
    candidates = Candidates.seeds(np.arange(len(next(iter(columns.values())))))
    return list(ReciprocalRankFusion(made).score(columns, weights, candidates).tolist())


def test_a_score_is_the_sum_of_reciprocal_ranks():
    found = score({"a": [0.9, 0.5, 0.1], "b": [2.0, 30.0, 1.0]})
    assert found == pytest.approx([1 / 61 + 1 / 62, 1 / 62 + 1 / 61, 1 / 63 + 1 / 63])


def test_a_weight_multiplies_a_vote_and_may_be_negative():
    found = score({"a": [2, 1], "b": [1, 2]}, {"a": 3, "b": -0.5}, k=1)
    assert found == pytest.approx([3 / 2 - 0.5 / 3, 3 / 3 - 0.5 / 2])


def test_equal_values_share_the_mean_of_their_ranks():
    # Three at the top have rank 2 each, the last has rank 4.
    assert score({"a": [1, 1, 0.5, 1]}, k=10) == pytest.approx([1 / 12, 1 / 12, 1 / 14, 1 / 12])


def test_who_has_nothing_of_a_signal_is_not_on_its_list():
    assert score({"a": [0, 3, -1, 2]}, k=1) == pytest.approx([0, 1 / 2, 0, 1 / 3])


def test_all_may_vote_when_asked():
    assert score({"a": [0, 3, -1, 2]}, k=1, voters="all") == pytest.approx([1 / 4, 1 / 2, 1 / 5, 1 / 3])
    assert score({"a": [-1, -2]}, k=1, voters="all") == pytest.approx([1 / 2, 1 / 3])


def test_a_signal_that_knows_nobody_changes_nothing():
    assert score({"a": [2, 1], "b": [0, 0]}) == score({"a": [2, 1]})


@pytest.mark.parametrize("k", [1e-9, 1, 60, 1e6])
@pytest.mark.parametrize("weights", [{"a": 1.0, "b": 1.0}, {"a": 0.3, "b": 0.1}, {"a": 1e9, "b": 1e-9}])
def test_on_the_scale_a_candidate_that_is_first_everywhere_has_one(k, weights):
    found = score({"a": [3, 2, 1], "b": [3, 1, 2]}, weights, k=k, scale=True)
    assert found[0] == 1.0
    assert all(0 < value < 1 for value in found[1:])


def test_the_scale_changes_no_order_and_weights_of_zero_are_allowed():
    signals: dict[str, list[float]] = {"a": [3, 0, 1, 2], "b": [0, 4, 4, 1]}
    plain, scaled = score(signals), score(signals, scale=True)
    assert np.argsort(plain).tolist() == np.argsort(scaled).tolist()
    assert score(signals, {"a": 0.0, "b": 0.0}, scale=True) == [0, 0, 0, 0]


def test_nobody_and_one_are_scored():
    assert score({"a": []}, scale=True) == []
    assert score({"a": [0.2]}, scale=True) == [1]
    assert score({"a": [0.0]}, scale=True) == [0]


def test_the_same_votes_from_other_signals_are_equal_to_the_bit():
    # A public fault: symmetrical rankings came out in another order each time, by the last bit of a sum.
    ranks = list(itertools.permutations([5.0, 4.0, 3.0, 2.0]))
    signals = {f"s{place}": [row[place] for row in ranks] for place in range(4)}
    filled = {name: [*column, 1.0] for name, column in signals.items()}
    # Each permutation is ranked among all, so equal votes are those of the same value.
    found = score(filled, k=1)
    assert len(set(found[:-1])) == 1


def test_two_symmetrical_rankings_keep_visit_order():
    found = score({"A": [2, 1], "B": [1, 2]}, k=1)
    assert found[0] == found[1]
    assert np.argsort(-np.array(found), kind="stable").tolist() == [0, 1]


def test_the_order_of_the_weights_does_not_matter():
    signals: dict[str, list[float]] = {"a": [1, 2, 3, 0], "b": [3, 1, 2, 9], "c": [2, 2, 1, 4]}
    weights = {"a": 0.1, "b": 0.2, "c": 0.7}
    expected = score(signals, weights)
    for order in itertools.permutations(weights.items()):
        assert score(signals, dict(order)) == expected


def test_the_sum_is_right_to_the_last_digits():
    found = score({"a": [1, 2], "b": [1, 2], "c": [2, 1]}, {"a": 0.1, "b": 0.2, "c": 0.3})
    exact = Fraction(1, 10) / 62 + Fraction(2, 10) / 62 + Fraction(3, 10) / 61
    assert found[0] == pytest.approx(float(exact), rel=1e-15)


@pytest.mark.parametrize(
    "wrong",
    [
        {"k": 0},
        {"k": -1},
        {"k": float("inf")},
        {"k": float("nan")},
        {"voters": "some"},
        {"weights": {}},
        {"clamp": True},
    ],
)
def test_senseless_parameters_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        ReciprocalRankFusionParams.model_validate(wrong)


PROGRAM = """
from graphrag_pipeline import load_pipeline
order = "pipeline.order=[seed,expand,score,rerank,context]"
pipeline = load_pipeline(["bridge=noop", "score=rrf", "+rerank=mmr", order])
print([pipeline.run(text).scored for text in ("persona", "who audits the trace", "score")])
"""


def test_a_ranking_is_the_same_in_every_process():
    said = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "42")
    }
    assert len(said) == 1
    assert "concept" in said.pop()
