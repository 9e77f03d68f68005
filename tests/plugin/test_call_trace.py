"""``GRAPHRAG_TRACE_PLUGINS``: every call into a plugin is told."""

from __future__ import annotations

import re

import pytest

from graphrag_pipeline.plugin.host import PluginHost
from tests.plugin.conftest import HEAD, filter_source

WATCH = (
    filter_source("watched")
    + """
@hookimpl
def graphrag_before_stage(slot, step):
    if step:
        raise ValueError("no " + chr(27) + "[31m")
"""
)


def lines(text: str) -> list[str]:
    """The lines without their times."""
    return [re.sub(r" \(\d+\.\d\d ms\)$", "", line) for line in text.splitlines()]


def test_imports_hooks_and_observers_are_told_in_order(write):
    said: list[str] = []
    host = PluginHost(trace=said.append)
    host.add_files([write("watch.py", WATCH)])
    host.observe("before_stage", slot="seed", step=0)
    host.observe("before_stage", slot="expand", step=1)
    host.observe("before_stage", slot="expand", step=2)
    assert lines("\n".join(said)) == [
        "plugins: watch (file): import",
        "plugins: watch: graphrag_register_filters -> [Watched]",
        "plugins: watch: graphrag_before_stage",
        r"plugins: watch: graphrag_before_stage -> raised ValueError: no \x1b[31m",
    ]
    assert all(re.search(r" \(\d+\.\d\d ms\)$", line) for line in said)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("raise OSError('no lib')", ["plugins: bad (file): import -> raised OSError: no lib"]),
        (
            HEAD + "@hookimpl\ndef graphrag_register_filters():\n    raise OSError('none today')\n",
            [
                "plugins: bad (file): import",
                "plugins: bad: graphrag_register_filters -> raised OSError: none today",
            ],
        ),
        (
            HEAD
            + "class Odd:\n    def __repr__(self): raise OSError('no')\n    __str__ = __repr__\n"
            + "@hookimpl\ndef graphrag_register_filters():\n    return [Odd(), 3]\n",
            ["plugins: bad (file): import", "plugins: bad: graphrag_register_filters -> [Odd, int]"],
        ),
    ],
)
def test_what_fails_is_told_and_handled_as_ever(write, text, told):
    said: list[str] = []
    file = write("bad.py", text)
    traced, plain = PluginHost(trace=said.append), PluginHost()
    plain.add_files([file])
    traced.add_files([file])
    assert [record.failure for record in traced.plugins] == [record.failure for record in plain.plugins]
    assert lines("\n".join(said)) == told


@pytest.mark.parametrize(
    ("value", "tells"), [("1", True), ("yes", True), ("0", False), ("", False), ("off", False)]
)
def test_the_environment_decides(write, capsys, value, tells):
    environ = {"GRAPHRAG_TRACE_PLUGINS": value}
    PluginHost.discover(files=[write("watch.py", WATCH)], entry_points=False, environ=environ)
    captured = capsys.readouterr()
    assert ("plugins: watch: graphrag_register_filters -> [Watched]" in captured.err) == tells
    assert captured.out == ""
    assert bool(captured.err) == tells


def test_tracing_changes_no_answer(write):
    told = []
    for trace in (None, lambda line: None):
        host = PluginHost(trace=trace)
        host.add_builtins()
        host.add_files([write("watch.py", WATCH)])
        told.append(host.report().to_dict(timings=False))
    assert told[0] == told[1]
