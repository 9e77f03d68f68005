"""Leaving plugins out of a host that has loaded them."""

from __future__ import annotations

import pytest

from graphrag_pipeline.errors import PluginError
from graphrag_pipeline.plugin.host import PluginHost
from tests.plugin.conftest import HEAD, filter_source


@pytest.mark.parametrize("name", ["pkg_a", "pkg-a", "entry_a", "pkg_a:Hooks"])
def test_a_plugin_is_known_and_blocked_by_entry_point_module_and_distribution(install, name):
    text = filter_source("only_a") + "class Hooks:\n    @hookimpl\n    def graphrag_before_stage(self): ...\n"
    install("pkg-a", text, entry="entry_a", attribute="Hooks")
    host = PluginHost.discover(entry_points=True, environ={})
    assert host.knows(name)
    assert host.observes("before_stage")
    host.block([name])
    assert not host.observes("before_stage")
    assert [record.status for record in host.plugins if record.name == "entry_a"] == ["blocked"]
    early = PluginHost.discover(entry_points=True, environ={}, blocked=[name])
    assert not early.observes("before_stage")


def test_blocking_ends_a_clash(install):
    install("pkg-a", filter_source("bm25"), entry="a")
    install("pkg-b", filter_source("bm25", "only_b"), entry="b")
    host = PluginHost.discover(entry_points=True, environ={})
    host.block(["b"])
    assert host.find("filter", "bm25").plugin == "a"
    assert "only_b" not in host.components("filter")
    with pytest.raises(PluginError, match=r"The plugin b \(pkg-b 1.0\) is blocked"):
        host.find("filter", "only_b")


def test_what_was_blocked_is_not_loaded_later(write):
    host = PluginHost()
    host.block(["mine"])
    host.add_files([write("mine.py", "raise SystemExit(1)")])
    assert [(record.name, record.status) for record in host.plugins] == [("mine", "blocked")]


def test_blocking_twice_and_blocking_nobody_change_nothing(write):
    host = PluginHost()
    host.add_files([write("mine.py", filter_source("mine")), write("yours.py", filter_source("yours"))])
    for _ in range(2):
        host.block(["mine", "nobody"])
    assert list(host.components("filter")) == ["yours"]
    assert not host.knows("nobody")


def test_the_built_ins_stay():
    host = PluginHost.discover(entry_points=False, environ={})
    with pytest.raises(PluginError, match="cannot be blocked"):
        host.block(["builtin"])
    assert "bfs" in host.components("expander")


def test_an_observer_that_was_left_out_is_listed_by_plugin(write):
    text = HEAD + "@hookimpl\ndef graphrag_before_stage(slot):\n    raise ValueError('cannot watch')\n"
    host = PluginHost()
    host.add_files([write("watch.py", text)])
    assert host.observer_errors() == {}
    host.observe("before_stage", slot="seed", step=0)
    assert host.observer_errors() == {"watch": ("before_stage: ValueError: cannot watch",)}
