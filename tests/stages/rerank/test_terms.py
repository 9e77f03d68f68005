"""How alike texts are by their terms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from graphrag_pipeline.stages.rerank.terms import Likeness, Similarity, rarest

IDF = np.array([1.0, 2.0, 3.0, 2.0])
TEXTS = [np.array(codes, dtype=np.int64) for codes in ([0, 1], [1, 2], [], [0, 1], [3])]


def alike(similarity: Similarity, text: int) -> list[float]:
    return list(Likeness(TEXTS, IDF, similarity).matrix()[text].tolist())


def test_cosine_is_taken_of_idf():
    expected = 2**2 / math.sqrt((1 + 4) * (4 + 9))
    assert alike("cosine", 0) == pytest.approx([1, expected, 0, 1, 0])
    assert alike("cosine", 1) == pytest.approx([expected, 1, 0, expected, 0])


def test_jaccard_is_the_shared_part_of_all_idf():
    assert alike("jaccard", 0) == pytest.approx([1, 2 / (1 + 2 + 3), 0, 1, 0])


@pytest.mark.parametrize("similarity", ["cosine", "jaccard"])
def test_a_text_is_wholly_like_its_copy_and_one_without_terms_like_none(similarity):
    assert alike(similarity, 3)[0] == alike(similarity, 0)[3] == 1.0
    assert alike(similarity, 2) == [0] * 5
    assert Likeness([], IDF, similarity).matrix().shape == (0, 0)


@pytest.mark.parametrize("similarity", ["cosine", "jaccard"])
def test_likeness_is_mutual_and_never_above_one(similarity):
    random = np.random.default_rng(7)
    idf = random.random(50) + 0.01
    texts = [np.flatnonzero(random.random(50) < share) for share in random.random(30)]
    matrix = Likeness(texts, idf, similarity).matrix()
    assert matrix.shape == (30, 30)
    np.testing.assert_allclose(matrix, matrix.T, rtol=1e-12)
    assert matrix.min() >= 0
    assert matrix.max() <= 1


def test_the_rarest_terms_are_kept_in_order():
    idf = np.array([1.0, 3.0, 2.0, 2.0, 5.0])
    terms = np.arange(5)
    assert rarest(terms, idf, 3).tolist() == [1, 2, 4]
    assert rarest(terms, idf, 5).tolist() == [0, 1, 2, 3, 4]
    assert rarest(terms[:0], idf, 1).tolist() == []
