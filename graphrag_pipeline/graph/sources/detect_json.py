"""Finding out what a JSON file is, from the data at its start."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphrag_pipeline.graph.reading.json_shape import data_at_start

Data = Mapping[str, Any]  # Any: JSON data


@dataclass(frozen=True, slots=True)
class Detected:
    """What a path is.

    Args:
        source: Name of the graph source that reads it.
        why: What told.
    """

    source: str
    why: str


def json_file(head: bytes, _name: str) -> Detected | None:
    """Tell what a file is that holds one JSON value."""
    text = head.decode("utf-8-sig", "replace").lstrip()
    if not text.startswith(("{", "[")) or _several_lines(text):
        return None
    data = data_at_start(text)
    if isinstance(data, list):
        first = data[0] if data and isinstance(data[0], dict) else {}
        return _of_records(first, "its first entry") or _of_elements(first) or _of_json_ld(first)
    if not isinstance(data, dict):
        return None
    return next((found for told in SHAPES if (found := told(data)) is not None), None)


def _of_keys(data: Data) -> Detected | None:
    for keys, source in (
        (("docs",), "hipporag"),
        (("elements",), "cytoscape"),
        (("graph_dict",), "llamaindex"),
        (("relations", "triplets"), "llamaindex"),
        (("nodes", "relationships"), "neo4j"),
        (("nodes", "rels"), "neo4j"),
    ):
        if all(key in data for key in keys):
            return Detected(source, f"it has the key{'s' if len(keys) > 1 else ''} {' and '.join(keys)}")
    return None


def _of_networkx(data: Data) -> Detected | None:
    # Attributes of nodes may have any names, so these keys tell more than the nodes do.
    if {"directed", "multigraph"} <= set(data) and isinstance(data.get("nodes", []), list):
        return Detected("nodelink", "its keys are networkx's")
    return None


def _of_nodes(data: Data) -> Detected | None:
    nodes = data.get("nodes")
    if nodes is None:
        return _of_edges(data)
    if isinstance(nodes, dict):
        first = next(iter(nodes.values()), None)
        if isinstance(first, dict) and {"label", "embedding"} & set(first) and "labels" not in first:
            return Detected("llamaindex", "its nodes are an object of labels and properties")
        return Detected("neo4j", "its nodes are an object by id")
    if not isinstance(nodes, list):
        return None
    return _of_node(nodes[0] if nodes and isinstance(nodes[0], dict) else {}, data)


def _of_edges(data: Data) -> Detected | None:
    """Tell what a file is whose edges come first, and fill all that is looked at."""
    edges = data.get("links", data.get("edges"))
    if not isinstance(edges, list) or not edges or not isinstance(edges[0], dict):
        return None
    keys = (
        ("source_id", "json"),
        ("data", "cytoscape"),
        ("attributes", "graphology"),
        ("source", "nodelink"),
    )
    for key, source in keys:
        if key in edges[0]:
            return Detected(source, f"its edges have the key {key}")
    return None


def _of_node(first: Data, data: Data) -> Detected | None:
    if first.get("type") == "node" and "labels" in first:
        return Detected("neo4j", "its nodes have the keys type and labels")
    for key, source in NODE_KEYS:
        if key in first:
            return Detected(source, f"its nodes have the key {key}")
    if {"directed", "multigraph", "links"} & set(data):
        return Detected("nodelink", "its keys are networkx's")
    return Detected("json", "it has the key nodes") if not first else None


NODE_KEYS = (("node_id", "json"), ("data", "cytoscape"), ("key", "graphology"), ("id", "nodelink"))
"""Keys of a node, each telling a format; the first that is there."""


def _of_json_ld(data: Data) -> Detected | None:
    if {"@context", "@graph", "@id"} & set(data):
        return Detected("rdf", "its keys are those of JSON-LD")
    return None


def _of_records(first: Data, what: str) -> Detected | None:
    if _is_neo4j(first) or any(_is_neo4j(value) for value in _inner(first)):
        return Detected("neo4j", f"{what} is or holds a node or relationship of Neo4j")
    if {"triples", "text"} & set(first):
        return Detected("openie", f"{what} is a passage")
    return None


def _is_neo4j(value: Data) -> bool:
    if value.get("type") in ("node", "relationship") and {"id", "labels", "start"} & set(value):
        return True
    return isinstance(value.get("labels"), list) and bool({"elementId", "identity"} & set(value))


def _inner(value: Data) -> Iterator[Data]:
    """Yield the objects in a row of a query's result: its values, and those of lists in it."""
    for item in value.values():
        for part in item if isinstance(item, list) else [item]:
            if isinstance(part, dict):
                yield part


def _of_elements(first: Data) -> Detected | None:
    if isinstance(first.get("data"), dict) and ("group" in first or "id" in first["data"]):
        return Detected("cytoscape", "its entries are elements of Cytoscape")
    return None


def _of_top_record(data: Data) -> Detected | None:
    return _of_records(data, "its object")


SHAPES: tuple[Callable[[Data], Detected | None], ...] = (
    _of_json_ld,
    _of_keys,
    _of_networkx,
    _of_nodes,
    _of_top_record,
)


def _several_lines(text: str) -> bool:
    """Whether a text is JSON Lines: its first line is a whole object, and something follows."""
    line, _, rest = text.partition("\n")
    if not line.rstrip().endswith("}") or not rest.lstrip().startswith("{"):
        return False
    try:
        return isinstance(json.loads(line, strict=False), dict)
    except (ValueError, RecursionError):
        return False


def json_lines(head: bytes, _name: str) -> Detected | None:
    """Tell what a file of JSON Lines is, by its first line."""
    text = head.decode("utf-8-sig", "replace").lstrip()
    if not text.startswith("{"):
        return None
    first = data_at_start(text.partition("\n")[0])
    if not isinstance(first, dict):
        return None
    return _of_records(first, "its first line")
