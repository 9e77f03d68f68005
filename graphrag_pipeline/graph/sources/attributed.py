"""Records of formats that hang free attributes on nodes and edges."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from graphrag_pipeline.graph.attributes import (
    DEFAULT_EDGE_TYPE,
    DEFAULT_NODE_TYPE,
    EDGE_TYPE_KEYS,
    LABEL_KEYS,
    NODE_TYPE_KEYS,
    own_properties,
)
from graphrag_pipeline.graph.reading.exact_ids import ExactIds
from graphrag_pipeline.graph.sources.file_graph import FileGraphParams
from graphrag_pipeline.graph.sources.intake import Intake

UNDIRECTED = "the graph is undirected; each edge keeps the order in which its ends are written"
MORE_EDGE_TYPE_KEYS = (*EDGE_TYPE_KEYS, "rel", "relationship", "predicate", "interaction", "key")


class AttributedParams(FileGraphParams):
    """Which attributes are label and type; null tries the usual names, in the order that the docs list."""

    label: str | None = None
    """Attribute that holds a node's label."""
    node_type: str | None = None
    """Attribute that holds a node's type."""
    edge_type: str | None = None
    """Attribute that holds an edge's type."""


# Any throughout: attributes hold anything.
class Attributed:
    """Turns ids and attributes into records of an intake.

    Args:
        intake: Takes the records.
        params: Says which attributes are label and type.
        where: The file, for messages.
    """

    def __init__(self, intake: Intake, params: AttributedParams, where: str) -> None:
        self._intake = intake
        self._where = where
        self._label = _keys(params.label, LABEL_KEYS)
        self._node_type = _keys(params.node_type, NODE_TYPE_KEYS)
        self._edge_type = _keys(params.edge_type, MORE_EDGE_TYPE_KEYS)
        self._ids = ExactIds(tuples=True)
        self._wanted = {
            f"graph.{name}": value
            for name, value in (
                ("label", params.label),
                ("node_type", params.node_type),
                ("edge_type", params.edge_type),
            )
            if value is not None
        }
        self._seen: dict[str, dict[str, None]] = {"node": {}, "edge": {}}
        self._records = {"node": 0, "edge": 0}
        if self._wanted:
            intake.at_end(self._check)

    def id(self, value: Any, at: str) -> str:
        """Return an id as text; the empty text where there is none. A list, as of a tuple, is its JSON text.

        Raises:
            GraphSourceError: Another id of the file has the same text and another type: 10 and "10".
        """
        return self._ids.text(value, at)

    def node(self, node_id: str, attributes: Mapping[str, Any], at: str) -> None:
        """Hand over a node."""
        self._see("node", attributes)
        rest = dict(attributes)
        properties = own_properties(rest)
        label = _taken(rest, self._label)
        self._intake.node(
            node_id,
            _or(_taken(rest, self._node_type), DEFAULT_NODE_TYPE),
            # No label at all is common and fine; one that is there and empty is worth a remark.
            _or(label, node_id),
            at=at,
            namespace=_taken(rest, ("namespace",)),
            uri=_taken(rest, ("uri",)) or "",
            properties={**properties, **rest},
        )

    def edge(self, source_id: str, target_id: str, attributes: Mapping[str, Any], at: str) -> None:
        """Hand over an edge."""
        self._see("edge", attributes)
        rest = dict(attributes)
        properties = own_properties(rest)
        self._intake.edge(
            source_id,
            target_id,
            _or(_taken(rest, self._edge_type), DEFAULT_EDGE_TYPE),
            at=at,
            namespace=_taken(rest, ("namespace",)),
            weight=rest.pop("weight", None),
            properties={**properties, **rest},
        )

    def _see(self, kind: str, attributes: Mapping[str, Any]) -> None:
        if self._wanted:
            self._records[kind] += 1
            self._seen[kind].update(dict.fromkeys(attributes))

    def _check(self) -> None:
        for parameter, name in self._wanted.items():
            kind = "edge" if parameter == "graph.edge_type" else "node"
            if self._records[kind] and name not in self._seen[kind]:
                near = difflib.get_close_matches(name, self._seen[kind], n=1)
                there = ", ".join(list(self._seen[kind])[:12]) or "none"
                hint = f"did you mean {near[0]!r}?" if near else f"the attributes are: {there}"
                what = f"the attribute {name!r}, which {parameter} names, is on no {kind} ({hint})"
                self._intake.blank(what, self._where)


def _keys(given: str | None, usual: tuple[str, ...]) -> tuple[str, ...]:
    return usual if given is None else (given,)


def _taken(rest: dict[str, Any], keys: tuple[str, ...]) -> str | None:
    """Remove and return the first of ``keys`` that holds text or a number, as text."""
    for key in keys:
        if isinstance(value := rest.get(key), str | int | float) and not isinstance(value, bool):
            del rest[key]
            return str(value)
    return None


def _or(text: str | None, default: str) -> str:
    return default if text is None else text
