"""Priors of node types."""

from __future__ import annotations

import numpy as np
import pytest

from graphrag_pipeline import Candidates, GraphIndex, KnowledgeNode, Query
from graphrag_pipeline.stages.signals.node_type_prior import NodeTypePrior, NodeTypePriorParams

TYPES = ["passage", "person", "Person", "地名", "person"]
GRAPH = GraphIndex.from_records(KnowledgeNode(str(place), kind, "x") for place, kind in enumerate(TYPES))


def priors(candidates: Candidates | None = None, **params: object) -> list[float]:
    signal = NodeTypePrior(NodeTypePriorParams.model_validate(params))
    chosen = Candidates.seeds(np.arange(5)) if candidates is None else candidates
    return list(signal.compute(chosen, Query("x"), GRAPH).tolist())


def test_a_type_has_its_number_and_the_others_the_default():
    assert priors(types={"passage": 1, "地名": -0.5}, default=0.25) == [1, 0.25, 0.25, -0.5, 0.25]


def test_types_are_told_apart_by_every_letter():
    assert priors(types={"person": 1}) == [0, 1, 0, 0, 1]


def test_without_types_all_have_the_default():
    assert priors() == [0] * 5
    assert priors(default=2) == [2] * 5


def test_a_type_that_the_graph_does_not_have_changes_nothing():
    assert priors(types={"gone": 9}) == priors()


def test_only_candidates_are_looked_at():
    assert priors(Candidates.seeds(np.array([4, 0])), types={"person": 1}) == [1, 0]


@pytest.mark.parametrize(
    "wrong", [{"types": {"a": 1e4}}, {"default": float("inf")}, {"types": {"a": "much"}}]
)
def test_a_prior_is_a_number_within_bounds(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        NodeTypePriorParams.model_validate(wrong)
