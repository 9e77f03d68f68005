"""Rules and gates in a configuration: what is written, and what is said of mistakes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from graphrag_pipeline import ConfigError, load_pipeline
from graphrag_pipeline.config.settings import load_settings, settings_yaml
from graphrag_pipeline.errors import Problem
from graphrag_pipeline.plugin.host import PluginHost

HOST = PluginHost.discover(entry_points=False, environ={})
RULES = """
filter:
  use: rules
  rule:
    all:
      - cell: {match: cell}
      - any:
          - node_type: [persona, 007]
          - not: {property: {key: status, eq: retired}}
      - time: {key: date, from: 1990, until: 2000-06, undated: keep}
      - property: {key: size, in: [1, 1.5, yes, '2'], lt: 1e3}
"""


@pytest.fixture
def mistakes() -> Callable[..., dict[str, Problem]]:
    def find(*overrides: str, dirs: tuple[Path, ...] = ()) -> dict[str, Problem]:
        with pytest.raises(ConfigError) as caught:
            load_settings(overrides, config_dirs=dirs, host=HOST)
        return {problem.key: problem for problem in caught.value.problems}

    return find


def test_rules_are_read_from_a_file_and_written_back(tmp_path: Path) -> None:
    place = tmp_path / "experiment" / "strict.yaml"
    place.parent.mkdir()
    place.write_text(f"# @package _global_{RULES}", encoding="utf-8")
    settings = load_settings(["+experiment=strict"], config_dirs=[tmp_path], host=HOST)
    written = settings.tree["filter"]["rule"]["all"]
    assert written[1] == {
        "any": [
            {"node_type": ["persona", "007"]},
            {"not": {"property": {"key": "status", "exists": None, "eq": "retired", "in": None, **NO_BOUND}}},
        ]
    }
    assert written[2]["time"] == {
        "key": "date",
        "start": None,
        "end": None,
        "from": 1990,
        "until": "2000-06",
        "undated": "keep",
    }
    assert written[3]["property"]["in"] == [1, 1.5, True, "2"]
    (tmp_path / "config.yaml").write_text(settings_yaml(settings), encoding="utf-8")
    again = load_settings([], config_dirs=[tmp_path], host=HOST)
    assert again.tree == settings.tree
    assert again.pipeline == settings.pipeline


NO_BOUND = dict.fromkeys(["gt", "ge", "lt", "le", "regex"])


def test_a_misspelt_rule_is_answered_with_the_nearest(mistakes: Callable[..., dict[str, Problem]]) -> None:
    rule = "{all: [{cell: {}}, {any: [{nod_type: [a]}]}]}"
    problem = mistakes("filter=rules", f"filter.rule={rule}")["filter.rule.all.1.any.0.nod_type"]
    assert problem.what == "unknown key, set to ['a']"
    assert problem.origin == f"override 'filter.rule={rule}'"
    assert problem.hint == (
        "did you mean node_type? keys of filter.rule.all.1.any.0: all, any, not, cell, node_type, edge_type, "
        "namespace, property, time, hop, persona"
    )


@pytest.mark.parametrize(
    ("rule", "key", "what", "hint"),
    [
        ("cell", "", "must be a mapping of keys to values, got 'cell'", ""),
        ("{}", "", "no rule in here: write one, or put them into a list: all: [...] or any: [...]", ""),
        (
            "{hop: {}, persona: mentioned}",
            "",
            "2 rules side by side (hop, persona): write one, or put them into a list: all: [...] or "
            "any: [...]",
            "",
        ),
        (
            "{cell: {match: cel}}",
            ".cell.match",
            "must be 'perspective', 'interrogative' or 'cell', got 'cel'",
            "did you mean cell?",
        ),
        (
            "{cell: {mach: cell}}",
            ".cell.mach",
            "unknown key, set to 'cell'",
            "did you mean match? keys of filter.rule.cell: match, rows, cells, perspectives, interrogatives",
        ),
        (
            "{cell: {perspectives: [boss]}}",
            ".cell.perspectives.0",
            "must be 'executive', 'business_mgmt', 'architect', 'engineer', 'technician' or 'enterprise', "
            "got 'boss'",
            "",
        ),
        ("{cell: {rows: 6}}", ".cell.rows", "must be less than 6, got 6", ""),
        ("{node_type: persona}", ".node_type", "must be a list, got 'persona'", ""),
        ("{node_type: []}", ".node_type", "must have at least 1 entries, has 0", ""),
        ("{all: [{not: 3}]}", ".all.0.not", "must be a mapping of keys to values, got 3", ""),
        ("{hop: {max: -1}}", ".hop.max", "must be at least 0, got -1", ""),
        ("{hop: {max: true}}", ".hop.max", "must be a whole number, got true", ""),
        ("{persona: P-1}", ".persona", "must be 'mentioned', got 'P-1'", ""),
        ("{property: {eq: 1}}", ".property.key", "is required by rules", "filter.rule.property.key=VALUE"),
        (
            "{property: {key: a, ge: soon}}",
            ".property.ge",
            "must be a number, a year or a date such as 1998-05-17, got 'soon'",
            "",
        ),
        (
            "{time: {key: a, from: 2001, until: 2000}}",
            ".time",
            "from 2001 is after until 2000, so nothing fits",
            "",
        ),
    ],
)
def test_every_mistake_has_its_place_and_its_words(
    mistakes: Callable[..., dict[str, Problem]], rule: str, key: str, what: str, hint: str
) -> None:
    found = mistakes("filter=rules", f"filter.rule={rule}")
    assert {at: (problem.what, problem.hint) for at, problem in found.items()} == {
        f"filter.rule{key}": (what, hint)
    }


def test_a_wrong_pattern_is_told_before_anything_runs(mistakes: Callable[..., dict[str, Problem]]) -> None:
    pytest.importorskip("re2", reason="the extra regex is not installed")
    problem = mistakes("filter=property", "filter.rule.property={key: a, regex: '(?=a)'}")
    assert "no pattern that RE2 runs" in problem["filter.rule.property.regex"].what


@pytest.mark.parametrize("depth", [20, 150, 400])
def test_rules_that_are_nested_too_deep_are_one_mistake(
    mistakes: Callable[..., dict[str, Problem]], depth: int, tmp_path: Path
) -> None:
    place = tmp_path / "filter" / "deep.yaml"
    place.parent.mkdir()
    rule = "{not: " * depth + "{persona: mentioned}" + "}" * depth
    place.write_text(f"# Deep.\nuse: rules\nrule: {rule}\n", encoding="utf-8")
    [problem] = mistakes("filter=deep", dirs=(tmp_path,)).values()
    assert "nested" in problem.what or "recursion" in problem.what


def test_another_rule_beside_that_of_an_option_names_the_file(
    mistakes: Callable[..., dict[str, Problem]],
) -> None:
    problem = mistakes("filter=hop", "filter.rule={persona: mentioned}")["filter.rule"]
    assert problem.what.startswith("2 rules side by side (hop, persona)")
    assert problem.origin == "conf/filter/hop.yaml:5"


@pytest.mark.parametrize(
    ("overrides", "what", "hint"),
    [
        (["expand.gate=filtr"], "'filtr' is not a slot", "did you mean filter? filters: filter"),
        (["expand.gate=seed"], "a gate is a filter, and 'seed' is a seed retriever", "filters: filter"),
        (["expand.gate=graph"], "'graph' is not a slot", "filters: filter"),
        (
            ["filter=hop", "expand.gate=filter"],
            "'filter' cannot be a gate: the rule rule.hop asks how a node was reached, which is not known "
            "before the walk",
            "put filter behind the expander in pipeline.order, or take another filter for the gate",
        ),
    ],
)
def test_a_gate_is_checked_before_anything_runs(
    mistakes: Callable[..., dict[str, Problem]], overrides: list[str], what: str, hint: str
) -> None:
    problem = mistakes(*overrides)["expand.gate"]
    assert (problem.what, problem.hint) == (what, hint)
    assert problem.origin.startswith("override 'expand.gate=")


def test_a_gate_mode_is_one_of_two(mistakes: Callable[..., dict[str, Problem]]) -> None:
    assert mistakes("expand.gate_mode=through")["expand.gate_mode"].what == (
        "must be 'block' or 'pass', got 'through'"
    )


def test_a_filter_that_is_wrong_itself_is_not_reported_as_a_gate_too(
    mistakes: Callable[..., dict[str, Problem]],
) -> None:
    assert list(mistakes("filter.match=cel", "expand.gate=filter")) == ["filter.match"]


def test_a_gate_of_its_own_stands_outside_the_order() -> None:
    pipeline = load_pipeline(
        [
            "bridge=noop",
            "+fence.use=rules",
            "fence.rule={node_type: [persona]}",
            "expand.gate=fence",
        ],
        host=HOST,
    )
    trace = pipeline.trace("auditor")
    assert {found.node_type for found in trace.result.nodes} == {"persona"}
    assert set(trace.slots[1].drop_counts()) == {"node_type"}
