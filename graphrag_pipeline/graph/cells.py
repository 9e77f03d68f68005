"""Stored ``zachman_cell`` values as two columns of small integers."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from graphrag_pipeline.graph.arrays import IntArray
from graphrag_pipeline.model.zachman import Interrogative, Perspective, read_cell

NO_CODE = -1
"""The node stores no cell, or its cell names no column."""
UNREADABLE = -2
"""The node stores a value that names no row of the matrix."""

_ROWS = {row: code for code, row in enumerate(Perspective)}
_COLUMNS = {column: code for code, column in enumerate(Interrogative)}


def cell_codes(values: Iterable[object]) -> tuple[IntArray, IntArray]:
    """Read stored values by the reference's rules.

    Returns:
        Row codes (0-5, :data:`NO_CODE` for None, :data:`UNREADABLE`) and column codes (0-5 or
        :data:`NO_CODE`), one each per value. Codes follow the order of the enums.
    """
    codes = [_codes(value) for value in values]
    table = np.array(codes, dtype=np.int64).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def row_code(perspective: Perspective) -> int:
    """Return the code of a row."""
    return _ROWS[perspective]


def column_code(interrogative: Interrogative) -> int:
    """Return the code of a column."""
    return _COLUMNS[interrogative]


def _codes(value: object) -> tuple[int, int]:
    if value is None:
        return NO_CODE, NO_CODE
    cell = read_cell(value)
    if cell is None:
        return UNREADABLE, NO_CODE
    row, column = cell
    return _ROWS[row], NO_CODE if column is None else _COLUMNS[column]
