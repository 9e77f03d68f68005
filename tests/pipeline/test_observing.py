"""Observers see a run, and cannot change it."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from graphrag_pipeline import Query, StageError
from graphrag_pipeline.plugin.host import PluginHost
from tests.tiny import graph_of, pipeline_of

WATCHER = """
from graphrag_pipeline import hookimpl
import builtins
SEEN = builtins.SEEN_BY_A_TEST

@hookimpl
def graphrag_plan_built(plan): SEEN.append(("plan", len(plan.steps)))
@hookimpl
def graphrag_before_stage(slot, step): SEEN.append(("before", slot, step))
@hookimpl
def graphrag_after_stage(slot, step, trace): SEEN.append(("after", slot, step, trace.candidates_out))
@hookimpl
def graphrag_stage_failed(slot, step, error): SEEN.append(("failed", slot, step, str(error)))
@hookimpl
def graphrag_run_finished(trace): SEEN.append(("finished", len(trace.result.nodes)))
"""
RAISING = "from graphrag_pipeline import hookimpl\n" + "".join(
    f"@hookimpl\ndef graphrag_{event}({arguments}): raise RuntimeError('observer of {event}')\n"
    for event, arguments in (
        ("plan_built", "plan"),
        ("before_stage", "slot"),
        ("after_stage", "trace"),
        ("stage_failed", "error"),
        ("run_finished", "trace"),
    )
)
GRAPH = graph_of("a b", "a>b")


@pytest.fixture
def seen(monkeypatch) -> list[tuple[Any, ...]]:
    events: list[tuple[Any, ...]] = []
    monkeypatch.setattr("builtins.SEEN_BY_A_TEST", events, raising=False)
    return events


@pytest.fixture
def host(tmp_path, seen):
    """A host with plugin files of these texts."""

    def _host(**texts: str) -> PluginHost:
        for name, text in texts.items():
            (tmp_path / f"{name}.py").write_text(text)
        files = [tmp_path / f"{name}.py" for name in texts]
        return PluginHost.discover(entry_points=False, environ={}, files=files, strict=True)

    return _host


def test_observers_are_told_of_every_step_in_order(host, seen):
    pipeline_of(GRAPH, "seed expand context", host=host(watcher=WATCHER)).run("a")
    assert seen == [
        ("plan", 3),
        ("before", "seed", 0),
        ("after", "seed", 0, 1),
        ("before", "expand", 1),
        ("after", "expand", 1, 2),
        ("before", "context", 2),
        ("after", "context", 2, 2),
        ("finished", 2),
    ]


def test_observers_are_told_of_a_failure_and_the_error_is_raised(host, seen):
    class Broken:
        def expand(self, seeds: Any, query: Query, index: Any) -> Any:
            raise ValueError("no way")

    pipeline = pipeline_of(GRAPH, host=host(watcher=WATCHER), given={"expand": Broken()})
    with pytest.raises(StageError, match="no way"):
        pipeline.run("a")
    assert seen[-2:] == [("before", "expand", 1), ("failed", "expand", 1, "no way")]


def test_an_observer_that_raises_changes_nothing_and_is_told_of_once(host, seen, caplog):
    with caplog.at_level(logging.WARNING):
        pipeline = pipeline_of(GRAPH, host=host(raising=RAISING, watcher=WATCHER))
        results = [pipeline.run("a") for _ in range(3)]
    assert results == [pipeline_of(GRAPH).run("a")] * 3
    assert sum(event[0] == "finished" for event in seen) == 3
    assert caplog.text.count("observer of before_stage") == 1
    assert caplog.text.count("observer of run_finished") == 1


def test_the_end_of_a_run_over_an_empty_graph_is_observed_too(host, seen):
    pipeline = pipeline_of(graph_of(), host=host(watcher=WATCHER))
    assert pipeline.trace("a").warnings == ("the graph is empty",)
    assert seen == [("plan", 7), ("finished", 0)]
