"""The frozen answer to one query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.model.records import KnowledgeEdge, KnowledgeNode


@dataclass(frozen=True, eq=False, repr=False)
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

    __hash__ = None  # type: ignore[assignment]  # nodes hold properties, which cannot be hashed

    def __eq__(self, other: object) -> bool:
        """Compare all fields, whether they are there already or made on demand."""
        if not isinstance(other, QueryResult):
            return NotImplemented
        return self._fields() == other._fields()

    def __repr__(self) -> str:
        """Tell how much there is; all of it would be pages."""
        counts = (("nodes", self.nodes), ("edges", self.edges), ("paths", self.paths))
        return f"<QueryResult: {', '.join(f'{len(part)} {name}' for name, part in counts)}>"

    def __reduce__(self) -> tuple[object, ...]:
        return (QueryResult, self._fields())

    def _fields(self) -> tuple[object, ...]:
        return (self.nodes, self.edges, self.paths, self.scored, self.context_text)

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
            GraphSourceError: It is no result, or a part of it is malformed.
        """
        try:
            return cls(
                nodes=tuple(KnowledgeNode.from_dict(node) for node in data.get("nodes", ())),
                edges=tuple(KnowledgeEdge.from_dict(edge) for edge in data.get("edges", ())),
                paths=tuple(_path(path) for path in data.get("paths", ())),
                scored=tuple((str(node_id), float(score)) for node_id, score in data.get("scored", ())),
                context_text=str(data.get("context_text", "")),
            )
        except (AttributeError, TypeError, ValueError) as error:
            raise GraphSourceError(f"This is no result: {error}.") from error


def _path(path: object) -> tuple[str, ...]:
    if not isinstance(path, list | tuple):
        raise TypeError(f"a path must be a list of ids, not {path!r:.40}")
    return tuple(map(str, path))
