"""Numbers that a config gives to the types of a graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeAlias

import numpy as np
from pydantic import Field

from graphrag_pipeline.graph.arrays import FloatArray, IntArray
from graphrag_pipeline.graph.columns.values import NameColumn

Prior: TypeAlias = Annotated[float, Field(ge=-1000, le=1000)]
"""How welcome something is before anything is known of the query."""


def by_name(column: NameColumn, rows: IntArray, priors: Mapping[str, float], default: float) -> FloatArray:
    """Return the number of the name in each row; ``default`` where the name has none."""
    codes, place = np.unique(column.code[rows], return_inverse=True)
    values = [priors.get(column.names[code], default) for code in codes.tolist()]
    return np.array(values, dtype=np.float64)[place]
