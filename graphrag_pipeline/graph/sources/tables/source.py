"""Graphs in tables: which files are tables of nodes and which of edges, and how their columns are mapped."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import ClassVar, TypeVar

from pydantic import Field

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.attributes import DEFAULT_EDGE_TYPE, DEFAULT_NODE_TYPE
from graphrag_pipeline.graph.sources.file_graph import FileGraph, FileGraphParams
from graphrag_pipeline.graph.sources.intake import Intake
from graphrag_pipeline.graph.sources.tables.cells import Reading, Table
from graphrag_pipeline.graph.sources.tables.columns import (
    EdgeColumns,
    NodeColumns,
    edge_columns,
    holds_edges,
    node_columns,
)
from graphrag_pipeline.graph.sources.tables.files import TableFiles, listing, table_files
from graphrag_pipeline.graph.sources.tables.rows import TableRows

NODES, EDGES = "nodes.*", "edges.*"


class TableParams(FileGraphParams):
    """Where the tables are, and which columns hold what."""

    nodes: str | tuple[str, ...] | None = NODES
    """File, folder or pattern of the node table inside ``path``, or several; null when there is none."""
    edges: str | tuple[str, ...] | None = EDGES
    """File, folder or pattern of the edge table, as of ``nodes``."""
    node_columns: NodeColumns = Field(default_factory=NodeColumns)
    """Columns of node tables; every column that is named nowhere is a property."""
    edge_columns: EdgeColumns = Field(default_factory=EdgeColumns)
    """Columns of edge tables; every column that is named nowhere is a property."""


P = TypeVar("P", bound=TableParams)


class TableGraph(FileGraph[P]):
    """Reads a folder with tables of nodes and edges, or a single table; a format is a subclass."""

    endings: ClassVar[tuple[str, ...]]
    """Endings of the format's files."""

    @abstractmethod
    def table(self, path: Path, intake: Intake) -> Table:
        """Open one file.

        Raises:
            GraphSourceError: It is none of this format.
        """

    @abstractmethod
    def reading(self) -> Reading:
        """Return how the format's cells are read."""

    def files(self) -> Sequence[Path]:
        """Return the files of all tables, nodes first.

        Raises:
            GraphSourceError: One is not there.
        """
        if self._single():
            return [self.path]
        return [path for tables in self._tables() for table in tables for path in table.paths]

    def read(self, intake: Intake) -> None:
        """Read the tables of nodes, then those of edges.

        Raises:
            GraphSourceError: A file is none of this format, or misses a column.
        """
        if self._single():
            table = self.table(self.path, intake)
            if self._is_edge_table(table):
                self._read_edges(TableRows(intake, self.reading(), ends_are_nodes=True), table)
            else:
                self._read_nodes(TableRows(intake, self.reading()), table)
            return
        nodes, edges = ([*self._opened(files, intake)] for files in self._tables())
        rows = TableRows(intake, self.reading(), ends_are_nodes=not nodes)
        columns = {name for table, _ in nodes for name in table.columns}
        for table, name in nodes:
            self._read_nodes(rows, table, name, columns)
        columns = {name for table, _ in edges for name in table.columns}
        for table, name in edges:
            self._read_edges(rows, table, name, columns)
        if not edges:
            intake.note("there is no table of edges")

    def _opened(self, found: Sequence[TableFiles], intake: Intake) -> Iterator[tuple[Table, str]]:
        """Open all tables of a kind, each with the type that its records have unless they say another."""
        for files in found:
            for path in files.paths:
                yield self.table(path, intake), files.name if len(found) > 1 else ""

    def _read_nodes(
        self, rows: TableRows, table: Table, name: str = "", others: Collection[str] = ()
    ) -> None:
        if table.columns:
            roles = node_columns(self.params.node_columns, table.columns, table.where, others)
            rows.nodes(table, roles, name or DEFAULT_NODE_TYPE)

    def _read_edges(
        self, rows: TableRows, table: Table, name: str = "", others: Collection[str] = ()
    ) -> None:
        if table.columns:
            roles = edge_columns(self.params.edge_columns, table.columns, table.where, others)
            rows.edges(table, roles, name or DEFAULT_EDGE_TYPE)

    def _is_edge_table(self, table: Table) -> bool:
        mapped = self.params.edge_columns != EdgeColumns()
        return mapped or holds_edges(self.params.edge_columns, table.columns, table.where)

    def _single(self) -> bool:
        try:
            return not self.path.is_dir()
        except (OSError, ValueError):  # a path that is none; opening it says so
            return True

    def _tables(self) -> tuple[list[TableFiles], list[TableFiles]]:
        nodes = table_files(self.path, self.params.nodes, self.endings, NODES)
        edges = table_files(self.path, self.params.edges, self.endings, EDGES)
        if nodes or edges:
            return nodes, edges
        raise GraphSourceError(
            f"The folder holds neither {NODES} nor {EDGES} ({', '.join(self.endings)}).",
            where=str(self.path),
            hint=f"{listing(self.path)} Name the tables: graph.nodes=FILE graph.edges=FILE.",
        )
