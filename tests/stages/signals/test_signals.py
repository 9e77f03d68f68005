"""The reference's three signals."""

from __future__ import annotations

import numpy as np
import pytest

from graphrag_pipeline import Candidates, Query
from graphrag_pipeline.stages.signals.baseline import Baseline
from graphrag_pipeline.stages.signals.label_match import LabelMatch
from graphrag_pipeline.stages.signals.persona_match import PersonaMatch
from tests.tiny import index_of, node

INDEX = index_of(
    [node("a", "Risk"), node("risk-2", "x"), node("c", "c", owner="FCON-001"), node("d", "fcon-001")]
)
BACKWARDS = Candidates.seeds(np.array([3, 2, 1, 0]))
NOBODY = Candidates.seeds(np.array([], dtype=np.int64))


@pytest.mark.parametrize("signal", [Baseline(), LabelMatch(), PersonaMatch()])
@pytest.mark.parametrize("query", [Query("risk", persona="P"), Query("")])
def test_a_signal_is_one_float_per_candidate(signal, query):
    for candidates in (BACKWARDS, NOBODY):
        column = signal.compute(candidates, query, INDEX)
        assert column.dtype == np.float64
        assert column.shape == (len(candidates),)


def test_the_baseline_is_one_everywhere():
    assert Baseline().compute(BACKWARDS, Query("x"), INDEX).tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("RISK", [0, 0, 1, 1]),
        ("risk ", [0, 0, 0, 0]),
        ("", [0, 0, 0, 0]),
        (" ", [0, 0, 0, 0]),
        ("c", [1, 1, 0, 0]),
        ("risk owner", [0, 0, 0, 0]),
    ],
)
def test_label_match_takes_the_text_lower_cased_and_not_stripped(text, column):
    assert LabelMatch().compute(BACKWARDS, Query(text), INDEX).tolist() == column


@pytest.mark.parametrize(
    ("persona", "anchors", "column"),
    [
        ("FCON-001", (), [1, 1, 0, 0]),
        ("Fcon", (), [1, 1, 0, 0]),
        ("OWNER", (), [0, 1, 0, 0]),
        ("P", ("risk",), [0, 0, 1, 1]),
        ("P", ("risk", "owner"), [0, 1, 1, 1]),
        (None, (), [0, 0, 0, 0]),
        ("", (), [0, 0, 0, 0]),
        (None, ("risk",), [0, 0, 0, 0]),
    ],
)
def test_persona_match_looks_for_any_anchor_in_label_id_and_properties(persona, anchors, column):
    query = Query("x", persona=persona, anchors=anchors)
    assert PersonaMatch().compute(BACKWARDS, query, INDEX).tolist() == column
