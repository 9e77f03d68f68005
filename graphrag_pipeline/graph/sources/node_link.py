"""networkx's node-link JSON, of every release: edges under ``links`` or under ``edges``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.entries import entries, mapping_at, read_object
from graphrag_pipeline.graph.sources.attributed import UNDIRECTED, Attributed, AttributedParams
from graphrag_pipeline.graph.sources.file_graph import FileGraph
from graphrag_pipeline.graph.sources.intake import Intake

EDGE_KEYS = ("edges", "links")


class NodeLinkParams(AttributedParams):
    """Where the graph is, and how its edges name their ends."""

    ends: Literal["id", "index"] = "id"
    """Whether ``source`` and ``target`` are ids, or positions in the list of nodes, as d3 writes them."""


class NodeLinkGraph(FileGraph[NodeLinkParams]):
    """Reads ``{"nodes": [{"id"}], "links": [{"source", "target"}]}``, or the same with ``edges``."""

    name = "nodelink"
    Params = NodeLinkParams

    def read(self, intake: Intake) -> None:
        """Read the file.

        Raises:
            GraphSourceError: It is not JSON, not of this shape, or ends are positions.
        """
        where = str(self.path)
        data = read_object(self.path, intake)
        edge_key = _edge_key(data, where)
        nodes, edges = entries(data, "nodes", where), entries(data, edge_key, where)
        intake.total = len(nodes) + len(edges)
        multigraph = data.get("multigraph") is True
        _check_keys(nodes, ("id",), f"{where}: nodes", "ids")
        _check_keys(edges, ("source", "target"), f"{where}: {edge_key}", "ends")
        if data.get("directed") is False:
            intake.note(UNDIRECTED)
        records = Attributed(intake, self.params, where)
        ids = []
        for number, entry in enumerate(nodes):
            at = f"{where}: nodes[{number}]"
            node = mapping_at(entry, at)
            ids.append(records.id(node.pop("id", None), at))
            intake.read("nodes")
            records.node(ids[-1], node, at)
        self._check_ends(edges, ids, where)
        for number, entry in enumerate(edges):
            at = f"{where}: {edge_key}[{number}]"
            edge = mapping_at(entry, at)
            ends = [self._end(edge.pop(key, None), ids, records, at) for key in ("source", "target")]
            if multigraph and type(edge.get("key")) is int:
                # networkx numbers parallel edges; the order of the file says the same.
                del edge["key"]
            intake.read(edge_key)
            records.edge(ends[0], ends[1], edge, at)

    def _end(self, value: Any, ids: list[str], records: Attributed, at: str) -> str:
        if isinstance(value, Mapping):  # d3 writes the node itself once its layout has run
            value = value.get("id")
        if self.params.ends == "id":
            return records.id(value, at)
        if type(value) is not int or not 0 <= value < len(ids):
            raise GraphSourceError(
                f"{value!r:.40} is no position in the list of {len(ids)} nodes.",
                where=at,
                hint="Try graph.ends=id.",
            )
        return ids[value]

    def _check_ends(self, edges: list[Any], ids: list[str], where: str) -> None:
        """Refuse positions that are read as ids: nodes that nobody meant would come of it."""
        if self.params.ends == "index":
            return
        known = set(ids)
        ends = [edge.get(key) for edge in edges if isinstance(edge, Mapping) for key in ("source", "target")]
        places = all(type(end) is int and 0 <= end < len(ids) for end in ends)
        if ends and places and any(str(end) not in known for end in ends):
            raise GraphSourceError(
                f"The edges name positions in the list of nodes, not ids: {ends[0]} is no id.",
                where=where,
                hint="If that is meant, say so: graph.ends=index.",
            )


def _check_keys(entries: list[Any], keys: tuple[str, ...], where: str, what: str) -> None:
    """Refuse a list in which no entry has a key that all should have: all of it would be left out."""
    objects = [entry for entry in entries if isinstance(entry, Mapping)]
    if objects and not any(key in entry for entry in objects for key in keys):
        there = ", ".join(dict.fromkeys(str(key) for entry in objects[:100] for key in list(entry)[:20]))
        names = " and ".join(repr(key) for key in keys)
        raise GraphSourceError(
            f"The file has no {what}: no entry has the key {names}.",
            where=where,
            hint=f"The entries have: {there or 'nothing'}. Rename those keys, or write the file anew.",
        )


def _edge_key(data: Mapping[str, Any], where: str) -> str:
    given = [key for key in EDGE_KEYS if key in data]
    if not given and "adjacency" in data:
        raise GraphSourceError(
            "The file is networkx's adjacency data, which is another format.",
            where=where,
            hint="Write it with networkx.node_link_data.",
        )
    if not given:
        raise GraphSourceError(
            "The file has neither 'edges' nor 'links', so it would be a graph without edges.",
            where=where,
            hint='Write "edges": [] if there are none.',
        )
    if len(given) == 2 and data["edges"] != data["links"]:
        raise GraphSourceError(
            "The file has both 'edges' and 'links', and they differ.", where=where, hint="Remove one of them."
        )
    return given[0]
