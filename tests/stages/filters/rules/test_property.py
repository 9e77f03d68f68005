"""The rule ``property``, and values in nested properties."""

from __future__ import annotations

import pytest

from graphrag_pipeline import GraphIndex, Query
from graphrag_pipeline.stages.filters.rules.property import PropertyParams
from graphrag_pipeline.stages.filters.rules.values import values_at
from tests.stages.filters.rules.judged import every, judged, kept, rules, typed


def index(**values: object) -> GraphIndex:
    """A node for each value of the property ``v``, and one without it."""
    return GraphIndex.from_records([*(typed(name, v=value) for name, value in values.items()), typed("none")])


def test_a_property_is_there_unless_it_is_null_or_an_empty_list():
    nodes = index(zero=0, empty="", no=False, null=None, nothing=[], nulls=[None, [None]], mapping={})
    assert kept({"property": {"key": "v"}}, nodes) == "zero empty no mapping"
    assert kept({"property": {"key": "v", "exists": True}}, nodes) == "zero empty no mapping"
    assert kept({"property": {"key": "v", "exists": False}}, nodes) == "null nothing nulls none"


def test_the_reason_names_the_property():
    told = judged({"property": {"key": "v", "eq": 1}}, index(one=1))
    assert told == {"one": "", "none": "property v"}


MIXED = index(one=1, same=1.0, true=True, text="1", straße="Straße", big="STRASSE", two=2, date="2024-05-01")


@pytest.mark.parametrize(
    ("condition", "ids"),
    [
        ({"eq": 1}, "one same"),
        ({"eq": 1.0}, "one same"),
        ({"eq": True}, "true"),
        ({"eq": "1"}, "text"),
        ({"eq": "Straße"}, "straße"),
        ({"eq": "straße"}, ""),
        ({"in": [2, "1", True]}, "true text two"),
        ({"in": []}, ""),
        ({"gt": 1}, "two"),
        ({"ge": 1}, "one same two"),
        ({"lt": 2}, "one same"),
        ({"le": 1.5, "ge": 0.5}, "one same"),
        ({"gt": 0, "eq": 2}, "two"),
        ({"gt": "2024-04"}, "date"),
    ],
)
def test_a_condition_compares_values_of_one_kind(condition, ids):
    assert kept({"property": {"key": "v", **condition}}, MIXED) == ids


DATES = index(
    year=1998, text="1998", month="1998-05", day="1998-05-17", moment="1998-05-17T23:59:59Z", odd="May"
)


@pytest.mark.parametrize(
    ("condition", "ids"),
    [
        ({"ge": "1998-05"}, "month day moment"),
        ({"gt": "1998-05"}, ""),
        ({"gt": "1998-04-30"}, "month day moment"),
        ({"le": "1998"}, "year text month day moment"),
        ({"le": "1998-05-17"}, "day moment"),
        ({"lt": "1998-06"}, "month day moment"),
        ({"lt": "1998-05-18"}, "day moment"),
        ({"ge": "1998-05-17", "le": "1998-05-17"}, "day moment"),
        ({"ge": 1998}, "year text month day moment"),
        ({"ge": "1998"}, "year text month day moment"),
        ({"ge": "1998-05-17T23:00:00+02:00"}, "moment"),
    ],
)
def test_a_date_is_within_a_bound_with_all_its_days(condition, ids):
    assert kept({"property": {"key": "v", **condition}}, DATES) == ids


def test_one_element_of_a_list_is_enough_and_must_meet_every_condition():
    nodes = index(both=["Microservice", "Legacy"], one=["Legacy"], low_and_high=[1, 9], middle=[5])
    assert kept({"property": {"key": "v", "eq": "Microservice"}}, nodes) == "both"
    assert kept({"property": {"key": "v", "eq": "Legacy"}}, nodes) == "both one"
    assert kept({"property": {"key": "v", "gt": 3, "lt": 7}}, nodes) == "middle"


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("a", [{"b": 1}, {"b": [2, [3, None]]}]),
        ("a.b", [1, 2, 3]),
        ("dc.title", ["Dotted"]),
        ("x.y.z", [4]),
        ("x.y", [{"z": 4}]),
        ("deep", [5]),
        ("a.c", []),
        ("n.b", []),
        ("a.b.c", []),
        (".", []),
        ("..", []),
        ("", []),
    ],
)
def test_dotted_paths_lead_through_mappings_and_lists(path, values):
    properties = {
        "a": [{"b": 1}, {"b": [2, [3, None]]}],
        "dc.title": "Dotted",
        "dc": {"title": "Nested"},
        "x.y": {"z": 4},
        "deep": [[[[5]]]],
        "n": 7,
    }
    assert list(values_at(properties, path)) == values


def test_lists_may_be_nested_deeper_than_python_recurses():
    nested: object = 1
    for _ in range(20_000):
        nested = [nested]
    assert list(values_at({"a": nested}, "a")) == [1]


def test_objects_that_are_no_json_are_no_match():
    nodes = index(thing=object(), octets=b"1", several={"1", "2"}, nan=float("nan"))
    assert kept({"property": {"key": "v", "eq": "1"}}, nodes) == "several"
    assert kept({"property": {"key": "v", "ge": 0}}, nodes) == ""
    assert kept({"property": {"key": "v", "ge": "1990"}}, nodes) == ""


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"key": ""}, "at least 1"),
        ({"key": "a.b.c.d.e.f.g.h.i"}, "at most 8 steps"),
        ({"key": "a", "exists": False, "eq": 1}, "must not exist has no value"),
        ({"key": "a", "ge": "soon"}, "must be a number, a year or a date"),
        ({"key": "a", "ge": "1998-13"}, "must be a number, a year or a date"),
        ({"key": "a", "gt": float("nan")}, "finite"),
        ({"key": "a", "eq": float("inf")}, "finite"),
        ({"key": "a", "regexp": "a"}, "Extra inputs"),
    ],
)
def test_what_cannot_be_meant_is_refused(params, said):
    with pytest.raises(ValueError, match=said):
        PropertyParams.model_validate(params)


def test_a_property_that_no_candidate_has_is_remarked_on():
    # microsoft/graphrag#575: the text stood under another name than the one that was configured.
    nodes = GraphIndex.from_records([typed("a", beschreibung="x", status="y")])
    told = rules({"property": {"key": "statuss"}}).remarks(every(nodes), Query("x"), nodes)
    assert told == ("no candidate has the property 'statuss'; did you mean 'status'?",)
    assert rules({"property": {"key": "status"}}).remarks(every(nodes), Query("x"), nodes) == ()
