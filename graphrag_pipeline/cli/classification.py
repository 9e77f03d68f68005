"""Zachman cells of a loaded graph: given by a table, counted, and drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from graphrag_pipeline.cli.app import DONE, FAILED
from graphrag_pipeline.cli.doctor_view import SHOWN
from graphrag_pipeline.cli.output import counted, message, printable, write, write_json
from graphrag_pipeline.cli.table import Column, table
from graphrag_pipeline.graph.compiling import as_index
from graphrag_pipeline.graph.export.atomic import write_text
from graphrag_pipeline.graph.export.contract import all_edges, all_nodes
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.matrix import Matrix, matrix_html, matrix_of, matrix_svg
from graphrag_pipeline.graph.sources.contract import LoadedGraph
from graphrag_pipeline.graph.zachman.classify import classify_nodes
from graphrag_pipeline.graph.zachman.tables import load_cell_table
from graphrag_pipeline.model.cell_table import CellTable
from graphrag_pipeline.model.zachman import Interrogative, Perspective

Report = dict[str, Any]  # Any: JSON data


def classify_graph(loaded: LoadedGraph, rules: CellTable, *, again: bool) -> tuple[GraphIndex, Report]:
    """Return a graph with its nodes classified, and what came of it as JSON data."""
    index = as_index(loaded.graph)
    done = classify_nodes(all_nodes(index), rules, again=again)
    classified = GraphIndex.from_records(done.nodes, all_edges(index))
    return classified, {
        "source": loaded.report.source,
        "table": rules.name,
        "nodes": len(done.nodes),
        "kept": done.kept,
        "given": sum(done.given.values()),
        "confidence": {key: count for key, count in done.given.items() if key},
        "unclassified": sum(done.unclassified_types.values()),
        "unclassified_types": dict(done.unclassified_types),
        "unclassified_ids": list(done.unclassified),
        "row_only_ids": list(done.row_only),
        **_matrix(matrix_of(classified)),
    }


def show_classification(found: Report, as_json: bool) -> None:
    """Write what :func:`classify_graph` found."""
    if as_json:
        write_json(found)
        return
    write(
        f"{printable(found['source'])}: table {printable(found['table'])} gave {found['given']} of "
        f"{counted(found['nodes'], 'node')} a cell, {found['kept']} had one, "
        f"{found['unclassified']} have none"
    )
    if found["confidence"]:
        parts = ", ".join(f"{printable(name)} {count}" for name, count in found["confidence"].items())
        write(f"confidence: {parts}")
    write("")
    _write_matrix(found)
    if found["unclassified"]:
        types = ", ".join(
            f"{printable(name) or '(blank)'} {count}" for name, count in found["unclassified_types"].items()
        )
        write(f"unclassified: {types}")
        write(f"first of these: {printable(', '.join(found['unclassified_ids'][:SHOWN]))}")


def matrix_with(loaded: LoadedGraph, name: str | None) -> Matrix:
    """Return the matrix of a graph, after a table gave cells to nodes without, if one is named.

    Raises:
        GraphSourceError: There is no such table.
    """
    index = as_index(loaded.graph)
    if name is not None:
        index = GraphIndex.from_records(classify_nodes(all_nodes(index), load_cell_table(name)).nodes)
    return matrix_of(index)


def draw_matrix(found: Matrix, title: str, file: str, kind: Literal["svg", "html"], *, replace: bool) -> None:
    """Write a matrix as an image or a page.

    Raises:
        GraphSourceError: The file is there already, or cannot be written.
    """
    draw = matrix_svg if kind == "svg" else matrix_html
    write_text(Path(file), draw(found, title), replace=replace)
    message("note", f"written: {file}")


def matrix_report(found: Matrix, title: str, floor: int | None, *, each_cell: bool) -> Report:
    """Return a matrix, and what of it is below the floor, as JSON data."""
    below = found.below(floor, cells=each_cell) if floor is not None else {}
    return {"source": title, **_matrix(found), "floor": floor, "below_floor": below}


def show_matrix(report: Report, as_json: bool) -> int:
    """Write what :func:`matrix_report` returned, and return the exit code."""
    if as_json:
        write_json(report)
    else:
        _write_matrix(report)
    below = report["below_floor"]
    if below:
        shown = ", ".join(f"{name} {count}" for name, count in below.items())
        message("error", f"below the floor of {report['floor']}: {shown}")
    return FAILED if below else DONE


def _matrix(found: Matrix) -> Report:
    return {
        "cells": found.by_cell(),
        "rows": found.rows,
        "filled": found.filled,
        "row_only": sum(found.row_only),
        "without_cell": found.without,
    }


def _write_matrix(report: Report) -> None:
    columns = [Column("zachman cells", colour="cyan")]
    columns += [Column(name, right=True) for name in (*Interrogative, "row only", "all")]
    rows = []
    for row in Perspective:
        counts = [report["cells"][f"{row}:{column}"] for column in Interrogative]
        total = report["rows"][row.value]
        rows.append((row.value, *counts, total - sum(counts), total))
    write(table(columns, rows))
    write(f"cells with a node: {report['filled']} of 36; nodes without a cell: {report['without_cell']}")
