"""A whole config from one file, with overrides on top."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from graphrag_pipeline.config.settings import Settings, load_settings, settings_yaml
from graphrag_pipeline.errors import ConfigError
from graphrag_pipeline.plugin.host import PluginHost
from tests.config.conftest import builtin_host

OWN = ("pipeline=hybrid", "query.k=7", "~score.weights.textual", "graph=json", "graph.path=a.json")


@pytest.fixture
def frozen(tmp_path: Path, load) -> Path:
    """A config that is far from the built-in one."""
    file = tmp_path / "frozen.yaml"
    file.write_text(settings_yaml(load(*OWN)), "utf-8")
    return file


@pytest.fixture
def onto(frozen: Path, host: PluginHost) -> Callable[..., Settings]:
    def load_it(*overrides: str) -> Settings:
        return load_settings(overrides, host=host, config_file=frozen)

    return load_it


def differing(settings: Settings, load) -> list[str]:
    """The sections that are not as in the file."""
    before = load(*OWN).tree
    return [name for name in {**before, **settings.tree} if before.get(name) != settings.tree.get(name)]


def test_the_file_alone_gives_the_same_config(onto, frozen):
    assert settings_yaml(onto()) == frozen.read_text("utf-8")


def test_nothing_of_the_built_in_config_gets_in(onto):
    weights = onto("query.k=9").tree["score"]["weights"]
    assert "path_from_mention" in weights
    assert not {"textual", "baseline"} & set(weights)


def test_a_value_is_laid_upon_it(onto, load):
    settings = onto("query.k=9", "score.weights.textual=0.5")
    assert settings.query.k == 9
    assert settings.tree["score"]["weights"]["textual"] == 0.5
    assert differing(settings, load) == ["query", "score"]


def test_an_option_replaces_its_section_and_nothing_else(onto, load):
    settings = onto("seed=bm25")
    assert settings.tree["seed"] == load("seed=bm25").tree["seed"]
    assert differing(settings, load) == ["seed"]
    assert settings.choices == {"seed": "bm25"}


def test_the_built_in_default_can_be_chosen(onto, load):
    settings = onto("seed=label", "score=reference")
    assert settings.tree["score"] == load().tree["score"]
    assert differing(settings, load) == ["seed", "score"]


def test_values_win_over_options(onto):
    assert onto("seed.k1=2.0", "seed=bm25").tree["seed"]["k1"] == 2.0


def test_a_question_set_brings_its_graph(onto, load):
    settings = onto("dataset=kg_2wiki")
    assert settings.tree["graph"]["path"] == "${oc.env:GRAPHRAG_DATA}/kg-2wiki/graph.json"
    assert settings.dataset.name == "kg_2wiki"
    assert differing(settings, load) == ["graph", "dataset"]


def test_an_experiment_lays_its_values_upon_the_file(onto, load):
    settings = onto("+experiment=strict_cell")
    assert settings.tree["filter"] == {**load(*OWN).tree["filter"], "match": "cell"}
    assert differing(settings, load) == ["filter"]


def test_a_section_can_be_taken_out(onto, load):
    assert differing(onto("~recall", "pipeline.order=[seed,score,context]"), load) == ["pipeline", "recall"]


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("seed=bm52", "did you mean bm25"),
        ("seed.k=many", "seed.k"),
        ("sead=bm25", "did you mean seed"),
        ("seed=bm25,label", "use sweep for several"),
    ],
)
def test_mistakes_are_told_as_always(onto, override, told):
    with pytest.raises(ConfigError) as caught:
        onto(override)
    assert told in str(caught.value)


def test_a_mistake_in_the_file_is_told_with_its_line(frozen, onto):
    lines = frozen.read_text("utf-8").replace("\n  k: 7\n", "\n  k: many\n")
    frozen.write_text(lines, "utf-8")
    with pytest.raises(ConfigError) as caught:
        onto()
    assert f"{frozen}:3" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "told"), [("", "the file is empty"), ("a: [", "not valid YAML"), ("- 1\n", "holds a mapping")]
)
def test_what_is_no_config_is_told(frozen, onto, text, told):
    frozen.write_text(text, "utf-8")
    with pytest.raises(ConfigError) as caught:
        onto()
    assert told in str(caught.value)


def test_a_file_that_is_not_there_is_told(onto, frozen):
    frozen.unlink()
    with pytest.raises(ConfigError) as caught:
        onto()
    assert "cannot be read: No such file" in str(caught.value)


def test_a_file_with_a_defaults_list_takes_the_place_of_the_built_in_one(frozen, onto, load):
    frozen.write_text(
        "defaults:\n  - graph: demo\n  - personas: demo\n  - text: default\n  - seed: bm25\n  - expand: bfs\n"
        "  - filter: zachman\n  - score: reference\n  - bridge: noop\n  - context: bullets\n"
        "  - pipeline: reference\n  - _self_\nquery:\n  k: 3\n",
        "utf-8",
    )
    settings = onto("bridge=mock")
    assert settings.tree["seed"] == load("seed=bm25").tree["seed"]
    assert (settings.query.k, settings.tree["bridge"]["use"]) == (3, "mock")


def test_a_file_imports_no_code_and_an_override_does(frozen, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "frozen_seeds.py").write_text(
        "from graphrag_pipeline import Component, hookimpl\n"
        "class Shiny(Component):\n"
        "    name = 'shiny'\n"
        "    def retrieve(self, query, index, k):\n"
        "        return []\n"
        "@hookimpl\n"
        "def graphrag_register_seed_retrievers():\n"
        "    return [Shiny]\n"
    )
    load_it = "plugins.modules=[frozen_seeds]"
    given = load_settings([load_it, "seed=shiny"], host=builtin_host())
    frozen.write_text(settings_yaml(given), "utf-8")
    with pytest.raises(ConfigError, match="a file cannot import code"):
        load_settings(config_file=frozen, host=builtin_host())
    again = load_settings([load_it], config_file=frozen, host=builtin_host())
    assert settings_yaml(again) == settings_yaml(given)
