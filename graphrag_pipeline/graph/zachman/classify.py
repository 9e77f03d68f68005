"""Giving nodes their Zachman cells, and counting how sure that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from graphrag_pipeline.graph.sources.findings import LISTED
from graphrag_pipeline.model.cell_table import CellTable
from graphrag_pipeline.model.records import KnowledgeNode
from graphrag_pipeline.model.zachman import read_cell

KEY = "zachman_cell"


@dataclass(frozen=True, slots=True)
class Classification:
    """What a table made of a graph's nodes.

    Args:
        nodes: The nodes, in order, each with the cell it got.
        kept: How many had a readable cell already; theirs is kept.
        given: How many got one, by the confidence of the rule.
        unclassified: Ids of nodes that no rule gives a row; the first :data:`LISTED`.
        unclassified_types: How many of these there are of each type, most first.
        row_only: Ids of nodes that got a row and no column; the first :data:`LISTED`.
    """

    nodes: tuple[KnowledgeNode, ...]
    kept: int
    given: Mapping[str, int]
    unclassified: tuple[str, ...]
    unclassified_types: Mapping[str, int]
    row_only: tuple[str, ...]


def classified(node: KnowledgeNode, table: CellTable) -> tuple[KnowledgeNode, str]:
    """Return a node with its cell, and the confidence of the rule.

    Returns:
        The node itself when it has a readable cell, or no rule gives it a row.
    """
    if read_cell(node.properties.get(KEY)) is not None:
        return node, ""
    cell, confidence = table.cell(node)
    if not cell:
        return node, ""
    return replace(node, properties={**node.properties, KEY: cell}), confidence


def classify_nodes(
    nodes: Iterable[KnowledgeNode], table: CellTable, *, again: bool = False
) -> Classification:
    """Give every node its cell.

    Args:
        nodes: The nodes.
        table: The rules.
        again: Whether nodes that have a cell are given that of the table, or none when it gives none.
    """
    done: list[KnowledgeNode] = []
    kept, given = 0, Counter[str]()
    none: list[str] = []
    types: Counter[str] = Counter()
    row_only: list[str] = []
    for node in nodes:
        bare = _without_cell(node) if again else node
        if read_cell(bare.properties.get(KEY)) is not None:
            kept += 1
            done.append(bare)
            continue
        found, confidence = classified(bare, table)
        done.append(found)
        if found is bare:
            none.append(node.node_id)
            types[node.node_type] += 1
            continue
        given[confidence] += 1
        if ":" not in str(found.properties[KEY]):
            row_only.append(node.node_id)
    return Classification(
        tuple(done),
        kept,
        dict(given.most_common()),
        tuple(none[:LISTED]),
        dict(types.most_common()),
        tuple(row_only[:LISTED]),
    )


def confidence_note(table: str, given: Mapping[str, int]) -> str:
    """Return how many nodes a table gave a cell, by confidence."""
    parts = ", ".join(f"{name} {count}" for name, count in sorted(given.items()) if name)
    return f"nodes that the table {table} gave a Zachman cell: {sum(given.values())}" + (
        f" (confidence: {parts})" if parts else ""
    )


def _without_cell(node: KnowledgeNode) -> KnowledgeNode:
    if KEY not in node.properties:
        return node
    return replace(node, properties={name: value for name, value in node.properties.items() if name != KEY})
