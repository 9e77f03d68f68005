"""Stored ``zachman_cell`` values as two columns of small integers."""

from __future__ import annotations

from graphrag_pipeline.model.zachman import Interrogative, Perspective, read_cell

NO_CODE = -1
"""The node stores no cell, or its cell names no column."""
UNREADABLE = -2
"""The node stores a value that names no row of the matrix."""

_ROWS = {row: code for code, row in enumerate(Perspective)}
_COLUMNS = {column: code for code, column in enumerate(Interrogative)}


def row_code(perspective: Perspective) -> int:
    """Return the code of a row."""
    return _ROWS[perspective]


def column_code(interrogative: Interrogative) -> int:
    """Return the code of a column."""
    return _COLUMNS[interrogative]


def cell_code(value: object) -> tuple[int, int]:
    """Return the row and column code of one stored value."""
    if value is None:
        return NO_CODE, NO_CODE
    cell = read_cell(value)
    if cell is None:
        return UNREADABLE, NO_CODE
    row, column = cell
    return _ROWS[row], NO_CODE if column is None else _COLUMNS[column]
