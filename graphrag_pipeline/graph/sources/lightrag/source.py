"""The working folders of LightRAG and nano-graphrag: a GraphML file, and stores of JSON beside it.

What joins two entities there has no type: every edge is ``related_to``, and its properties ``keywords`` and
``description`` tell how. Nodes that only an edge names are written by both as nodes of type ``UNKNOWN``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.attributes import DEFAULT_EDGE_TYPE
from graphrag_pipeline.graph.reading.typed_text import from_json
from graphrag_pipeline.graph.sources.file_graph import FileGraph, FileGraphParams
from graphrag_pipeline.graph.sources.graphml.source import read_graphml
from graphrag_pipeline.graph.sources.intake import Intake
from graphrag_pipeline.graph.sources.lightrag.stores import (
    Mention,
    files_of_documents,
    mention,
    read_communities,
    read_passages,
)
from graphrag_pipeline.graph.sources.lightrag.text import keywords, parts, unquoted
from graphrag_pipeline.graph.sources.xml_records import Record

GRAPH = "graph_chunk_entity_relation.graphml"
CHUNKS = "kv_store_text_chunks.json"
DOCUMENTS = "kv_store_doc_status.json"
REPORTS = "kv_store_community_reports.json"

NO_DESCRIPTION = "a description is empty"
LISTS = {"source_id": "chunk_ids", "file_path": "file_paths"}
"""Attributes that hold several values, and the property that lists them."""


class LightRagParams(FileGraphParams):
    """Where the folder, or its GraphML file, is, and which stores beside it are read."""

    passages: bool | None = None
    """Whether text chunks become nodes that mention entities; null means if their store is there."""
    communities: bool | None = None
    """Whether nano-graphrag's community reports become nodes; null means if their store is there."""


# Any throughout: attributes and JSON hold anything.
class LightRagGraph(FileGraph[LightRagParams]):
    """Reads the working folder of LightRAG."""

    name = "lightrag"
    Params = LightRagParams

    def files(self) -> Sequence[Path]:
        """Return the GraphML file, and the stores that are read.

        Raises:
            GraphSourceError: The folder has none of that name, or a store that is asked for is missing.
        """
        chunks = self._store(CHUNKS, self.params.passages, "passages")
        documents = None if chunks is None else self._store(DOCUMENTS, None, "passages")
        reports = self._store(REPORTS, self.params.communities, "communities")
        stores = (store for store in (chunks, documents, reports) if store is not None)
        return [self._graph(), *stores]

    def read(self, intake: Intake) -> None:
        """Read the folder.

        Raises:
            GraphSourceError: A file cannot be read, or holds something else.
        """
        stores = {path.name: path for path in self.files()[1:]}
        entities = Entities(intake)
        read_graphml(self._graph(), intake, entities.take)
        if entities.unquoted:
            intake.note("ids are written in quotes; the quotes are taken off")
        if CHUNKS in stores:
            files = files_of_documents(stores[DOCUMENTS], intake) if DOCUMENTS in stores else {}
            known = read_passages(stores[CHUNKS], files, intake)
            mention(entities.mentions, known, intake)
        elif entities.mentions:
            intake.note(f"entities name text chunks, but none are read: no {CHUNKS}, or graph.passages=false")
        if REPORTS in stores:
            read_communities(stores[REPORTS], intake)

    def _graph(self) -> Path:
        if not _is_folder(self.path):
            return self.path
        graph = self.path / GRAPH
        if not _is_file(graph):
            inner = sorted(folder.parent.name for folder in self.path.glob(f"*/{GRAPH}"))
            found = f"The folders in it that have one: {', '.join(inner)}." if inner else ""
            raise GraphSourceError(
                f"The folder has no file {GRAPH}.", where=str(self.path), hint=found or "Name the folder."
            )
        return graph

    def _store(self, name: str, wanted: bool | None, parameter: str) -> Path | None:
        path = self._graph().parent / name
        there = wanted is not False and _is_file(path)
        if wanted and not there:
            raise GraphSourceError(
                f"The folder has no file {name}.", where=str(path.parent), hint=f"Try graph.{parameter}=null."
            )
        return path if there else None


class NanoGraph(LightRagGraph):
    """Reads the working folder of nano-graphrag, which has the same files, and reports on communities."""

    name = "nano"


class Entities:
    """Hands the records of the GraphML file to an intake.

    Args:
        intake: Takes them.
    """

    def __init__(self, intake: Intake) -> None:
        self._intake = intake
        self.unquoted = False
        """Whether an id was written in quotes."""
        self.mentions: list[Mention] = []
        """Which text chunks mention each entity."""

    def take(self, record: Record) -> None:
        """Take a node or an edge."""
        values = {**record.properties, **record.attributes}
        if record.kind == "node":
            self._node(record, values)
        else:
            self._edge(record, values)

    def _node(self, record: Record, values: dict[str, Any]) -> None:
        node_id = self._id(record.id)
        kind = values.pop("entity_type", None)
        types = [] if kind is None else parts(str(kind))
        properties = self._properties(values, record.at)
        if len(types) > 1:
            properties["entity_types"] = types
        if unquoted(str(properties.get("entity_id"))) == node_id:
            properties.pop("entity_id", None)
        if isinstance(clusters := properties.get("clusters"), str):
            properties["clusters"] = from_json(clusters, self._intake, record.at)
        taken = self._intake.node(
            node_id, types[0] if types else "", node_id, at=record.at, properties=properties
        )
        if taken and isinstance(chunks := properties.get("chunk_ids"), list):
            self.mentions.append(Mention(node_id, chunks, record.at))

    def _edge(self, record: Record, values: dict[str, Any]) -> None:
        weight = values.pop("weight", None)
        properties = self._properties(values, record.at)
        if isinstance(words := properties.get("keywords"), str):
            properties["keywords"] = keywords(words)
        self._intake.edge(
            self._id(record.source),
            self._id(record.target),
            DEFAULT_EDGE_TYPE,
            at=record.at,
            weight=weight,
            properties=properties,
        )

    def _id(self, text: str) -> str:
        node_id = unquoted(text)
        self.unquoted |= node_id != text
        return node_id

    def _properties(self, values: Mapping[str, Any], at: str) -> dict[str, Any]:
        properties: dict[str, Any] = {}
        for name, value in values.items():
            if name == "description" and isinstance(value, str):
                if text := "\n".join(parts(value)):
                    properties[name] = text
                else:
                    self._intake.blank(NO_DESCRIPTION, at)
            elif name in LISTS and isinstance(value, str):
                properties[LISTS[name]] = parts(value)
            else:
                properties[name] = value
        return properties


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False
