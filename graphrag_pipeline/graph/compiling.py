"""Compiling whatever graph a caller brought."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypeGuard, cast

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.index import GraphIndex

if TYPE_CHECKING:
    import networkx

    from graphrag_pipeline.graph.knowledge import KnowledgeGraph


def as_index(graph: KnowledgeGraph | GraphIndex | networkx.Graph[Any]) -> GraphIndex:
    """Return the compiled graph; an index is returned as it is.

    Raises:
        GraphSourceError: It is no graph, or cannot be converted.
    """
    if isinstance(graph, GraphIndex):
        return graph
    if is_graph(graph):
        return GraphIndex.from_graph(cast("KnowledgeGraph", graph))
    if not all(hasattr(graph, name) for name in ("graph", "nodes", "edges")):
        raise GraphSourceError(
            f"A graph is a KnowledgeGraph, a GraphIndex or a networkx graph, not {type(graph).__name__}.",
            hint="KnowledgeGraph.from_dict(data) reads plain data; graph=json graph.path=FILE reads a file.",
        )
    from graphrag_pipeline.graph.knowledge import KnowledgeGraph

    return GraphIndex.from_graph(KnowledgeGraph.from_networkx(cast("networkx.Graph[Any]", graph)))


def is_graph(value: object) -> TypeGuard[KnowledgeGraph | GraphIndex]:
    """Whether a value is one of our two graphs."""
    # Without that module nobody can have made one, and importing it would load networkx.
    knowledge = sys.modules.get("graphrag_pipeline.graph.knowledge")
    return isinstance(value, GraphIndex) or (
        knowledge is not None and isinstance(value, knowledge.KnowledgeGraph)
    )
