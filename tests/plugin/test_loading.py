from __future__ import annotations

import logging

import pytest

from graphrag_pipeline.errors import PluginError
from graphrag_pipeline.plugin.host import PluginHost
from tests.plugin.conftest import HEAD, filter_source

GOOD_AND_BAD = (
    filter_source("good")
    + """
@hookimpl
def graphrag_before_stage(slot, stepp): ...
"""
)


def failure(host: PluginHost, name: str):
    return next(record.failure for record in host.report().plugins if record.name == name)


def test_a_plugin_that_fails_on_import_does_not_stop_the_others(install, caplog):
    install("bad-dist", "\nraise OSError('no lib')", entry="bad")
    install("good-dist", filter_source("good"))
    host = PluginHost.discover(entry_points=True, environ={})
    assert "good" in host.components("filter")
    warnings = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(warnings) == 1
    for part in ("bad", "bad-dist 1.0", "OSError: no lib", "bad_dist.py:2"):
        assert part in warnings[0].getMessage()


def test_a_name_that_is_missing_brings_up_the_cause_of_the_plugin_that_failed(install):
    install("bad-dist", "raise OSError('no lib')", entry="bad")
    host = PluginHost.discover(entry_points=True, environ={})
    with pytest.raises(PluginError) as error:
        host.find("filter", "from_bad")
    assert "bad (bad-dist 1.0) failed to load: OSError: no lib" in str(error.value)


def test_strict_makes_a_failed_plugin_an_error(install):
    install("bad-dist", "raise OSError('no lib')", entry="bad")
    with pytest.raises(PluginError, match=r"bad-dist 1\.0.*OSError: no lib"):
        PluginHost.discover(entry_points=True, environ={}, strict=True)


def test_strict_tells_of_every_plugin_that_failed(write):
    host = PluginHost(strict=True)
    with pytest.raises(PluginError) as error:
        host.add_files(
            [write("one.py", "raise OSError('no one')"), write("two.py", "raise OSError('no two')")]
        )
    assert "no one" in str(error.value)
    assert "no two" in str(error.value)


def test_what_is_named_and_needed_must_be_there_and_what_is_installed_need_not(install, write, caplog):
    install("bad-dist", "raise OSError('no lib')", entry="bad")
    good, broken = write("good.py", filter_source("good")), write("broken.py", "\nraise OSError('no two')")
    host = PluginHost.discover(files=[good], entry_points=True, environ={}, needed=True)
    assert "good" in host.components("filter")
    assert "The plugin bad (bad-dist 1.0) is left out" in caplog.text
    with pytest.raises(PluginError) as error:
        PluginHost.discover(files=[good, broken], entry_points=True, environ={}, needed=True)
    assert error.value.what == "The plugin broken (file) could not be loaded: OSError: no two"
    assert error.value.where.endswith("broken.py:2")
    assert error.value.hint.startswith("Repair it, or do not name it; `graphrag-pipeline plugins check ")


def test_what_the_environment_lists_is_not_needed(write, caplog):
    environ = {"GRAPHRAG_PLUGINS": str(write("broken.py", "raise OSError('no two')"))}
    host = PluginHost.discover(entry_points=False, environ=environ, needed=True)
    assert [record.name for record in host.failed] == ["broken"]
    assert "broken (environment) is left out" in caplog.text


def test_a_needed_plugin_that_is_blocked_is_no_failure(write):
    broken = write("broken.py", "raise OSError('no two')")
    blocked = ["broken"]
    host = PluginHost.discover(files=[broken], entry_points=False, environ={}, needed=True, blocked=blocked)
    assert host.failed == ()


def test_exit_in_a_plugin_is_the_plugins_failure(write):
    host = PluginHost()
    host.add_files([write("leaver.py", "import sys\nsys.exit(3)")])
    assert failure(host, "leaver").error == "SystemExit: 3"


def test_what_is_no_exception_is_the_plugins_failure_too(write):
    host = PluginHost()
    host.add_files([write("skipped.py", "import pytest\npytest.skip('no', allow_module_level=True)")])
    assert failure(host, "skipped").error == "Skipped: no"


