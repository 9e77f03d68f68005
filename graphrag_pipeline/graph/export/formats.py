"""Choosing a format, and writing it so that nobody ever sees half a file."""

from __future__ import annotations

import difflib
import shutil
from pathlib import Path
from tempfile import mkdtemp

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.export.atomic import explained, umask
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
    with explained(path):
        _check_free(path, writer, replace)
        building = Path(mkdtemp(prefix=f".{path.name[:100]}-", dir=path.parent))
        try:
            made = building / "made"
            if writer.suffixes:
                writer.write(index, made)
                made.chmod(0o666 & ~umask())
                made.replace(path)
            else:
                made.mkdir()
                writer.write(index, made)
                _replace_folder(made, path, building / "before")
        finally:
            shutil.rmtree(building, ignore_errors=True)


def _check_free(path: Path, writer: GraphWriter, replace: bool) -> None:
    if not path.name:
        raise GraphSourceError("The graph needs a name to be written to.", where=str(path))
    if not path.exists() or (path.is_dir() and not writer.suffixes and not any(path.iterdir())):
        return
    if not replace:
        raise GraphSourceError("There is something already.", where=str(path), hint="--force replaces it.")
    if path.is_dir() != (not writer.suffixes):
        kind = "folder" if path.is_dir() else "file"
        raise GraphSourceError(f"A {kind} is there, and {writer.name} does not write one.", where=str(path))
    if path.is_dir():
        ours = {f"{table}.{writer.name}" for table in ("nodes", "edges")}
        others = sorted(entry.name for entry in path.iterdir() if entry.name not in ours)
        if others:
            raise GraphSourceError(
                f"The folder holds other files, such as {others[0]!r}.",
                where=str(path),
                hint="Name a new one.",
            )


def _replace_folder(made: Path, path: Path, before: Path) -> None:
    made.chmod(0o777 & ~umask())
    if path.exists():
        path.replace(before)
    try:
        made.replace(path)
    except OSError:
        if before.exists():
            before.replace(path)
        raise
