"""The rule ``cell``."""

from __future__ import annotations

import pytest

from graphrag_pipeline import CELLS, Query, ZachmanCell
from graphrag_pipeline.stages.filters.rules.cell import CellParams
from graphrag_pipeline.stages.filters.zachman import ZachmanFilter, ZachmanFilterParams
from tests.stages.filters.rules.judged import every, judged, kept, rules
from tests.tiny import index_of, node

STORED = {
    "exact": "architect:how",
    "same_row": "architect:who",
    "bare_row": "architect",
    "odd_column": "architect:whom",
    "above": "business_mgmt:how",
    "below": "engineer:how",
    "far": "enterprise:how",
    "elsewhere": "technician:who",
    "odd": "nobody:how",
    "null": None,
}
INDEX = index_of([node(name, zachman_cell=value) for name, value in STORED.items()] + [node("none")])
ARCHITECT_HOW = Query("x", cell=ZachmanCell.from_coordinate("architect:how"))


def test_every_dropped_node_has_its_reason():
    assert judged({"cell": {"match": "cell"}}, INDEX, ARCHITECT_HOW) == {
        "exact": "",
        "same_row": "cell: other_interrogative",
        "bare_row": "cell: other_interrogative",
        "odd_column": "cell: other_interrogative",
        "above": "cell: other_perspective",
        "below": "cell: other_perspective",
        "far": "cell: other_perspective",
        "elsewhere": "cell: other_perspective",
        "odd": "cell: unreadable_cell",
        "null": "cell: no_cell",
        "none": "cell: no_cell",
    }


@pytest.mark.parametrize(
    ("params", "ids"),
    [
        ({}, "exact same_row bare_row odd_column"),
        ({"match": "perspective"}, "exact same_row bare_row odd_column"),
        ({"match": "interrogative"}, "exact above below far"),
        ({"match": "cell"}, "exact"),
        ({"match": "cell", "rows": 1}, "exact above below"),
        ({"rows": 1}, "exact same_row bare_row odd_column above below"),
        ({"rows": 2}, "exact same_row bare_row odd_column above below elsewhere"),
        ({"match": "cell", "cells": ["technician:who", "enterprise:how"]}, "far elsewhere"),
        ({"match": "perspective", "cells": ["technician:why"], "rows": 1}, "below far elsewhere"),
        ({"match": "interrogative", "cells": ["executive:who"]}, "same_row elsewhere"),
        ({"perspectives": ["enterprise", "engineer"]}, "below far"),
        ({"perspectives": ["engineer"], "rows": 1}, "exact same_row bare_row odd_column below elsewhere"),
        ({"interrogatives": ["who"]}, "same_row elsewhere"),
        ({"perspectives": ["architect"], "interrogatives": ["who", "why"]}, "same_row"),
    ],
)
def test_a_rule_keeps_what_it_says(params, ids):
    assert kept({"cell": params}, INDEX, ARCHITECT_HOW) == ids


def test_neighbouring_rows_end_with_the_matrix():
    query = Query("x", cell=ZachmanCell.from_coordinate("executive:how"))
    assert kept({"cell": {"match": "cell", "rows": 1}}, INDEX, query) == "above"


def test_without_a_query_cell_only_cells_of_its_own_are_judged():
    assert judged({"cell": {"match": "cell"}}, INDEX) is None
    assert kept({"cell": {"match": "cell", "cells": ["architect:who"]}}, INDEX) == "same_row"
    assert kept({"cell": {"interrogatives": ["who"]}}, INDEX) == "same_row elsewhere"


@pytest.mark.parametrize("match", ["perspective", "cell"])
@pytest.mark.parametrize("cell", [*CELLS, None], ids=str)
def test_it_says_what_the_reference_filter_says(match, cell):
    query = Query("x", cell=cell)
    ours = rules({"cell": {"match": match}}).keep(every(INDEX), query, INDEX)
    reference = ZachmanFilter(ZachmanFilterParams(match=match)).keep(every(INDEX), query, INDEX)
    if reference is None or ours is None:
        assert reference is ours is None
        return
    assert ours.keep.tolist() == reference.keep.tolist()
    assert ours.reason[~ours.keep].tolist() == reference.reason[~reference.keep].tolist()
    assert ours.reasons == tuple(f"cell: {reason}" for reason in reference.reasons)


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"cells": ["architect:how"], "perspectives": ["engineer"]}, "cells cannot stand beside"),
        ({"perspectives": ["engineer"], "match": "cell"}, "match has no meaning"),
        ({"match": "interrogative", "rows": 1}, "rows has no meaning"),
        ({"interrogatives": ["how"], "rows": 1}, "rows has no meaning"),
        ({"cells": ["architect"]}, "is not a Zachman cell"),
        ({"cells": []}, "at least 1"),
        ({"perspectives": ["boss"]}, "executive"),
        ({"rows": 6}, "less than 6"),
        ({"rows": -1}, "greater than or equal to 0"),
    ],
)
def test_what_cannot_be_meant_is_refused(params, said):
    with pytest.raises(ValueError, match=said):
        CellParams.model_validate(params)
