"""Choosing a format, and writing it so that nobody ever sees half a file."""

from __future__ import annotations

import difflib
from pathlib import Path

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.export.atomic import check_file, check_folder, write_file, write_folder
from graphrag_pipeline.graph.export.contract import GraphWriter
from graphrag_pipeline.graph.export.graphml import GraphML
from graphrag_pipeline.graph.export.node_link import NodeLinkJson
from graphrag_pipeline.graph.export.reference_json import ReferenceJson
from graphrag_pipeline.graph.export.tables import CsvPair, ParquetPair
from graphrag_pipeline.graph.export.turtle import Turtle
from graphrag_pipeline.graph.index import GraphIndex

WRITERS: tuple[GraphWriter, ...] = (
    NodeLinkJson(),
    ReferenceJson(),
    GraphML(),
    CsvPair(),
    ParquetPair(),
    Turtle(),
)
FORMATS = tuple(sorted(writer.name for writer in WRITERS))


def writer_for(path: Path, name: str | None = None) -> GraphWriter:
    """Return the writer of a format.

    Args:
        path: Where the graph is to go; its ending chooses the format when no name does.
        name: The format.

    Raises:
        GraphSourceError: There is no such format, or the ending tells none.
    """
    if name is not None:
        found = next((writer for writer in WRITERS if writer.name == name), None)
        if found is None:
            near = difflib.get_close_matches(name, FORMATS, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else f"Formats: {', '.join(FORMATS)}."
            raise GraphSourceError(f"There is no format {name!r}.", hint=hint)
        return found
    lower = path.name.lower()
    found = next((writer for writer in WRITERS if lower.endswith(writer.suffixes)), None)
    if found is None:
        raise GraphSourceError(
            f"The name {path.name!r} does not tell a format.",
            where=str(path),
            hint=f"End it with .json, .nodelink.json, .graphml or .ttl, or say --to: {', '.join(FORMATS)}.",
        )
    return found


def export(index: GraphIndex, path: Path, writer: GraphWriter, *, replace: bool = False) -> None:
    """Write a graph: the file, or the folder of files, appears whole or not at all.

    Args:
        index: The graph.
        path: A new file or folder.
        writer: Writes the format.
        replace: Whether what is there may be replaced: a file, or a folder that holds nothing but the
            files of this format.

    Raises:
        GraphSourceError: There is something already, or it cannot be written.
    """
    if writer.suffixes:
        write_file(path, lambda made: writer.write(index, made), replace=replace)
    else:
        write_folder(path, lambda made: writer.write(index, made), _names(writer), replace=replace)


def check_free(path: Path, writer: GraphWriter, *, replace: bool = False) -> None:
    """Check that a graph may be written to a place, before anything is read.

    Raises:
        GraphSourceError: There is something that may not be replaced.
    """
    if writer.suffixes:
        check_file(path, replace=replace)
    else:
        check_folder(path, _names(writer), replace=replace)


def _names(writer: GraphWriter) -> frozenset[str]:
    return frozenset(f"{table}.{writer.name}" for table in ("nodes", "edges"))
