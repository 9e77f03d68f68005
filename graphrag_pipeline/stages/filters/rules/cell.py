"""The rule ``cell``: where in the Zachman matrix a node stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import AfterValidator, Field, model_validator

from graphrag_pipeline.graph.arrays import BoolArray, IntArray
from graphrag_pipeline.graph.cells import NO_CODE, UNREADABLE, column_code, row_code
from graphrag_pipeline.model.component import Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.model.zachman import Interrogative, Perspective, ZachmanCell
from graphrag_pipeline.stages.filters.rules.judgement import Judgement, Scene

ROWS, COLUMNS = len(Perspective), len(Interrogative)


def _coordinate(text: str) -> str:
    return ZachmanCell.from_coordinate(text).coordinate


class CellParams(Params):
    """Cells that a node may stand in; those of the query's cell, unless others are named."""

    match: Literal["perspective", "interrogative", "cell"] = "perspective"
    """Keep the row of the target, its column, or that cell only."""
    rows: int = Field(default=0, ge=0, lt=ROWS)
    """How many rows above and below count as well."""
    cells: tuple[Annotated[str, AfterValidator(_coordinate)], ...] | None = Field(
        default=None, min_length=1, max_length=ROWS * COLUMNS
    )
    """Targets as ``row:column``; null is the query's cell."""
    perspectives: tuple[Perspective, ...] | None = Field(default=None, min_length=1, max_length=ROWS)
    """Rows to keep, whatever the query's cell."""
    interrogatives: tuple[Interrogative, ...] | None = Field(default=None, min_length=1, max_length=COLUMNS)
    """Columns to keep, whatever the query's cell; with ``perspectives``, where both fit."""

    @model_validator(mode="after")
    def _one_target(self) -> Self:
        listed = self.perspectives is not None or self.interrogatives is not None
        if listed and self.cells is not None:
            raise ValueError("cells cannot stand beside perspectives or interrogatives: name either")
        if listed and self.match != "perspective":
            raise ValueError("match has no meaning beside perspectives or interrogatives: leave it out")
        if self.rows and (self.match == "interrogative" or (listed and self.perspectives is None)):
            raise ValueError("rows has no meaning where every row is kept: leave it out")
        return self


@dataclass(frozen=True)
class CellTest:
    """Whether a node's ``zachman_cell`` is one of those asked for."""

    params: CellParams

    label = "cell"
    reasons = tuple(
        f"cell: {why}" for why in ("no_cell", "unreadable_cell", "other_perspective", "other_interrogative")
    )

    def applies(self, query: Query) -> bool:
        """Whether there is a target: the query's cell, or one of its own."""
        return self._fixed is not None or query.cell is not None

    def judge(self, scene: Scene, rows: IntArray) -> Judgement:
        """Look each node's cell up in the matrix of cells that are kept."""
        if not scene.cells:
            return Judgement.none(rows.size)
        row, column = self.cells_of(scene, rows)
        allowed = self.allowed(scene.query)
        holds: BoolArray = (row >= 0) & allowed[row, column]
        some: BoolArray = np.logical_or.reduce(allowed, axis=1)
        in_row = (row >= 0) & some[row]
        reason = np.select([row == NO_CODE, row == UNREADABLE, ~in_row], [0, 1, 2], default=3)
        return Judgement.of(holds, reason)

    def remarks(self, scene: Scene) -> tuple[str, ...]:
        """Nothing: every cell is known."""
        return ()

    @staticmethod
    def cells_of(scene: Scene, rows: IntArray) -> tuple[IntArray, IntArray]:
        """Return the codes of rows and columns; a column that is not known is the last of the matrix, -1."""
        node = scene.candidates.node[rows]
        column = np.maximum(scene.index.interrogatives[node].astype(np.int64), NO_CODE)
        return scene.index.perspectives[node].astype(np.int64), column

    def allowed(self, query: Query) -> BoolArray:
        """Return the matrix of kept cells, with a last column for nodes that name a row only."""
        if self._fixed is not None:
            return self._fixed
        assert query.cell is not None, "the test does not apply without one"
        return self._around([query.cell])

    @cached_property
    def _fixed(self) -> BoolArray | None:
        params = self.params
        if params.cells is not None:
            return self._around(map(ZachmanCell.from_coordinate, params.cells))
        if params.perspectives is None and params.interrogatives is None:
            return None
        allowed = np.zeros((ROWS, COLUMNS + 1), dtype=np.bool_)
        rows = range(ROWS) if params.perspectives is None else self._near(params.perspectives)
        columns = list(range(COLUMNS + 1))
        if params.interrogatives is not None:
            columns = [column_code(column) for column in params.interrogatives]
        allowed[np.ix_(list(rows), columns)] = True
        return allowed

    def _around(self, targets: Iterable[ZachmanCell]) -> BoolArray:
        allowed = np.zeros((ROWS, COLUMNS + 1), dtype=np.bool_)
        for target in targets:
            column = column_code(target.interrogative)
            if self.params.match == "interrogative":
                allowed[:, column] = True
            elif self.params.match == "cell":
                allowed[self._near([target.perspective]), column] = True
            else:
                allowed[self._near([target.perspective])] = True
        return allowed

    def _near(self, perspectives: Iterable[Perspective]) -> list[int]:
        codes = [row_code(perspective) for perspective in perspectives]
        return [row for row in range(ROWS) if any(abs(row - code) <= self.params.rows for code in codes)]
