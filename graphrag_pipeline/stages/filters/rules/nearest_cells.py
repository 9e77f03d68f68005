"""Which cells near the target would keep candidates, for a filter by cell that left too few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from graphrag_pipeline.graph.arrays import BoolArray
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.model.zachman import Interrogative, Perspective
from graphrag_pipeline.stages.filters.rules.algebra import Rule
from graphrag_pipeline.stages.filters.rules.cell import COLUMNS, CellTest
from graphrag_pipeline.stages.filters.rules.judgement import Scene

SHOWN = 3
"""Cells that are named."""
ANY = -1
"""The code of a row or column that does not matter."""


@dataclass(frozen=True, slots=True)
class NearCell:
    """A cell, or a whole row or column, whose candidates a rule about cells drops.

    Args:
        row: Code of its row, or :data:`ANY`.
        column: Code of its column, or :data:`ANY`.
        distance: Rows up or down to a kept cell, plus one for another column.
        count: Candidates in it that nothing but the rules about cells drops.
    """

    row: int
    column: int
    distance: int
    count: int

    def __str__(self) -> str:
        row = "*" if self.row == ANY else list(Perspective)[self.row].value
        column = "*" if self.column == ANY else list(Interrogative)[self.column].value
        return f"{row}:{column} ({self.count})"


def near_cells(root: Rule, scene: Scene, kept: BoolArray) -> tuple[NearCell, ...]:
    """Return the cells of the candidates that nothing but rules about cells drops, nearest first.

    Of two at one distance the one with more candidates comes first, then the order of the matrix. Where
    columns do not matter to the rule, whole rows are returned, and the other way round. Time is linear in
    the candidates.

    Args:
        root: The outermost rule.
        scene: The candidates that were judged.
        kept: Which of them it kept.
    """
    test = next(cell_tests(root, scene.query), None)
    if test is None:
        return ()
    every = np.arange(len(scene.candidates))
    lost = every[root.judge(replace(scene, cells=False), every).keep & ~kept]
    row, column = test.cells_of(scene, lost)
    allowed = test.allowed(scene.query)
    cells = _grouped(list(zip(row.tolist(), column.tolist(), strict=True)), allowed)
    found = [NearCell(*cell, _distance(cell, allowed), count) for cell, count in cells.items()]
    return tuple(sorted(found, key=lambda cell: (cell.distance, -cell.count, cell.row, cell.column)))


def cell_tests(root: Rule, query: Query) -> Iterator[CellTest]:
    """Yield the rules about cells that have a target in this query."""
    return (test for test in root.tests() if isinstance(test, CellTest) and test.applies(query))


def advice(cells: tuple[NearCell, ...], query: Query) -> str:
    """Return a line that names the nearest cells, and the nearest that would be enough for ``query.k``."""
    if not cells:
        return "no candidate of another cell is kept by the other rules"
    text = f"nearest cells that would keep some: {', '.join(map(str, cells[:SHOWN]))}"
    enough = next((cell for cell in cells if cell.count >= query.k), None)
    return text if enough is None else f"{text}; the nearest with enough is {enough}"


def _grouped(cells: list[tuple[int, int]], allowed: BoolArray) -> Mapping[tuple[int, int], int]:
    """Count candidates by cell, or by row or column where only that matters."""
    by_row = (allowed.all(axis=1) == allowed.any(axis=1)).all()
    by_column = (allowed[:, :COLUMNS].all(axis=0) == allowed[:, :COLUMNS].any(axis=0)).all()
    if by_row:
        return Counter((row, ANY) for row, _ in cells if row >= 0)
    if by_column:
        return Counter((ANY, column) for row, column in cells if row >= 0 and column >= 0)
    return Counter((row, column) for row, column in cells if row >= 0 and column >= 0)


def _distance(cell: tuple[int, int], allowed: BoolArray) -> int:
    row, column = cell
    steps = [
        (0 if row == ANY else abs(row - kept_row)) + (column not in (ANY, kept_column))
        for kept_row, kept_column in np.argwhere(allowed).tolist()
    ]
    return min(steps)
