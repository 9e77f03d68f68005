"""What dropped nodes are told: one text for each rule."""

from __future__ import annotations

from graphrag_pipeline.stages.filters.rules.compiled import LONGEST, compile_rules
from graphrag_pipeline.stages.filters.rules.shape import RulesParams


def reasons(rule):
    return compile_rules(RulesParams.model_validate({"rule": rule}).rule).reasons


def test_reasons_that_two_rules_share_say_where_the_rule_stands():
    year = {"key": "year"}
    rule = {"all": [{"property": {**year, "ge": 1}}, {"node_type": ["a"]}, {"property": {**year, "le": 9}}]}
    assert reasons(rule) == ("property year (rule.all.0)", "node_type", "property year (rule.all.2)")


def test_inner_rules_have_reasons_of_their_own_in_the_order_they_are_written():
    rule = {"not": {"any": [{"cell": {}}, {"not": {"hop": {"max": 1}}}]}}
    assert reasons(rule) == (
        "cell: no_cell",
        "cell: unreadable_cell",
        "cell: other_perspective",
        "cell: other_interrogative",
        "hop",
        "not hop",
        "any(cell, not hop)",
        "not any(cell, not hop)",
    )


def test_a_long_reason_is_cut():
    rule = {"any": [{"property": {"key": f"a_long_name_{number}"}} for number in range(9)]}
    last = reasons(rule)[-1]
    assert last.startswith("any(property a_long_name_0, ")
    assert last.endswith("…)")
    assert len(last) == LONGEST


def test_equal_rules_in_one_place_are_told_apart():
    found = reasons({"any": [{"any": []}, {"any": []}]})
    assert len(set(found)) == len(found) == 3


def test_the_same_rule_gives_the_same_reasons():
    rule = {"all": [{"node_type": ["b", "a"]}, {"any": [{"persona": "mentioned"}, {"namespace": ["x"]}]}]}
    assert reasons(rule) == reasons(rule)
