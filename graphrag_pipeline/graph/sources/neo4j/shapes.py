"""What Neo4j's tools write as a node, a relationship or a path.

- APOC's export procedures (https://neo4j.com/docs/apoc/current/export/json/) mark records with ``type``.
- Neo4j Browser and the drivers' JSON name ``elementId`` and ``identity``.
- The Python package neo4j-graphrag writes the fields of its classes ``Neo4jNode`` and ``Neo4jRelationship``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.kinds import kind

IDS = ("id", "elementId", "identity")
STARTS = ("start_node_id", "startNodeElementId", "start")
ENDS = ("end_node_id", "endNodeElementId", "end")


# Any throughout: JSON data; ids and properties hold anything.
@dataclass(frozen=True, slots=True)
class NodeRecord:
    """A node, or an end of a relationship, of which often no more than the id is written."""

    id: Any
    labels: tuple[str, ...] = ()
    properties: Mapping[str, Any] = field(default_factory=dict)
    vectors: Mapping[str, Any] = field(default_factory=dict)

    @property
    def described(self) -> bool:
        """Whether more than its id is known."""
        return bool(self.labels or self.properties)


@dataclass(frozen=True, slots=True)
class RelationshipRecord:
    """A relationship and its ends."""

    id: Any
    type: str
    start: NodeRecord
    end: NodeRecord
    properties: Mapping[str, Any] = field(default_factory=dict)
    vectors: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PathRecord:
    """The entries of a path."""

    nodes: tuple[Any, ...]
    relationships: tuple[Any, ...]


Record: TypeAlias = NodeRecord | RelationshipRecord | PathRecord


def recognised(value: Mapping[str, Any], at: str) -> Record | None:
    """Return what a value is, or None when it is none of Neo4j's.

    Raises:
        GraphSourceError: It is a node or a relationship with labels, type or properties of another kind.
    """
    if value.get("type") == "node" or (isinstance(value.get("labels"), list) and _driver_made(value)):
        return node_record(value, at)
    if value.get("type") == "relationship" or ("type" in value and _driver_made(value) and "start" in value):
        return relationship_record(value, at)
    return _path(value)


def node_record(value: Mapping[str, Any], at: str) -> NodeRecord:
    """Read a node.

    Raises:
        GraphSourceError: Its labels are no texts, or its properties are no object.
    """
    labels = value.get("labels", value.get("label"))
    labels = [] if labels is None else labels if isinstance(labels, list) else [labels]
    if not all(isinstance(label, str) for label in labels):
        raise GraphSourceError("The labels of a node must be a list of texts.", where=at)
    return NodeRecord(
        _first(value, IDS),
        tuple(labels),
        _object(value, "properties", at),
        _object(value, "embedding_properties", at),
    )


def relationship_record(value: Mapping[str, Any], at: str) -> RelationshipRecord:
    """Read a relationship.

    Raises:
        GraphSourceError: Its type is no text, or its properties are no object.
    """
    # APOC writes "type": "relationship" and the type under "label".
    type_ = value["label"] if "label" in value else value.get("type")
    if not isinstance(type_, str | None):
        raise GraphSourceError(f"The type of a relationship must be text, not {kind(type_)}.", where=at)
    return RelationshipRecord(
        _first(value, IDS),
        type_ or "",
        _end(_first(value, STARTS), f"{at}: start"),
        _end(_first(value, ENDS), f"{at}: end"),
        _object(value, "properties", at),
        _object(value, "embedding_properties", at),
    )


def _path(value: Mapping[str, Any]) -> PathRecord | None:
    nodes, relationships, segments = value.get("nodes"), value.get("rels"), value.get("segments")
    if isinstance(nodes, list) and isinstance(relationships, list):
        return PathRecord(tuple(nodes), tuple(relationships))
    if isinstance(segments, list) and "start" in value and "end" in value:
        steps = [segment for segment in segments if isinstance(segment, Mapping)]
        inner = [step.get(key) for step in steps for key in ("start", "end")]
        ends = (value["start"], *inner, value["end"])
        return PathRecord(ends, tuple(step.get("relationship") for step in steps))
    return None


def _driver_made(value: Mapping[str, Any]) -> bool:
    return "elementId" in value or "identity" in value


def _end(value: Any, at: str) -> NodeRecord:
    return node_record(value, at) if isinstance(value, Mapping) else NodeRecord(value)


def _first(value: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    return next((value[key] for key in keys if value.get(key) is not None), None)


def _object(value: Mapping[str, Any], key: str, at: str) -> Mapping[str, Any]:
    found = value.get(key)
    if found is None:
        return {}
    if isinstance(found, Mapping):
        return found
    raise GraphSourceError(f"{key!r} must hold an object, not {kind(found)}.", where=at)
