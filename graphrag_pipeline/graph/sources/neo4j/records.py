"""Turns Neo4j's nodes and relationships into records of an intake."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.attributes import DEFAULT_NODE_TYPE
from graphrag_pipeline.graph.reading.exact_ids import ExactIds
from graphrag_pipeline.graph.reading.scalars import missing
from graphrag_pipeline.graph.sources.embeddings import Embeddings
from graphrag_pipeline.graph.sources.intake import Intake
from graphrag_pipeline.graph.sources.neo4j.shapes import NodeRecord, RelationshipRecord

LABELS = ("name", "title", "label", "id")
"""Properties that are a node's label, in the order they are tried."""
NODES, RELATIONSHIPS = "nodes", "relationships"


# Any throughout: properties hold anything.
class Neo4jRecords:
    """Takes nodes and relationships, and knows which of them came before.

    Args:
        intake: Takes the records.
        type_labels: Labels that are a node's type, whichever comes first here; else it is the node's first
            one that is not written like ``__Entity__``.
        label_property: Property that is a node's label; None tries :data:`LABELS`.
        embeddings: What becomes of vectors.
    """

    def __init__(
        self, intake: Intake, type_labels: Sequence[str], label_property: str | None, embeddings: Embeddings
    ) -> None:
        self._intake = intake
        self._type_labels = type_labels
        self._label_keys = LABELS if label_property is None else (label_property,)
        self._embeddings = embeddings
        self._ids = ExactIds()
        self._nodes: dict[str, bytes] = {}
        self._relationship_ids = ExactIds()
        self._relationships: dict[str, bytes] = {}
        self._ends: dict[str, tuple[NodeRecord, str]] = {}

    def node(self, record: NodeRecord, at: str, *, value: Any = None) -> None:
        """Take a node.

        Args:
            record: The node.
            at: Where it is.
            value: What it was read from, when the same node may come again, as in the rows of a query.
        """
        self._intake.read(NODES)
        node_id, content = self._ids.text(record.id, at), _digest(value, at)
        if content and self._nodes.get(node_id) == content:
            self._intake.absorb("repetitions of a node")
            return
        self._nodes[node_id] = content
        self._hand_over(record, node_id, at)

    def relationship(self, record: RelationshipRecord, at: str, *, value: Any = None) -> None:
        """Take a relationship; its ends become nodes when nothing else describes them.

        Args:
            record: The relationship.
            at: Where it is.
            value: As of a node.
        """
        self._intake.read(RELATIONSHIPS)
        content = _digest(value, at)
        if content and not missing(record.id):
            key = self._relationship_ids.text(record.id, at)
            before = self._relationships.setdefault(key, b"")
            if before == content:
                self._intake.absorb("repetitions of a relationship")
                return
            if before:
                self._intake.repair("a relationship's id came again with other values; both are kept", at)
            self._relationships[key] = content
        start, end = (self._end(end, at) for end in (record.start, record.end))
        properties = self._embeddings.taken(record.properties, record.vectors)
        weight = properties.pop("weight", None)
        properties.setdefault("id", record.id)
        self._intake.edge(start, end, record.type, at=at, weight=weight, properties=properties)

    def finish(self) -> None:
        """Make nodes of the ends that only relationships describe, in the order in which they came."""
        for node_id, (record, at) in self._ends.items():
            if node_id not in self._nodes:
                self._hand_over(record, node_id, at, made="nodes that only relationships describe")
        self._embeddings.note(self._intake)

    def _end(self, record: NodeRecord, at: str) -> str:
        node_id = self._ids.text(record.id, at)
        if node_id and record.described and node_id not in self._nodes:
            known = self._ends.setdefault(node_id, (record, at))
            if record.properties and not known[0].properties:
                self._ends[node_id] = (record, at)
        return node_id

    def _hand_over(self, record: NodeRecord, node_id: str, at: str, made: str = "") -> None:
        properties = self._embeddings.taken(record.properties, record.vectors)
        label = self._label(properties)
        if len(record.labels) > 1:
            properties["neo4j_labels" if "labels" in properties else "labels"] = list(record.labels)
        self._intake.node(
            node_id, self._type(record.labels), label or node_id, at=at, properties=properties, made=made
        )

    def _type(self, labels: Sequence[str]) -> str:
        chosen = [label for label in self._type_labels if label in labels]
        plain = [label for label in labels if not (label.startswith("__") and label.endswith("__"))]
        return next(iter([*chosen, *plain, *labels]), DEFAULT_NODE_TYPE)

    def _label(self, properties: dict[str, Any]) -> str:
        """Return a node's label, and remove the property that holds just it; a number stays."""
        for key in self._label_keys:
            value = properties.get(key)
            if isinstance(value, str) and value.strip():
                del properties[key]
                return value
            if isinstance(value, int | float) and not isinstance(value, bool) and not missing(value):
                return str(value)
        return ""


def _digest(value: Any, at: str) -> bytes:
    """Return a digest of JSON data; nothing for None."""
    if value is None:
        return b""
    try:
        text = json.dumps(value, sort_keys=True)
    except RecursionError as error:
        raise GraphSourceError("The entry is nested too deep.", where=at) from error
    return blake2b(text.encode(), digest_size=16).digest()
