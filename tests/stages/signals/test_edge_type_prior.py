"""Priors of the edges that candidates were discovered over."""

from __future__ import annotations

import numpy as np

from graphrag_pipeline import Candidates, Query
from graphrag_pipeline.stages.signals.edge_type_prior import EdgeTypePrior, EdgeTypePriorParams
from tests.tiny import edge, index_of

GRAPH = index_of("a b c d", [edge("a>b", "owns"), edge("c>a", "reads"), edge("c>d", "owns")])
# From the seed a over the first edge to b, against the second to c, and over the third to d.
WALK = Candidates.of(*np.array([[0, 1, 2, 3], [-1, 0, 0, 2], [-1, 0, 1, 2], [0, 1, 1, 2]]))


def priors(candidates: Candidates, **params: object) -> list[float]:
    signal = EdgeTypePrior(EdgeTypePriorParams.model_validate(params))
    return list(signal.compute(candidates, Query("x"), GRAPH).tolist())


def test_a_candidate_has_the_number_of_its_edges_type_whichever_way_it_was_walked():
    assert priors(WALK, types={"owns": 1.0, "reads": 0.5}, seed=0.25) == [0.25, 1, 0.5, 1]


def test_other_types_have_the_default():
    assert priors(WALK, types={"reads": 0.5}, default=-1) == [0, -1, 0.5, -1]
    assert priors(WALK) == [0, 0, 0, 0]


def test_seeds_alone_have_no_edge():
    assert priors(Candidates.seeds(np.array([1, 2])), types={"owns": 1}, default=1, seed=3) == [3, 3]
