"""How rules are written, and how large they may be."""

from __future__ import annotations

import pytest

from graphrag_pipeline.stages.filters.rules.shape import MAX_DEPTH, MAX_RULES, RulesParams


def check(rule: object) -> RulesParams:
    return RulesParams.model_validate({"rule": rule})


def nested(depth: int) -> object:
    rule: object = {"all": []}
    for _ in range(depth - 1):
        rule = {"not": rule}
    return rule


def test_what_is_written_out_can_be_read_again():
    rule = {
        "all": [
            {"cell": {"match": "cell"}},
            {
                "any": [
                    {"node_type": ["persona", "action"]},
                    {"not": {"property": {"key": "status", "in": ["x"]}}},
                ]
            },
            {"time": {"key": "date", "from": 1990}},
            {"hop": {"max": 2}},
            {"persona": "mentioned"},
        ]
    }
    params = check(rule)
    assert RulesParams.model_validate_json(params.model_dump_json(by_alias=True), strict=True) == params


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ({}, "no rule in here"),
        ({"hop": {}, "persona": "mentioned"}, r"2 rules side by side \(hop, persona\)"),
        ({"all": [{"hop": {}}, {}]}, "no rule in here"),
        ({"nod_type": ["a"]}, "Extra inputs"),
        ({"node_type": []}, "at least 1"),
        ({"node_type": "a"}, "valid tuple"),
        ({"all": {"hop": {}}}, "valid tuple"),
        ({"not": [{"hop": {}}]}, "valid dictionary"),
        ({"persona": True}, "mentioned"),
        ({"all": None}, "valid tuple"),
        ("cell", "valid dictionary"),
        (None, "valid dictionary"),
    ],
)
def test_what_is_no_rule_is_refused(rule, said):
    with pytest.raises(ValueError, match=said):
        check(rule)


def test_rules_are_nested_only_so_deep():
    check(nested(MAX_DEPTH))
    with pytest.raises(ValueError, match=f"nested more than {MAX_DEPTH} deep"):
        check(nested(MAX_DEPTH + 1))


def test_there_are_only_so_many_rules():
    check({"all": [{"hop": {}}] * (MAX_RULES - 1)})
    with pytest.raises(ValueError, match=f"more than {MAX_RULES} rules"):
        check({"all": [{"hop": {}}] * MAX_RULES})


def test_a_rule_nested_beyond_any_reason_is_refused_without_a_crash():
    with pytest.raises(ValueError, match=r"nested|[Rr]ecursion"):
        check(nested(5_000))
    itself: dict[str, object] = {}
    itself["not"] = itself
    with pytest.raises(ValueError, match=r"[Rr]ecursion"):
        check(itself)


@pytest.mark.parametrize(
    ("rule", "place"),
    [
        ({"hop": {}}, "rule.hop"),
        (
            {"all": [{"persona": "mentioned"}, {"any": [{"not": {"hop": {"max": 1}}}]}]},
            "rule.all.1.any.0.not.hop",
        ),
        ({"all": [{"edge_type": ["a"]}]}, ""),
    ],
)
def test_a_rule_about_hops_is_no_gate(rule, place):
    assert check(rule).unfit_as_gate.startswith(f"the rule {place} " if place else "")
    assert bool(check(rule).unfit_as_gate) == bool(place)
