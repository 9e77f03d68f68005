from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec

import pytest
from pydantic import ValidationError

from graphrag_pipeline import ConfigError, PluginError, Query, StageError, load_pipeline
from graphrag_pipeline.config.settings import load_settings
from graphrag_pipeline.pipeline.making import make
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.stages.dense import search
from graphrag_pipeline.stages.seeds.dense import DenseSeeds, DenseSeedsParams
from tests.stages.dense.fake import letters
from tests.tiny import graph_of, index_of, node

# Cosines with "ab": ab 1, abb 3/√10, b and a √½, cd 0.
NODES = [
    node("n1", "cd"),
    node("n2", "b"),
    node("n3", "ab"),
    node("n4", "a"),
    node("n5", "abb"),
    node("n6", ""),
]
INDEX = index_of(NODES, "n1>n2 n2>n3")


def seeds(query: str, k: int = 10, of=INDEX, **params) -> list[tuple[str, float]]:
    given = DenseSeedsParams.model_validate({"cache_dir": None, **params})
    found = DenseSeeds(given, embedding=letters()).retrieve(Query(query), of, k)
    return [(seed.node_id, seed.score) for seed in found]


def test_seeds_are_the_nearest_nodes_with_their_cosine():
    assert seeds("ab") == [("n3", 1.0), ("n5", 0.948683), ("n2", 0.707107), ("n4", 0.707107)]


def test_at_most_k_and_ties_in_node_order():
    assert seeds("ab", 3)[-1] == ("n2", 0.707107)
    assert seeds("ab", 1) == [("n3", 1.0)]


def test_the_cosine_is_evidence_too():
    [seed] = DenseSeeds(DenseSeedsParams(cache_dir=None), embedding=letters()).retrieve(Query("ab"), INDEX, 1)
    assert seed.evidence == {"dense": 1.0}


@pytest.mark.parametrize("text", ["", "  ", "\n", "xyz", "z"])
def test_text_that_says_nothing_finds_nothing(text):
    assert seeds(text) == []


def test_nodes_that_share_nothing_with_the_query_are_no_seeds():
    assert seeds("efg") == []


def test_seeds_less_similar_than_wanted_are_left_out():
    assert [node_id for node_id, _ in seeds("ab", min_similarity=0.8)] == ["n3", "n5"]
    assert [node_id for node_id, _ in seeds("ab", min_similarity=1.0)] == ["n3"]


def test_the_texts_that_are_searched_can_be_chosen():
    index = index_of([node("x", "ab"), node("y", "cd", text="ab", aliases=["ef"])], "x>y")
    assert [node_id for node_id, _ in seeds("ab", of=index)] == ["x", "y"]
    assert [node_id for node_id, _ in seeds("ab", of=index, nodes="passages")] == ["y"]
    assert [node_id for node_id, _ in seeds("ab", of=index, text=["passage"])] == ["y"]
    assert [node_id for node_id, _ in seeds("ef", of=index, text=["label", "aliases"])] == ["y"]


def test_equal_nodes_come_in_node_order_whichever_that_is():
    nodes = [node(f"n{at}", "same text") for at in range(12)]
    for order in (nodes, nodes[::-1]):
        found = seeds("same", 5, index_of(order, "n1>n2"))
        assert [node_id for node_id, _ in found] == [each.node_id for each in order[:5]]


def test_a_graph_whose_nodes_say_nothing_has_no_seeds():
    assert seeds("ab", of=index_of([node("x", ""), node("y", " ")], "x>y")) == []


def test_an_embedding_is_needed():
    with pytest.raises(StageError, match="dense needs an Embedding"):
        DenseSeeds()


def test_cells_find_the_same_among_few():
    if find_spec("faiss") is None:
        pytest.skip("faiss is not installed")
    assert seeds("ab", index="ivf") == seeds("ab")


def test_cells_need_faiss(monkeypatch):
    monkeypatch.setattr(search, "find_spec", lambda name: None)
    with pytest.raises(StageError, match="needs faiss"):
        seeds("ab", index="ivf")


@pytest.mark.parametrize(
    "given",
    [
        {"text": []},
        {"text": ["label", "label"]},
        {"text": ["body"]},
        {"min_similarity": -0.1},
        {"min_similarity": 1.1},
        {"probe": 0},
        {"cells": 0},
        {"cache_dir": ""},
        {"cache_from_s": float("inf")},
        {"k": 0},
        {"limit": 3},
    ],
)
def test_parameters_have_bounds(given):
    with pytest.raises(ValidationError):
        DenseSeedsParams.model_validate(given)


