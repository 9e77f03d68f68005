"""Zachman cells of a loaded graph: given by a table, counted, and drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from graphrag_pipeline.cli.app import DONE, FAILED
from graphrag_pipeline.cli.conversion import write_graph
from graphrag_pipeline.cli.doctor_view import SHOWN
from graphrag_pipeline.cli.output import counted, message, printable, write, write_json
from graphrag_pipeline.cli.table import Column, table
from graphrag_pipeline.graph.compiling import as_index
from graphrag_pipeline.graph.export.atomic import write_text
from graphrag_pipeline.graph.export.contract import all_edges, all_nodes
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.matrix import Matrix, matrix_html, matrix_of, matrix_svg
from graphrag_pipeline.graph.sources.contract import LoadedGraph
from graphrag_pipeline.graph.zachman.classify import Classification, classify_nodes
from graphrag_pipeline.graph.zachman.tables import load_cell_table
from graphrag_pipeline.model.zachman import Interrogative, Perspective


def classify_graph(  # one parameter an option
    loaded: LoadedGraph, name: str, *, again: bool, out: str | None, replace: bool, as_json: bool
) -> None:
    """Classify a graph, show what came of it, and write it where that is asked.

    Raises:
        GraphSourceError: There is no such table, or the graph cannot be written.
    """
    rules = load_cell_table(name)
    index = as_index(loaded.graph)
    done = classify_nodes(all_nodes(index), rules, again=again)
    classified = GraphIndex.from_records(done.nodes, all_edges(index))
    found = _classification(loaded, name, done, matrix_of(classified))
    if as_json:
        write_json(found)
    else:
        _show_classification(found, matrix_of(classified))
    if out is not None:
        write_graph(classified, out, None, strict=False, replace=replace)


def show_matrix(  # one parameter an option
    loaded: LoadedGraph,
    name: str | None,
    *,
    floor: int | None,
    each_cell: bool,
    svg: str | None,
    html: str | None,
    as_json: bool,
) -> int:
    """Show the matrix of a graph, write it where that is asked, and return the exit code.

    Raises:
        GraphSourceError: There is no such table, or a file cannot be written.
    """
    index = as_index(loaded.graph)
    if name is not None:
        done = classify_nodes(all_nodes(index), load_cell_table(name))
        index = GraphIndex.from_records(done.nodes)
    found, title = matrix_of(index), loaded.report.source
    for file, draw in ((svg, matrix_svg), (html, matrix_html)):
        if file is not None:
            write_text(Path(file), draw(found, title))
    below = found.below(floor, cells=each_cell) if floor is not None else {}
    if as_json:
        write_json({"source": title, **_matrix(found), "floor": floor, "below_floor": below})
    else:
        _show_matrix(found)
        for file in filter(None, (svg, html)):
            write(f"written: {printable(file)}")
    if below:
        shown = ", ".join(f"{name} {count}" for name, count in below.items())
        message("error", f"below the floor of {floor}: {shown}")
    return FAILED if below else DONE


def _classification(
    loaded: LoadedGraph, name: str, done: Classification, found: Matrix
) -> dict[str, Any]:  # Any: JSON data
    return {
        "source": loaded.report.source,
        "table": name,
        "nodes": len(done.nodes),
        "kept": done.kept,
        "given": sum(done.given.values()),
        "confidence": {key: count for key, count in done.given.items() if key},
        "unclassified": sum(done.unclassified_types.values()),
        "unclassified_types": dict(done.unclassified_types),
        "unclassified_ids": list(done.unclassified),
        "row_only_ids": list(done.row_only),
        **_matrix(found),
    }


def _matrix(found: Matrix) -> dict[str, Any]:  # Any: JSON data
    return {
        "cells": found.by_cell(),
        "rows": found.rows,
        "filled": found.filled,
        "row_only": sum(found.row_only),
        "without_cell": found.without,
    }


def _show_classification(found: dict[str, Any], matrix: Matrix) -> None:
    write(
        f"{printable(found['source'])}: table {printable(found['table'])} gave {found['given']} of "
        f"{counted(found['nodes'], 'node')} a cell, {found['kept']} had one, "
        f"{found['unclassified']} have none"
    )
    if found["confidence"]:
        parts = ", ".join(f"{printable(name)} {count}" for name, count in found["confidence"].items())
        write(f"confidence: {parts}")
    write("")
    _show_matrix(matrix)
    if found["unclassified"]:
        types = ", ".join(
            f"{printable(name) or '(blank)'} {count}" for name, count in found["unclassified_types"].items()
        )
        first = ", ".join(found["unclassified_ids"][:SHOWN])
        write(f"unclassified: {types}")
        write(f"first of these: {printable(first)}")


def _show_matrix(found: Matrix) -> None:
    columns = [Column("zachman cells", colour="cyan")]
    columns += [Column(name, right=True) for name in (*Interrogative, "row only", "all")]
    rows = [
        (row.value, *found.counts[at], found.row_only[at], found.rows[row.value])
        for at, row in enumerate(Perspective)
    ]
    write(table(columns, rows))
    write(f"cells with a node: {found.filled} of 36; nodes without a cell: {found.without}")
