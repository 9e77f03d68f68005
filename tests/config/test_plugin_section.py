"""The section ``plugins``: only the user loads code, and anybody may leave some out."""

from __future__ import annotations

import sys

import pytest

from graphrag_pipeline import load_pipeline
from graphrag_pipeline.config.settings import load_settings
from graphrag_pipeline.config.sweep_space import sweep_space
from graphrag_pipeline.errors import ConfigError, PluginError
from graphrag_pipeline.plugin.host import PluginHost
from tests.plugin.conftest import filter_source

BOMB = "raise SystemExit('imported')\n"
ASKS = "# @package _global_\nplugins:\n  modules: [{}]\n"


@pytest.fixture
def bare() -> PluginHost:
    """A host of this test alone."""
    return PluginHost.discover(entry_points=False, environ={})


@pytest.fixture
def module(write, monkeypatch, tmp_path):
    """Write a module that can be imported; it is forgotten after the test."""
    monkeypatch.syspath_prepend(tmp_path)
    names: list[str] = []

    def write_module(name: str, text: str) -> str:
        write(f"{name}.py", text)
        names.append(name)
        return name

    yield write_module
    for name in names:
        sys.modules.pop(name, None)


@pytest.mark.parametrize("where", ["mine/experiment/x.yaml", "mine/config.yaml"])
def test_no_file_imports_a_module(write, module, bare, where):
    module("bomb_a", BOMB)
    module("bomb_b", BOMB)
    if where.endswith("config.yaml"):
        write(where, "defaults: [graph: demo, personas: demo]\nplugins: {modules: [bomb_a, bomb_b]}\n")
        choice = []
    else:
        write(where, ASKS.format("bomb_a, bomb_b"))
        choice = ["+experiment=x"]
    with pytest.raises(ConfigError) as caught:
        load_settings(choice, config_dirs=["mine"], host=bare)
    problems = [problem for problem in caught.value.problems if problem.key == "plugins.modules"]
    assert [problem.what for problem in problems] == [
        f"the plugin 'bomb_{letter}' is not loaded, and a file cannot import code" for letter in "ab"
    ]
    assert problems[0].origin.startswith(where)
    assert problems[0].hint == "if you trust it, say so yourself: plugins.modules=[bomb_a,bomb_b]"
    assert not {"bomb_a", "bomb_b"} & set(sys.modules)


@pytest.mark.parametrize(
    "name", ["this", "antigravity", "os", "os.path", "subprocess", "a:b", "../x", "x.py", ""]
)
def test_no_module_is_too_harmless_or_too_odd_to_be_refused(write, bare, name):
    write("mine/experiment/x.yaml", ASKS.format(f'"{name}"'))
    with pytest.raises(ConfigError, match="a file cannot import code"):
        load_settings(["+experiment=x"], config_dirs=["mine"], host=bare)
    assert "antigravity" not in sys.modules


@pytest.mark.parametrize(
    "text",
    [
        "plugins: {modules: ['${oc.env:GRAPHRAG_MODULE}']}\n",
        "plugins: {modules: ['${query.persona}']}\nquery: {persona: bomb_c}\n",
        "query: {persona: bomb_c}\nplugins: {modules: ['bomb_${.x}', '${query.persona}']}\n",
    ],
)
def test_a_reference_in_a_file_imports_nothing_either(write, module, bare, monkeypatch, text):
    module("bomb_c", BOMB)
    monkeypatch.setenv("GRAPHRAG_MODULE", "bomb_c")
    write("mine/experiment/x.yaml", "# @package _global_\n" + text)
    with pytest.raises(ConfigError):
        load_settings(["+experiment=x"], config_dirs=["mine"], host=bare)
    assert "bomb_c" not in sys.modules


def test_a_whole_config_imports_nothing(write, module, bare):
    module("bomb_d", BOMB)
    write("run.yaml", "pipeline: {order: [seed]}\nseed: {use: label}\nplugins: {modules: [bomb_d]}\n")
    with pytest.raises(ConfigError, match="a file cannot import code"):
        load_settings(config_file="run.yaml", host=bare)
    assert "bomb_d" not in sys.modules


def test_a_sweep_over_files_imports_nothing(write, module, bare):
    module("bomb_e", BOMB)
    write("mine/experiment/x.yaml", ASKS.format("bomb_e"))
    write("mine/experiment/y.yaml", "# @package _global_\nquery: {k: 3}\n")
    space = sweep_space(["+experiment=x,y"], config_dirs=["mine"], host=bare)
    said = []
    for point in space.points():
        try:
            space.composer.settings(point.overrides)
        except ConfigError as error:
            said.append(error.problems[0].what)
    assert said == ["the plugin 'bomb_e' is not loaded, and a file cannot import code"]
    assert "bomb_e" not in sys.modules


def test_the_user_loads_what_a_file_needs_by_an_override_or_before(write, module, bare):
    module("acme_filters", filter_source("acme_filter"))
    write("mine/experiment/x.yaml", ASKS.format("acme_filters") + "filter: {use: acme_filter}\n")
    loaded = load_settings(
        ["+experiment=x", "plugins.modules=[acme_filters]"], config_dirs=["mine"], host=bare
    )
    assert loaded.pipeline.slots["filter"].use == "acme_filter"
    again = load_settings(["+experiment=x"], config_dirs=["mine"], host=bare)
    assert again.plugin_modules == ("acme_filters",)
    by_name = PluginHost.discover(modules=["acme_filters"], entry_points=False, environ={})
    assert load_settings(["+experiment=x"], config_dirs=["mine"], host=by_name).pipeline == loaded.pipeline
    environ = {"GRAPHRAG_PLUGINS": "acme_filters"}
    by_environment = PluginHost.discover(entry_points=False, environ=environ)
    assert load_settings(["+experiment=x"], config_dirs=["mine"], host=by_environment).notes == again.notes


