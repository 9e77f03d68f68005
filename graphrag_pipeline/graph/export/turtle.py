"""Turtle: nodes as resources, edges as triples."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from graphrag_pipeline.graph.export.contract import Losses, edge_name, is_default
from graphrag_pipeline.graph.export.fitting import Carries, fitted_edges, fitted_nodes, fitting_losses
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.reading.files import need
from graphrag_pipeline.graph.sources.findings import Finding
from graphrag_pipeline.model.records import KnowledgeEdge, KnowledgeNode

OURS = "urn:graphrag:"
CARRIES = Carries(infinities=True)
REPEATED = "an edge of the ends, type and namespace of another is left out, with its weight and properties"
REIFIES = "http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies"
RDFS_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
XSD = "http://www.w3.org/2001/XMLSchema#"
PREFIXES = {
    "g": OURS,
    "node": f"{OURS}node:",
    "p": f"{OURS}p:",
    "e": f"{OURS}e:",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "xsd": XSD,
}


class Turtle:
    """Writes RDF with pyoxigraph: first all nodes, then all edges, so that both keep their order."""

    name = "turtle"
    suffixes = (".ttl",)

    def losses(self, index: GraphIndex) -> tuple[Finding, ...]:
        """Return what fitting changes, and what a triple has no place for."""
        need("pyoxigraph", "rdf", "RDF files")
        losses = fitting_losses(index, CARRIES)
        seen: set[tuple[str, ...]] = set()
        for edge in fitted_edges(index, carries=CARRIES):
            _edge_losses(edge, losses, seen)
        return losses.findings()

    def notes(self, index: GraphIndex) -> tuple[str, ...]:
        """Return that the file is of RDF 1.2, when it is."""
        edges = fitted_edges(index, carries=CARRIES)
        if any(edge.properties or not is_default(edge.weight) for edge in edges):
            return ("weights and properties of edges are written in RDF 1.2, which not every tool reads yet",)
        return ()

    def write(self, index: GraphIndex, path: Path) -> None:
        """Write the file.

        Raises:
            GraphSourceError: pyoxigraph is not installed.
        """
        ox = need("pyoxigraph", "rdf", "RDF files")
        ox.serialize(_triples(ox, index), output=path, format=ox.RdfFormat.TURTLE, prefixes=PREFIXES)


def _edge_losses(edge: KnowledgeEdge, losses: Losses, seen: set[tuple[str, ...]]) -> None:
    if (key := (*edge.key, edge.namespace)) in seen:
        losses.add(REPEATED, edge_name(edge))
    seen.add(key)


# Any below: pyoxigraph is optional, so its types are not there to name.
def _triples(ox: Any, index: GraphIndex) -> Iterator[Any]:
    names: dict[str, Any] = {}
    taken: set[str] = set()
    for node in fitted_nodes(index, carries=CARRIES):
        subject = names[node.node_id] = _subject(ox, node, taken)
        for predicate, value in _statements(ox, node):
            yield ox.Triple(subject, ox.NamedNode(predicate), value)
    seen: set[tuple[str, ...]] = set()
    for edge in fitted_edges(index, carries=CARRIES):
        if (key := (*edge.key, edge.namespace)) in seen:
            continue
        seen.add(key)
        ends = [names.get(end) or ox.NamedNode(_own(end)) for end in (edge.source_id, edge.target_id)]
        predicate = f"{OURS}e:{_quoted(edge.namespace)}:{_quoted(edge.edge_type)}"
        triple = ox.Triple(ends[0], ox.NamedNode(predicate), ends[1])
        yield triple
        yield from _annotations(ox, edge, triple, len(seen))


def _annotations(ox: Any, edge: KnowledgeEdge, triple: Any, number: int) -> Iterator[Any]:
    """Yield what RDF 1.2 says of a statement: a blank node that reifies it has the weight and properties."""
    about = {f"{OURS}p:{_quoted(name)}": value for name, value in edge.properties.items()}
    if not is_default(edge.weight):
        about = {f"{OURS}weight": edge.weight, **about}
    if not about:
        return
    reifier = ox.BlankNode(f"e{number}")
    yield ox.Triple(reifier, ox.NamedNode(REIFIES), triple)
    for name, value in about.items():
        yield ox.Triple(reifier, ox.NamedNode(name), _literal(ox, value))


def _statements(ox: Any, node: KnowledgeNode) -> Iterator[tuple[str, Any]]:
    yield f"{OURS}id", ox.Literal(node.node_id)
    yield f"{OURS}node_type", ox.Literal(node.node_type)
    yield RDFS_LABEL, ox.Literal(node.label)
    yield f"{OURS}namespace", ox.Literal(node.namespace)
    if _has_uri(node):
        yield f"{OURS}uri", ox.Literal(node.uri)
    for name, value in node.properties.items():
        yield f"{OURS}p:{_quoted(name)}", _literal(ox, value)


def _literal(ox: Any, value: Any) -> Any:
    if isinstance(value, str):
        return ox.Literal(value)
    if isinstance(value, bool):
        return ox.Literal("true" if value else "false", datatype=ox.NamedNode(f"{XSD}boolean"))
    if isinstance(value, int):
        return ox.Literal(str(value), datatype=ox.NamedNode(f"{XSD}integer"))
    if isinstance(value, float):
        return ox.Literal(repr(value).replace("inf", "INF"), datatype=ox.NamedNode(f"{XSD}double"))
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return ox.Literal(text, datatype=ox.NamedNode(f"{OURS}json"))


def _has_uri(node: KnowledgeNode) -> bool:
    return node.uri != f"{node.namespace}:{node.node_type}/{node.node_id}"


def _subject(ox: Any, node: KnowledgeNode, taken: set[str]) -> Any:
    """Return a node's own IRI where it has a usable one that no earlier node has, else one of ours."""
    if _has_uri(node) and not node.uri.startswith(OURS) and node.uri not in taken:
        try:
            subject = ox.NamedNode(node.uri)
        except ValueError:  # no absolute IRI
            pass
        else:
            taken.add(node.uri)
            return subject
    return ox.NamedNode(_own(node.node_id))


def _own(node_id: str) -> str:
    return f"{OURS}node:{_quoted(node_id)}"


def _quoted(text: str) -> str:
    return quote(text, safe="")
