from __future__ import annotations

import numpy as np

from graphrag_pipeline.stages.dense.vectors import NodeVectors, rounded

UNIT = np.array([[1, 0], [0.6, 0.8], [-1, 0], [0, 0]], dtype=np.float32)
QUERY = np.array([1, 0], dtype=np.float32)


def vectors(*row: int) -> NodeVectors:
    return NodeVectors(UNIT, np.array(row, dtype=np.int32))


def test_the_similarity_is_the_cosine_in_the_order_asked():
    found = vectors(0, 1, 2, 1).similarity(QUERY, np.array([3, 2, 0]))
    assert found.dtype == np.float64
    assert found.tolist() == [0.6, -1.0, 1.0]


def test_nodes_without_a_text_and_texts_without_a_vector_have_0():
    assert vectors(-1, 3, 0).similarity(QUERY, np.array([0, 1, 2])).tolist() == [0.0, 0.0, 1.0]


def test_no_nodes_and_no_texts_at_all():
    assert vectors(0).similarity(QUERY, np.zeros(0, dtype=np.int64)).size == 0
    none = NodeVectors(np.zeros((0, 0), dtype=np.float32), np.array([-1], dtype=np.int32))
    assert none.similarity(QUERY, np.array([0])).tolist() == [0.0]


def test_similarities_have_six_decimals_no_minus_zero_and_never_pass_1():
    given = np.array([0.12345678, -1e-9, 1.0000001, -1.0000001], dtype=np.float32)
    found = rounded(given).tolist()
    assert found == [0.123457, 0.0, 1.0, -1.0]
    assert not np.signbit(found[1])


def test_equal_texts_are_equally_similar_wherever_they_stand():
    # A matrix product adds the last rows of a block in another order.
    rng = np.random.default_rng(7)
    row = rng.standard_normal(384).astype(np.float32)
    row /= np.linalg.norm(row)
    other = rng.standard_normal(384).astype(np.float32)
    unit = np.tile(row, (37, 1))
    found = NodeVectors(unit, np.arange(37, dtype=np.int32)).similarity(other, np.arange(37))
    assert len(set(found.tolist())) == 1
