"""The vectors of a graph's nodes, and how alike each is to a query."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphrag_pipeline.graph.arrays import FloatArray, IntArray
from graphrag_pipeline.stages.dense.embedding import UnitRows

DECIMALS = 6
"""Similarities are rounded to this, since processors do not all add in one order."""


@dataclass(frozen=True, eq=False)
class NodeVectors:
    """One row for each distinct text: nodes of one text are equally similar to everything.

    Args:
        unit: The rows.
        row: The row of each node; -1 for a node without a text.
    """

    unit: UnitRows
    row: NDArray[np.int32]

    def similarity(self, query: UnitRows, nodes: IntArray) -> FloatArray:
        """Return the cosine of a query's row and that of each node; 0 for a node without a text."""
        row = self.row[nodes]
        similarity = np.zeros(nodes.size)
        known = row >= 0
        if known.any():
            similarity[known] = rounded(cosines(self.unit[row[known]], query))
        return similarity


def cosines(unit: UnitRows, query: UnitRows) -> UnitRows:
    """Return the cosine of each row and a query's, row by row.

    Not a matrix product: that adds in another order at the edge of a block of rows, so that equal rows give
    numbers that differ, and its threads wait for one another on a busy machine.
    """
    products: UnitRows = np.vecdot(unit, query)
    return products


def rounded(similarity: UnitRows) -> FloatArray:
    """Return similarities as float64 between -1 and 1, with :data:`DECIMALS` decimals."""
    exact: FloatArray = np.clip(np.round(similarity.astype(np.float64), DECIMALS), -1.0, 1.0)
    return exact + 0.0  # -0.0 becomes 0.0
