"""Groups, files and overrides become one config."""

from __future__ import annotations

import pytest

from graphrag_pipeline.config.settings import load_settings
from tests.config.conftest import builtin_host

BASE = """defaults:
  - graph: demo
  - personas: demo
  - pipeline: reference
  - expand: bfs
  - filter: zachman
  - score: reference
  - bridge: auto
  - context: bullets
"""


def test_an_option_is_replaced(load):
    settings = load("bridge=mock", "bridge.timeout_s=3")
    assert settings.tree["bridge"] == {"use": "mock", "timeout_s": 3.0, "extra_score": 0.25}


def test_an_unknown_option_names_the_nearest_and_lists_all_with_their_place(mistakes):
    problem = mistakes("seed=lable")["seed"]
    assert problem.hint.startswith("did you mean label? options: bm25 (conf/seed), ")
    assert problem.hint.endswith(", label (conf/seed), mention (conf/seed), retriever (conf/seed)")
    assert problem.origin == "override 'seed=lable'"


@pytest.mark.parametrize(
    ("override", "listed"),
    [
        ("seed=label,retriever", "choose one of bm25, dense, hybrid, ids, label, mention, retriever"),
        ("context.max_tokens=500,1000", "quote it"),
        ("context.max_tokens=range(1,3)", "quote it"),
        ("bridge=[auto,noop]", "choose one of auto"),
    ],
)
def test_a_sweep_is_refused_where_one_value_is_wanted(mistakes, override, listed):
    [problem] = mistakes(override).values()
    assert "use sweep for several" in problem.what
    assert listed in problem.hint


@pytest.mark.parametrize(
    ("override", "key", "nearest"),
    [
        ("sed=label", "sed", "did you mean seed?"),
        ("contxt.max_tokens=5", "contxt.max_tokens", "did you mean context.max_tokens?"),
        ("context.max_tokns=800", "context.max_tokns", "did you mean max_tokens?"),
        ("~score.weights.basline", "score.weights.basline", "did you mean baseline?"),
        ("sede/x=1", "sede/x", ""),
    ],
)
def test_a_misspelt_key_names_the_nearest_and_never_advises_a_plus(mistakes, override, key, nearest):
    problem = mistakes(override)[key]
    assert nearest in problem.hint
    assert "+" not in problem.hint
    assert problem.origin == f"override '{override}'"


def test_all_mistakes_come_at_once(mistakes):
    wrong = (
        "seed=lable",
        "experiment=no_bridge",
        "sed=1",
        "query.k=x",
        "bridge=a,b",
        "nonsense",
        "score.clam=1",
    )
    assert set(mistakes(*wrong)) == {"seed", "experiment", "sed", "query.k", "bridge", "", "score.clam"}


def test_a_group_without_a_default_is_added_with_a_plus(mistakes):
    assert "write +experiment=no_bridge" in mistakes("experiment=no_bridge")["experiment"].hint


def test_a_group_with_a_default_is_replaced_without_a_plus(mistakes):
    problem = mistakes("+seed=retriever")["seed"]
    assert "label (conf/config.yaml:8)" in problem.what
    assert problem.hint == "to replace the choice write seed=retriever, without +"


def test_a_second_slot_is_added_from_a_group(load):
    settings = load(
        "+filter@second=zachman", "second.match=cell", "pipeline.order=[seed,expand,filter,second,score]"
    )
    assert settings.pipeline.slots["second"].kind == "filter"
    assert settings.tree["second"]["match"] == "cell"
    assert settings.tree["filter"]["match"] == "perspective"


def test_a_choice_or_value_is_taken_out(load, mistakes):
    assert "label_match" not in load("~score.weights.label_match").tree["score"]["weights"]
    assert "seed" not in load("~seed", "pipeline.order=[mine]", "mine.use=label").tree
    assert "'seed' is not a slot" in mistakes("~seed")["pipeline.order"].what


def test_a_value_is_taken_out_only_if_it_is_the_one_named(load, mistakes):
    load("~score.clamp=true")
    assert "its value is true" in mistakes("~score.clamp=false")["score.clamp"].what


