"""Turns rows of node and edge tables into records."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import repeat

from graphrag_pipeline.graph.arrow import EDGE_FIELDS, NODE_FIELDS
from graphrag_pipeline.graph.attributes import DEFAULT_EDGE_TYPE, DEFAULT_NODE_TYPE
from graphrag_pipeline.graph.sources.intake import BLANK_EDGE_TYPE, BLANK_LABEL, BLANK_TYPE, Intake
from graphrag_pipeline.graph.sources.tables.cells import Cells, Reading, Table
from graphrag_pipeline.model.records import KnowledgeEdge, KnowledgeNode

ENDS = "nodes that only edges name, as there is no node table"


class TableRows:
    """Reads tables into an intake.

    Args:
        intake: Takes the records.
        reading: How the format writes its cells.
        ends_are_nodes: Whether each end of an edge becomes a node, as there is no table of nodes.
    """

    def __init__(self, intake: Intake, reading: Reading, *, ends_are_nodes: bool = False) -> None:
        self._intake = intake
        self._reading = reading
        self._ends: dict[str, None] | None = {} if ends_are_nodes else None

    def nodes(self, table: Table, roles: Mapping[str, str], default_type: str) -> None:
        """Read a table of nodes.

        Args:
            table: The table.
            roles: Which column holds what.
            default_type: Type of the nodes of a table without a column of types.

        Raises:
            GraphSourceError: The table is damaged, or an id is no id.
        """
        # Our own export means each cell as it stands there, the empty ones too.
        exact = set(table.columns) == set(NODE_FIELDS)
        for batch in table.batches():
            self._intake.read(table.name, batch.count)
            cells = Cells(self._intake, self._reading, batch, roles, exact)
            ids = cells.ids("id")
            labels = cells.texts("label") if "label" in roles else ids
            types = cells.texts("type") if "type" in roles else repeat(default_type, batch.count)
            namespaces, properties = cells.namespaces(), cells.properties(table.columns)
            uris = cells.texts("uri") if "uri" in roles else repeat("", batch.count)
            rows = zip(ids, types, labels, namespaces, uris, properties, strict=True)
            for at, (node_id, kind, label, namespace, uri, more) in enumerate(rows):
                if node_id and (exact or (kind and label)):
                    if exact:
                        cells.blanks(at, {BLANK_TYPE: kind, BLANK_LABEL: label})
                    self._intake.take_node(KnowledgeNode(node_id, kind, label, namespace, uri, more))
                    continue
                place = batch.place(at)
                self._intake.node(
                    node_id, kind, label, at=place, namespace=namespace, uri=uri, properties=more
                )

    def edges(self, table: Table, roles: Mapping[str, str], default_type: str = DEFAULT_EDGE_TYPE) -> None:
        """Read a table of edges.

        Args:
            table: The table.
            roles: Which column holds what.
            default_type: Type of the edges of a table without a column of types.

        Raises:
            GraphSourceError: The table is damaged, or an id is no id.
        """
        exact = set(table.columns) == set(EDGE_FIELDS)
        for batch in table.batches():
            self._intake.read(table.name, batch.count)
            cells = Cells(self._intake, self._reading, batch, roles, exact)
            sources, targets = cells.ids("source"), cells.ids("target")
            types = cells.texts("type") if "type" in roles else repeat(default_type, batch.count)
            namespaces, properties = cells.namespaces(), cells.properties(table.columns)
            weights = cells.weights()
            rows = zip(sources, targets, types, namespaces, weights, properties, strict=True)
            for at, (source, target, kind, namespace, weight, more) in enumerate(rows):
                if weight is None:
                    weight, more = 1.0, cells.with_weight(at, more)  # noqa: PLW2901  # the row as repaired
                if source and target and (exact or kind):
                    if exact:
                        cells.blanks(at, {BLANK_EDGE_TYPE: kind})
                    self._intake.take_edge(KnowledgeEdge(source, target, kind, namespace, weight, more))
                else:
                    self._unclean(
                        KnowledgeEdge(source, target, kind, namespace, weight, more), batch.place(at)
                    )
                if self._ends is not None and source and target:
                    self._make(source)
                    self._make(target)

    def _unclean(self, edge: KnowledgeEdge, place: str) -> None:
        self._intake.edge(
            edge.source_id,
            edge.target_id,
            edge.edge_type,
            at=place,
            namespace=edge.namespace,
            weight=edge.weight,
            properties=edge.properties,
        )

    def _make(self, node_id: str) -> None:
        assert self._ends is not None
        if node_id not in self._ends:
            self._ends[node_id] = None
            self._intake.node(node_id, DEFAULT_NODE_TYPE, node_id, made=ENDS)
