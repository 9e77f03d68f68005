"""What a graph is made of, for people and programs."""

from __future__ import annotations

from collections import Counter
from typing import Any

from graphrag_pipeline.cli.output import counted, printable, write
from graphrag_pipeline.cli.table import Column, table
from graphrag_pipeline.graph.cells import NO_CODE, UNREADABLE, column_code, row_code
from graphrag_pipeline.graph.compiling import as_index
from graphrag_pipeline.graph.examine import DANGLING
from graphrag_pipeline.graph.sources.contract import LoadedGraph
from graphrag_pipeline.model.zachman import Interrogative, Perspective

SHOWN = 5
"""How many entries of each list people see; ``--json`` has all."""


def graph_info(loaded: LoadedGraph) -> dict[str, Any]:
    """Return counts, the Zachman matrix and the source's report as JSON data.

    ``cells`` maps row to column to node count, with the column ``any`` for nodes that name a row only;
    ``without_cell`` counts nodes with no cell, ``unreadable_cells`` lists ids of nodes whose value names
    no row.
    """
    index, report = as_index(loaded.graph), loaded.report
    rows, columns, positions = index.perspectives, index.interrogatives, range(index.node_count)
    cells = Counter(zip(rows.tolist(), columns.tolist(), strict=True))
    dangling = index.dangling().tolist()
    return {
        "source": report.source,
        "digest": index.digest,
        "nodes": index.node_count,
        "edges": index.edge_count,
        "self_loops": index.self_loops,
        "node_types": index.node_types(),
        "edge_types": index.edge_types(),
        "cells": {
            row.value: {
                **{column.value: cells[row_code(row), column_code(column)] for column in Interrogative},
                "any": cells[row_code(row), NO_CODE],
            }
            for row in Perspective
        },
        "without_cell": int((rows == NO_CODE).sum()),
        "unreadable_cells": [index.ids[place] for place in positions if rows[place] == UNREADABLE],
        "dangling_edges": [list(index.edge(place).key) for place in dangling],
        "duplicate_ids": list(report.duplicate_ids),
        "findings": [finding.to_dict() for finding in report.findings],
    }


def show_info(info: dict[str, Any]) -> None:
    """Write what :func:`graph_info` found."""
    digest = info["digest"][:12]
    size = f"{counted(info['nodes'], 'node')}, {counted(info['edges'], 'edge')}"
    write(f"{printable(info['source'])}: {size}, sha256 {digest}")
    for what in ("node_types", "edge_types"):
        types = ", ".join(f"{printable(name)} {count}" for name, count in info[what].items())
        write(f"{what.replace('_', ' ')}: {types or 'none'}")
    write("")
    columns = [Column("zachman cells", colour="cyan")]
    columns += [Column(name, right=True) for name in (*Interrogative, "any")]
    write(table(columns, [(row, *counts.values()) for row, counts in info["cells"].items()]))
    write(f"nodes without a cell: {info['without_cell']}; self loops: {info['self_loops']}")
    for what in ("unreadable_cells", "dangling_edges"):
        _list(what.replace("_", " "), info[what])
    # Dangling edges have a list of their own.
    for finding in (entry for entry in info["findings"] if entry["what"] != DANGLING):
        write(f"{finding['kind']}: {finding['count']}: {printable(finding['what'])}{_first(finding)}")


def _first(finding: dict[str, Any]) -> str:
    """Return the first places of a finding, and how many more there are."""
    places = finding["places"][:SHOWN]
    if not places:
        return ""
    more = finding["count"] - len(places)
    return f": {printable(', '.join(places))}" + (f", … and {more} more (--json lists them)" if more else "")


def _list(what: str, entries: list[Any]) -> None:
    if not entries:
        return
    texts = [" -> ".join(entry[:2]) if isinstance(entry, list) else str(entry) for entry in entries]
    more = f", … and {len(texts) - SHOWN} more (--json lists all)" if len(texts) > SHOWN else ""
    write(f"{what}: {len(texts)}: {printable(', '.join(texts[:SHOWN]))}{more}")
