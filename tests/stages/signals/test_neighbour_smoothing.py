"""What there is around a candidate."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from graphrag_pipeline import Candidates, GraphIndex, Query
from graphrag_pipeline.stages.signals.neighbour_smoothing import NeighbourSmoothing, NeighbourSmoothingParams
from tests.tiny import index_of, node

# A star around a, and b next to c; e is no candidate, f stands alone.
STAR = index_of("a b c d e f", "a>b c>a a>d a>e b>c a>b b>b")
CHOSEN = Candidates.seeds(np.array([5, 3, 0, 1, 2]))
PATH_MAX = {"f": 1.0, "d": 0.1, "a": 0.2, "b": 0.4, "c": 0.8}


def smoothed(index: GraphIndex = STAR, candidates: Candidates | None = None, **params: Any) -> list[float]:
    if candidates is None:
        candidates = replace(CHOSEN, evidence={"path_max": np.array(list(PATH_MAX.values()))})
    made = NeighbourSmoothingParams.model_validate({"of": {"path_max": 1}, **params})
    return list(NeighbourSmoothing(made).compute(candidates, Query("harbour", k=9), index).tolist())


def test_it_is_the_sum_over_candidates_next_to_it_shrunk():
    # In the order f, d, a, b, c.
    expected = [
        0.0,
        0.2 / math.sqrt(3),
        (0.1 + 0.4 + 0.8) / math.sqrt(5),
        (0.2 + 0.8) / math.sqrt(4),
        (0.2 + 0.4) / math.sqrt(4),
    ]
    assert smoothed() == pytest.approx(expected)


def test_without_shrinking_it_is_the_sum_over_the_root_of_their_number():
    assert smoothed(shrink=0)[:3] == pytest.approx([0, 0.2, 1.3 / math.sqrt(3)])


@pytest.mark.parametrize("most", [1, 2, 3, 4])
def test_the_list_of_a_hub_is_not_read_and_its_edges_are_seen_from_the_other_end(most):
    found = smoothed(max_degree=most)
    # a has four neighbours, b and c two: at 1 the edges between a, b and c are seen from neither end.
    if most == 1:
        assert found == pytest.approx([0, 0.2 / math.sqrt(3), 0.1 / math.sqrt(3), 0, 0])
    else:
        assert found == pytest.approx(smoothed())


def test_columns_are_weighted_and_evidence_that_nobody_gave_counts_as_nothing():
    assert smoothed(of={"path_max": 0.5, "nobody": 3}) == pytest.approx([value / 2 for value in smoothed()])


def test_what_neighbours_say_counts_as_their_text_signals_tell():
    index = index_of([node("a"), node("b", "harbour"), node("c", "harbour", text="harbour")], "a>b a>c")
    candidates = Candidates.seeds(np.arange(3))
    words = smoothed(index, candidates, of={"idf_coverage": 1})
    assert words == pytest.approx([2 / math.sqrt(4), 0, 0])
    bm25 = smoothed(index, candidates, of={"bm25": 1})
    assert 1 / math.sqrt(4) < bm25[0] <= 2 / math.sqrt(4)
    assert bm25[1:] == [0, 0]


def test_nobody_one_and_extras_have_no_neighbours():
    assert smoothed(candidates=Candidates.seeds(np.array([0]))) == [0]
    assert smoothed(candidates=Candidates.seeds(np.zeros(0, dtype=np.int64))) == []
    assert smoothed(index_of("x y"), Candidates.seeds(np.arange(2))) == [0, 0]


@pytest.mark.parametrize("wrong", [{"of": {}}, {"of": {"a": 1e9}}, {"shrink": -1}, {"max_degree": 0}])
def test_senseless_parameters_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        NeighbourSmoothingParams.model_validate(wrong)
