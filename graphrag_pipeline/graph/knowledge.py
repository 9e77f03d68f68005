"""The mutable graph that importers build and users edit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Self

import networkx

from graphrag_pipeline.graph.attributes import EDGE_ORDER
from graphrag_pipeline.graph.records import graph_to_dict, read_records
from graphrag_pipeline.model.records import KnowledgeEdge, KnowledgeNode


class KnowledgeGraph:
    """A directed multigraph held in one ``networkx.MultiDiGraph``, with one global edge order.

    A node keeps the place of its first insertion; adding its id again replaces it there. Edges may
    name ids that are not nodes: they are kept, listed by :meth:`dangling_edges`, never walked.
    """

    def __init__(self) -> None:
        # networkx makes a node of each edge end; a real node is one that carries "label". The edge
        # key is the global insertion number, because adjacency alone does not hold one order over
        # a node's in-edges and out-edges.
        self._nx: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
        self._next_key = 0

    @property
    def nx(self) -> networkx.MultiDiGraph[str]:
        """The networkx graph itself: attributes are the records' fields, edge keys the edge order.

        Algorithms can run on it as it is. Add through :meth:`add_node` and :meth:`add_edge`, which
        keep the order; removing through networkx is fine.
        """
        return self._nx

    @property
    def node_count(self) -> int:
        """How many nodes there are; ids that only edges name do not count."""
        return sum(1 for _ in self.node_ids())

    @property
    def edge_count(self) -> int:
        """How many edges there are, dangling ones included."""
        return self._nx.number_of_edges()

    def __len__(self) -> int:
        return self.node_count

    def __contains__(self, node_id: object) -> bool:
        return isinstance(node_id, str) and "label" in self._nx.nodes.get(node_id, ())

    # -- reading -------------------------------------------------------------------------------

    def node_ids(self) -> Iterator[str]:
        """Yield the ids of the nodes, in insertion order."""
        return (node_id for node_id, data in self._nx.nodes(data=True) if "label" in data)

    def all_nodes(self) -> list[KnowledgeNode]:
        """Return every node, in insertion order."""
        return [
            KnowledgeNode(node_id, **data) for node_id, data in self._nx.nodes(data=True) if "label" in data
        ]

    def all_edges(self) -> list[KnowledgeEdge]:
        """Return every edge, in global insertion order."""
        ordered = sorted(self._nx.edges(keys=True, data=True), key=lambda edge: edge[2])
        return [KnowledgeEdge(source, target, **data) for source, target, _, data in ordered]

    def get_node(self, node_id: str) -> KnowledgeNode | None:
        """Return the node with this id, or None."""
        return KnowledgeNode(node_id, **self._nx.nodes[node_id]) if node_id in self else None

    def nodes_by_type(self, node_type: str) -> list[KnowledgeNode]:
        """Return the nodes of a type, in insertion order."""
        return [node for node in self.all_nodes() if node.node_type == node_type]

    def edges_by_type(self, edge_type: str) -> list[KnowledgeEdge]:
        """Return the edges of a type, in insertion order."""
        return [edge for edge in self.all_edges() if edge.edge_type == edge_type]

    def dangling_edges(self) -> list[KnowledgeEdge]:
        """Return the edges with an end that is not a node, in insertion order."""
        return [edge for edge in self.all_edges() if edge.source_id not in self or edge.target_id not in self]

    def neighbors(self, node_id: str) -> list[KnowledgeNode]:
        """Return the node at the other end of each edge, either direction, in global edge order.

        A neighbour appears once per edge, as in the reference; a self loop gives the node twice.
        """
        if node_id not in self._nx:
            return []
        ends = [(key, target) for _, target, key in self._nx.out_edges(node_id, keys=True)]
        ends += [(key, source) for source, _, key in self._nx.in_edges(node_id, keys=True)]
        ordered = (self.get_node(end) for _, end in sorted(ends, key=lambda end: end[0]))
        return [node for node in ordered if node is not None]

    def stats(self) -> dict[str, int]:
        """Count nodes, edges, dangling edges and self loops, then each type as ``nodes_T`` and ``edges_T``.

        Types are in alphabetical order.
        """
        edges = self.all_edges()
        nodes = Counter(node.node_type for node in self.all_nodes())
        types = Counter(edge.edge_type for edge in edges)
        return {
            "node_count": self.node_count,
            "edge_count": self.edge_count,
            "dangling_edges": len(self.dangling_edges()),
            "self_loops": sum(edge.source_id == edge.target_id for edge in edges),
            **{f"nodes_{name}": nodes[name] for name in sorted(nodes)},
            **{f"edges_{name}": types[name] for name in sorted(types)},
        }

    # -- building ------------------------------------------------------------------------------

    def add_node(self, node: KnowledgeNode) -> None:
        """Add a node, or replace the one with its id where it stands."""
        # An id first seen as an edge's end becomes a node now, so it takes its place now.
        if node.node_id in self._nx and node.node_id not in self:
            self._move_to_end(node.node_id)
        self._nx.add_node(
            node.node_id,
            node_type=node.node_type,
            label=node.label,
            namespace=node.namespace,
            uri=node.uri,
            properties=node.properties,
        )

    def add_edge(self, edge: KnowledgeEdge) -> None:
        """Append an edge; parallel edges and self loops are kept apart."""
        self._nx.add_edge(
            edge.source_id,
            edge.target_id,
            key=self._next_key,
            edge_type=edge.edge_type,
            namespace=edge.namespace,
            weight=edge.weight,
            properties=edge.properties,
        )
        self._next_key += 1

    def _move_to_end(self, node_id: str) -> None:
        edges = [*self._nx.in_edges(node_id, keys=True, data=True)]
        edges += [edge for edge in self._nx.out_edges(node_id, keys=True, data=True) if edge[0] != edge[1]]
        self._nx.remove_node(node_id)
        self._nx.add_node(node_id)
        for source, target, key, data in edges:
            self._nx.add_edge(source, target, key=key, **data)

    # -- combining -----------------------------------------------------------------------------

    def subgraph(self, node_ids: Collection[str]) -> KnowledgeGraph:
        """Return a new graph of these nodes and the edges between them, both in this graph's order."""
        wanted = frozenset(node_ids)
        part = KnowledgeGraph()
        for node in self.all_nodes():
            if node.node_id in wanted:
                part.add_node(node)
        for edge in self.all_edges():
            if edge.source_id in wanted and edge.target_id in wanted:
                part.add_edge(edge)
        return part

    def merge(self, other: KnowledgeGraph) -> KnowledgeGraph:
        """Return a new graph of both; for an id in both, the other graph's node wins."""
        both = KnowledgeGraph()
        for graph in (self, other):
            for node in graph.all_nodes():
                both.add_node(node)
        for graph in (self, other):
            for edge in graph.all_edges():
                both.add_edge(edge)
        return both

    # -- exchange ------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return the graph in the reference's JSON shape."""
        return graph_to_dict(self.all_nodes(), self.all_edges())

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read a graph in the reference's JSON shape; of a repeated id the last entry wins.

        Raises:
            GraphSourceError: An entry is malformed; ``where`` names it, for example ``nodes[3]``.
        """
        graph = cls()
        for node in read_records(data, "nodes", KnowledgeNode.from_dict):
            graph.add_node(node)
        for edge in read_records(data, "edges", KnowledgeEdge.from_dict):
            graph.add_edge(edge)
        return graph

    @classmethod
    def from_networkx(cls, graph: networkx.Graph[Any]) -> Self:
        """Read any networkx graph; see :func:`graphrag_pipeline.graph.networkx_exchange.read`."""
        from graphrag_pipeline.graph import networkx_exchange

        return networkx_exchange.read(graph, cls())

    def to_networkx(self) -> networkx.MultiDiGraph[str]:
        """Return a copy as networkx graph; :meth:`from_networkx` gives an equal graph back."""
        copy = self._nx.copy()
        copy.graph[EDGE_ORDER] = "key"
        return copy
