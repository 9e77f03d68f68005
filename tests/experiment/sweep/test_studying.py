"""What a study is told: what configs are worth on half A of the queries, or on all."""

from __future__ import annotations

import math

import pytest

from graphrag_pipeline.config.sweep_space import SweepPoint
from graphrag_pipeline.experiment.datasets.checks import judge
from graphrag_pipeline.experiment.datasets.dataset import Dataset, Question
from graphrag_pipeline.experiment.halves import can_split, in_half_a
from graphrag_pipeline.experiment.sweep.standings import read_standings
from graphrag_pipeline.experiment.sweep.studying import holds_back_half, worth
from tests.experiment.sweep.test_standings import QUERIES, store_of
from tests.tiny import index_of

POINT = SweepPoint(0, {"key": "0"}, ())
ON_A = [place for place, query in enumerate(QUERIES) if in_half_a(query)]
ON_B = [place for place, query in enumerate(QUERIES) if not in_half_a(query)]
NAMES = ("nDCG@10", "-tokens", "-seconds")


def told(directory, row, *, half_a, failed=()):
    store_of(directory, [row], failed)
    return worth(read_standings(directory), POINT, NAMES, half_a=half_a)


def table(on_a, on_b):
    """A row of values: those of half A and those of half B."""
    return [
        (on_a if place in ON_A else on_b, 10.0 if place in ON_A else 99.0) for place in range(len(QUERIES))
    ]


def test_a_study_is_told_of_half_a_alone(tmp_path):
    seconds = sorted(0.25 * (place + 1) for place in ON_A)
    middle = (seconds[(len(seconds) - 1) // 2] + seconds[len(seconds) // 2]) / 2
    assert told(tmp_path, table(0.5, 1.0), half_a=True) == [0.5, 10.0, middle]


def test_or_of_all_queries(tmp_path):
    share = len(ON_A) / len(QUERIES)
    found, tokens, seconds = told(tmp_path, table(0.5, 1.0), half_a=False)
    assert found == pytest.approx(share * 0.5 + (1 - share) * 1.0)
    assert tokens == pytest.approx(share * 10 + (1 - share) * 99)
    assert seconds == pytest.approx(0.25 * 6.5)


def test_a_query_of_half_b_that_failed_or_has_no_value_has_no_part_either(tmp_path):
    row = table(0.5, math.nan)
    found = told(tmp_path, row, half_a=True, failed={(0, ON_B[0])})
    assert found is not None
    assert found[0] == 0.5
    assert worth(read_standings(tmp_path), POINT, NAMES, half_a=False) is None


def test_a_query_of_half_a_that_failed_makes_the_point_fail(tmp_path):
    assert told(tmp_path, table(0.5, 0.5), half_a=True, failed={(0, ON_A[0])}) is None


def test_a_point_without_a_value_on_half_a_has_failed(tmp_path):
    assert told(tmp_path, table(math.nan, 0.5), half_a=True) is None


@pytest.mark.parametrize(
    ("judged", "held_back"),
    [
        ((ON_A[0], ON_B[0]), True),
        (ON_A, False),
        (ON_B, False),
        ((), True),
    ],
)
def test_half_b_is_held_back_where_both_halves_have_judged_queries(judged, held_back):
    relevance = {query: {"b": 0} for query in QUERIES} | {QUERIES[place]: {"a": 1} for place in judged}
    dataset = Dataset("set", tuple(Question(query, "a") for query in QUERIES), relevance)
    assert holds_back_half(judge(dataset, index_of("a b", "a>b"))) is held_back


def test_one_query_cannot_be_split():
    assert not can_split(QUERIES[:1])
    assert not can_split([])
    assert can_split(QUERIES)
