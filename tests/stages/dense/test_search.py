from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from graphrag_pipeline import StageError
from graphrag_pipeline.stages.dense import search
from graphrag_pipeline.stages.dense.search import CellSearch, Found, nearest, need_faiss
from graphrag_pipeline.stages.dense.vectors import NodeVectors

LEAST = 1e-6


def random_vectors(texts: int, dim: int = 32, nodes: int | None = None, seed: int = 0) -> NodeVectors:
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((12, dim))
    unit = centres[rng.integers(0, 12, texts)] + rng.standard_normal((texts, dim))
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    row = np.arange(texts) if nodes is None else rng.integers(-1, texts, nodes)
    return NodeVectors(unit.astype(np.float32), row.astype(np.int32))


def of(*similarities: float) -> NodeVectors:
    """One node for each similarity to the query (1, 0)."""
    unit = np.array([[s, (1 - s * s) ** 0.5] for s in similarities], dtype=np.float32)
    return NodeVectors(unit, np.arange(len(similarities), dtype=np.int32))


QUERY = np.array([1, 0], dtype=np.float32)


def plain(found: Found) -> list[tuple[int, float]]:
    return list(zip(found.node.tolist(), found.similarity.tolist(), strict=True))


def test_the_most_similar_come_first_and_ties_are_in_node_order():
    found = nearest(of(0.5, 0.9, 0.5, 0.9, 0.1), QUERY, 4, LEAST)
    assert plain(found) == [(1, 0.9), (3, 0.9), (0, 0.5), (2, 0.5)]


def test_a_tie_at_the_limit_keeps_the_first_nodes():
    assert nearest(of(*[0.5] * 12), QUERY, 5, LEAST).node.tolist() == [0, 1, 2, 3, 4]


def test_differences_behind_the_sixth_decimal_are_no_differences():
    assert nearest(of(0.5, 0.5000001, 0.50001), QUERY, 3, LEAST).node.tolist() == [2, 0, 1]
    assert nearest(of(0.5, 0.5000001, 0.50001), QUERY, 2, LEAST).node.tolist() == [2, 0]


def test_nodes_of_one_text_are_all_found():
    vectors = NodeVectors(of(0.9, 0.5).unit, np.array([1, 0, -1, 0, 1], dtype=np.int32))
    assert plain(nearest(vectors, QUERY, 3, LEAST)) == [(1, 0.9), (3, 0.9), (0, 0.5)]


def test_what_is_less_similar_than_wanted_is_left_out():
    assert nearest(of(0.3, 0.0, -0.4, 0.2), QUERY, 9, LEAST).node.tolist() == [0, 3]
    assert nearest(of(0.3, 0.0, -0.4, 0.2), QUERY, 9, 0.3).node.tolist() == [0]


def test_nothing_is_found_among_nothing():
    empty = NodeVectors(np.zeros((0, 0), dtype=np.float32), np.full(3, -1, dtype=np.int32))
    assert plain(nearest(empty, QUERY, 3, LEAST)) == []
    assert plain(nearest(NodeVectors(empty.unit, empty.row[:0]), QUERY, 3, LEAST)) == []


@pytest.mark.parametrize("seed", range(6))
def test_it_finds_what_a_look_at_each_node_finds(seed):
    vectors = random_vectors(200, 16, nodes=350, seed=seed)
    query = vectors.unit[seed]
    by_hand = [
        (node, round(float(np.dot(vectors.unit[row].astype(np.float64), query.astype(np.float64))), 6))
        for node, row in enumerate(vectors.row.tolist())
        if row >= 0
    ]
    by_hand = [entry for entry in by_hand if entry[1] > 0]
    by_hand.sort(key=lambda entry: (-entry[1], entry[0]))
    found = nearest(vectors, query, 25, LEAST)
    assert found.similarity.tolist() == pytest.approx([value for _, value in by_hand[:25]], abs=2e-6)
    # Rounding may order two that differ by less than a millionth either way.
    assert set(found.node[:20].tolist()) <= {node for node, _ in by_hand[:30]}


@pytest.fixture
def faiss() -> Any:
    if find_spec("faiss") is None:
        pytest.skip("faiss is not installed")
    return search._faiss()


def test_flat_search_gives_what_faiss_gives(faiss):
    vectors = random_vectors(3000, 64)
    index = faiss.IndexFlatIP(64)
    index.add(vectors.unit)
    for query in vectors.unit[:20]:
        similarity, node = index.search(query[None, :], 10)
        found = nearest(vectors, query, 10, LEAST)
        assert found.node.tolist() == node[0].tolist()
        assert found.similarity.tolist() == pytest.approx(similarity[0].tolist(), abs=2e-6)


def test_cells_give_the_exact_answer_when_all_are_looked_into(faiss):
    vectors = random_vectors(600, 16, nodes=900)
    cells = CellSearch(vectors, 10)
    for query in vectors.unit[:20]:
        exact = nearest(vectors, query, 10, LEAST)
        assert plain(cells.nearest(query, 10, LEAST, probe=10)) == plain(exact)
        assert plain(cells.nearest(query, 10, LEAST, probe=999)) == plain(exact)


def test_few_cells_find_most_and_tell_the_same_similarities(faiss):
    vectors = random_vectors(1000, 32)
    cells = CellSearch(vectors)
    hits = 0
    for query in vectors.unit[:50]:
        exact = dict(plain(nearest(vectors, query, 10, LEAST)))
        found = dict(plain(cells.nearest(query, 10, LEAST, probe=8)))
        hits += len(exact.keys() & found.keys())
        assert all(found[node] == exact[node] for node in exact.keys() & found.keys())
    assert hits >= 0.8 * 500


def test_cells_are_the_same_each_time(faiss):
    vectors = random_vectors(500, 16)
    once, again = CellSearch(vectors), CellSearch(vectors)
    for query in vectors.unit[:50]:
        assert plain(once.nearest(query, 5, LEAST, 2)) == plain(again.nearest(query, 5, LEAST, 2))


def test_few_texts_need_no_cells(faiss):
    vectors = of(0.5, 0.9)
    assert plain(CellSearch(vectors).nearest(QUERY, 5, LEAST, 1)) == [(1, 0.9), (0, 0.5)]


def test_without_faiss_cells_are_refused(monkeypatch):
    monkeypatch.setattr(search, "find_spec", lambda name: None)
    with pytest.raises(StageError, match="needs faiss") as error:
        need_faiss()
    assert "graphrag-pipeline[dense]" in error.value.hint
