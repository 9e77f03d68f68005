"""The 36 cells, and what a stored cell value means."""

from __future__ import annotations

import copy
import pickle

import pytest
from fcc.classification.zachman import ZachmanCell as OracleCell
from fcc.rag.graphrag import GraphRAG as OracleGraphRAG

from graphrag_pipeline import (
    CELLS,
    Interrogative,
    Perspective,
    ZachmanCell,
    assert_per_row_floor,
    iter_cells,
    matrix_coverage,
)
from graphrag_pipeline.model.zachman import check_per_row_floor, read_cell

ROWS = ["executive", "business_mgmt", "architect", "engineer", "technician", "enterprise"]
COLUMNS = ["what", "how", "where", "who", "when", "why"]


def test_the_36_cells_come_row_by_row():
    assert [cell.coordinate for cell in CELLS] == [f"{row}:{column}" for row in ROWS for column in COLUMNS]
    assert tuple(iter_cells()) == CELLS


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.coordinate)
def test_a_cell_survives_coordinate_dict_pickle_and_copy(cell):
    assert ZachmanCell.from_coordinate(cell.coordinate) == cell
    assert ZachmanCell.from_dict(cell.to_dict()) == cell
    assert pickle.loads(pickle.dumps(cell)) == cell
    assert copy.deepcopy(cell) == cell


def test_a_cell_shows_as_row_slash_column_in_capitals():
    assert str(ZachmanCell(Perspective.BUSINESS_MANAGEMENT, Interrogative.HOW)) == "BUSINESS_MANAGEMENT/HOW"


def test_text_values_are_accepted_and_become_the_enums():
    cell = ZachmanCell("architect", "why")  # type: ignore[arg-type]
    assert cell.perspective is Perspective.ARCHITECT
    assert cell.interrogative is Interrogative.WHY


def test_equal_cells_have_one_hash_and_the_description_counts():
    one, same = (ZachmanCell.from_coordinate("engineer:how", "x") for _ in range(2))
    other = ZachmanCell.from_coordinate("engineer:how", "y")
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert len({one, same, other}) == 2


def test_a_cell_is_frozen():
    with pytest.raises(AttributeError):
        CELLS[0].description = "x"  # type: ignore[misc]


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":",
        "architect",
        "architect:",
        ":how",
        "architect:whom",
        "Architect:how",
        "architect:HOW",
        " architect:how",
        "architect:how:x",
        "architect:how ",
        "architect/how",
        "nobody:how",
        "ARCHITECT/HOW",
    ],
)
def test_anything_but_two_known_names_is_no_coordinate(text):
    with pytest.raises(ValueError, match="row:column") as error:
        ZachmanCell.from_coordinate(text)
    assert "business_mgmt" in str(error.value)
    assert "when" in str(error.value)


def test_from_dict_takes_the_keys_in_any_order_and_a_description_of_any_type():
    cell = ZachmanCell.from_dict({"description": 7, "interrogative": "who", "perspective": "enterprise"})
    assert cell.to_dict() == {"perspective": "enterprise", "interrogative": "who", "description": "7"}


def test_from_dict_names_a_missing_key():
    with pytest.raises(KeyError, match="interrogative"):
        ZachmanCell.from_dict({"perspective": "architect"})


ARCHITECT, HOW = Perspective.ARCHITECT, Interrogative.HOW
READ = [
    (ZachmanCell(ARCHITECT, HOW, "x"), (ARCHITECT, HOW)),
    ({"perspective": "architect", "interrogative": "how"}, (ARCHITECT, HOW)),
    ({"perspective": "architect", "interrogative": "how", "description": None, "more": 1}, (ARCHITECT, HOW)),
    ({"perspective": ARCHITECT, "interrogative": HOW}, (ARCHITECT, HOW)),
    ("architect:how", (ARCHITECT, HOW)),
    ("architect", (ARCHITECT, None)),
    ("architect:", (ARCHITECT, None)),
    ("architect:whom", (ARCHITECT, None)),
    ("architect:HOW", (ARCHITECT, None)),
    ("architect: how", (ARCHITECT, None)),
    ("architect:how:x", (ARCHITECT, None)),
    ("architect::how", (ARCHITECT, None)),
    (ARCHITECT, (ARCHITECT, None)),
    ({"perspective": "architect"}, None),
    ({"interrogative": "how"}, None),
    ({"perspective": "architect", "interrogative": "whom"}, None),
    ({"perspective": "nobody", "interrogative": "how"}, None),
    ({"perspective": None, "interrogative": "how"}, None),
    ({"perspective": ["architect"], "interrogative": "how"}, None),
    ({"perspective": "architect", "interrogative": {}}, None),
    ({"Perspective": "architect", "Interrogative": "how"}, None),
    ({}, None),
    ("", None),
    (":", None),
    (":how", None),
    ("how:architect", None),
    ("Architect:how", None),
    ("ARCHITECT/HOW", None),
    (" architect:how", None),
    ("architect ", None),
    ("nobody", None),
    (None, None),
    (0, None),
    (1.5, None),
    (True, None),
    (b"architect", None),
    (["architect", "how"], None),
    (("architect", "how"), None),
    ({"architect"}, None),
]


@pytest.mark.parametrize(("value", "expected"), READ, ids=lambda value: repr(value)[:50])
def test_a_stored_value_is_read_by_the_references_rules(value, expected):
    assert read_cell(value) == expected


@pytest.mark.parametrize("value", [value for value, _ in READ], ids=lambda value: repr(value)[:50])
def test_a_stored_value_matches_the_rows_that_the_oracle_says(value):
    def oracle(row: str) -> bool:
        raw = OracleCell.from_coordinate(value.coordinate) if isinstance(value, ZachmanCell) else value
        return bool(OracleGraphRAG._zachman_matches(raw, f"{row}:how", row))

    read = read_cell(value)
    assert [row for row in ROWS if oracle(row)] == ([] if read is None else [read[0].value])


def test_coverage_counts_every_row_and_shows_the_empty_ones():
    cells = [ZachmanCell.from_coordinate(text) for text in ("engineer:how", "engineer:who", "executive:why")]
    assert matrix_coverage(cells) == {
        "executive": 1,
        "business_mgmt": 0,
        "architect": 0,
        "engineer": 2,
        "technician": 0,
        "enterprise": 0,
    }
    assert list(matrix_coverage([])) == ROWS


def test_the_floor_names_the_rows_below_it():
    cells = [cell for cell in CELLS if cell.perspective != Perspective.TECHNICIAN]
    assert check_per_row_floor(CELLS, 6) == {}
    assert check_per_row_floor(cells) == {"technician": 0}
    assert check_per_row_floor(CELLS, 7) == dict.fromkeys(ROWS, 6)


def test_the_floor_can_be_asserted():
    assert_per_row_floor(CELLS)
    assert_per_row_floor([], floor=0)
    with pytest.raises(AssertionError, match=r"at least 1 .*executive has 0.*enterprise has 0"):
        assert_per_row_floor([])