def test_ctrl_c_while_a_plugin_is_imported_ends_the_program(write):
    with pytest.raises(KeyboardInterrupt):
        PluginHost().add_files([write("slow.py", "raise KeyboardInterrupt")])


def test_a_plugin_with_one_wrong_hook_leaves_nothing_behind(write):
    host = PluginHost()
    host.add_files([write("half.py", GOOD_AND_BAD)])
    assert "good" not in host.components("filter")
    assert not host.observes("before_stage")
    record = host.report().plugins[0]
    assert (record.status, record.components) == ("failed", {})


def test_all_faults_of_a_plugin_are_told_at_once(write):
    text = """
class NoName(Component):
    Params = Params
    def keep(self, candidates, query, index): ...

class NoMethod(Component):
    name = "no_method"
    Params = Params

@hookimpl
def graphrag_register_filters():
    return [NoName, NoMethod]

@hookimpl
def graphrag_register_signals():
    raise OSError("no signals today")

@hookimpl
def graphrag_config_sources():
    return ["/nowhere/at/all"]

@hookimpl
def graphrag_run_finishd(trace): ...
"""
    host = PluginHost()
    host.add_files([write("many.py", HEAD + text)])
    told = failure(host, "many").error
    for part in ("NoName", "NoMethod", "no signals today", "/nowhere/at/all", "graphrag_run_finishd"):
        assert part in told
    assert len(told.splitlines()) == 5


def test_a_config_source_that_is_no_directory_fails_its_plugin(write):
    host = PluginHost()
    text = HEAD + "@hookimpl\ndef graphrag_config_sources():\n    return [__file__]\n"
    host.add_files([write("ships.py", text)])
    assert "ships.py, which is not an existing directory" in failure(host, "ships").error
    assert host.config_sources() == ()


def test_config_sources_of_more_explicit_plugins_come_first(importable, write):
    text = HEAD + "@hookimpl\ndef graphrag_config_sources():\n    return [__file__.rpartition('/')[0]]\n"
    (importable / "z_module.py").write_text(text)
    (importable / "a_module.py").write_text(text)
    host = PluginHost.discover(
        modules=["z_module", "a_module"], files=[write("f.py", text)], entry_points=False, environ={}
    )
    assert [source.plugin for source in host.config_sources()] == ["f", "a_module", "z_module"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("None", "must return a list of classes, not None"),
        ("Only", "must return a list of classes, not <class"),
        ("'only'", "must return a list of classes, not 'only'"),
        ("[1]", "gave 1, which is not a class"),
        ("[Only, Only]", "gave two classes of the name 'only'"),
    ],
)
def test_a_registration_hook_that_gives_no_list_of_classes_is_told(write, given, told):
    text = filter_source("only").replace("return [Only]", f"return {given}")
    host = PluginHost()
    host.add_files([write("gives.py", text)])
    assert told in failure(host, "gives").error


def test_the_built_ins_cannot_be_blocked():
    with pytest.raises(PluginError, match="cannot be blocked"):
        PluginHost.discover(blocked=["builtin"], environ={})


def test_a_plugin_without_hooks_is_warned_about_once(write, caplog):
    file = write("idle.py", "VALUE = 1\n")
    host = PluginHost()
    host.add_files([file])
    host.add_files([write("sound.py", filter_source("mine"))])
    assert [record.getMessage() for record in caplog.records] == [
        f"The plugin {name} implements no hook, so it brings nothing."
        for name in [record.origin for record in host.report().plugins if record.name == "idle"]
    ]


def test_a_blocked_name_that_no_plugin_has_is_warned_about(install, caplog):
    install("pkg-a", filter_source("only_a"), entry="pkg_a")
    host = PluginHost.discover(entry_points=True, environ={}, blocked=["pkg_a", "pkg_b", "aaa"])
    assert "only_a" not in host.components("filter")
    assert [record.getMessage() for record in caplog.records] == [
        "There is no plugin 'aaa' to leave out.",
        "There is no plugin 'pkg_b' to leave out.",
    ]
