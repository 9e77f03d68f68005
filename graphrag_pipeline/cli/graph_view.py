"""What a graph is made of, for people and programs."""

from __future__ import annotations

from collections import Counter
from typing import Any

from graphrag_pipeline.cli.output import printable, write
from graphrag_pipeline.cli.table import Column, table
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.sources.contract import LoadedGraph
from graphrag_pipeline.model.zachman import Interrogative, Perspective, read_cell

SHOWN = 5
"""How many entries of each list people see; ``--json`` has all."""


def graph_info(loaded: LoadedGraph) -> dict[str, Any]:
    """Return counts, the Zachman matrix and the source's report as JSON data.

    ``cells`` maps row to column to node count, with the column ``any`` for nodes that name a row only;
    ``without_cell`` counts nodes with no cell, ``unreadable_cells`` lists ids of nodes whose value names
    no row.
    """
    graph, report = loaded.graph, loaded.report
    nodes, stats = graph.all_nodes(), graph.stats()
    values = [(node.node_id, node.properties.get("zachman_cell")) for node in nodes]
    read = [(node_id, read_cell(value)) for node_id, value in values if value is not None]
    cells = Counter(cell for _, cell in read if cell is not None)
    return {
        "source": report.source,
        "digest": GraphIndex.from_graph(graph).digest,
        "nodes": stats["node_count"],
        "edges": stats["edge_count"],
        "self_loops": stats["self_loops"],
        "node_types": dict(Counter(node.node_type for node in nodes).most_common()),
        "edge_types": dict(Counter(edge.edge_type for edge in graph.all_edges()).most_common()),
        "cells": {
            row.value: {
                **{column.value: cells[row, column] for column in Interrogative},
                "any": cells[row, None],
            }
            for row in Perspective
        },
        "without_cell": len(values) - len(read),
        "unreadable_cells": [node_id for node_id, cell in read if cell is None],
        "dangling_edges": [list(edge.key) for edge in graph.dangling_edges()],
        "duplicate_ids": list(report.duplicate_ids),
        "skipped": list(report.skipped),
        "repaired": list(report.repaired),
    }


def show_info(info: dict[str, Any]) -> None:
    """Write what :func:`graph_info` found."""
    digest = info["digest"][:12]
    write(f"{printable(info['source'])}: {info['nodes']} nodes, {info['edges']} edges, sha256 {digest}")
    for what in ("node_types", "edge_types"):
        counted = ", ".join(f"{printable(name)} {count}" for name, count in info[what].items())
        write(f"{what.replace('_', ' ')}: {counted or 'none'}")
    write("")
    columns = [Column("zachman cells", colour="cyan")]
    columns += [Column(name, right=True) for name in (*Interrogative, "any")]
    write(table(columns, [(row, *counts.values()) for row, counts in info["cells"].items()]))
    write(f"without a cell: {info['without_cell']} nodes; self loops: {info['self_loops']}")
    for what in ("unreadable_cells", "dangling_edges", "duplicate_ids", "skipped", "repaired"):
        _list(what.replace("_", " "), info[what])


def _list(what: str, entries: list[Any]) -> None:
    if not entries:
        return
    texts = [" -> ".join(entry[:2]) if isinstance(entry, list) else str(entry) for entry in entries]
    more = f", … and {len(texts) - SHOWN} more (--json lists all)" if len(texts) > SHOWN else ""
    write(f"{what}: {len(texts)}: {printable(', '.join(texts[:SHOWN]))}{more}")
