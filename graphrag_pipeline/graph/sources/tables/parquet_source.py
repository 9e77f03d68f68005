"""Graphs in Parquet files: a table of nodes and a table of edges."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from graphrag_pipeline.graph.sources.intake import Intake
from graphrag_pipeline.graph.sources.tables.cells import Reading, Table
from graphrag_pipeline.graph.sources.tables.parquet_file import ParquetTable
from graphrag_pipeline.graph.sources.tables.source import TableGraph, TableParams


class ParquetParams(TableParams):
    """Where the tables are, and which columns hold what."""


class ParquetGraph(TableGraph[ParquetParams]):
    """Reads node and edge tables from Parquet files, or one table of edges."""

    name = "parquet"
    Params = ParquetParams
    endings: ClassVar = (".parquet", ".pq")

    def table(self, path: Path, intake: Intake) -> Table:
        """Open one file.

        Raises:
            GraphSourceError: It is no Parquet file that can be read.
        """
        table = ParquetTable(path)
        intake.total += table.row_count
        if not table.columns:
            intake.note(f"{path.name}: the table has no columns")
        return table

    def reading(self) -> Reading:
        """Return how cells are read: as they are."""
        return Reading()
