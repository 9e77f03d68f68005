from __future__ import annotations

import os
from shutil import copytree

import pytest

from graphrag_pipeline.plugin.host import PluginHost
from tests.plugin.conftest import filter_source


def sources(host: PluginHost) -> dict[str, str]:
    return {record.name: record.source for record in host.report().plugins}


def test_discover_loads_every_source_in_its_documented_place(install, importable, write):
    install("dist-a", filter_source("a"), entry="point_a")
    (importable / "module_b.py").write_text(filter_source("b"))
    file_c = write("file_c.py", filter_source("c"))
    file_d = write("file_d.py", filter_source("d"))
    host = PluginHost.discover(
        modules=["module_b"], files=[file_c], entry_points=True, environ={"GRAPHRAG_PLUGINS": str(file_d)}
    )
    found = sources(host)
    assert found["builtin"] == "builtin"
    assert found["point_a"] == "entry point"
    assert found["module_b"] == "module"
    assert found["file_c"] == "file"
    assert found["file_d"] == "environment"


def test_an_entry_point_carries_its_distribution_and_version(install):
    install("dist-a", filter_source("a"), version="2.5")
    info = PluginHost.discover(entry_points=True, environ={}).find("filter", "a")
    assert (info.plugin, info.distribution, info.version) == ("dist-a", "dist-a", "2.5")


def test_a_module_plugin_carries_the_distribution_that_owns_it(install):
    install("dist-a", filter_source("a"), version="2.5")
    info = PluginHost.discover(modules=["dist_a"], entry_points=False, environ={}).find("filter", "a")
    assert (info.source, info.distribution, info.version) == ("module", "dist-a", "2.5")


def test_the_environment_can_keep_installed_plugins_out(install):
    install("dist-a", filter_source("a"))
    environ = {"GRAPHRAG_PLUGINS_DISABLE_AUTOLOAD": "1"}
    assert "dist-a" not in sources(PluginHost.discover(environ=environ))
    assert "dist-a" in sources(PluginHost.discover(environ={"GRAPHRAG_PLUGINS_DISABLE_AUTOLOAD": "0"}))


def test_the_caller_may_overrule_the_environment(install):
    install("dist-a", filter_source("a"))
    environ = {"GRAPHRAG_PLUGINS_DISABLE_AUTOLOAD": "1"}
    assert "dist-a" in sources(PluginHost.discover(entry_points=True, environ=environ))
    assert "dist-a" not in sources(PluginHost.discover(entry_points=False, environ={}))


@pytest.mark.parametrize("separator", [os.pathsep, ","])
def test_the_environment_lists_modules_files_and_directories(importable, write, separator):
    (importable / "module_b.py").write_text(filter_source("b"))
    file_c = write("file_c.py", filter_source("c"))
    package = write("package_d/__init__.py", filter_source("d")).parent
    listed = separator.join(["module_b", str(file_c), "", str(package)])
    host = PluginHost.discover(entry_points=False, environ={"GRAPHRAG_PLUGINS": listed})
    assert {"b", "c", "d"} <= set(host.components("filter"))
    assert sources(host)["module_b"] == "environment"


def test_loading_the_same_thing_twice_changes_nothing(install, write):
    install("dist-a", filter_source("a"))
    path = write("file_b.py", filter_source("b"))
    environ = {"GRAPHRAG_PLUGINS": str(path)}
    host = PluginHost.discover(
        modules=["dist_a", "dist_a"], files=[path, path], entry_points=True, environ=environ
    )
    once = host.report()
    host.add_modules(["dist_a"])
    host.add_files([path])
    assert host.report() == once
    assert host.find("filter", "a").plugin == "dist-a"
    assert list(sources(host)).count("file_b") == 1


def test_add_modules_takes_in_what_the_config_names_later(importable):
    (importable / "module_b.py").write_text(filter_source("b"))
    host = PluginHost.discover(entry_points=False, environ={})
    host.add_modules(["module_b"])
    assert host.find("filter", "b").plugin == "module_b"


@pytest.mark.parametrize("blocked", ["point_a", "dist-a"])
def test_a_blocked_plugin_is_not_even_imported(install, blocked):
    install("dist-a", "raise OSError('imported')", entry="point_a")
    host = PluginHost.discover(blocked=[blocked], entry_points=True, environ={}, strict=True)
    record = next(record for record in host.report().plugins if record.name == "point_a")
    assert record.status == "blocked"


def test_two_distributions_with_one_entry_point_name_both_load_under_longer_names(install):
    install("pkg-a", filter_source("a"), entry="scorers")
    install("pkg-b", filter_source("b"), entry="scorers")
    host = PluginHost.discover(entry_points=True, environ={})
    assert host.find("filter", "a").plugin == "scorers@pkg-a"
    assert host.find("filter", "b").plugin == "scorers@pkg-b"


def test_a_plugin_may_be_a_class_whose_methods_are_hooks(install):
    hook = "@hookimpl\ndef graphrag_register_filters():\n    return [A]\n"
    method = "class Plugin:\n    @hookimpl\n    def graphrag_register_filters(self):\n        return [A]\n"
    install("dist-a", filter_source("a").replace(hook, method), attribute="Plugin")
    host = PluginHost.discover(entry_points=True, environ={}, strict=True)
    assert host.find("filter", "a").plugin == "dist-a"


def test_a_host_made_by_hand_is_empty():
    assert PluginHost().report().plugins == ()


def test_a_distribution_with_damaged_metadata_stops_nobody(install, importable):
    install("dist-a", filter_source("a"))
    for name, points in (
        ("no_metadata", "[x]\ny = z\n"),
        ("odd_points", "[graphrag_pipeline.plugins]\nno equals"),
    ):
        info = importable / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "entry_points.txt").write_text(points)
        (info / "top_level.txt").write_text(f"{name}\n")
    (importable / "odd_points-1.0.dist-info" / "METADATA").write_text("Name: odd-points\nVersion: 1.0\n")
    host = PluginHost.discover(modules=["json"], entry_points=True, environ={})
    assert host.find("filter", "a").plugin == "dist-a"


def test_a_distribution_that_is_found_twice_loads_once(install, tmp_path, monkeypatch, importable):
    install("dist-a", filter_source("a"))
    copy = tmp_path / "copy"
    copytree(importable, copy)
    monkeypatch.syspath_prepend(copy)
    host = PluginHost.discover(entry_points=True, environ={})
    assert [record.name for record in host.report().plugins].count("dist-a") == 1


def test_an_entry_point_to_nothing_is_the_failure_of_its_plugin(install):
    install("dist-a", filter_source("a"), attribute="not_there")
    host = PluginHost.discover(entry_points=True, environ={})
    (record,) = host.report().failed
    assert (record.name, record.distribution) == ("dist-a", "dist-a")
    assert record.failure is not None
    assert "has no attribute 'not_there'" in record.failure.error
