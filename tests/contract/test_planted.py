"""The kit catches each mistake that is planted in ``planted.py``, and tells it in its own sentence."""

from __future__ import annotations

import pytest

from graphrag_pipeline.testing.running import run_suite
from tests.contract.planted import PLANTED, Mistake


@pytest.mark.parametrize("mistake", PLANTED, ids=lambda mistake: mistake.what)
def test_a_planted_mistake_is_caught_and_told(mistake: Mistake) -> None:
    found = {checked.check: checked for checked in run_suite(mistake.suite)}
    caught = found[mistake.check]
    assert caught.status == "failed"
    assert mistake.told in caught.told
    assert "\n" not in caught.told
    assert caught.told.startswith("The ")


def test_no_two_mistakes_are_told_in_the_same_words() -> None:
    assert len({mistake.told for mistake in PLANTED}) == len(PLANTED) >= 10
    assert len({mistake.check for mistake in PLANTED}) >= 10
