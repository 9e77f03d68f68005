"""A component is an option of its slot's group without any YAML."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphrag_pipeline import ConfigError
from graphrag_pipeline.config.settings import load_settings
from graphrag_pipeline.plugin.host import PluginHost

PLUGIN = """
import numpy as np
from graphrag_pipeline import Component, Params, Verdict, hookimpl

class NearParams(Params):
    hops: int = 1

class Near(Component[NearParams]):
    name = "near"
    Params = NearParams

    def keep(self, candidates, query, index):
        return Verdict(candidates.hop <= self.params.hops, np.zeros(len(candidates), dtype=int), ("too_far",))

@hookimpl
def graphrag_register_filters():
    return [Near]
"""


@pytest.fixture
def host(tmp_path: Path) -> PluginHost:
    file = tmp_path / "near_plugin.py"
    file.write_text(PLUGIN, encoding="utf-8")
    return PluginHost.discover(files=[file], entry_points=False, environ={})


def test_a_components_name_is_an_option_of_its_slots_group(host: PluginHost) -> None:
    settings = load_settings(["filter=near", "filter.hops=2"], host=host)
    assert settings.tree["filter"] == {"use": "near", "hops": 2}
    assert settings.choices["filter"] == "near"
    assert str(settings.origins["filter.use"]) == "components/filter/near:1"


def test_a_built_in_file_wins_over_the_component_it_names() -> None:
    settings = load_settings(host=PluginHost.discover(entry_points=False, environ={}))
    assert str(settings.origins["seed.use"]).startswith("conf/seed/label.yaml")
    assert settings.notes == ()


def test_a_users_file_named_like_a_component_wins_without_a_note(host: PluginHost, tmp_path: Path) -> None:
    option = tmp_path / "mine" / "filter" / "near.yaml"
    option.parent.mkdir(parents=True)
    option.write_text("use: near\nhops: 5\n", encoding="utf-8")
    settings = load_settings(["filter=near"], config_dirs=[tmp_path / "mine"], host=host)
    assert settings.tree["filter"] == {"use": "near", "hops": 5}
    assert settings.notes == ()


def test_a_misspelt_component_is_answered_with_the_nearest_option_and_its_place(host: PluginHost) -> None:
    with pytest.raises(ConfigError) as caught:
        load_settings(["filter=naer"], host=host)
    [problem] = caught.value.problems
    assert problem.what == "there is no option 'naer'"
    assert problem.hint.startswith("did you mean near? options: ")
    assert "near (components/filter)" in problem.hint
    assert "zachman (conf/filter)" in problem.hint


def test_a_plugin_module_that_the_config_names_brings_options_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "near_module.py").write_text(PLUGIN, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    empty = PluginHost.discover(entry_points=False, environ={})
    settings = load_settings(["plugins.modules=[near_module]", "filter=near"], host=empty)
    assert settings.tree["filter"] == {"use": "near", "hops": 1}
