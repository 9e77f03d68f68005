"""Writing a graph in another format, and telling first what that format cannot carry."""

from __future__ import annotations

from pathlib import Path

from graphrag_pipeline.cli.doctor_view import SHOWN
from graphrag_pipeline.cli.output import counted, message, printable, write
from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.compiling import as_index
from graphrag_pipeline.graph.export.formats import export, writer_for
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.sources.contract import LoadedGraph


def convert_graph(loaded: LoadedGraph, out: str, form: str | None, *, strict: bool, replace: bool) -> None:
    """Write a loaded graph; what reading it found is told, too.

    Raises:
        GraphSourceError: It cannot be written, or with ``strict`` not wholly.
    """
    if found := loaded.report.summary():
        message("warning", f"{loaded.report.source}: {found}; `graph doctor` lists them")
    write_graph(as_index(loaded.graph), out, form, strict=strict, replace=replace)


def write_graph(index: GraphIndex, out: str, form: str | None, *, strict: bool, replace: bool) -> None:
    """Write a graph, after telling what is lost.

    Raises:
        GraphSourceError: It cannot be written, or with ``strict`` not wholly.
    """
    path = Path(out)
    writer = writer_for(path, form)
    losses = writer.losses(index)
    for loss in losses:
        places = ", ".join(loss.places[:SHOWN]) + (", …" if loss.count > SHOWN else "")
        message("warning", f"{writer.name} cannot carry all: {loss.what}: {loss.count} ({places})")
    if losses and strict:
        raise GraphSourceError(
            f"{writer.name} cannot carry the whole graph, so nothing was written.",
            where=out,
            hint="Without --strict it is written with these losses; json carries everything.",
        )
    export(index, path, writer, replace=replace)
    size = f"{counted(index.node_count, 'node')}, {counted(index.edge_count, 'edge')}"
    write(f"{printable(out)}: {writer.name}, {size}")
