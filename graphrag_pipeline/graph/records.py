"""Records out of plain data in the reference's JSON shape, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.kinds import kind
from graphrag_pipeline.model.records import KnowledgeEdge, KnowledgeNode

Record = TypeVar("Record", KnowledgeNode, KnowledgeEdge)


def read_records(data: object, key: str, reader: Callable[[object], Record]) -> Iterator[Record]:
    """Yield the records of one list of a graph in the reference's JSON shape; no list is an empty one.

    Raises:
        GraphSourceError: It is no list, or an entry is malformed; ``where`` names it, such as ``nodes[3]``.
    """
    if not isinstance(data, Mapping):
        raise GraphSourceError(f"A graph must be an object with nodes and edges, not {kind(data)}.")
    entries = data.get(key, ())
    if not isinstance(entries, list | tuple):
        raise GraphSourceError(f"{key!r} must hold a list, not {kind(entries)}.", where=key)
    for number, entry in enumerate(entries):
        try:
            yield reader(entry)
        except GraphSourceError as error:
            raise GraphSourceError(error.what, where=f"{key}[{number}]", hint=error.hint) from error


def graph_to_dict(nodes: Iterable[KnowledgeNode], edges: Iterable[KnowledgeEdge]) -> dict[str, Any]:
    """Return a graph in the reference's JSON shape."""
    return {
        "version": "1.0.0",
        "namespace": "fcc",
        "nodes": [node.to_dict() for node in nodes],
        "edges": [edge.to_dict() for edge in edges],
    }
