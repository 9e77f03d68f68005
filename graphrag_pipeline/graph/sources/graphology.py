"""Graphology's JSON, which sigma.js reads, and the shorter one of sigma's own demo."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.entries import entries, mapping_at, read_object
from graphrag_pipeline.graph.reading.kinds import kind
from graphrag_pipeline.graph.sources.attributed import Attributed, AttributedParams
from graphrag_pipeline.graph.sources.file_graph import FileGraph
from graphrag_pipeline.graph.sources.intake import Intake

NODES, EDGES, ATTRIBUTES, OPTIONS = "nodes", "edges", "attributes", "options"


class GraphologyGraph(FileGraph[AttributedParams]):
    """Reads ``{"nodes": [{"key", "attributes"}], "edges": [{"key", "source", "target", "attributes"}]}``.

    The format: https://graphology.github.io/serialization.html. Attributes may stand beside the key, and
    an edge may be a list of source and target, as in sigma's demo. An edge's key is its property ``id``.
    """

    name = "graphology"
    Params = AttributedParams

    def read(self, intake: Intake) -> None:
        """Read the file.

        Raises:
            GraphSourceError: It is not JSON, or not of this shape.
        """
        where = str(self.path)
        data = read_object(self.path, intake)
        nodes, edges = entries(data, NODES, where), entries(data, EDGES, where)
        intake.total = len(nodes) + len(edges)
        records = Attributed(intake, self.params, where)
        for number, value in enumerate(nodes):
            at = f"{where}: nodes[{number}]"
            entry = mapping_at(value, at)
            if "key" not in entry and "attributes" not in entry:
                raise GraphSourceError(
                    "The node has no key, so this is not graphology's JSON.",
                    where=at,
                    hint="`graph=auto` finds out what a file is.",
                )
            intake.read(NODES)
            node_id = records.id(entry.pop("key", None), at)
            records.node(node_id, _attributes(entry, at), at)
        undirected = 0
        for number, value in enumerate(edges):
            at = f"{where}: edges[{number}]"
            entry = _edge(value, at)
            intake.read(EDGES)
            undirected += entry.get("undirected") is True
            ends = [records.id(entry.pop(key, None), at) for key in ("source", "target")]
            records.edge(ends[0], ends[1], _edge_attributes(entry, at), at)
        _note(data, undirected, intake, where)


# Any throughout: JSON data.
def _edge(value: Any, at: str) -> dict[str, Any]:
    if not isinstance(value, list):
        return mapping_at(value, at)
    if len(value) not in (2, 3):
        raise GraphSourceError(
            f"An edge that is a list must hold source and target, not {len(value)} values.", where=at
        )
    return dict(zip(("source", "target", ATTRIBUTES), value, strict=False))


def _attributes(entry: dict[str, Any], at: str) -> dict[str, Any]:
    """Return the attributes that are in an entry and beside them."""
    inner = entry.pop(ATTRIBUTES, None)
    if inner is None:
        return entry
    return {**entry, **mapping_at(inner, f"{at}: {ATTRIBUTES}")}


def _edge_attributes(entry: dict[str, Any], at: str) -> dict[str, Any]:
    if (key := entry.pop("key", None)) is not None:
        entry["id"] = key
    if entry.get("undirected") is False:
        del entry["undirected"]
    return _attributes(entry, at)


def _note(data: Mapping[str, Any], undirected: int, intake: Intake, where: str) -> None:
    if undirected:
        intake.note(f"{undirected} edges are undirected; each keeps the order in which its ends are written")
    for key, value in data.items():
        if key in (NODES, EDGES, OPTIONS):
            continue
        if key == ATTRIBUTES:
            names = ", ".join(mapping_at(value, f"{where}: {key}")) if value else ""
            if names:
                intake.note(f"attributes of the graph were left out: {names}")
        elif isinstance(value, list | dict):
            intake.read(key, len(value))
            intake.absorb("entries of side tables, which are no nodes or edges", len(value))
            intake.note(f"the side table {key} of {len(value)} entries was left out")
        else:
            intake.note(f"left out: {key}, {kind(value)}")
