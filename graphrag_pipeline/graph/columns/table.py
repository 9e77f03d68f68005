"""All columns of an index."""

from __future__ import annotations

from dataclasses import dataclass

from graphrag_pipeline.graph.adjacency import Adjacency
from graphrag_pipeline.graph.arrays import Array
from graphrag_pipeline.graph.columns.lookup import Lookup
from graphrag_pipeline.graph.columns.text import TextColumn
from graphrag_pipeline.graph.columns.values import NameColumn, PropertyColumn, SparseText, WeightColumn
from graphrag_pipeline.model.records import KnowledgeEdge, KnowledgeNode


@dataclass(frozen=True, slots=True)
class NodeColumns:
    """One entry per node in each.

    Args:
        id: Ids.
        label: Labels.
        type: Types.
        namespace: Namespaces.
        uri: Uris other than ``namespace:type/id``.
        properties: Properties.
        name: Label and id in lower case, each ended by :data:`~.search.END`.
        mention: Property keys and values in lower case, each ended likewise.
        row: Code of the row of the Zachman cell, see :mod:`graphrag_pipeline.graph.cells`.
        column: Code of its column.
        lookup: Positions by id.
    """

    id: TextColumn
    label: TextColumn
    type: NameColumn
    namespace: NameColumn
    uri: SparseText
    properties: PropertyColumn
    name: TextColumn
    mention: TextColumn
    row: Array
    column: Array
    lookup: Lookup

    def records(self, positions: Array) -> list[KnowledgeNode]:
        """Return the nodes at some positions."""
        uris = [self.uri.get(place) or "" for place in positions.tolist()] if self.uri.at.size else None
        columns = (
            self.id.many(positions),
            self.type.many(positions),
            self.label.many(positions),
            self.namespace.many(positions),
            [""] * positions.size if uris is None else uris,
            self.properties.many(positions),
        )
        return list(map(KnowledgeNode, *columns))


@dataclass(frozen=True, slots=True)
class EdgeColumns:
    """One entry per edge in each.

    Args:
        source: Position of the source; from the number of nodes on, an entry of ``unknown``.
        target: Position of the target, likewise.
        unknown: Ids that edges name and that are not nodes.
        type: Types.
        namespace: Namespaces.
        weight: Weights.
        properties: Properties.
    """

    source: Array
    target: Array
    unknown: TextColumn
    type: NameColumn
    namespace: NameColumn
    weight: WeightColumn
    properties: PropertyColumn

    def record(self, position: int, ids: TextColumn) -> KnowledgeEdge:
        """Return an edge.

        Args:
            position: Its position.
            ids: The ids of the nodes.
        """
        return KnowledgeEdge(
            self._end(int(self.source[position]), ids),
            self._end(int(self.target[position]), ids),
            self.type[position],
            self.namespace[position],
            self.weight[position],
            self.properties[position],
        )

    def _end(self, place: int, ids: TextColumn) -> str:
        return ids[place] if place < len(ids) else self.unknown[place - len(ids)]


@dataclass(frozen=True, slots=True)
class Table:
    """Nodes, edges and who is next to whom."""

    nodes: NodeColumns
    edges: EdgeColumns
    adjacency: Adjacency

    @property
    def node_count(self) -> int:
        """How many nodes there are."""
        return len(self.nodes.id)

    @property
    def edge_count(self) -> int:
        """How many edges there are, dangling ones included."""
        return len(self.edges.source)
