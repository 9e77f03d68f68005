"""What a loaded config offers."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import yaml

from graphrag_pipeline.config.settings import load_settings, settings_yaml
from tests.config.conftest import builtin_host


def leaf_keys(tree, prefix=""):
    for key, value in tree.items():
        if isinstance(value, dict) and value:
            yield from leaf_keys(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}"


def test_every_value_has_an_origin(load):
    settings = load("context.max_tokens=300", "seed=label", "~context.keep_top")
    assert set(settings.origins) == set(leaf_keys(settings.tree))
    shown = {key: str(origin) for key, origin in settings.origins.items()}
    assert shown["score.weights.baseline"] == "conf/score/reference.yaml:5"
    assert shown["context.max_tokens"] == "override 'context.max_tokens=300'"
    assert shown["context.keep_top"] == "default of bullets"


def test_every_choice_has_an_origin(load):
    settings = load("bridge=mock", "+experiment=no_bridge")
    assert str(settings.choice_origins["seed"]) == "conf/config.yaml:8"
    assert str(settings.choice_origins["bridge"]) == "override 'bridge=mock'"
    assert settings.choices["experiment"] == "no_bridge"
    assert list(settings.choices) == list(settings.choice_origins)


def test_the_yaml_read_again_gives_the_same_config(write, load, monkeypatch):
    monkeypatch.setenv("GRAPHRAG_WHO", "x")
    odd = [
        "query.text='yes: 1e3 # \"no\"'",
        r"query.persona=\${x}${oc.env:GRAPHRAG_WHO}",
        "again.use=zachman",
        "again.kind=filter",
    ]
    for overrides in (
        (),
        ("bridge.extra_score=1e-6", "query.persona=12E34", "query.cell=architect:who"),
        odd,
    ):
        settings = load(*overrides)
        write("shown/config.yaml", settings_yaml(settings))
        again = load(dirs=("shown",))
        assert again.tree == settings.tree
        assert settings_yaml(again) == settings_yaml(settings)
        assert again.query == settings.query


def test_the_yaml_is_plain_data_in_a_fixed_order(settings, load):
    text = settings_yaml(settings)
    assert yaml.safe_load(text) == settings.tree
    assert settings_yaml(load("query.k=10", "context.max_tokens=2000", "bridge=auto")) == text


def test_text_is_a_text_even_when_it_looks_like_a_flag(load):
    assert "persona: 'on'" in settings_yaml(load("query.persona=on"))


def test_configs_load_in_several_threads(host):
    def load_one(number):
        return load_settings(
            [f"query.k={number}", "query.text=${query.persona}", "query.persona=北"], host=host
        )

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(load_one, range(40)))
    assert [settings.query.k for settings in found] == list(range(40))


def test_hydra_is_loaded_when_a_config_is_and_leaves_no_trace():
    code = """
import sys, os
import graphrag_pipeline.config.settings, graphrag_pipeline.config.checking, graphrag_pipeline.config.schema
assert not {'hydra', 'omegaconf', 'antlr4'} & set(sys.modules), 'loaded too early'
from graphrag_pipeline.plugin.host import PluginHost
before = set(os.listdir('.'))
graphrag_pipeline.config.settings.load_settings(host=PluginHost.discover(entry_points=False, environ={}))
from hydra.core.global_hydra import GlobalHydra
import logging
assert not GlobalHydra.instance().is_initialized()
assert not logging.getLogger().handlers
assert set(os.listdir('.')) == before
"""
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_a_config_loads_inside_another_hydra_application(load):
    from hydra import compose, initialize
    from hydra.core.global_hydra import GlobalHydra

    with initialize(version_base="1.3", config_path=None):
        assert load("query.k=4").query.k == 4
        assert GlobalHydra.instance().is_initialized()
        assert compose() == {}


def test_the_text_of_a_command_is_the_querys_text_and_seen_by_references(host):
    settings = load_settings(["query.persona=${query.text}"], host=host, text="who ${owns} it?")
    assert settings.query.text == settings.query.persona == "who ${owns} it?"
    assert str(settings.origins["query.text"]) == "the command's TEXT"


def test_a_text_override_beside_the_commands_text_is_said_to_have_no_effect(host):
    settings = load_settings(["query.text=other", "query.k=3"], host=host, text="asked")
    assert (settings.query.text, settings.query.k) == ("asked", 3)
    assert settings.notes == ("TEXT is asked, so 'query.text=other' has no effect",)
    assert load_settings(["query.text=other"], host=host).notes == ()


def test_a_slot_outside_the_order_that_looks_misspelt_gets_a_note(load):
    settings = load("filtr.use=zachman", "filtr.kind=filter")
    assert settings.notes == (
        "the slot 'filtr' is not in pipeline.order, so it does nothing; did you mean 'filter'?",
    )
    assert load("another.use=zachman", "another.kind=filter").notes == ()
    assert load("pipeline.order=[seed,expand,score,context]").notes == ()


def test_what_cannot_be_printed_survives_showing_and_reading(load, tmp_path):
    text = "x\x85y\u2028z\x07\t'\"\\"
    shown = settings_yaml(load_settings(text=text, host=builtin_host()))
    (tmp_path / "config.yaml").write_text(shown, encoding="utf-8")
    assert load(dirs=(tmp_path,)).query.text == text


def test_undecodable_bytes_of_a_command_line_are_text_like_any_other():
    settings = load_settings(text="\udcff\udcfe", host=builtin_host())
    assert settings.query.text == "\udcff\udcfe"


def test_a_reranker_that_the_order_does_not_name_is_remarked_on(load):
    assert "the slot 'rerank' is not in pipeline.order, so it does nothing" in load("+rerank=mmr").notes
