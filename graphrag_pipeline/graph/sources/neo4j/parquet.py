"""The folder of Parquet tables that the Python package neo4j-graphrag writes.

A table of nodes, one a label, has the column ``__id__``; one of relationships, one a pair of labels and a
type, has ``from`` and ``to``. See ``ParquetWriter`` in https://github.com/neo4j/neo4j-graphrag-python.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.scalars import missing
from graphrag_pipeline.graph.sources.intake import Intake
from graphrag_pipeline.graph.sources.neo4j.records import Neo4jRecords
from graphrag_pipeline.graph.sources.neo4j.shapes import NodeRecord, RelationshipRecord
from graphrag_pipeline.graph.sources.tables.parquet_file import ParquetTable

ID, FROM, TO = "__id__", "from", "to"


def parquet_files(folder: Path) -> Sequence[Path]:
    """Return the tables in a folder and in the folders in it, in a fixed order.

    Raises:
        GraphSourceError: There is none, or the folder cannot be read.
    """
    found = sorted([*folder.glob("*.parquet"), *folder.glob("*/*.parquet")])
    if found:
        return found
    try:
        names = sorted(path.name for path in folder.iterdir())
    except OSError as error:
        raise GraphSourceError(f"The folder cannot be read: {error.strerror}.", where=str(folder)) from error
    raise GraphSourceError(
        "The folder holds no Parquet tables.",
        where=str(folder),
        hint=f"It holds: {', '.join(names[:8]) or 'nothing'}. Name a JSON export as a file: graph.path=FILE.",
    )


def read_parquet(
    files: Sequence[Path], intake: Intake, records: Neo4jRecords, end_property: str | None
) -> None:
    """Hand over the rows of all tables, nodes first.

    Args:
        files: The tables.
        intake: Told what was recognised.
        records: Takes the rows.
        end_property: The property of nodes that ``from`` and ``to`` hold where they hold no id.

    Raises:
        GraphSourceError: A file is no Parquet file, is no such table, or none of its ends names a node.
    """
    tables = [_opened(path) for path in files]
    nodes = [table for table in tables if ID in table.columns]
    relationships = [table for table in tables if ID not in table.columns]
    intake.total = sum(table.row_count for table in tables)
    intake.note(f"{len(nodes)} tables of nodes, {len(relationships)} of relationships")
    ends = _Ends(end_property)
    for table in nodes:
        for at, row in _rows(table):
            ends.learn(row)
            records.node(_node(row), at)
    for table in relationships:
        before = ends.asked, ends.found
        for at, row in _rows(table):
            records.relationship(_relationship(row, ends), at)
        _check(ends, before, table.path)


# Any throughout: a cell holds anything.
def _opened(path: Path) -> ParquetTable:
    table = ParquetTable(path)
    if ID not in table.columns and not {FROM, TO} <= set(table.columns):
        raise GraphSourceError(
            f"The table has neither the column {ID} nor the columns {FROM} and {TO}.",
            where=str(path),
            hint=f"It has: {', '.join(table.columns[:12]) or 'none'}.",
        )
    return table


def _rows(table: ParquetTable) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the place and the values of each row; what is missing is left out."""
    for batch in table.batches():
        for number in range(batch.count):
            row = {name: column[number] for name, column in batch.columns.items()}
            yield batch.place(number), {name: value for name, value in row.items() if not missing(value)}


class _Ends:
    """Finds the node that ``from`` or ``to`` means: by its id, or by its label and a property."""

    def __init__(self, end_property: str | None) -> None:
        self._property = end_property
        self._ids: set[Any] = set()
        self._by_value: dict[tuple[str, str], Any] = {}
        self.asked = self.found = 0

    def learn(self, row: Mapping[str, Any]) -> None:
        node_id = row.get(ID)
        self._ids.add(str(node_id))
        if self._property is not None and self._property in row:
            label = next(iter(_labels(row)), "")
            self._by_value.setdefault((label, str(row[self._property])), node_id)

    def id(self, value: Any, label: str) -> Any:
        self.asked += 1
        found = value if str(value) in self._ids else self._by_value.get((label, str(value)))
        self.found += found is not None
        return value if found is None else found


def _check(ends: _Ends, before: tuple[int, int], path: Path) -> None:
    asked, found = ends.asked - before[0], ends.found - before[1]
    if asked and not found:
        raise GraphSourceError(
            f"No value of the columns {FROM} and {TO} names a node.",
            where=str(path),
            hint="They hold a property of nodes when the schema has a uniqueness constraint on it: "
            "name that property, graph.end_property=NAME.",
        )


def _labels(row: Mapping[str, Any]) -> tuple[str, ...]:
    labels = row.get("labels")
    return tuple(map(str, labels)) if isinstance(labels, list) else ()


def _node(row: dict[str, Any]) -> NodeRecord:
    labels = _labels(row)
    rest = {name: value for name, value in row.items() if name != ID and not (labels and name == "labels")}
    return NodeRecord(row.get(ID), labels, rest)


def _relationship(row: dict[str, Any], ends: _Ends) -> RelationshipRecord:
    rest = dict(row)
    labels = [str(rest.pop(column, "")) for column in ("from_label", "to_label")]
    start, end = (
        ends.id(rest.pop(column, None), label) for column, label in zip((FROM, TO), labels, strict=True)
    )
    return RelationshipRecord(None, str(rest.pop("type", "")), NodeRecord(start), NodeRecord(end), rest)
