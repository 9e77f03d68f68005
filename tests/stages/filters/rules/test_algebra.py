"""Rules made of rules: the laws of logic, and a plain evaluator beside ours."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from graphrag_pipeline import NOWHERE, Candidates, GraphIndex, Query, ZachmanCell
from tests.stages.filters.rules.judged import judged, kept, rules, typed
from tests.tiny import edge

INDEX = GraphIndex.from_records(
    [
        typed("a", "person", zachman_cell="architect:how", year=1990),
        typed("b", "place", zachman_cell="architect:who", year=2000),
        typed("c", "person", zachman_cell="engineer:how", owner="P-1"),
        typed("d", "place"),
        typed("e", "thing", zachman_cell="engineer", year="odd"),
    ],
    [edge("a>b", "uses"), edge("b>c", "owns"), edge("c>d", "uses"), edge("d>e", "owns")],
)
WALKED = Candidates.of(
    np.arange(5), np.array([NOWHERE, 0, 1, 2, 3]), np.array([NOWHERE, 0, 1, 2, 3]), np.arange(5)
)
ASKED = Query("x", persona="P-1", cell=ZachmanCell.from_coordinate("architect:how"))

# What each test says of a, b, c, d and e: true, false, or that it cannot tell.
T, F, N = True, False, None
TESTS: list[tuple[dict[str, Any], tuple[bool | None, ...]]] = [
    ({"cell": {"match": "cell"}}, (T, F, F, F, F)),
    ({"cell": {}}, (T, T, F, F, F)),
    ({"cell": {"interrogatives": ["how"]}}, (T, F, T, F, F)),
    ({"node_type": ["person", "thing"]}, (T, F, T, F, T)),
    ({"edge_type": ["uses"]}, (N, T, F, T, F)),
    ({"hop": {"max": 2}}, (T, T, T, F, F)),
    ({"persona": "mentioned"}, (F, F, T, F, F)),
    ({"property": {"key": "year", "ge": 1995}}, (F, T, F, F, F)),
    ({"time": {"key": "year", "until": 1995, "undated": "keep"}}, (T, F, N, N, N)),
    ({"namespace": ["g"]}, (T, T, T, T, T)),
]
Told = tuple[bool | None, ...]
leaves = st.sampled_from(TESTS)


def _all(told: list[Told]) -> Told:
    """By node: false where one is, else true where one is or there is none at all, else it cannot tell."""
    rows = zip(*told, strict=True) if told else ((True,) for _ in range(5))
    return tuple(F if F in row else (T if T in row else N) for row in rows)


def _not(told: Told) -> Told:
    return tuple(None if value is None else not value for value in told)


def _any(told: list[Told]) -> Told:
    return _not(_all([_not(one) for one in told]))


def grouped(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    lists = st.lists(children, max_size=3)
    return st.one_of(
        lists.map(lambda found: ({"all": [rule for rule, _ in found]}, _all([told for _, told in found]))),
        lists.map(lambda found: ({"any": [rule for rule, _ in found]}, _any([told for _, told in found]))),
        children.map(lambda found: ({"not": found[0]}, _not(found[1]))),
    )


trees = st.recursive(leaves, grouped, max_leaves=8)


def mask(rule: dict[str, Any]) -> list[bool]:
    told = judged(rule, INDEX, ASKED, WALKED)
    assert told is not None
    return [not reason for reason in told.values()]


@given(leaves)
def test_each_test_says_what_the_table_says(leaf):
    rule, told = leaf
    assert mask(rule) == [value is not False for value in told]
    assert mask({"not": rule}) == [value is not True for value in told]


@settings(max_examples=300)
@given(trees)
def test_rules_of_rules_are_what_a_plain_evaluator_says(tree):
    rule, told = tree
    assert mask(rule) == [value is not False for value in told]


@given(st.lists(trees, max_size=3))
def test_de_morgan(found):
    inner = [rule for rule, _ in found]
    opposite = [{"not": rule} for rule in inner]
    assert mask({"not": {"all": inner}}) == mask({"any": opposite})
    assert mask({"not": {"any": inner}}) == mask({"all": opposite})


@given(trees)
def test_a_double_not_changes_nothing(tree):
    assert mask({"not": {"not": tree[0]}}) == mask(tree[0])


@given(trees, trees, trees)
def test_order_and_grouping_and_repeating_change_nothing(one, two, three):
    a, b, c = one[0], two[0], three[0]
    for group in ("all", "any"):
        assert mask({group: [a, b]}) == mask({group: [b, a]})
        assert mask({group: [a, b, c]}) == mask({group: [a, {group: [b, c]}]})
        assert mask({group: [a, a]}) == mask({group: [a]}) == mask(a)


@given(trees, trees)
def test_a_rule_is_judged_node_by_node(one, two):
    # What other candidates there are changes nothing, so batches of a gate say what one call would.
    rule = rules({"any": [one[0], {"all": [two[0], one[0]]}]})
    whole = rule.keep(WALKED, ASKED, INDEX)
    assert whole is not None
    for row in range(5):
        alone = rule.keep(WALKED.keep(np.arange(5) == row), ASKED, INDEX)
        assert alone is not None
        assert alone.keep.tolist() == [whole.keep[row]]
        assert whole.keep[row] or alone.reason.tolist() == [whole.reason[row]]


def test_all_of_none_keeps_everything_and_any_of_none_nothing():
    assert kept({"all": []}, INDEX) == "a b c d e"
    assert judged({"any": []}, INDEX) == dict.fromkeys("abcde", "any()")
    assert kept({"not": {"any": []}}, INDEX) == "a b c d e"
    assert judged({"not": {"all": []}}, INDEX) == dict.fromkeys("abcde", "not all()")


def test_the_reason_of_all_is_that_of_the_first_rule_that_fails():
    rule = {"all": [{"node_type": ["person"]}, {"property": {"key": "year"}}]}
    assert judged(rule, INDEX) == {
        "a": "",
        "b": "node_type",
        "c": "property year",
        "d": "node_type",
        "e": "node_type",
    }


def test_the_reason_of_any_is_that_none_of_its_rules_held():
    rule = {"any": [{"node_type": ["person"]}, {"not": {"property": {"key": "year"}}}]}
    told = judged(rule, INDEX)
    assert told == {
        "a": "",
        "b": "any(node_type, not property year)",
        "c": "",
        "d": "",
        "e": "any(node_type, not property year)",
    }


def test_a_rule_that_the_query_says_nothing_about_is_left_out():
    plain = Query("x")
    cell: dict[str, Any] = {"cell": {}}
    persona, person = {"persona": "mentioned"}, {"node_type": ["person"]}
    assert kept({"all": [cell, person]}, INDEX, plain) == "a c"
    assert kept({"any": [cell, person]}, INDEX, plain) == "a c"
    assert kept({"not": {"all": [cell, person]}}, INDEX, plain) == "b d e"
    for rule in ({"all": [cell, persona]}, {"any": [cell]}, {"not": cell}, {"not": {"all": [persona]}}):
        assert judged(rule, INDEX, plain) is None
    assert kept({"all": [cell, {"all": []}]}, INDEX, plain) == "a b c d e"
