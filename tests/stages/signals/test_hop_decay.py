"""Nearness to a seed."""

from __future__ import annotations

import numpy as np
import pytest

from graphrag_pipeline import Candidates, Query
from graphrag_pipeline.stages.signals.hop_decay import HopDecay, HopDecayParams
from tests.tiny import index_of

CHAIN = index_of("a b c d", "a>b b>c c>d")
WALK = Candidates.of(*np.array([[0, 1, 2, 3], [-1, 0, 1, 2], [-1, 0, 1, 2], [0, 1, 2, 3]]))


def decays(decay: float, candidates: Candidates = WALK) -> list[float]:
    signal = HopDecay(HopDecayParams(decay=decay))
    return list(signal.compute(candidates, Query("x"), CHAIN).tolist())


def test_each_hop_multiplies_by_the_decay():
    assert decays(0.5) == [1, 0.5, 0.25, 0.125]
    assert decays(0.7) == [1, 0.7, 0.7 * 0.7, 0.7 * 0.7 * 0.7]


def test_a_decay_of_one_is_no_decay_and_of_zero_leaves_seeds_only():
    assert decays(1) == [1, 1, 1, 1]
    assert decays(0) == [1, 0, 0, 0]


def test_a_very_long_way_ends_at_next_to_nothing():
    far = Candidates.of(np.arange(2), np.array([-1, 0]), np.array([-1, 0]), np.array([0, 5000]))
    assert decays(0.7, far) == pytest.approx([1, 0], abs=1e-300)


@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan")])
def test_another_decay_is_refused(wrong):
    with pytest.raises(ValueError, match="decay"):
        HopDecayParams(decay=wrong)
