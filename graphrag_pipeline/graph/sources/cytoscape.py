"""Cytoscape.js JSON, which Cytoscape exports as ``.cyjs`` and networkx as ``cytoscape_data``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.entries import entries, mapping_at, read_value
from graphrag_pipeline.graph.reading.kinds import kind
from graphrag_pipeline.graph.sources.attributed import UNDIRECTED, Attributed, AttributedParams
from graphrag_pipeline.graph.sources.file_graph import FileGraph
from graphrag_pipeline.graph.sources.intake import Intake

NODES, EDGES = "nodes", "edges"
KEPT = ("position", "classes")
"""What an element has beside its data and is a property; the rest is how it looks or is selected."""
CX_MARKS = ("numberVerification", "CXVersion", "metaData", "cartesianLayout")


class CytoscapeGraph(FileGraph[AttributedParams]):
    """Reads ``{"elements": …}``: nodes and edges apart or in one list; also either of them bare.

    The format: https://js.cytoscape.org/#notation/elements-json. ``interaction`` is an edge's type before
    any other attribute is tried. A compound node's ``parent`` is a property.
    """

    name = "cytoscape"
    Params = AttributedParams

    def read(self, intake: Intake) -> None:
        """Read the file.

        Raises:
            GraphSourceError: It is not JSON, not of this shape, or CX.
        """
        where = str(self.path)
        data = read_value(self.path, intake)
        _refuse_cx(data, where)
        reader = _Elements(intake, Attributed(intake, self.params, where), self.params.edge_type is None)
        for group, at, entry in _elements(data, where):
            reader.take(group, entry, at)
        left = list(reader.left)
        if isinstance(data, Mapping):
            left += [key for key in data if key not in ("elements", NODES, EDGES)]
            if data.get("directed") is False:
                intake.note(UNDIRECTED)
        if left:
            intake.note(f"left out, as they hold no graph: {', '.join(dict.fromkeys(left))}")


# Any throughout: JSON data.
class _Elements:
    def __init__(self, intake: Intake, records: Attributed, interaction: bool) -> None:
        self._intake = intake
        self._records = records
        self._interaction = interaction
        self._texts: set[str] = set()
        self.left: dict[str, None] = {}

    def take(self, group: str, entry: dict[str, Any], at: str) -> None:
        data = mapping_at(entry.pop("data", {}), f"{at}: data")
        entry.pop("group", None)
        for key in KEPT:
            if (value := entry.pop(key, None)) not in (None, "", []):
                data.setdefault(key, value)
        self.left.update(dict.fromkeys(entry))
        self._intake.read(group)
        if group == NODES:
            node_id = data.pop("id", None)
            if isinstance(node_id, str):
                self._texts.add(node_id)
            self._records.node(self._records.id(node_id, at), data, at)
            return
        ends = [self._records.id(self._end(data.pop(key, None)), at) for key in ("source", "target")]
        if self._interaction and isinstance(data.get("interaction"), str) and "edge_type" not in data:
            data["edge_type"] = data.pop("interaction")
        self._records.edge(ends[0], ends[1], data, at)

    def _end(self, value: Any) -> Any:
        """Return an end as its node's id is written: networkx writes ids as text, and ends as numbers."""
        return str(value) if isinstance(value, int | float) and str(value) in self._texts else value


def _elements(data: Any, where: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield group, place and content of each element."""
    inner = data.get("elements", data) if isinstance(data, Mapping) else data
    bare = inner is data
    if isinstance(inner, list):
        for number, value in enumerate(inner):
            at = f"{where}: [{number}]" if bare else f"{where}: elements[{number}]"
            entry = mapping_at(value, at)
            yield _group(entry, at), at, entry
        return
    if not isinstance(inner, Mapping):
        raise GraphSourceError(f"The elements must be a list or an object, not {kind(inner)}.", where=where)
    # Cytoscape.js itself leaves out the list that would be empty, but only under "elements".
    groups = [NODES, EDGES] if bare else [group for group in (NODES, EDGES) if group in inner]
    for group in groups or [NODES]:
        for number, value in enumerate(entries(inner, group, where)):
            at = f"{where}: {group}[{number}]"
            entry = mapping_at(value, at)
            if "data" not in entry:
                raise GraphSourceError(
                    "The element has no data, so this is not Cytoscape's JSON.",
                    where=at,
                    hint="`graph=auto` finds out what a file is.",
                )
            yield group, at, entry


def _group(entry: Mapping[str, Any], at: str) -> str:
    """Return the group of an element; without one it is an edge when it has ends, as in Cytoscape.js."""
    group, data = entry.get("group"), entry.get("data")
    if group in (NODES, EDGES):
        return str(group)
    if group is not None or not isinstance(data, Mapping):
        raise GraphSourceError(
            "The element is neither of the group nodes nor of the group edges, and has no data to tell by.",
            where=at,
            hint="`graph=auto` finds out what a file is.",
        )
    return EDGES if "source" in data and "target" in data else NODES


def _refuse_cx(data: Any, where: str) -> None:
    first = data[0] if isinstance(data, list) and data else None
    if isinstance(first, Mapping) and any(mark in first for mark in CX_MARKS):
        raise GraphSourceError(
            "The file is CX, the exchange format of NDEx, not Cytoscape.js JSON.",
            where=where,
            hint="In Cytoscape export the network as Cytoscape.js JSON (*.cyjs).",
        )