def test_a_users_file_wins_over_the_built_in_one_and_it_is_said(write, load):
    write("mine/context/bullets.yaml", "use: bullets\nmax_tokens: 7\n")
    settings = load(dirs=("mine",))
    assert settings.tree["context"]["max_tokens"] == 7
    assert settings.notes == ("mine/context/bullets.yaml is used instead of conf/context/bullets.yaml",)
    assert str(settings.origins["context.max_tokens"]) == "mine/context/bullets.yaml:2"


def test_the_first_of_two_directories_wins(write, load):
    write("a/context/mine.yaml", "use: bullets\nmax_tokens: 1\n")
    write("b/context/mine.yaml", "use: bullets\nmax_tokens: 2\n")
    assert load("context=mine", dirs=("a", "b")).tree["context"]["max_tokens"] == 1


def test_two_files_that_choose_different_options_are_both_named(write, mistakes):
    write("mine/a.yaml", "defaults:\n  - seed: label\n")
    write("mine/b.yaml", "defaults:\n  - seed: retriever\n")
    write("mine/config.yaml", BASE + "  - a\n  - b\n")
    problem = mistakes(dirs=("mine",))["seed"]
    assert "label (mine/a.yaml:2)" in problem.what
    assert "retriever (mine/b.yaml:2)" in problem.what
    assert "override /seed" in problem.hint


def test_an_override_of_a_group_nobody_chose_never_beats_the_command_line(write, mistakes, load):
    for option in ("pagerank", "degree"):
        write(f"mine/extra/{option}.yaml", "use: zachman\n")
    write("mine/config.yaml", BASE + "  - seed: label\n  - override extra: pagerank\n")
    problem = mistakes("+extra=degree", dirs=("mine",))["extra"]
    assert problem.origin == "mine/config.yaml:11"
    assert "has no default" in problem.hint
    assert "overrides a group that no defaults list chooses" in mistakes(dirs=("mine",))["extra"].what
    write("mine/config.yaml", BASE + "  - seed: label\n")
    assert load("+extra=degree", dirs=("mine",)).choices["extra"] == "degree"


@pytest.mark.parametrize(
    ("defaults", "key", "word"),
    [
        ("  - seed: nope\n", "seed", "there is no option 'nope'"),
        ("  - other\n", "defaults", "there is no config other.yaml"),
        ("  - config\n", "defaults", "circle"),
        ("  - seed: ${a\n", "defaults", "asks for no resolver"),
        ("  - seed: ${nothing}\n", "defaults", "nothing"),
        ("  - seed: '???'\n", "seed", "a choice is required"),
        ("  - _self_\n  - _self_\n", "defaults", "_self_ is listed twice"),
        ("  - override graph: demo\n  - seed: label\n", "defaults", "must be at the end"),
    ],
)
def test_a_wrong_defaults_list_is_explained(write, mistakes, defaults, key, word):
    write("mine/config.yaml", BASE + defaults)
    problem = mistakes(dirs=("mine",))[key]
    assert word in problem.what
    assert "Traceback" not in str(problem)


def test_a_broken_file_is_reported_with_its_line(write, mistakes):
    write("mine/seed/mine.yaml", "use: label\nuse: bfs\n")
    assert mistakes("seed=mine", dirs=("mine",))["use"].origin == "mine/seed/mine.yaml:2:1"


