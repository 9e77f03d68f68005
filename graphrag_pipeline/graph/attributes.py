"""Which of the attributes that people use are a record's label, type, namespace and name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

LABEL_KEYS = ("label", "name", "title")
NODE_TYPE_KEYS = ("node_type", "type", "kind")
EDGE_TYPE_KEYS = ("edge_type", "type", "relation", "label")
EDGE_ORDER = "graphrag_edge_order"
"""Graph attribute of an exported networkx graph; ``key`` says that edge keys are the global order."""
DEFAULT_NODE_TYPE = "node"
DEFAULT_EDGE_TYPE = "related_to"


# Any throughout: attributes hold anything.
def take(rest: dict[str, Any], keys: tuple[str, ...], default: str) -> str:
    """Remove and return the first of ``keys`` that holds text."""
    for key in keys:
        if isinstance(rest.get(key), str):
            return str(rest.pop(key))
    return default


def own_properties(rest: dict[str, Any]) -> dict[str, Any]:
    """Take the ``properties`` mapping that our own export writes; anything else of that name stays."""
    return dict(rest.pop("properties")) if isinstance(rest.get("properties"), Mapping) else {}
