"""Graphs in the reference's JSON shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.knowledge import KnowledgeGraph
from graphrag_pipeline.graph.sources.contract import LoadedGraph, SourceReport
from graphrag_pipeline.graph.sources.files import parse_json, read_text
from graphrag_pipeline.model.component import Component, Params


class JsonGraphParams(Params):
    """Where the graph is."""

    path: str
    """The file, relative to the directory the command runs in."""


class JsonGraph(Component[JsonGraphParams]):
    """Reads ``{"nodes": […], "edges": […]}``."""

    name = "json"
    Params = JsonGraphParams

    def __init__(self, params: JsonGraphParams) -> None:
        super().__init__(params)

    def load(self) -> LoadedGraph:
        """Read the file.

        Raises:
            GraphSourceError: It is missing, not JSON, not of this shape, or an entry is malformed.
        """
        return load_json_graph(Path(self.params.path))


def load_json_graph(path: Path) -> LoadedGraph:
    """Read a graph file; see :class:`JsonGraph`."""
    data = parse_json(read_text(path), path)
    _check_shape(data, path)
    try:
        graph = KnowledgeGraph.from_dict(data)
    except GraphSourceError as error:
        raise GraphSourceError(error.what, where=f"{path}: {error.where}", hint=error.hint) from error
    counts = Counter(node["node_id"] for node in data["nodes"])
    repeated = tuple(node_id for node_id, count in counts.items() if count > 1)
    return LoadedGraph(graph, SourceReport(str(path), duplicate_ids=repeated))


def _check_shape(data: object, path: Path) -> None:
    if isinstance(data, Mapping) and "nodes" in data and ("edges" in data or "links" not in data):
        return
    if not isinstance(data, Mapping):
        found = f"a {type(data).__name__}"
    else:
        found = f"an object with the keys {', '.join(sorted(data)[:8]) or '(none)'}"
    raise GraphSourceError(
        f"This is not a graph in the reference's JSON shape but {found}.",
        where=str(path),
        hint='Expected {"nodes": [{"node_id", "node_type", "label", …}], '
        '"edges": [{"source_id", "target_id", "edge_type", …}]}. '
        "A networkx node-link file can be loaded in Python, with KnowledgeGraph.from_networkx.",
    )