def test_a_plugin_named_in_the_config_brings_its_components_and_its_options(write, monkeypatch, tmp_path):
    write(
        "shiny_seeds.py",
        "from pathlib import Path\n"
        "from graphrag_pipeline.model.component import Component, Params\n"
        "from graphrag_pipeline.plugin.hookspecs import hookimpl\n"
        "class ShinyParams(Params):\n"
        "    names: tuple[str, ...] = ()\n"
        "class Shiny(Component[ShinyParams]):\n"
        "    name = 'shiny'\n"
        "    Params = ShinyParams\n"
        "    def retrieve(self, query, index, k):\n"
        "        return []\n"
        "@hookimpl\n"
        "def graphrag_register_seed_retrievers():\n"
        "    return [Shiny]\n"
        "@hookimpl\n"
        "def graphrag_config_sources():\n"
        "    return [Path(__file__).with_name('shiny_conf')]\n",
    )
    write("shiny_conf/seed/shiny.yaml", "use: shiny\nnames: [12E34, 007, 1_000, on]\n")
    monkeypatch.syspath_prepend(tmp_path)
    host = builtin_host()
    settings = load_settings(["seed=shiny", "plugins.modules=[shiny_seeds]"], host=host)
    assert settings.plugin_modules == ("shiny_seeds",)
    assert settings.tree["seed"] == {"use": "shiny", "names": ["12E34", "007", "1_000", "on"]}
    assert str(settings.origins["seed.names"]) == "shiny_seeds:shiny_conf/seed/shiny.yaml:2"
    given = load_settings(["seed=shiny", "plugins.modules=[shiny_seeds]", "seed.names=[007,off]"], host=host)
    assert given.tree["seed"]["names"] == ["007", "off"]


def test_the_last_of_two_choices_of_a_group_wins(load):
    assert load("bridge=mock", "bridge=noop").choices["bridge"] == "noop"
    assert load("bridge=noop", "seed=label", "bridge=mock").tree["bridge"]["use"] == "mock"


def test_a_choice_of_a_group_wins_over_the_component_an_experiment_names(write, load):
    write("mine/experiment/quiet.yaml", "# @package _global_\nbridge:\n  use: noop\n  timeout_s: 2\n")
    assert load("+experiment=quiet", dirs=("mine",)).tree["bridge"]["use"] == "noop"
    for overrides in (("+experiment=quiet", "bridge=mock"), ("bridge=mock", "+experiment=quiet")):
        settings = load(*overrides, dirs=("mine",))
        assert settings.tree["bridge"]["use"] == "mock"
        assert str(settings.origins["bridge.use"]).startswith("conf/bridge/mock.yaml:")


OTHER = """
from graphrag_pipeline import Component, Params, hookimpl

class OtherParams(Params):
    depth: int = 3

class Other(Component[OtherParams]):
    name = "other"
    Params = OtherParams
    def keep(self, candidates, query, index):
        return None

@hookimpl
def graphrag_register_filters():
    return [Other]
"""


@pytest.fixture
def other(tmp_path):
    """A host with a filter ``other`` that has a parameter of its own."""
    from graphrag_pipeline.plugin.host import PluginHost

    file = tmp_path / "other_plugin.py"
    file.write_text(OTHER)
    return PluginHost.discover(entry_points=False, environ={}, files=[file])


@pytest.mark.parametrize(
    "overrides",
    [
        ["filter.use=other"],
        ["filter.use=other", "filter.depth=3"],
        ["filter.depth=3", "filter.use=other"],
        ["filter=other"],
        ["filter=other_plugin:other", "filter.use=other"],
    ],
)
def test_another_component_drops_the_parameters_of_the_one_it_replaces(other, overrides):
    settings = load_settings(overrides, host=other)
    assert settings.tree["filter"] == {"use": "other", "depth": 3}


def test_a_file_that_names_another_component_starts_afresh_too(write, other):
    write("mine/experiment/deep.yaml", "# @package _global_\nfilter:\n  use: other\n  depth: 5\n")
    settings = load_settings(["+experiment=deep"], config_dirs=["mine"], host=other)
    assert settings.tree["filter"] == {"use": "other", "depth": 5}


def test_the_same_component_named_again_keeps_its_parameters(load):
    settings = load("filter.match=cell", "filter.use=zachman")
    assert settings.tree["filter"]["match"] == "cell"
    assert load("filter.use=zachman", "filter.match=cell").tree == settings.tree


def test_a_component_may_be_chosen_with_its_plugin(other):
    settings = load_settings(["filter=other_plugin:other", "filter.depth=4"], host=other)
    assert settings.tree["filter"] == {"use": "other_plugin:other", "depth": 4}
    assert settings.choices["filter"] == "other_plugin:other"


def test_a_plugin_that_is_not_there_is_no_option(mistakes):
    assert mistakes("filter=nobody:zachman")["filter"].what == "there is no option 'nobody:zachman'"
