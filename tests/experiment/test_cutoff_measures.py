"""Measures from levels by rank: equal to those of ir-measures, and worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline.experiment.cutoff_measures import cutoff_values, depth_of, is_cutoff_measure

NAMES = (
    *("nDCG@1", "nDCG@3", "nDCG@10", "nDCG", "R@1", "R@5", "P@1", "P@5", "P@20"),
    *("RR", "RR@3", "AP", "AP@3", "Success@1", "Success@4"),
)


def values(names, gains, ideal, relevant):
    rows = np.array(gains, dtype=np.float64)
    return cutoff_values(names, rows, np.array(ideal, dtype=np.float64), relevant).tolist()


def test_values_are_as_worked_out_by_hand():
    found = values(
        ["nDCG@2", "R@2", "P@2", "RR@2", "AP@3", "Success@1", "all-gold@2", "all-gold@3"],
        [[0, 2, 1], [2, 1, 0], [0, 0, 0]],
        [2, 1],
        2,
    )
    best = 2 + 1 / math.log2(3)
    assert found[0] == pytest.approx([2 / math.log2(3) / best, 1, 0])
    assert found[1:4] == [[0.5, 1, 0], [0.5, 1, 0], [0.5, 1, 0]]
    assert found[4] == pytest.approx([(1 / 2 + 2 / 3) / 2, 1, 0])
    assert found[5:] == [[0, 1, 0], [0, 1, 0], [1, 1, 0]]


@given(
    levels=st.lists(st.integers(-1, 3), min_size=1, max_size=12).filter(lambda levels: max(levels) > 0),
    data=st.data(),
)
def test_values_are_those_of_ir_measures(levels, data):
    library = pytest.importorskip("ir_measures")
    qrels = {f"d{place}": level for place, level in enumerate(levels)}
    documents = [*qrels, *(f"x{place}" for place in range(6))]
    rankings = data.draw(st.lists(st.permutations(documents), min_size=1, max_size=3))
    rankings = [ranking[: data.draw(st.integers(1, len(documents)))] for ranking in rankings]
    width = max(map(len, rankings))
    gains = [
        [max(qrels.get(d, 0), 0) for d in ranking] + [0] * (width - len(ranking)) for ranking in rankings
    ]
    ideal = sorted((level for level in levels if level > 0), reverse=True)
    found = values(NAMES, gains, ideal, len(ideal))
    for column, ranking in enumerate(rankings):
        run = {"q": {document: -float(place) for place, document in enumerate(ranking)}}
        for row, name in enumerate(NAMES):
            measure = library.parse_measure(name)
            (metric,) = library.iter_calc([measure], {"q": qrels}, run)
            assert found[row][column] == pytest.approx(metric.value, abs=1e-12), name


def test_rankings_of_different_queries_are_measured_at_once():
    gains = np.array([[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]])
    ideals = np.array([[1.0, 1.0], [2.0, 0.0], [0.0, 0.0]])
    relevant = np.array([2, 1, 0])
    names = ("nDCG@2", "R@2", "AP", "all-gold@2")
    together = cutoff_values(names, gains, ideals, relevant)
    for row in range(3):
        alone = cutoff_values(names, gains[row : row + 1], ideals[row], int(relevant[row]))
        np.testing.assert_array_equal(together[:, row : row + 1], alone)


def test_levels_may_have_fractions():
    assert values(["nDCG@2", "R@2"], [[0.5, 0]], [1, 0.5], 2) == [
        pytest.approx([0.5 / (1 + 0.5 / math.log2(3))]),
        [0.5],
    ]


def test_there_is_no_share_of_nothing():
    assert np.isnan(values(NAMES, [[0, 0]], [], 0)).all()


def test_an_empty_ranking_finds_nothing():
    assert values(NAMES, np.zeros((2, 0)), [1], 1) == [[0, 0]] * len(NAMES)


@pytest.mark.parametrize("name", [*NAMES, "all-gold@7", "P@1000000"])
def test_a_plain_name_is_one(name):
    assert is_cutoff_measure(name)


@pytest.mark.parametrize(
    "name",
    ["", "R", "P", "nDCG@0", "R@05", "R@-1", "P(rel=2)@5", "Bpref", "all-gold", "R@٣", "R@5\n", "R@1000001"],
)
def test_other_names_are_left_to_the_library(name):
    assert not is_cutoff_measure(name)
    with pytest.raises(ValueError, match="no measure with a cutoff"):
        cutoff_values([name], np.zeros((1, 1)), np.zeros(0), 1)


def test_the_depth_is_that_of_the_deepest_measure():
    assert depth_of(["R@5", "nDCG@10"]) == 10
    assert depth_of(["R@5", "nDCG@10"], 7) == 7
    assert depth_of(["R@5", "AP"], 300) == 300
    assert depth_of([]) == 0
