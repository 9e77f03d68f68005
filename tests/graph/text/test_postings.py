"""The inverted index, against counting by hand and against bm25s."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from graphrag_pipeline.graph.text.postings import Bm25, Postings, PostingsBuilder

DOCS = [
    "a cat is a feline and likes to purr",
    "a dog is the human's best friend and loves to play",
    "a bird is a beautiful animal that can fly",
    "a fish is a creature that lives in water and swims",
    "purr purr purr",
]


def postings(*nodes: Sequence[str]) -> Postings:
    """Index nodes given as their label's terms."""
    builder = PostingsBuilder()
    for terms in nodes:
        builder.add([list(terms), [], [], []])
    return builder.finish()


INDEX = postings(*(doc.split() for doc in DOCS))


def test_terms_are_found_by_node_and_nodes_by_term():
    index = postings(["a", "b", "a"], [], ["b"])
    assert list(index.terms) == ["a", "b"]
    assert index.codes(["b", "x", "a"]).tolist() == [1, 0]
    assert index.node[index.rows(1)].tolist() == [0, 2]
    assert index.count[0, index.rows(0)].tolist() == [2]
    assert [index.terms_at(node).tolist() for node in range(3)] == [[0, 1], [], [1]]


def test_idf_is_that_of_lucene():
    # Three nodes, `b` in two of them.
    index = postings(["a", "b", "a"], [], ["b"])
    assert index.idf.tolist() == pytest.approx([math.log(1 + 2.5 / 1.5), math.log(1 + 1.5 / 2.5)])


def test_bm25_by_hand():
    index = postings(["a", "b", "a"], ["b"])
    score = index.bm25(index.codes(["a"]), np.ones(1), Bm25(k1=1.2, b=0.75))
    # One of two nodes has it, twice, in 3 words where the mean is 2.
    expected = math.log(1 + 1.5 / 1.5) * 2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2))
    assert score.tolist() == pytest.approx([expected, 0.0])


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("lucene", "lucene"),
        ("robertson", "robertson"),
        ("atire", "atire"),
        ("bm25l", "bm25l"),
        ("bm25plus", "bm25+"),
    ],
)
def test_every_variant_equals_that_of_bm25s(ours, theirs):
    bm25s = pytest.importorskip("bm25s", reason="the peer is not installed")
    peer = bm25s.BM25(method=theirs, k1=1.5, b=0.75, delta=0.5)
    tokens = [doc.split() for doc in DOCS]
    peer.index(tokens, show_progress=False)
    for query in ("purr", "a cat", "human's best friend loves", "is a to and"):
        terms = query.split()
        expected = peer.get_scores(terms)
        codes = INDEX.codes(terms)
        form = Bm25(k1=1.5, b=0.75, variant=ours, delta=0.5)
        mine = INDEX.bm25(codes, np.ones(codes.size), form)
        if ours in ("bm25l", "bm25plus"):
            # There absent terms score too, the same for every document; that changes no order.
            present = mine > 0
            gap = (expected - mine)[present]
            if len(terms) == 1:
                assert np.allclose(gap, 0, atol=1e-5)
            continue
        assert np.allclose(mine, expected, atol=1e-5), query


def test_fields_can_be_weighted_and_left_out():
    builder = PostingsBuilder()
    builder.add([["x"], [], ["t"], ["y", "y"]])
    builder.add([["y"], [], ["t"], []])
    index = builder.finish()
    labels = Bm25(fields=(1.0, 0.0, 0.0, 0.0))
    assert index.bm25(index.codes(["y"]), np.ones(1), labels)[0] == 0
    both = index.bm25(index.codes(["y"]), np.ones(1), Bm25())
    assert both[0] > 0
    assert both[1] > 0


def test_no_nodes_and_no_terms():
    assert postings().bm25(np.zeros(0, dtype=np.int64), np.zeros(0), Bm25()).size == 0
    empty = postings([], [])
    assert empty.idf.size == 0
    assert empty.bm25(empty.codes(["x"]), np.zeros(0), Bm25()).tolist() == [0.0, 0.0]
