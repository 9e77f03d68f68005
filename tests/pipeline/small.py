"""One small graph, and what bridges say about it."""

from __future__ import annotations

from typing import Any

from graphrag_pipeline import (
    KnowledgeGraph,
    QueryResult,
    ZachmanCell,
)
from tests.tiny import graph_of, node

ARCHITECT = ZachmanCell.from_coordinate("architect:how")


def small() -> KnowledgeGraph:
    """Four nodes in a row, two of them the architect's."""
    nodes = [
        node("a", "Risk", zachman_cell="architect:how"),
        node("b", "Control", zachman_cell="engineer:how", owner="FCON-001"),
        node("c", "Audit", zachman_cell="architect"),
        node("d", "Owner"),
    ]
    return graph_of(nodes, "a>b b>c c>d d>ghost")


def thought(node_id: str, **properties: Any) -> dict[str, Any]:
    return node(node_id, **properties).to_dict()


def ids(result: QueryResult) -> list[str]:
    return [entry.node_id for entry in result.nodes]
