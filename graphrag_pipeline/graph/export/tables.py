"""A pair of tables, nodes and edges, as CSV or Parquet."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from graphrag_pipeline.graph.export.contract import BATCH
from graphrag_pipeline.graph.export.fitting import Carries, fitted_edges, fitted_nodes, fitting_losses
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.reading.files import need
from graphrag_pipeline.graph.sources.findings import Finding

NODE_COLUMNS = ("node_id", "node_type", "label", "namespace", "uri", "properties")
CARRIES = Carries(empty_labels=True, nulls=True)
"""Tables that have just these columns are read cell by cell, as they stand there."""
EDGE_COLUMNS = ("source_id", "target_id", "edge_type", "namespace", "weight", "properties")


def node_rows(index: GraphIndex) -> Iterator[tuple[str, ...]]:
    """Yield the row of each node, by :data:`NODE_COLUMNS`; properties are one JSON object as text."""
    for node in fitted_nodes(index, carries=CARRIES):
        fields = (node.node_id, node.node_type, node.label, node.namespace, node.uri)
        yield (*fields, _json(dict(node.properties)))


def edge_rows(index: GraphIndex) -> Iterator[tuple[str, ...]]:
    """Yield the row of each edge, by :data:`EDGE_COLUMNS`; the weight is the text of its number."""
    for edge in fitted_edges(index, carries=CARRIES):
        fields = (edge.source_id, edge.target_id, edge.edge_type, edge.namespace, json.dumps(edge.weight))
        yield (*fields, _json(dict(edge.properties)))


def _json(properties: dict[str, object]) -> str:
    return json.dumps(properties, ensure_ascii=False) if properties else ""


class CsvPair:
    """Writes ``nodes.csv`` and ``edges.csv``: UTF-8, commas, a header."""

    name = "csv"
    suffixes: tuple[str, ...] = ()

    def losses(self, index: GraphIndex) -> tuple[Finding, ...]:
        """Return what fitting changes."""
        return fitting_losses(index, CARRIES).findings()

    def write(self, index: GraphIndex, path: Path) -> None:
        """Write both files into a folder."""
        for name, columns, rows in _both(index):
            with (path / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow(columns)
                writer.writerows(rows)


class ParquetPair:
    """Writes ``nodes.parquet`` and ``edges.parquet``; all columns are text."""

    name = "parquet"
    suffixes: tuple[str, ...] = ()

    def losses(self, index: GraphIndex) -> tuple[Finding, ...]:
        """Return what fitting changes."""
        need("pyarrow", "arrow", "Parquet files")
        return fitting_losses(index, CARRIES).findings()

    def write(self, index: GraphIndex, path: Path) -> None:
        """Write both files into a folder.

        Raises:
            GraphSourceError: pyarrow is not installed.
        """
        arrow, parquet = (
            need("pyarrow", "arrow", "Parquet files"),
            need("pyarrow.parquet", "arrow", "Parquet files"),
        )
        for name, columns, rows in _both(index):
            schema = arrow.schema([(column, arrow.string()) for column in columns])
            with parquet.ParquetWriter(path / f"{name}.parquet", schema) as writer:
                for batch in _batches(rows):
                    arrays = [
                        arrow.array(list(values), arrow.string()) for values in zip(*batch, strict=True)
                    ]
                    writer.write_table(arrow.Table.from_arrays(arrays, schema=schema))


def _both(index: GraphIndex) -> Iterator[tuple[str, Sequence[str], Iterator[tuple[str, ...]]]]:
    yield "nodes", NODE_COLUMNS, node_rows(index)
    yield "edges", EDGE_COLUMNS, edge_rows(index)


def _batches(rows: Iterable[tuple[str, ...]]) -> Iterator[list[tuple[str, ...]]]:
    rows = iter(rows)
    while batch := list(islice(rows, BATCH)):
        yield batch
