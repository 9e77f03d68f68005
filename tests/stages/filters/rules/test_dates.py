"""Dates and years as stretches of time."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline.stages.filters.rules.dates import DAY, Period, period_of

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def micros(*parts: int) -> int:
    return (datetime(*parts, tzinfo=UTC) - EPOCH) // timedelta(microseconds=1)  # type: ignore[misc,arg-type]


@pytest.mark.parametrize(
    ("value", "start", "end"),
    [
        ("1998", (1998, 1, 1), (1999, 1, 1)),
        (1998, (1998, 1, 1), (1999, 1, 1)),
        (1998.0, (1998, 1, 1), (1999, 1, 1)),
        (" 1998 ", (1998, 1, 1), (1999, 1, 1)),
        ("1998-12", (1998, 12, 1), (1999, 1, 1)),
        ("2024-02", (2024, 2, 1), (2024, 3, 1)),
        ("2024-02-29", (2024, 2, 29), (2024, 3, 1)),
        ("20240229", (2024, 2, 29), (2024, 3, 1)),
        (20240229, (2024, 2, 29), (2024, 3, 1)),
        ("1998-05-17T10:30", (1998, 5, 17, 10, 30), (1998, 5, 17, 10, 31)),
        ("1998-05-17 10:30:05", (1998, 5, 17, 10, 30, 5), (1998, 5, 17, 10, 30, 6)),
        ("1998-05-17T10:30:05.25Z", (1998, 5, 17, 10, 30, 5, 250_000), (1998, 5, 17, 10, 30, 5, 260_000)),
        ("1998-05-17T10:30:05+02:00", (1998, 5, 17, 8, 30, 5), (1998, 5, 17, 8, 30, 6)),
        ("1998-05-17T23:30-0130", (1998, 5, 18, 1, 0), (1998, 5, 18, 1, 1)),
        (date(1998, 5, 17), (1998, 5, 17), (1998, 5, 18)),
        (datetime(1998, 5, 17, 10, 30, 5), (1998, 5, 17, 10, 30, 5), (1998, 5, 17, 10, 30, 6)),
    ],
)
def test_a_value_names_a_stretch_of_time(value, start, end):
    assert period_of(value) == Period(micros(*start), micros(*end))


def test_years_before_the_first_are_years_too():
    year_zero = period_of("0000")
    assert year_zero is not None
    assert year_zero.end == micros(1, 1, 1)
    assert year_zero.end - year_zero.start == 366 * DAY
    ides = period_of("-0044-03-15")
    assert ides is not None
    assert period_of(-44) == period_of("-0044")
    assert period_of("-0044-03-14") == Period(ides.start - DAY, ides.start)
    assert period_of(-9999) is not None


@pytest.mark.parametrize(
    "value",
    [
        "",
        "soon",
        "c. 1850",
        "98",
        "1998-13",
        "1998-00",
        "1998-02-29",
        "1900-02-29",
        "1998-04-31",
        "1998-5-17",
        "1998-05-17T24:00",
        "1998-05-17T10:60",
        "1998-05-17T10",
        "12345",
        "١٩٩٨",
        "1998" * 20,
        True,
        None,
        12_345,
        10**9,
        pytest.param(10**5000, id="huge"),
        1998.5,
        float("nan"),
        float("inf"),
        b"1998",
        ["1998"],
        {"year": 1998},
    ],
)
def test_what_names_no_time_is_none(value):
    assert period_of(value) is None


@given(st.dates())
def test_days_are_pythons(day):
    start = (day.toordinal() - date(1970, 1, 1).toordinal()) * DAY
    assert period_of(day.isoformat()) == period_of(day) == Period(start, start + DAY)


@given(st.datetimes())
def test_moments_are_pythons(moment):
    start = (moment.replace(tzinfo=UTC) - EPOCH) // timedelta(microseconds=1)
    found = period_of(moment.isoformat(timespec="microseconds"))
    assert found == Period(start, start + 1)
