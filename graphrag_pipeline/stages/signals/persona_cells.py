"""Whether a candidate lies in a Zachman cell that the persona looks from."""

from __future__ import annotations

import numpy as np
from pydantic import Field, field_validator

from graphrag_pipeline.graph.arrays import FloatArray
from graphrag_pipeline.graph.cells import column_code, row_code
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.model.zachman import ZachmanCell
from graphrag_pipeline.stages.candidates import Candidates


class PersonaCellsParams(Params):
    """Whose cells are preferred, and how much their surroundings count."""

    cells: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Cells by persona id, each as ``row:column``; others have the cell of their persona source."""
    same_perspective: float = Field(default=0.5, ge=0, le=1)
    """Value of another cell in the row of a preferred one."""
    same_interrogative: float = Field(default=0.25, ge=0, le=1)
    """Value of another cell in the column of a preferred one."""

    @field_validator("cells")
    @classmethod
    def _are_cells(cls, cells: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        for coordinates in cells.values():
            for coordinate in coordinates:
                ZachmanCell.from_coordinate(coordinate)
        return cells


class PersonaCells(Component[PersonaCellsParams]):
    """1 in a preferred cell, a share in its row or column, else 0; of several cells the best counts.

    A node whose cell names only a row is in that row. Without a persona, or where the persona has no
    cell, all are 0.
    """

    name = "persona_cells"
    Params = PersonaCellsParams

    def compute(self, candidates: Candidates, query: Query, index: GraphIndex) -> FloatArray:
        """Return how near each candidate's cell is to the persona's."""
        row, column = index.perspectives[candidates.node], index.interrogatives[candidates.node]
        best = np.zeros(len(candidates))
        for cell in self._preferred(query):
            in_row = row == row_code(cell.perspective)
            in_column = column == column_code(cell.interrogative)
            near = np.select(
                [in_row & in_column, in_row, in_column],
                [1.0, self.params.same_perspective, self.params.same_interrogative],
            )
            best = np.maximum(best, near)
        return best

    def _preferred(self, query: Query) -> tuple[ZachmanCell, ...]:
        if not query.persona:
            return ()
        given = self.params.cells.get(query.persona)
        if given is not None:
            return tuple(map(ZachmanCell.from_coordinate, given))
        return () if query.persona_cell is None else (query.persona_cell,)
