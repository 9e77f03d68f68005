from __future__ import annotations

import pytest

from graphrag_pipeline import PluginError
from graphrag_pipeline.pipeline import making
from graphrag_pipeline.pipeline.making import embedding_of, make
from graphrag_pipeline.pipeline.plan import build_plan
from graphrag_pipeline.pipeline.spec import ComponentSpec, PipelineSpec
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.stages.dense.params import DenseParams
from graphrag_pipeline.stages.embedders.contract import EmbedderParams
from graphrag_pipeline.stages.seeds.dense import DenseSeeds, DenseSeedsParams

PLUGIN = """
import numpy as np
from graphrag_pipeline import Component, hookimpl


class Zeros(Component):
    name = "{name}"

    def embed(self, texts):
        return np.zeros((len(texts), 2))

    def fingerprint(self):
        return "zeros"


@hookimpl
def graphrag_register_embedders():
    return [Zeros]
"""


@pytest.fixture(scope="module")
def host() -> PluginHost:
    return PluginHost.discover(entry_points=False, environ={})


def test_a_component_that_names_an_embedder_is_given_an_embedding(host):
    made = make(host, "seed_retriever", "dense", DenseSeedsParams(embedder_params={"dim": 32}))
    assert isinstance(made, DenseSeeds)
    assert made.embedding.row("ship").shape == (32,)  # type: ignore[union-attr]


def test_a_component_that_names_none_is_made_as_ever(host):
    info = host.find("seed_retriever", "label")
    assert make(host, "seed_retriever", "label", info.params()).name == "label"  # type: ignore[attr-defined]


def test_there_is_one_embedding_for_the_same_embedder_and_parameters(host):
    first = embedding_of(host, EmbedderParams())
    assert embedding_of(host, DenseParams(embedder="builtin:hashing", nodes="passages")) is first
    assert embedding_of(host, EmbedderParams(embedder_params={"dim": 1024})) is first
    assert embedding_of(host, EmbedderParams(embedder_params={"dim": 512})) is not first


def test_pipelines_of_one_host_share_it_and_other_hosts_do_not(host):
    def made(by: PluginHost) -> object:
        spec = PipelineSpec(("seed",), {"seed": ComponentSpec("seed_retriever", "dense", DenseSeedsParams())})
        return build_plan(spec, by).steps[0].component.embedding  # type: ignore[attr-defined]

    assert made(host) is made(host)
    assert made(host) is not made(PluginHost.discover(entry_points=False, environ={}))


def test_few_are_kept(monkeypatch):
    host = PluginHost.discover(entry_points=False, environ={})
    monkeypatch.setattr(making, "EMBEDDINGS", 2)
    first = embedding_of(host, EmbedderParams(embedder_params={"dim": 8}))
    for dim in (9, 8):
        embedding_of(host, EmbedderParams(embedder_params={"dim": dim}))
    last = embedding_of(host, EmbedderParams(embedder_params={"dim": 10}))
    assert embedding_of(host, EmbedderParams(embedder_params={"dim": 8})) is first
    assert embedding_of(host, EmbedderParams(embedder_params={"dim": 10})) is last
    assert len(making._made[host]) == 2


def test_an_unknown_embedder_is_refused(host):
    with pytest.raises(PluginError, match="There is no embedder 'word2vec'"):
        make(host, "seed_retriever", "dense", DenseSeedsParams(embedder="word2vec"))


def test_vectors_of_a_plugin_file_are_not_taken_for_those_of_its_next_version(tmp_path):
    def identity(text: str) -> str:
        file = tmp_path / "zeros.py"
        file.write_text(text)
        host = PluginHost.discover(files=[file], entry_points=False, environ={})
        return embedding_of(host, EmbedderParams(embedder="zeros")).identity

    first = identity(PLUGIN.format(name="zeros"))
    assert identity(PLUGIN.format(name="zeros")) == first
    assert identity(PLUGIN.format(name="zeros") + "# changed\n") != first
