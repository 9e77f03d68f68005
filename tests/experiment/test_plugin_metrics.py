"""Metrics of plugins in an evaluation: found by name, and never trusted to give a number."""

from __future__ import annotations

import math

import pytest

from graphrag_pipeline.experiment.datasets.checks import judge
from graphrag_pipeline.experiment.evaluate import Evaluator
from graphrag_pipeline.experiment.plugin_metrics import measured, metrics_of
from graphrag_pipeline.experiment.summary import summary
from graphrag_pipeline.plugin.host import PluginHost
from tests.tiny import pipeline_of

PLUGIN = """
from graphrag_pipeline import Component, hookimpl


class FirstHit(Component):
    name = "first_hit"

    def measure(self, ranking, relevant):
        return float(bool(ranking) and ranking[0] in relevant)


class Odd(Component):
    name = "odd"

    def measure(self, ranking, relevant):
        if not ranking:
            raise ValueError("nothing is ranked")
        return float("nan") if len(ranking) == 1 else 0.25


@hookimpl
def graphrag_register_metrics():
    return [FirstHit, Odd]
"""


class Giving:
    def __init__(self, value):
        self.value = value

    def measure(self, ranking, relevant):
        if isinstance(self.value, BaseException):
            raise self.value
        return self.value


@pytest.fixture
def host(tmp_path):
    path = tmp_path / "metrics_plugin.py"
    path.write_text(PLUGIN)
    return PluginHost.discover(entry_points=False, environ={}, files=[path])


def test_metrics_are_found_by_name_and_others_are_left_to_the_library(host):
    assert list(metrics_of(["nDCG@10", "first_hit", "RR", "metrics_plugin:odd"], host)) == [
        "first_hit",
        "metrics_plugin:odd",
    ]
    assert metrics_of(["all-gold@3", "Bpref"], host) == {}


def test_a_metric_is_a_column_beside_the_others(host, index, questions):
    names = ("RR", "first_hit", "odd")
    judged = judge(questions, index)
    rows = list(Evaluator(pipeline_of(index), judged, names, 10, metrics=metrics_of(names, host)).evaluated())
    assert [row.values for row in rows] == [(1, 1, 0.25), (1, 1, None), (0, 0, None), None]
    assert [dict(row.undefined) for row in rows[1:3]] == [
        {"odd": "it gave nan"},
        {"odd": "it raised ValueError: nothing is ranked"},
    ]
    found = summary(rows, names, judged.findings)
    assert (found.measures["odd"].mean, found.measures["odd"].queries) == (0.25, 1)
    assert found.undefined == {
        "odd": {"it gave nan": ("q2",), "it raised ValueError: nothing is ranked": ("q3",)}
    }
    assert found.raised == ("odd",)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (math.nan, "it gave nan"),
        (math.inf, "it gave inf"),
        ("1", "it gave str, which is no number"),
        (None, "it gave NoneType, which is no number"),
        (True, "it gave bool, which is no number"),
        (RuntimeError("no"), "it raised RuntimeError: no"),
        (SystemExit(3), "it raised SystemExit: 3"),
    ],
)
def test_what_is_no_number_is_none_with_a_reason(value, reason):
    assert measured(Giving(value), ("a",), {"a": 1}) == (None, reason)


class Sorting:
    def measure(self, ranking, relevant):
        ranking.sort()
        return 1.0


class Clearing:
    def measure(self, ranking, relevant):
        relevant.clear()
        return 1.0


@pytest.mark.parametrize("metric", [Sorting(), Clearing()])
def test_no_metric_can_change_what_the_next_one_is_given(metric):
    ranking, relevant = ["b", "a"], {"a": 1}
    value, reason = measured(metric, ranking, relevant)
    assert value is None
    assert reason.startswith("it raised AttributeError")
    assert (ranking, relevant) == (["b", "a"], {"a": 1})


def test_an_interrupt_is_no_value():
    with pytest.raises(KeyboardInterrupt):
        measured(Giving(KeyboardInterrupt()), ("a",), {"a": 1})


def test_a_failed_query_counts_0_and_the_metric_is_not_asked():
    assert measured(Giving(RuntimeError("asked")), (), {"a": 1}, failed=True) == (0.0, "")
