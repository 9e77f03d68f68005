"""Builds an index from nodes and edges that come one by one, without a graph in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graphrag_pipeline.graph.adjacency import Adjacency
from graphrag_pipeline.graph.columns.edge_builder import EdgeBuilder
from graphrag_pipeline.graph.columns.node_builder import NodeBuilder
from graphrag_pipeline.graph.columns.table import Table
from graphrag_pipeline.model.records import KnowledgeEdge, KnowledgeNode


class TableBuilder:
    """Takes nodes and edges in any order; each kind keeps the order it came in.

    Of a repeated node id the last node wins and keeps the first one's place. Edges may name ids that
    are no nodes.
    """

    def __init__(self) -> None:
        self._nodes = NodeBuilder()
        self._edges = EdgeBuilder(self._nodes.positions)

    @classmethod
    def of(cls, nodes: Iterable[KnowledgeNode], edges: Iterable[KnowledgeEdge] = ()) -> Table:
        """Build a table from iterables."""
        builder = cls()
        for node in nodes:
            builder.add_node(node)
        for edge in edges:
            builder.add_edge(edge)
        return builder.finish()

    @property
    def repeated(self) -> Mapping[str, int]:
        """How often each id came again, in order of first repetition."""
        return self._nodes.repeated

    def add_node(self, node: KnowledgeNode) -> None:
        """Add a node, or replace the one with its id."""
        self._nodes.add(node)

    def add_edge(self, edge: KnowledgeEdge) -> None:
        """Append an edge.

        Raises:
            GraphSourceError: Its weight is NaN or infinite.
        """
        self._edges.add(edge)

    def finish(self) -> Table:
        """Return the table; the builder is used up."""
        edges = self._edges.finish()
        nodes = self._nodes.finish()
        return Table(nodes, edges, Adjacency.from_edges(len(nodes.id), edges.source, edges.target))
