"""The rule ``time``."""

from __future__ import annotations

import pytest

from graphrag_pipeline import GraphIndex, Query
from graphrag_pipeline.stages.filters.rules.time import TimeParams
from tests.stages.filters.rules.judged import every, judged, kept, rules, typed

INDEX = GraphIndex.from_records(
    [
        typed("y1990", on=1990),
        typed("y2000", on="2000"),
        typed("may", on="2000-05-17"),
        typed("several", on=["1980", "2001-01-01"]),
        typed("odd", on="c. 1850"),
        typed("none"),
    ]
)


@pytest.mark.parametrize(
    ("window", "ids"),
    [
        ({"from": 2000}, "y2000 may several"),
        ({"until": 1990}, "y1990 several"),
        ({"from": "2000-05", "until": "2000-06"}, "y2000 may"),
        ({"from": "2000-05-17", "until": "2000-05-17"}, "y2000 may"),
        ({"from": "2000-05-18", "until": 2000}, "y2000"),
        ({"from": 1985, "until": 1995}, "y1990"),
        ({}, "y1990 y2000 may several"),
    ],
)
def test_a_node_is_kept_when_its_time_overlaps(window, ids):
    assert kept({"time": {"key": "on", **window}}, INDEX) == ids


def test_the_reason_tells_the_undated_from_those_outside():
    assert judged({"time": {"key": "on", "from": 2000}}, INDEX) == {
        "y1990": "time: outside",
        "y2000": "",
        "may": "",
        "several": "",
        "odd": "time: undated",
        "none": "time: undated",
    }


def test_the_undated_may_be_left_to_other_rules():
    rule = {"time": {"key": "on", "from": 2000, "undated": "keep"}}
    assert kept(rule, INDEX) == "y2000 may several odd none"
    assert kept({"not": rule}, INDEX) == "y1990 odd none"
    assert kept({"any": [rule, {"property": {"key": "on"}}]}, INDEX) == "y1990 y2000 may several odd"


SPANS = GraphIndex.from_records(
    [
        typed("closed", born=1900, died=1950),
        typed("touching", born=1940, died="1950-12-31"),
        typed("alive", born=1940),
        typed("ancient", died=1945),
        typed("swapped", born=1960, died=1940),
        typed("odd", born="?", died="?"),
        typed("none"),
    ]
)


@pytest.mark.parametrize(
    ("window", "ids"),
    [
        ({"from": 1945, "until": 1949}, "closed touching alive ancient"),
        ({"from": 1946}, "closed touching alive"),
        ({"from": "1950-12-31"}, "closed touching alive"),
        ({"from": 1951}, "alive"),
        ({"until": 1899}, "ancient"),
        ({"until": "1900-01-01"}, "closed ancient"),
    ],
)
def test_two_properties_make_a_span_that_may_be_open(window, ids):
    assert kept({"time": {"start": "born", "end": "died", **window}}, SPANS) == ids


def test_one_end_alone_is_a_span_too():
    assert kept({"time": {"start": "born", "from": 1990}}, SPANS) == "closed touching alive swapped"
    assert kept({"time": {"end": "died", "until": 1940}}, SPANS) == "closed touching ancient swapped"


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"from": 1990}, "name either key, or start and end"),
        ({"key": "a", "start": "b", "from": 1990}, "name either key, or start and end"),
        ({"key": "a", "from": "soon"}, "must be a year or a date"),
        ({"key": "a", "until": 10**9}, "must be a year or a date"),
        ({"key": "a", "from": 2001, "until": "2000-12-31"}, "from 2001 is after until"),
    ],
)
def test_what_cannot_be_meant_is_refused(params, said):
    with pytest.raises(ValueError, match=said):
        TimeParams.model_validate(params)


def test_properties_that_no_candidate_has_are_remarked_on():
    told = rules({"time": {"start": "bron", "end": "died", "from": 1}}).remarks(
        every(SPANS), Query("x"), SPANS
    )
    assert told == ("no candidate has the property 'bron'; did you mean 'born'?",)
