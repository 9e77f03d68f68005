from __future__ import annotations

import logging
import sys

import pytest

from graphrag_pipeline.plugin.hookspecs import EVENTS
from graphrag_pipeline.plugin.host import PluginHost
from tests.plugin.conftest import HEAD

WATCHER = (
    HEAD
    + """
SEEN = []
@hookimpl
def graphrag_before_stage(slot):
    SEEN.append(slot)
"""
)
BROKEN = (
    HEAD
    + """
CALLS = []
@hookimpl
def graphrag_before_stage(slot, step):
    CALLS.append(slot)
    raise ValueError("cannot watch")

@hookimpl
def graphrag_run_finished(trace):
    CALLS.append(trace)
"""
)


@pytest.fixture
def load(importable):
    """Load plugin modules by name and text; return the host."""

    def _load(**texts: str) -> PluginHost:
        for name, text in texts.items():
            (importable / f"{name}.py").write_text(text)
        host = PluginHost(strict=True)
        host.add_modules(list(texts))
        return host

    return _load


def module(name: str):
    return sys.modules[name]


def test_an_observer_gets_the_arguments_it_asks_for(load):
    host = load(watch_slots=WATCHER)
    host.observe("before_stage", slot="seed", step=0)
    assert module("watch_slots").SEEN == ["seed"]


def test_a_host_knows_whether_anybody_observes(load):
    host = load(watch_slots=WATCHER)
    assert [event for event in EVENTS if host.observes(event)] == ["before_stage"]


def test_an_observer_that_raises_does_not_keep_the_others_from_watching(load):
    for names in (("watch_a", "broken_b"), ("broken_c", "watch_d")):
        host = load(**{name: WATCHER if name.startswith("watch") else BROKEN for name in names})
        host.observe("before_stage", slot="seed", step=0)
        watcher = next(name for name in names if name.startswith("watch"))
        assert module(watcher).SEEN == ["seed"]


def test_an_observer_that_raises_is_logged_once_and_left_out(load, caplog):
    host = load(broken_one=BROKEN)
    for slot in ("seed", "expand"):
        host.observe("before_stage", slot=slot, step=0)
    assert module("broken_one").CALLS == ["seed"]
    messages = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert len(messages) == 1
    assert "broken_one" in messages[0]
    assert "ValueError: cannot watch" in messages[0]
    assert "broken_one.py:7" in messages[0]


def test_it_stays_left_out_when_further_plugins_are_loaded(load, importable):
    host = load(broken_one=BROKEN)
    host.observe("before_stage", slot="seed", step=0)
    (importable / "watch_more.py").write_text(WATCHER)
    host.add_modules(["watch_more"])
    host.observe("before_stage", slot="expand", step=1)
    assert module("broken_one").CALLS == ["seed"]
    assert module("watch_more").SEEN == ["expand"]


def test_its_other_observers_go_on(load):
    host = load(broken_one=BROKEN)
    host.observe("before_stage", slot="seed", step=0)
    host.observe("run_finished", trace="done")
    assert module("broken_one").CALLS == ["seed", "done"]


def test_another_host_asks_it_again(load):
    load(broken_one=BROKEN).observe("before_stage", slot="seed", step=0)
    again = PluginHost()
    again.add_modules(["broken_one"])
    assert again.observes("before_stage")


def test_the_report_tells_what_observers_raised(load):
    host = load(broken_one=BROKEN)
    host.observe("before_stage", slot="seed", step=0)
    assert host.report().plugins[0].observer_errors == ("before_stage: ValueError: cannot watch",)


def test_exit_in_an_observer_does_not_end_the_program(load):
    host = load(broken_one=BROKEN.replace('raise ValueError("cannot watch")', "raise SystemExit(1)"))
    host.observe("before_stage", slot="seed", step=0)
    assert not host.observes("before_stage")


def test_ctrl_c_in_an_observer_ends_the_program(load):
    host = load(broken_one=BROKEN.replace('raise ValueError("cannot watch")', "raise KeyboardInterrupt"))
    with pytest.raises(KeyboardInterrupt):
        host.observe("before_stage", slot="seed", step=0)


def test_an_event_that_does_not_exist_is_a_mistake_of_the_caller():
    with pytest.raises(KeyError):
        PluginHost().observe("before_stag", slot="seed", step=0)
