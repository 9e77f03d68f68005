"""The rules ``hop`` and ``persona``."""

from __future__ import annotations

import numpy as np
import pytest

from graphrag_pipeline import Candidates, KnowledgeNode, Query
from graphrag_pipeline.stages.filters.rules.hop import HopParams
from tests.stages.filters.rules.judged import judged, kept
from tests.tiny import index_of, node

INDEX = index_of("a b c d", "a>b b>c c>d")
WALKED = Candidates.of(np.arange(4), np.arange(-1, 3), np.arange(-1, 3), np.arange(4))


@pytest.mark.parametrize(
    ("params", "ids"),
    [
        ({"max": 1}, "a b"),
        ({"min": 2}, "c d"),
        ({"min": 1, "max": 2}, "b c"),
        ({}, "a b c d"),
        ({"max": 0}, "a"),
    ],
)
def test_hops_are_counted_from_the_seed(params, ids):
    told = judged({"hop": params}, INDEX, candidates=WALKED)
    assert told is not None
    assert " ".join(node_id for node_id, reason in told.items() if not reason) == ids
    assert set(told.values()) <= {"", "hop"}


def test_an_empty_range_is_refused():
    with pytest.raises(ValueError, match="min 3 is more than max 1"):
        HopParams(min=3, max=1)


PEOPLE = index_of(
    [
        node("FCON-001"),
        node("b", owner="fcon-001"),
        KnowledgeNode("c", "concept", "c", properties={"FCON-001": 1}),
        node("d"),
    ]
)


def test_a_persona_is_mentioned_in_id_label_keys_and_values():
    assert kept({"persona": "mentioned"}, PEOPLE, Query("x", persona="FCON-001")) == "FCON-001 b c"
    assert kept({"not": {"persona": "mentioned"}}, PEOPLE, Query("x", persona="FCON-001")) == "d"


def test_every_anchor_stands_for_the_persona():
    query = Query("x", persona="nobody", anchors=("D", "owner"))
    assert kept({"persona": "mentioned"}, PEOPLE, query) == "b d"


@pytest.mark.parametrize("persona", [None, ""])
def test_without_a_persona_the_rule_is_left_out(persona):
    query = Query("x", persona=persona)
    assert judged({"persona": "mentioned"}, PEOPLE, query) is None
    assert judged({"not": {"persona": "mentioned"}}, PEOPLE, query) is None
    both = {"all": [{"persona": "mentioned"}, {"property": {"key": "owner"}}]}
    assert kept(both, PEOPLE, query) == "b"
