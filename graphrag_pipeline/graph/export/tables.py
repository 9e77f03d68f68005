"""A pair of tables, nodes and edges, as CSV or Parquet."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

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
    return json.dumps(properties, ensure_ascii=False, allow_nan=False) if properties else ""


class CsvPair:
    """Writes ``nodes.csv`` and ``edges.csv``: UTF-8, commas, a header."""

    name = "csv"
    suffixes: tuple[str, ...] = ()

    def losses(self, index: GraphIndex) -> tuple[Finding, ...]:
        """Return what fitting changes."""
        return fitting_losses(index, CARRIES).findings()

    def notes(self, index: GraphIndex) -> tuple[str, ...]:
        """Return nothing."""
        return ()

    def write(self, index: GraphIndex, path: Path) -> None:
        """Write both files into a folder."""
        for name, columns, rows in _both(index):
            with (path / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
                # RFC 4180 line ends; with these, a cell that holds a carriage return alone is quoted, too.
                writer = csv.writer(file, lineterminator="\r\n")
                writer.writerow(columns)
                writer.writerows(rows)


class ParquetPair:
    """Writes ``nodes.parquet`` and ``edges.parquet``.

    All columns are text but the weight, unless there are whole numbers and others among the weights: no
    column of numbers tells these apart.
    """

    name = "parquet"
    suffixes: tuple[str, ...] = ()

    def losses(self, index: GraphIndex) -> tuple[Finding, ...]:
        """Return what fitting changes."""
        need("pyarrow", "arrow", "Parquet files")
        return fitting_losses(index, CARRIES).findings()

    def notes(self, index: GraphIndex) -> tuple[str, ...]:
        """Return nothing."""
        return ()

    def write(self, index: GraphIndex, path: Path) -> None:
        """Write both files into a folder.

        Raises:
            GraphSourceError: pyarrow is not installed.
        """
        arrow, parquet = (
            need("pyarrow", "arrow", "Parquet files"),
            need("pyarrow.parquet", "arrow", "Parquet files"),
        )
        weights = _weight_type(arrow, index)
        for name, columns, rows in _both(index):
            kinds = {column: weights if column == "weight" else arrow.string() for column in columns}
            schema = arrow.schema(list(kinds.items()))
            with parquet.ParquetWriter(path / f"{name}.parquet", schema) as writer:
                for batch in _batches(rows):
                    arrays = [
                        arrow.array(list(values), arrow.string()) for values in zip(*batch, strict=True)
                    ]
                    writer.write_table(arrow.Table.from_arrays(arrays, schema=schema))


def _both(index: GraphIndex) -> Iterator[tuple[str, Sequence[str], Iterator[tuple[str, ...]]]]:
    yield "nodes", NODE_COLUMNS, node_rows(index)
    yield "edges", EDGE_COLUMNS, edge_rows(index)


# Any: pyarrow is optional, so its types are not there to name.
def _weight_type(arrow: Any, index: GraphIndex) -> Any:
    weights = index.table.edges.weight
    if not weights.whole.any():
        return arrow.float64()
    return arrow.int64() if weights.whole.all() and not weights.exact.at.size else arrow.string()


def _array(arrow: Any, values: Sequence[str], kind: Any) -> Any:
    return arrow.array(list(values), arrow.string()).cast(kind)


def _batches(rows: Iterable[tuple[str, ...]]) -> Iterator[list[tuple[str, ...]]]:
    rows = iter(rows)
    while batch := list(islice(rows, BATCH)):
        yield batch
