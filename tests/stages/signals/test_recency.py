"""How new candidates are."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import numpy as np
import pytest

from graphrag_pipeline import Candidates, GraphIndex, Query
from graphrag_pipeline.stages.signals.days import day_of, newest_day
from graphrag_pipeline.stages.signals.recency import Recency, RecencyParams
from tests.tiny import index_of, node

DATED = index_of(
    [
        node("new", date="2026-07-03"),
        node("older", date="2026-06-03"),  # 30 days
        node("undated"),
        node("broken", date="soon"),
        node("oldest", date="2026-05-04T23:00:00+02:00"),  # 60 days
    ]
)
ALL = Candidates.seeds(np.arange(5))


def recency(index: GraphIndex = DATED, candidates: Candidates = ALL, **params: Any) -> list[float]:
    signal = Recency(RecencyParams.model_validate(params))
    return list(signal.compute(candidates, Query("x"), index).tolist())


def test_half_is_left_after_a_half_life():
    assert recency(half_life_days=30) == [1, 0.5, 0, 0, 0.25]


def test_the_newest_of_the_graph_counts_not_the_newest_candidate():
    assert recency(half_life_days=30, candidates=Candidates.seeds(np.array([4, 1]))) == [0.25, 0.5]


def test_ages_are_counted_from_a_given_date_and_what_is_newer_is_one():
    assert recency(half_life_days=30, reference="2026-06-03") == [1, 1, 0, 0, 0.5]
    assert recency(half_life_days=31, reference="2026-08-03")[0] == 0.5


def test_the_newest_is_found_in_a_large_graph_also_behind_the_first_nodes():
    many = [*[node(f"n{place}") for place in range(5000)], node("a", year=2024), node("b", year=2025)]
    index = index_of(many)
    assert recency(index, Candidates.seeds(np.array([5000, 5001, 3])), half_life_days=366) == [0.5, 1, 0]


def test_without_a_date_in_the_graph_all_are_zero():
    assert recency(index_of("a b"), Candidates.seeds(np.arange(2))) == [0, 0]


def test_the_first_key_that_holds_a_date_counts():
    index = index_of([node("a", created="2026-01-01", seen="2025-01-01"), node("b", seen="2026-01-01")])
    pair = Candidates.seeds(np.arange(2))
    assert recency(index, pair, keys=["seen", "created"], half_life_days=365) == [0.5, 1]
    assert recency(index, pair, keys=["created"], half_life_days=365) == [1, 0]


def test_one_signal_may_serve_several_graphs():
    signal = Recency(RecencyParams(half_life_days=30))
    pair = Candidates.seeds(np.arange(2))
    for older in ("2026-06-03", "2026-07-03", "2026-06-03"):
        index = index_of([node("a", date=older), node("b", date="2026-05-04")])
        age = signal.compute(pair, Query("x"), index).tolist()
        assert age == [1, 0.5 if older == "2026-06-03" else 0.25]


@pytest.mark.parametrize(
    ("value", "day"),
    [
        ("2026-07-03", date(2026, 7, 3)),
        (" 2026-07-03 ", date(2026, 7, 3)),
        ("2026-07-03T23:59:59Z", date(2026, 7, 3)),
        ("2026-07-03 10:00", date(2026, 7, 3)),
        ("2026-07-03+05:00", date(2026, 7, 3)),
        ("20260703", date(2026, 7, 3)),
        (20260703, date(2026, 7, 3)),
        ("2026-07", date(2026, 7, 1)),
        ("2026", date(2026, 1, 1)),
        ("2026Z", date(2026, 1, 1)),
        (2026, date(2026, 1, 1)),
        (2026.0, date(2026, 1, 1)),
        ("0001", date(1, 1, 1)),
        (date(2026, 7, 3), date(2026, 7, 3)),
        (datetime(2026, 7, 3, 12), date(2026, 7, 3)),
    ],
)
def test_dates_are_read_in_many_forms(value, day):
    assert day_of(value) == day.toordinal()


@pytest.mark.parametrize(
    "value",
    [
        *("", "soon", "2026-13", "2026-02-30", "July 2026", "26", "0000", "202607", "12026", "2026-7-3"),
        *(0, -2026, 26, 2026.5, 10**9, 10**20, float("nan"), float("inf")),
        *(None, True, {}, [2026], b"2026"),
    ],
)
def test_what_is_no_date_is_none(value):
    assert day_of(value) is None


def test_of_a_list_the_newest_counts():
    assert newest_day({"date": ["2024", "x", "2025", None]}, ["date"]) == date(2025, 1, 1).toordinal()
    assert newest_day({"date": [], "year": 2024}, ["date", "year"]) == date(2024, 1, 1).toordinal()


@pytest.mark.parametrize(
    "wrong",
    [
        {"reference": "soon"},
        {"reference": "2026-02-30"},
        {"half_life_days": 0},
        {"half_life_days": float("inf")},
        {"keys": []},
        {"keys": [""]},
    ],
)
def test_senseless_parameters_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        RecencyParams.model_validate(wrong)


def test_a_number_of_any_length_is_no_date():
    assert day_of(10**5000) is None
