"""Nodes that our own Turtle export wrote: what it could not say in RDF's words is read literally."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from graphrag_pipeline.graph.sources.rdf.resources import Resource
from graphrag_pipeline.graph.sources.rdf.terms import LABEL, OURS, value

ID, NODE_TYPE, NAMESPACE, URI = (f"{OURS}{name}" for name in ("id", "node_type", "namespace", "uri"))
WEIGHT = f"{OURS}weight"
NODE, EDGE, PROPERTY = (f"{OURS}{name}:" for name in ("node", "e", "p"))


@dataclass(frozen=True, slots=True)
class OurNode:
    """A node as it was before it was exported.

    Args:
        id: Its id.
        node_type: Its type.
        label: Its label.
        namespace: Its namespace; None when the export did not say.
        uri: Its full name, the empty text for the default one.
        rest: What else is said of it.
    """

    id: str
    node_type: str
    label: str
    namespace: str | None
    uri: str
    rest: Resource


def our_node(resource: Resource) -> OurNode | None:
    """Return the node that a resource was, or None when it is no export of ours."""
    texts = {predicate: min(literals).text for predicate, literals in resource.literals.items()}
    if ID not in texts:
        return None
    told = (ID, NODE_TYPE, NAMESPACE, URI, LABEL)
    literals = {name: values for name, values in resource.literals.items() if name not in told}
    rest = Resource({}, literals, resource.lists, resource.triples, resource.graphs)
    return OurNode(
        texts[ID],
        texts.get(NODE_TYPE, ""),
        texts.get(LABEL, ""),
        texts.get(NAMESPACE),
        texts.get(URI, ""),
        rest,
    )


# Any below: properties hold any JSON value.
def our_properties(resource: Resource, told: Callable[[str], None]) -> dict[str, Any]:
    """Take the properties that our export wrote from a resource, and return them by their names."""
    found: dict[str, Any] = {}
    for predicate in [name for name in resource.literals if name.startswith(PROPERTY)]:
        values = [value(literal, told) for literal in sorted(resource.literals.pop(predicate))]
        found[unquote(predicate.removeprefix(PROPERTY))] = values[0] if len(values) == 1 else values
    return found


def our_edge(predicate: str) -> tuple[str, str | None] | None:
    """Return type and namespace of an edge that our export wrote, or None for any other predicate.

    The predicate ends in ``TYPE``, or in ``NAMESPACE:TYPE``, both percent-encoded.
    """
    if not predicate.startswith(EDGE):
        return None
    namespace, mark, type_ = predicate.removeprefix(EDGE).rpartition(":")
    return unquote(type_), unquote(namespace) if mark else None


def our_id(iri: str) -> str | None:
    """Return the id of a node that our export only mentions, or None for any other IRI."""
    return unquote(iri.removeprefix(NODE)) if iri.startswith(NODE) else None
