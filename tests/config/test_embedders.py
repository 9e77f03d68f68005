"""Embedders that a component of the config names, wherever it stands."""

from __future__ import annotations

import pytest

from graphrag_pipeline.config.schema import json_schema

SIGNAL = "score.signal_params.dense_similarity"


def test_a_signal_names_one_in_its_parameters(load):
    settings = load("score.weights.dense_similarity=0.5", f"{SIGNAL}.embedder_params.dim=64")
    assert settings.pipeline.slots["score"].params.signal_params["dense_similarity"] == {
        "embedder_params": {"dim": 64}
    }


def test_the_signal_may_take_over_what_the_seeds_have(load):
    settings = load(
        "seed=dense",
        "seed.text=[label]",
        f"{SIGNAL}.embedder=${{seed.embedder}}",
        f"{SIGNAL}.text=${{seed.text}}",
    )
    given = settings.pipeline.slots["score"].params.signal_params["dense_similarity"]
    assert given == {"embedder": "hashing", "text": ["label"]}


@pytest.mark.parametrize(
    ("override", "key", "said"),
    [
        (f"{SIGNAL}.embedder=hashng", f"{SIGNAL}.embedder", "there is no embedder 'hashng'"),
        (f"{SIGNAL}.embedder_params.dim=1", f"{SIGNAL}.embedder_params.dim", "must be at least 8, got 1"),
        (f"{SIGNAL}.embedder_params.dims=9", f"{SIGNAL}.embedder_params.dims", "unknown key"),
        (f"{SIGNAL}.embedder_params=[]", f"{SIGNAL}.embedder_params", "must be a mapping"),
        (f"{SIGNAL}.embedder=[hashing]", f"{SIGNAL}.embedder", "must be the name of a component"),
    ],
)
def test_a_mistake_is_told_once_with_its_key(mistakes, override, key, said):
    found = mistakes(override)
    assert list(found) == [key]
    assert said in found[key].what


def test_a_text_stays_text_in_the_parameters_of_an_embedder(load, tmp_path):
    file = tmp_path / "named.py"
    file.write_text(
        "import numpy as np\nfrom graphrag_pipeline import Component, Params, hookimpl\n"
        "class P(Params):\n    model: str = 'a'\n"
        "class Named(Component[P]):\n    name = 'named'\n    Params = P\n"
        "    def embed(self, texts):\n        return np.ones((len(texts), 1))\n"
        "    def fingerprint(self):\n        return self.params.model\n"
        "@hookimpl\ndef graphrag_register_embedders():\n    return [Named]\n"
    )
    from graphrag_pipeline.config.settings import load_settings
    from graphrag_pipeline.plugin.host import PluginHost

    host = PluginHost.discover(files=[file], entry_points=False, environ={})
    settings = load_settings(
        ["seed=dense", "seed.embedder=named", "seed.embedder_params.model=007"], host=host
    )
    assert settings.pipeline.slots["seed"].params.model_dump()["embedder_params"] == {"model": "007"}


def test_the_schema_lists_them(host):
    schema = json_schema(host)
    [dense] = [branch for branch in schema["$defs"]["seed_retriever"]["oneOf"] if branch["title"] == "dense"]
    assert dense["properties"]["embedder"]["anyOf"][0] == {"enum": ["hashing", "wordllama"]}
