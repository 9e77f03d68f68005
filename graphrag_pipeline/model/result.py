"""The frozen answer to one query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from graphrag_pipeline.model.records import KnowledgeEdge, KnowledgeNode


@dataclass(frozen=True, slots=True)
class QueryResult:
    """What one query gave.

    Args:
        nodes: Graph nodes in visit order, then the bridge's extras.
        edges: The edge that discovered each node, in visit order, then the bridge's extras.
        paths: Node ids from a seed to each node, in visit order, then the bridge's extras.
        scored: ``(node_id, score)``, best first; ties keep the order of ``nodes``.
        context_text: The text to hand to a reader or a model.
    """

    nodes: tuple[KnowledgeNode, ...] = ()
    edges: tuple[KnowledgeEdge, ...] = ()
    paths: tuple[tuple[str, ...], ...] = ()
    scored: tuple[tuple[str, float], ...] = ()
    context_text: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain JSON data, keys in the reference's order."""
        return {
            "nodes": [node.to_dict() for node in self.nodes],
            "edges": [edge.to_dict() for edge in self.edges],
            "paths": [list(path) for path in self.paths],
            "scored": [[node_id, score] for node_id, score in self.scored],
            "context_text": self.context_text,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read what :meth:`to_dict` wrote.

        Raises:
            GraphSourceError: A node or an edge is malformed.
        """
        return cls(
            nodes=tuple(KnowledgeNode.from_dict(node) for node in data.get("nodes", ())),
            edges=tuple(KnowledgeEdge.from_dict(edge) for edge in data.get("edges", ())),
            paths=tuple(tuple(path) for path in data.get("paths", ())),
            scored=tuple((str(node_id), float(score)) for node_id, score in data.get("scored", ())),
            context_text=str(data.get("context_text", "")),
        )
