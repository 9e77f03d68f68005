"""The compiled, immutable graph that stages read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from graphrag_pipeline.graph.adjacency import Adjacency
from graphrag_pipeline.graph.arrays import BoolArray, IntArray
from graphrag_pipeline.graph.canonical import canonical
from graphrag_pipeline.graph.cells import cell_codes
from graphrag_pipeline.graph.knowledge import KnowledgeGraph
from graphrag_pipeline.model.records import KnowledgeEdge, KnowledgeNode


@dataclass(frozen=True)
class GraphIndex:
    """Everything a stage may ask of the graph, by node position.

    A node's *position* is its rank in the graph's node order, an edge's its rank in the global edge
    order. Build one with :meth:`from_graph`; it holds records, not copies, and never changes.

    Args:
        nodes: Every node, in node order.
        edges: Every edge, dangling ones included, in global edge order.
    """

    nodes: tuple[KnowledgeNode, ...]
    edges: tuple[KnowledgeEdge, ...]

    @classmethod
    def from_graph(cls, graph: KnowledgeGraph) -> GraphIndex:
        """Compile a graph; later changes to it do not reach the index."""
        return cls(tuple(graph.all_nodes()), tuple(graph.all_edges()))

    @classmethod
    def from_nodes(cls, nodes: Iterable[KnowledgeNode]) -> GraphIndex:
        """Compile loose nodes without edges, such as a bridge's extras; ids must be unique."""
        return cls(tuple(nodes), ())

    # -- size and records ----------------------------------------------------------------------

    @property
    def node_count(self) -> int:
        """How many nodes there are."""
        return len(self.nodes)

    @property
    def edge_count(self) -> int:
        """How many edges there are, dangling ones included."""
        return len(self.edges)

    def node(self, position: int) -> KnowledgeNode:
        """Return the node at a position."""
        return self.nodes[position]

    def edge(self, position: int) -> KnowledgeEdge:
        """Return the edge at a position."""
        return self.edges[position]

    def position(self, node_id: str) -> int | None:
        """Return the position of a node id, or None when it is not a node."""
        return self._positions.get(node_id)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Node ids by position."""
        return tuple(node.node_id for node in self.nodes)

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {node_id: position for position, node_id in enumerate(self.ids)}

    # -- structure -----------------------------------------------------------------------------

    @cached_property
    def adjacency(self) -> Adjacency:
        """Neighbours of each node, both directions, in the reference's order."""
        place = self._positions.get
        source = np.fromiter((place(edge.source_id, -1) for edge in self.edges), np.int64, self.edge_count)
        target = np.fromiter((place(edge.target_id, -1) for edge in self.edges), np.int64, self.edge_count)
        return Adjacency.from_edges(self.node_count, source, target)

    @property
    def dangling_edges(self) -> int:
        """How many edges name an id that is not a node."""
        return self.adjacency.dangling

    # -- text ----------------------------------------------------------------------------------

    @cached_property
    def _names(self) -> tuple[tuple[str, str], ...]:
        return tuple((node.label.lower(), node.node_id.lower()) for node in self.nodes)

    def named(self, needle: str, positions: Sequence[int] | IntArray | None = None) -> BoolArray:
        """Tell which nodes have ``needle`` in their lower-cased label or id.

        Args:
            needle: Text, already lower-cased; the empty text is in every name.
            positions: The nodes to look at; None means all.

        Returns:
            One bool for each position, in the order given.
        """
        names = self._names if positions is None else [self._names[position] for position in positions]
        return np.fromiter(
            (needle in label or needle in node_id for label, node_id in names), np.bool_, len(names)
        )

    def mentioning(self, needle: str, positions: Sequence[int] | IntArray) -> BoolArray:
        """Tell which nodes have ``needle`` in label, id, a property key or the ``str`` of a property value.

        Args:
            needle: Text, already lower-cased; the empty text is in every name.
            positions: The nodes to look at.
        """
        mask = self.named(needle, positions)
        for row in np.flatnonzero(~mask).tolist():
            mask[row] = any(
                needle in str(key).lower() or needle in str(value).lower()
                for key, value in self.nodes[positions[row]].properties.items()
            )
        return mask

    # -- cells ---------------------------------------------------------------------------------

    @cached_property
    def perspectives(self) -> IntArray:
        """Row of each node's ``zachman_cell`` (0-5), or a negative code from :mod:`.cells`."""
        return self._cells[0]

    @cached_property
    def interrogatives(self) -> IntArray:
        """Column of each node's ``zachman_cell`` (0-5), negative when it names none."""
        return self._cells[1]

    @cached_property
    def _cells(self) -> tuple[IntArray, IntArray]:
        return cell_codes(node.properties.get("zachman_cell") for node in self.nodes)

    # -- identity ------------------------------------------------------------------------------

    @cached_property
    def digest(self) -> str:
        """SHA-256 over every node and edge in order: two indexes with one digest give the same answers."""
        state = hashlib.sha256()
        for record in (*(node.to_dict() for node in self.nodes), *(edge.to_dict() for edge in self.edges)):
            line = json.dumps(
                {**record, "properties": canonical(record["properties"])},
                ensure_ascii=True,
                separators=(",", ":"),
            )
            state.update(line.encode("ascii") + b"\n")
        return state.hexdigest()