# -- blocked ------------------------------------------------------------------------------------


def plugin(name: str) -> str:
    """A plugin with a filter, an observer and a directory of config."""
    return filter_source(name) + (
        "from pathlib import Path\n"
        "SEEN = []\n"
        "@hookimpl\ndef graphrag_before_stage(slot):\n    SEEN.append(slot)\n"
        "@hookimpl\ndef graphrag_config_sources():\n    return [Path(__file__).with_name('shipped')]\n"
    )


@pytest.fixture
def blockable(write) -> PluginHost:
    write("shipped/filter/shipped_option.yaml", "# For a test.\nuse: zachman\n")
    return PluginHost.discover(
        files=[write("acme.py", plugin("mine")), write("other.py", filter_source("mine"))],
        entry_points=False,
        environ={},
    )


@pytest.mark.parametrize("by_file", [False, True])
def test_a_blocked_plugin_counts_for_nothing(blockable, write, by_file):
    assert load_settings(["filter=shipped_option"], host=blockable).tree["filter"]["use"] == "zachman"
    with pytest.raises(ConfigError, match="More than one plugin has a filter 'mine'"):
        load_settings(["filter.use=mine"], host=blockable)
    write("mine/experiment/x.yaml", "# @package _global_\nplugins: {blocked: [acme]}\n")
    block = ["+experiment=x"] if by_file else ["plugins.blocked=[acme]"]
    settings = load_settings([*block, "filter.use=mine"], config_dirs=["mine"], host=blockable)
    assert settings.pipeline.slots["filter"].use == "mine"
    assert blockable.find("filter", "mine").plugin == "other"
    assert not blockable.observes("before_stage")
    assert blockable.config_sources() == ()
    record = next(record for record in blockable.report().plugins if record.name == "acme")
    assert (record.status, record.components, record.hooks) == ("blocked", {}, ())
    with pytest.raises(ConfigError, match="no option 'shipped_option'"):
        load_settings([*block, "filter=shipped_option"], config_dirs=["mine"], host=blockable)


@pytest.mark.parametrize("override", ["filter=shipped_option", "filter.use=mine"])
def test_a_name_that_is_missing_may_be_that_of_a_blocked_plugin(blockable, override):
    with pytest.raises(ConfigError) as error:
        load_settings(["plugins.blocked=[acme,other]", override], host=blockable)
    (problem,) = error.value.problems
    assert "plugin acme (file) is blocked" in problem.hint
    assert "plugin other (file) is blocked" in problem.hint


def test_a_module_that_an_override_names_and_that_is_broken_is_an_error_each_time(module, bare):
    module("bomb_g", "x = 1\nraise OSError('no lib')\n")
    for _ in range(2):
        error = _refused(bare)
        assert error.what == "The plugin bomb_g (module) could not be loaded: OSError: no lib"
        assert error.where == "bomb_g.py:2"
        assert error.hint == "Repair or install it, or do not name it."


def _refused(host: PluginHost) -> PluginError:
    with pytest.raises(PluginError) as error:
        load_settings(["plugins.modules=[bomb_g]"], host=host)
    return error.value


def test_a_blocked_module_is_not_imported(module, bare):
    module("bomb_f", BOMB)
    settings = load_settings(["plugins.modules=[bomb_f]", "plugins.blocked=[bomb_f]"], host=bare)
    assert settings.plugin_modules == ("bomb_f",)
    assert "bomb_f" not in sys.modules
    assert [record.status for record in bare.plugins if record.name == "bomb_f"] == ["blocked"]


def test_a_plugin_that_failed_may_be_blocked_and_is_no_failure_then(write):
    host = PluginHost.discover(files=[write("bad.py", "raise OSError('x')")], entry_points=False, environ={})
    assert [record.name for record in host.failed] == ["bad"]
    load_settings(["plugins.blocked=[bad]"], host=host)
    assert host.failed == ()


def test_a_name_that_nobody_has_is_told_with_the_nearest(blockable):
    settings = load_settings(["plugins.blocked=[acne]"], host=blockable)
    assert settings.notes == (
        "there is no plugin 'acne' to leave out (override 'plugins.blocked=[acne]'); did you mean 'acme'?",
    )


def test_the_built_ins_cannot_be_blocked(mistakes):
    problem = mistakes("plugins.blocked=[builtin]")["plugins.blocked"]
    assert problem.what == "the built-in components cannot be left out"


def test_pipelines_that_were_built_before_keep_their_components(write):
    host = PluginHost.discover(
        files=[write("acme.py", filter_source("mine"))], entry_points=False, environ={}
    )
    pipeline = load_pipeline(["filter=mine", "bridge=noop"], host=host)
    before = pipeline.run("audit")
    host.block(["acme"])
    assert pipeline.run("audit") == before
    assert host.report().plugins[-1].status == "blocked"


def test_a_sweep_blocks_too(blockable):
    space = sweep_space(["plugins.blocked=[acme]", "filter.use=mine", "query.k=1,2"], host=blockable)
    for point in space.points():
        assert space.composer.settings(point.overrides).pipeline.slots["filter"].use == "mine"
