"""The cell gate."""

from __future__ import annotations

import numpy as np
import pytest

from graphrag_pipeline import Candidates, Query, ZachmanCell
from graphrag_pipeline.stages.filters.zachman import ZachmanFilter, ZachmanFilterParams
from tests.tiny import index_of, node

STORED = {
    "exact": "architect:how",
    "same row": "architect:who",
    "bare row": "architect",
    "cell": ZachmanCell.from_coordinate("architect:how", "described"),
    "mapping": {"perspective": "architect", "interrogative": "why"},
    "other row": "engineer:how",
    "unknown column": "architect:whom",
    "unknown row": "nobody:how",
    "broken mapping": {"perspective": "architect"},
    "null": None,
    "number": 7,
}
INDEX = index_of([node(name, zachman_cell=value) for name, value in STORED.items()] + [node("none")])
ALL = Candidates.seeds(np.arange(INDEX.node_count))


def judge(match: str, cell: str | None) -> dict[str, str]:
    """What the filter says of each node: kept, or the reason."""
    query = Query("x", cell=None if cell is None else ZachmanCell.from_coordinate(cell))
    stage = ZachmanFilter(ZachmanFilterParams.model_validate({"match": match}))
    verdict = stage.keep(ALL, query, INDEX)
    assert verdict is not None
    return {
        name: "kept" if kept else verdict.reasons[reason]
        for name, kept, reason in zip(INDEX.ids, verdict.keep, verdict.reason, strict=True)
    }


def test_the_whole_row_is_kept_and_every_dropped_node_has_its_reason():
    assert judge("perspective", "architect:how") == {
        "exact": "kept",
        "same row": "kept",
        "bare row": "kept",
        "cell": "kept",
        "mapping": "kept",
        "other row": "other_perspective",
        "unknown column": "kept",
        "unknown row": "unreadable_cell",
        "broken mapping": "unreadable_cell",
        "null": "no_cell",
        "number": "unreadable_cell",
        "none": "no_cell",
    }


def test_only_the_very_cell_is_kept_when_asked():
    assert judge("cell", "architect:how") == {
        "exact": "kept",
        "same row": "other_interrogative",
        "bare row": "other_interrogative",
        "cell": "kept",
        "mapping": "other_interrogative",
        "other row": "other_perspective",
        "unknown column": "other_interrogative",
        "unknown row": "unreadable_cell",
        "broken mapping": "unreadable_cell",
        "null": "no_cell",
        "number": "unreadable_cell",
        "none": "no_cell",
    }


def test_without_a_query_cell_the_filter_does_not_apply():
    assert ZachmanFilter().keep(ALL, Query("x"), INDEX) is None


def test_no_candidates_are_judged_as_none():
    verdict = ZachmanFilter().keep(ALL.keep(np.zeros(len(ALL), bool)), Query("x", cell=_cell()), INDEX)
    assert verdict is not None
    assert verdict.keep.tolist() == []
    assert verdict.keep.dtype == np.bool_


def _cell() -> ZachmanCell:
    return ZachmanCell.from_coordinate("architect:how")


@pytest.mark.parametrize("match", ["row", "", None, 1])
def test_another_way_to_match_is_refused(match):
    with pytest.raises(ValueError, match="match"):
        ZachmanFilterParams.model_validate({"match": match})
