from __future__ import annotations

import gc
import threading
from pathlib import Path

import numpy as np
import pytest

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.text.settings import TextSettings
from graphrag_pipeline.stages.dense.embedding import Embedding
from graphrag_pipeline.stages.dense.memory import CHOICES, VectorMemory
from graphrag_pipeline.stages.dense.params import DenseParams
from tests.stages.dense.fake import Letters
from tests.tiny import index_of, node

NODES = [node("x", "abc", text="d"), node("y", "bcd"), node("z", "")]
EDGES = "x>y"


@pytest.fixture
def params(tmp_path) -> DenseParams:
    return DenseParams(cache_dir=str(tmp_path / "kept"), cache_from_s=0)


def graph(*, nodes=NODES, edges=EDGES) -> GraphIndex:
    return index_of(nodes, edges)


def asked(index: GraphIndex, params: DenseParams, memory: VectorMemory, version: str = "letters 1") -> int:
    """How many texts an embedder of its own is asked about."""
    fake = Letters(version=version)
    memory.of(index, Embedding(fake), params)
    return len(fake.asked)


def test_vectors_are_one_row_a_text_and_a_row_for_each_node(params):
    vectors = VectorMemory().of(graph(), Embedding(Letters()), params)
    assert vectors.row.tolist() == [0, 1, -1]
    assert vectors.unit[0, :4].tolist() == pytest.approx([0.5] * 4)
    assert vectors.unit[1, :4].tolist() == pytest.approx([0, *[3**-0.5] * 3])


def test_vectors_are_computed_once_for_a_graph(params):
    memory, index = VectorMemory(), graph()
    assert asked(index, params, memory) == 2
    assert asked(index, params, memory) == 0


def test_another_process_finds_them_on_disk(params, tmp_path):
    first = VectorMemory().of(graph(), Embedding(Letters()), params)
    assert len(list((tmp_path / "kept").iterdir())) == 1
    fake = Letters()
    again = VectorMemory().of(graph(), Embedding(fake), params)
    assert fake.asked == []
    assert (again.unit == first.unit).all()
    assert (again.row == first.row).all()


def test_another_model_other_texts_and_other_nodes_have_vectors_of_their_own(params):
    assert asked(graph(), params, VectorMemory()) == 2
    assert asked(graph(), params, VectorMemory(), "letters 2") == 2
    assert asked(graph(), params.model_copy(update={"text": ("label",)}), VectorMemory()) == 2
    assert asked(graph(), params.model_copy(update={"nodes": "passages"}), VectorMemory()) == 1
    assert asked(graph(nodes=[node("x", "abd", text="d"), *NODES[1:]]), params, VectorMemory()) == 2
    assert asked(graph(nodes=NODES[::-1]), params, VectorMemory()) == 2
    assert asked(graph().with_text(TextSettings(passage_keys=("note",))), params, VectorMemory()) == 2
    assert asked(graph(), params, VectorMemory()) == 0


def test_edges_and_ids_do_not_count(params):
    assert asked(graph(), params, VectorMemory()) == 2
    assert asked(graph(edges="x>y y>z z>x"), params, VectorMemory()) == 0
    others = [node(each.node_id * 2, each.label, **each.properties) for each in NODES]
    assert asked(graph(nodes=others, edges="xx>yy"), params, VectorMemory()) == 0


def test_graphs_with_the_same_nodes_share_their_vectors_in_memory():
    memory, params = VectorMemory(), DenseParams(cache_dir=None)
    one, other = graph(), graph(edges="y>x")
    embedding = Embedding(Letters())
    assert memory.of(one, embedding, params) is memory.of(other, embedding, params)


def test_a_broken_file_is_computed_anew_with_a_warning(params, tmp_path, caplog):
    asked(graph(), params, VectorMemory())
    [path] = (tmp_path / "kept").iterdir()
    path.write_bytes(path.read_bytes()[:100])
    assert asked(graph(), params, VectorMemory()) == 2
    assert "computed anew" in caplog.text
    assert asked(graph(), params, VectorMemory()) == 0


def test_nothing_is_kept_on_disk_where_that_is_not_wanted_or_not_worth_it(params, tmp_path):
    nowhere = params.model_copy(update={"cache_dir": None})
    quick = params.model_copy(update={"cache_from_s": 1000.0})
    for given in (nowhere, quick):
        assert asked(graph(), given, VectorMemory()) == 2
    assert not (tmp_path / "kept").exists()


def test_a_graph_that_is_gone_after_the_query_leaves_nothing_on_disk(params, tmp_path):
    fake, memory, index = Letters(), VectorMemory(), GraphIndex.from_records(NODES)
    for _ in range(2):
        memory.of(index, Embedding(fake), params, passing=True)
    assert len(fake.asked) == 2
    assert not (tmp_path / "kept").exists()


def test_an_empty_graph_asks_for_nothing(params):
    vectors = VectorMemory().of(index_of(), Embedding(Letters()), params)
    assert (vectors.unit.shape, vectors.row.size) == ((0, 0), 0)


def test_threads_compute_once(params):
    started = threading.Barrier(8)

    class Slow(Letters):
        def embed(self, texts):
            threading.Event().wait(0.05)
            return super().embed(texts)

    fake, memory, index, found = Slow(), VectorMemory(), graph(), []
    embedding = Embedding(fake)

    def work() -> None:
        started.wait()
        found.append(memory.of(index, embedding, params))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(fake.asked) == 2
    assert all(vectors is found[0] for vectors in found)


def test_a_graph_that_nobody_uses_is_forgotten():
    memory, index = VectorMemory(), graph()
    memory.of(index, Embedding(Letters()), DenseParams(cache_dir=None))
    assert (len(memory._graphs), len(memory._by_content)) == (1, 1)
    del index
    gc.collect()
    assert (len(memory._graphs), len(memory._by_content)) == (0, 0)


def test_few_ways_of_embedding_a_graph_are_remembered():
    memory, index, params = VectorMemory(), graph(), DenseParams(cache_dir=None)
    for version in range(CHOICES + 1):
        assert asked(index, params, memory, f"v{version}") == 2
    assert asked(index, params, memory, f"v{CHOICES}") == 0
    assert asked(index, params, memory, "v0") == 2


def test_a_stored_graph_has_the_vectors_of_the_one_in_memory(params, tmp_path):
    asked(graph(), params, VectorMemory())
    graph().save(tmp_path / "index")
    assert asked(GraphIndex.open(tmp_path / "index"), params, VectorMemory()) == 0


def test_where_there_is_no_home_nothing_is_kept(monkeypatch):
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr("graphrag_pipeline.stages.dense.params.vector_directory", homeless)
    assert DenseParams().cache is None
    assert DenseParams(cache_dir=None).cache is None


def test_rows_are_those_of_the_embedder_whatever_the_company(params):
    vectors = VectorMemory().of(graph(), Embedding(Letters()), params)
    alone = Embedding(Letters()).rows(["abc. d"])
    assert np.array_equal(vectors.unit[:1], alone)
