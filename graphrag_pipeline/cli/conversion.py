"""Writing a graph in another format, and telling first what that format cannot carry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from graphrag_pipeline.cli.doctor_view import SHOWN
from graphrag_pipeline.cli.output import counted, listed, message, printable, write
from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.export.contract import GraphWriter
from graphrag_pipeline.graph.export.fitting import EDGE_LEFT_OUT, NODE_LEFT_OUT
from graphrag_pipeline.graph.export.formats import check_free, export, writer_for
from graphrag_pipeline.graph.export.turtle import REPEATED
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.sources.contract import SourceReport
from graphrag_pipeline.graph.sources.findings import Finding


@dataclass(frozen=True, slots=True)
class Output:
    """Where a graph goes.

    Args:
        path: The file or folder.
        writer: Writes the format.
        strict: Whether nothing is written when the format cannot carry the whole graph.
        replace: Whether what is there is replaced.
    """

    path: Path
    writer: GraphWriter
    strict: bool
    replace: bool


def output(out: str, form: str | None, *, strict: bool, replace: bool) -> Output:
    """Return where a graph goes; asked before anything is read, since reading may take long.

    Raises:
        GraphSourceError: The format is unknown, or something is there.
    """
    path = Path(out)
    writer = writer_for(path, form)
    check_free(path, writer, replace=replace)
    return Output(path, writer, strict, replace)


def tell_findings(report: SourceReport) -> None:
    """Warn of what reading a graph found."""
    if found := report.summary():
        message("warning", f"{printable(report.source)}: {found}; `graph doctor` lists them")


def write_graph(index: GraphIndex, to: Output) -> None:
    """Write a graph, after telling what is lost.

    Raises:
        GraphSourceError: It cannot be written, or, where that is strict, not wholly.
    """
    losses = to.writer.losses(index)
    for loss in losses:
        places = listed(loss.places, SHOWN, loss.count)
        message("warning", f"{to.writer.name} cannot carry all: {loss.what}: {loss.count} ({places})")
    if losses and to.strict:
        raise GraphSourceError(
            f"{to.writer.name} cannot carry the whole graph, so nothing was written.",
            where=str(to.path),
            hint=f"Without --strict it is written with these losses{_better(to.writer)}.",
        )
    for note in to.writer.notes(index):
        message("note", note)
    export(index, to.path, to.writer, replace=to.replace)
    nodes = index.node_count - _count(losses, NODE_LEFT_OUT)
    edges = index.edge_count - _count(losses, EDGE_LEFT_OUT) - _count(losses, REPEATED)
    write(f"{printable(str(to.path))}: {to.writer.name}, {counted(nodes, 'node')}, {counted(edges, 'edge')}")


def _better(writer: GraphWriter) -> str:
    return "" if writer.name == "json" else "; json carries everything that JSON can hold"


def _count(losses: Sequence[Finding], what: str) -> int:
    return sum(loss.count for loss in losses if loss.what == what)