# -- in a pipeline -----------------------------------------------------------------------------------------

GRAPH = graph_of(
    [
        node("p", "Port", text="Ships moor at the quay."),
        node("t", "Tax", text="Duties on goods."),
        node("q", "Quay"),
    ],
    "p>q t>q",
)


@pytest.fixture(scope="module")
def host() -> PluginHost:
    return PluginHost.discover(entry_points=False, environ={})


@pytest.fixture
def ask(host):
    def asked(*overrides: str, text: str = "where do ships moor"):
        given = ["bridge=noop", "seed=dense", "seed.cache_dir=null", *overrides]
        return load_pipeline(given, graph=GRAPH, host=host).trace(text)

    return asked


def test_a_configuration_chooses_it(ask):
    trace = ask("query.max_hops=0", "seed.min_similarity=0.2")
    assert [node.node_id for node in trace.result.nodes] == ["p"]


def test_k_of_the_slot_holds_before_that_of_the_query(ask):
    assert len(ask("seed.k=1", "query.max_hops=0", text="ships goods quay").result.nodes) == 1


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("seed.embedder=hasing", "seed.embedder: there is no embedder 'hasing'"),
        (
            "seed.embedder=chars4",
            "seed.embedder: 'chars4' is a token counter, and this place takes an embedder",
        ),
        ("seed.embedder_params.dim=2", "seed.embedder_params.dim: must be at least 8, got 2"),
        ("seed.embedder_params.size=2", "seed.embedder_params.size: unknown key"),
        ("seed.embedder_params=3", "seed.embedder_params: must be a mapping"),
        ("seed.text=[label,label]", "names a field twice"),
        ("seed.limit=5", "seed.limit: unknown key"),
    ],
)
def test_mistakes_are_told_before_anything_runs(host, override, said):
    with pytest.raises(ConfigError) as error:
        load_settings(["seed=dense", override], host=host)
    assert said in str(error.value)


def test_a_package_that_is_missing_is_told_before_anything_runs(ask, monkeypatch):
    monkeypatch.setattr("graphrag_pipeline.stages.embedders.wordllama.find_spec", lambda name: None)
    with pytest.raises(PluginError, match="The embedder 'wordllama' could not be made") as error:
        ask("seed.embedder=wordllama")
    assert "graphrag-pipeline[dense]" in error.value.hint


def test_a_faulty_embedder_ends_the_query_with_its_name(tmp_path):
    file = tmp_path / "bad.py"
    file.write_text(
        "import numpy as np\nfrom graphrag_pipeline import Component, hookimpl\n"
        "class Bad(Component):\n    name = 'bad'\n"
        "    def embed(self, texts):\n        return np.full((len(texts), 3), np.nan)\n"
        "    def fingerprint(self):\n        return 'bad 1'\n"
        "@hookimpl\ndef graphrag_register_embedders():\n    return [Bad]\n"
    )
    host = PluginHost.discover(files=[file], entry_points=False, environ={})
    component = make(host, "seed_retriever", "dense", DenseSeedsParams(embedder="bad"))
    assert isinstance(component, DenseSeeds)
    with pytest.raises(StageError, match="The embedder 'bad' returned a number that is not finite"):
        component.retrieve(Query("ships"), INDEX, 5)


def test_hash_seeds_change_no_byte():
    code = (
        "from graphrag_pipeline import GraphIndex, KnowledgeNode, Query\n"
        "from graphrag_pipeline.stages.dense.embedding import Embedding\n"
        "from graphrag_pipeline.stages.embedders.hashing import Hashing\n"
        "from graphrag_pipeline.stages.seeds.dense import DenseSeeds\n"
        "nodes = [KnowledgeNode(f'n{at}', 'c', f'ship number {at % 7}') for at in range(60)]\n"
        "seeds = DenseSeeds(embedding=Embedding(Hashing()))\n"
        "print(seeds.retrieve(Query('the ship with number 3'), GraphIndex.from_records(nodes), 20))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "42")
    }
    assert len(outputs) == 1
    assert "n3" in outputs.pop()
