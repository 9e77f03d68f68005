"""Which cells nearby would keep candidates."""

from __future__ import annotations

import numpy as np

from graphrag_pipeline import GraphIndex, Query, ZachmanCell
from tests.stages.filters.rules.judged import every, rules, typed

CELLS = [
    *["architect:how"] * 1,
    *["architect:who"] * 2,
    *["engineer:how"] * 3,
    *["business_mgmt:how"] * 1,
    *["enterprise:when"] * 5,
    *["engineer"] * 2,
    *["nobody:how"] * 2,
]
INDEX = GraphIndex.from_records(
    [typed(str(at), "odd" if at % 2 else "even", zachman_cell=cell) for at, cell in enumerate(CELLS)]
    + [typed("none")]
)


def told(rule, k, cell="architect:how", index=INDEX):
    query = Query("x", k=k, cell=None if cell is None else ZachmanCell.from_coordinate(cell))
    return rules(rule).remarks(every(index), query, index)


def test_cells_are_named_from_the_nearest_on_with_the_nearest_that_is_enough():
    assert told({"cell": {"match": "cell"}}, k=4) == (
        "nearest cells that would keep some: engineer:how (3), architect:who (2), business_mgmt:how (1); "
        "the nearest with enough is enterprise:when (5)",
    )


def test_where_none_is_enough_none_is_said_to_be():
    assert told({"cell": {"match": "cell"}}, k=6) == (
        "nearest cells that would keep some: engineer:how (3), architect:who (2), business_mgmt:how (1)",
    )


def test_by_perspective_whole_rows_are_named():
    assert told({"cell": {}}, k=4) == (
        "nearest cells that would keep some: engineer:* (5), business_mgmt:* (1), enterprise:* (5); "
        "the nearest with enough is engineer:* (5)",
    )


def test_by_interrogative_whole_columns_are_named():
    assert told({"cell": {"match": "interrogative"}}, k=5) == (
        "nearest cells that would keep some: *:when (5), *:who (2); the nearest with enough is *:when (5)",
    )


def test_only_candidates_count_that_the_other_rules_keep():
    rule = {"all": [{"cell": {"match": "cell"}}, {"node_type": ["odd"]}]}
    assert told(rule, k=4) == (
        "nearest cells that would keep some: engineer:how (2), architect:who (1), enterprise:when (3)",
    )
    assert told({"all": [{"cell": {}}, {"node_type": ["nothing"]}]}, k=4) == (
        "no candidate of another cell is kept by the other rules",
        "no node has the node type 'nothing'",
    )


def test_cells_of_its_own_have_neighbours_too():
    rule = {"cell": {"perspectives": ["enterprise"]}}
    assert told(rule, k=9, cell=None) == (
        "nearest cells that would keep some: engineer:* (5), architect:* (3), business_mgmt:* (1)",
    )


def test_without_a_target_there_is_nothing_near():
    assert told({"all": [{"cell": {}}, {"hop": {}}]}, k=4, cell=None) == ()


def test_no_candidates_have_no_cells():
    empty = every(INDEX).keep(np.zeros(INDEX.node_count, dtype=np.bool_))
    query = Query("x", cell=ZachmanCell.from_coordinate("architect:how"))
    assert rules({"cell": {}}).remarks(empty, query, INDEX) == (
        "no candidate of another cell is kept by the other rules",
    )
