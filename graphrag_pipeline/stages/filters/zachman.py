"""The Zachman-cell gate."""

from __future__ import annotations

from typing import Literal

import numpy as np

from graphrag_pipeline.graph.cells import NO_CODE, UNREADABLE, column_code, row_code
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.contract import Verdict


class ZachmanFilterParams(Params):
    """How close a node's cell must be."""

    match: Literal["perspective", "cell"] = "perspective"
    """``perspective`` keeps the whole row of the query's cell (the reference), ``cell`` that cell only."""


class ZachmanFilter(Component[ZachmanFilterParams]):
    """Keeps candidates whose ``zachman_cell`` fits the query's; without a query cell it does not apply."""

    name = "zachman"
    Params = ZachmanFilterParams
    reasons = ("no_cell", "unreadable_cell", "other_perspective", "other_interrogative")

    def keep(self, candidates: Candidates, query: Query, index: GraphIndex) -> Verdict | None:
        """Judge every candidate by its stored cell."""
        if query.cell is None:
            return None
        row = index.perspectives[candidates.node]
        keep = row == row_code(query.cell.perspective)
        reason = np.select([row == NO_CODE, row == UNREADABLE, ~keep], [0, 1, 2], default=3)
        if self.params.match == "cell":
            keep &= index.interrogatives[candidates.node] == column_code(query.cell.interrogative)
        return Verdict(keep, reason, self.reasons)
