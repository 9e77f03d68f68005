"""Graphs of Neo4j: APOC's JSON exports, query results, and what neo4j-graphrag writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.clean import DEEPEST
from graphrag_pipeline.graph.reading.entries import mapping_at, read_value
from graphrag_pipeline.graph.reading.files import head
from graphrag_pipeline.graph.reading.json_lines import BadLines, are_json_lines, json_lines
from graphrag_pipeline.graph.reading.kinds import kind
from graphrag_pipeline.graph.sources.embeddings import Embeddings, Treatment
from graphrag_pipeline.graph.sources.file_graph import FileGraph, FileGraphParams
from graphrag_pipeline.graph.sources.intake import Intake
from graphrag_pipeline.graph.sources.neo4j.parquet import parquet_files, read_parquet
from graphrag_pipeline.graph.sources.neo4j.records import NODES, Neo4jRecords
from graphrag_pipeline.graph.sources.neo4j.shapes import (
    NodeRecord,
    PathRecord,
    RelationshipRecord,
    node_record,
    recognised,
    relationship_record,
)

RELATIONSHIP_KEYS = ("rels", "relationships")
VALUES = "values"


class Neo4jParams(FileGraphParams):
    """Where the export is, and what a node's type and label are."""

    type_labels: tuple[str, ...] = ()
    """Labels that are a node's type, whichever comes first in this list; a node that has none of them takes
    its own first label that is not written like ``__Entity__``."""
    label_property: str | None = None
    """Property that is a node's label; null tries name, title, label and id."""
    embeddings: Treatment = "drop"
    """What becomes of vectors: ``drop`` them and say how many, or ``keep`` them as properties."""
    bad_lines: BadLines = "refuse"
    """What a line does that is no JSON: ``refuse`` the file, or ``skip`` the line and count it."""
    end_property: str | None = None
    """Parquet tables only: the property of nodes that ``from`` and ``to`` hold where they hold no id."""


class Neo4jGraph(FileGraph[Neo4jParams]):
    """Reads JSON Lines, an array, an object of nodes and relationships, query rows, or Parquet tables."""

    name = "neo4j"
    Params = Neo4jParams

    def files(self) -> Sequence[Path]:
        """Return the file, or the tables in the folder.

        Raises:
            GraphSourceError: The folder holds no tables.
        """
        return parquet_files(self.path) if self.path.is_dir() else [self.path]

    def read(self, intake: Intake) -> None:
        """Read the file or the folder.

        Raises:
            GraphSourceError: It is neither JSON nor Parquet, or holds nothing of Neo4j's.
        """
        files = self.files()
        embeddings = Embeddings(self.params.embeddings)
        records = Neo4jRecords(intake, self.params.type_labels, self.params.label_property, embeddings)
        if self.path.is_dir() or head(self.path).startswith(b"PAR1"):
            read_parquet(files, intake, records, self.params.end_property)
        else:
            self._read_json(intake, records)
        records.finish()

    def _read_json(self, intake: Intake, records: Neo4jRecords) -> None:
        values = _Values(intake, records)
        if are_json_lines(self.path):
            for at, value in json_lines(self.path, intake, self.params.bad_lines):
                values.take(value, at)
        else:
            where = str(self.path)
            data = read_value(self.path, intake)
            if isinstance(data, list):
                intake.total = len(data)
                for number, value in enumerate(data):
                    values.take(value, f"{where}: [{number}]")
            elif _are_tables(data):
                values.take_tables(data, where)
            else:
                values.take(data, where)
        values.finish(self.path)


class _Values:
    """Finds nodes and relationships in JSON values: records of an export, or values in rows."""

    def __init__(self, intake: Intake, records: Neo4jRecords) -> None:
        self._intake = intake
        self._records = records
        self._found = False

    # Any throughout: JSON data.
    def take(self, value: Any, at: str, level: int = 0) -> None:
        """Take a record of an export, or whatever is in a row, however deep; in rows, records may repeat."""
        record = recognised(value, at) if isinstance(value, Mapping) else None
        if isinstance(record, NodeRecord):
            self._found = True
            self._records.node(record, at, value=value if level else None)
        elif isinstance(record, RelationshipRecord):
            self._found = True
            self._records.relationship(record, at, value=value if level else None)
        elif level >= DEEPEST:
            self._intake.read(VALUES)
            self._intake.skip(f"a value nested deeper than {DEEPEST} levels", at)
        elif isinstance(record, PathRecord):
            for number, member in enumerate((*record.nodes, *record.relationships)):
                self.take(member, f"{at}: path[{number}]", level + 1)
        else:
            self._members(value, at, level + 1)

    def take_tables(self, data: Mapping[str, Any], where: str) -> None:
        """Take an object of nodes and relationships, each a list, or an object by id."""
        self._found = True
        for at, entry in self._entries(data, NODES, where):
            self._records.node(node_record(entry, at), at)
        for key in RELATIONSHIP_KEYS:
            for at, entry in self._entries(data, key, where):
                self._records.relationship(relationship_record(entry, at), at)
        if rest := [key for key in data if key not in (NODES, *RELATIONSHIP_KEYS)]:
            self._intake.note(f"left out, as they are no nodes or relationships: {', '.join(rest)}")

    def finish(self, path: Path) -> None:
        """Check that there was anything.

        Raises:
            GraphSourceError: There was nothing of Neo4j's.
        """
        if not self._found:
            raise GraphSourceError(
                "The file holds no node, relationship or path of Neo4j's.",
                where=str(path),
                hint="Export with apoc.export.json.all; `graph=auto` finds out what a file is.",
            )

    def _members(self, value: Any, at: str, level: int) -> None:
        if isinstance(value, Mapping):
            for key, member in value.items():
                self.take(member, f"{at}: {key}", level)
        elif isinstance(value, list) and any(isinstance(member, list | dict) for member in value):
            for number, member in enumerate(value):
                self.take(member, f"{at}: [{number}]", level)
        else:
            self._intake.read(VALUES)
            self._intake.absorb("values of rows that are no node, relationship or path")

    def _entries(self, data: Mapping[str, Any], key: str, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
        table = data.get(key, [])
        if isinstance(table, list):
            for number, value in enumerate(table):
                at = f"{where}: {key}[{number}]"
                yield at, mapping_at(value, at)
        elif isinstance(table, Mapping):
            for id_, value in table.items():
                at = f"{where}: {key}[{id_!r}]"
                entry = mapping_at(value, at)
                if str(entry.setdefault("id", id_)) != id_:
                    self._intake.repair("an entry's id is not its key; the id counts", at)
                yield at, entry
        else:
            raise GraphSourceError(f"{key!r} must hold a list or an object, not {kind(table)}.", where=where)


def _are_tables(data: Any) -> bool:
    if not isinstance(data, Mapping) or NODES not in data or "length" in data:
        return False
    return any(key in data for key in RELATIONSHIP_KEYS)
