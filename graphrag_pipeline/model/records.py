"""Nodes and edges, in the reference's JSON shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from graphrag_pipeline.errors import GraphSourceError

DEFAULT_NAMESPACE = "fcc"


@dataclass(frozen=True, slots=True)
class KnowledgeNode:
    """One node of the graph.

    Args:
        node_id: Unique id.
        node_type: Any type name; the set is open.
        label: The text people read and label search looks at.
        namespace: Where the node comes from.
        uri: Full name; an empty one becomes ``namespace:node_type/node_id``.
        properties: Free key/value data; ``zachman_cell`` is the one key a stage reads by name.
    """

    node_id: str
    node_type: str
    label: str
    namespace: str = DEFAULT_NAMESPACE
    uri: str = ""
    # Any: a property holds whatever the graph's owner stored there.
    properties: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.uri:
            object.__setattr__(self, "uri", f"{self.namespace}:{self.node_type}/{self.node_id}")

    def to_dict(self) -> dict[str, Any]:
        """Return the node as plain JSON data, keys in the reference's order."""
        return {
            "node_id": self.node_id,
            "node_type": self.node_type,
            "label": self.label,
            "namespace": self.namespace,
            "uri": self.uri,
            "properties": dict(self.properties),
        }

    @classmethod
    def from_dict(cls, data: object) -> Self:
        """Read one node; unknown keys are ignored, as in the reference.

        Raises:
            GraphSourceError: A required key is missing, or a value has the wrong type.
        """
        entry = _mapping(data, "node")
        return cls(
            node_id=_text(entry, "node_id"),
            node_type=_text(entry, "node_type"),
            label=_text(entry, "label"),
            namespace=_text(entry, "namespace", DEFAULT_NAMESPACE),
            uri=_text(entry, "uri", "", null_is_default=True),
            properties=_properties(entry),
        )


@dataclass(frozen=True, slots=True)
class KnowledgeEdge:
    """One directed edge of the graph; either end may name a node that does not exist.

    Args:
        source_id: Id the edge leaves.
        target_id: Id the edge enters.
        edge_type: Any type name; the set is open.
        namespace: Where the edge comes from.
        weight: Strength; kept as the number it was written as (``1`` stays an int).
        properties: Free key/value data.
    """

    source_id: str
    target_id: str
    edge_type: str
    namespace: str = DEFAULT_NAMESPACE
    weight: float = 1.0
    properties: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, str]:
        """Source, target and type: what makes two edges the same to a bridge."""
        return (self.source_id, self.target_id, self.edge_type)

    def to_dict(self) -> dict[str, Any]:
        """Return the edge as plain JSON data, keys in the reference's order."""
        return {
            "source_id": self.source_id,
            "target_id": self.target_id,
            "edge_type": self.edge_type,
            "namespace": self.namespace,
            "weight": self.weight,
            "properties": dict(self.properties),
        }

    @classmethod
    def from_dict(cls, data: object) -> Self:
        """Read one edge; unknown keys are ignored, as in the reference.

        Raises:
            GraphSourceError: A required key is missing, or a value has the wrong type.
        """
        entry = _mapping(data, "edge")
        return cls(
            source_id=_text(entry, "source_id"),
            target_id=_text(entry, "target_id"),
            edge_type=_text(entry, "edge_type"),
            namespace=_text(entry, "namespace", DEFAULT_NAMESPACE),
            weight=_number(entry, "weight", 1.0),
            properties=_properties(entry),
        )


def _mapping(data: object, what: str) -> Mapping[object, object]:
    if isinstance(data, Mapping):
        return data
    raise GraphSourceError(f"The {what} must be an object, not {_kind(data)}.")


def _text(
    entry: Mapping[object, object], key: str, default: str | None = None, *, null_is_default: bool = False
) -> str:
    value = entry.get(key, default)
    if value is None and null_is_default:
        value = default
    if isinstance(value, str):
        return value
    if key not in entry:
        raise GraphSourceError(f"The key {key!r} is missing.", hint=f"Keys given: {_keys(entry)}.")
    raise GraphSourceError(
        f"The key {key!r} must hold text, not {_kind(value)}.", hint=f"Write {key} in quotes."
    )


def _number(entry: Mapping[object, object], key: str, default: float) -> float:
    value = entry.get(key, default)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    raise GraphSourceError(f"The key {key!r} must hold a number, not {_kind(value)}.")


def _properties(entry: Mapping[object, object]) -> dict[str, Any]:
    value = entry.get("properties", {})
    if isinstance(value, Mapping):
        return dict(value)
    raise GraphSourceError(f"The key 'properties' must hold an object, not {_kind(value)}.")


def _kind(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    names = {str: "text", int: "number", float: "number", list: "list", dict: "object"}
    return f"the {names.get(type(value), type(value).__name__)} {value!r:.60}"


def _keys(entry: Mapping[object, object]) -> str:
    return ", ".join(sorted(map(str, entry))[:12]) or "none"
