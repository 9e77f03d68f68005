"""The rows of a run, one a query: as CSV, and as Parquet where pyarrow is installed."""

from __future__ import annotations

import csv
import io
import logging
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from graphrag_pipeline.experiment.answers import Row
from graphrag_pipeline.experiment.summary import GRAPH_VALUES

logger = logging.getLogger(__name__)

SECONDS = "seconds"
TEXTS = ("query", "kind", "status")
COUNTS = ("candidates", "context_nodes", "tokens")

Columns = Mapping[str, Sequence[Any]]  # Any: texts, numbers and None
"""Cells by column; a cell is None where there is no value."""


def row_columns(rows: Sequence[Row], measures: Sequence[str]) -> Columns:
    """Return the columns of the rows, in the order that files have them.

    Args:
        rows: Queries with their values, in the order of the question set.
        measures: Names of the measures.
    """
    none = (None,) * len(measures)
    values = [none if row.values is None else row.values for row in rows]
    return {
        "query": [row.answer.question.query_id for row in rows],
        "kind": [row.answer.question.kind for row in rows],
        "status": ["failed" if row.answer.failure else "done" for row in rows],
        **{name: [cells[place] for cells in values] for place, name in enumerate(measures)},
        **{name: [getattr(row.answer.graph, name) for row in rows] for name in GRAPH_VALUES},
        SECONDS: [round(row.answer.seconds, 6) for row in rows],
    }


def as_csv(columns: Columns) -> str:
    """Return the rows as CSV with a first line of names; a cell is empty where there is no value."""
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(columns)
    shown = {**columns, SECONDS: [f"{seconds:.6f}" for seconds in columns[SECONDS]]}
    writer.writerows(zip(*shown.values(), strict=True))
    return lines.getvalue()


def write_parquet(path: Path, columns: Columns) -> None:
    """Write the rows as Parquet; without pyarrow, say so and write nothing.

    Texts are strings, :data:`COUNTS` whole numbers, all others numbers; a cell without a value is null. A
    lone surrogate is written as its escape.
    """
    try:
        pyarrow = import_module("pyarrow")
        parquet = import_module("pyarrow.parquet")
    except ImportError:
        logger.warning(
            "%s is not written, since the package pyarrow is not installed: "
            'pip install "graphrag-pipeline[experiment]"',
            path.name,
        )
        return
    arrays = [pyarrow.array(_plain(name, cells), _type(pyarrow, name)) for name, cells in columns.items()]
    parquet.write_table(pyarrow.table(arrays, list(columns)), path)


def _plain(name: str, cells: Sequence[Any]) -> Sequence[Any]:  # Any: as in Columns
    if name not in TEXTS:
        return cells
    return [text.encode("utf-8", "backslashreplace").decode("utf-8") for text in cells]


def _type(pyarrow: Any, name: str) -> Any:  # Any: pyarrow has no types
    if name in TEXTS:
        return pyarrow.string()
    return pyarrow.int64() if name in COUNTS else pyarrow.float64()
