"""Graphs in the reference's JSON shape."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import Field

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.builder import TableBuilder
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.records import read_records
from graphrag_pipeline.graph.sources.contract import LoadedGraph, SourceReport
from graphrag_pipeline.graph.sources.files import parse_json, read_bytes, read_text
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.model.records import KnowledgeEdge, KnowledgeNode

Progress: TypeAlias = Callable[[int, int], None]
TOLD_EVERY = 8192
"""Records between two calls of ``progress``."""


def _silent(done: int, total: int) -> None:
    """Tell nobody."""


class JsonGraphParams(Params):
    """Where the graph is."""

    path: str = Field(min_length=1)
    """The file, relative to the directory the command runs in."""


class JsonGraph(Component[JsonGraphParams]):
    """Reads ``{"nodes": […], "edges": […]}``."""

    name = "json"
    Params = JsonGraphParams

    def __init__(self, params: JsonGraphParams) -> None:
        super().__init__(params)
        self.progress: Progress = _silent

    def fingerprint(self) -> str:
        """Return the SHA-256 of the file.

        Raises:
            GraphSourceError: It cannot be read.
        """
        return hashlib.sha256(read_bytes(Path(self.params.path))).hexdigest()

    def load(self) -> LoadedGraph:
        """Read the file.

        Raises:
            GraphSourceError: It is missing, not JSON, not of this shape, or an entry is malformed.
        """
        return load_json_graph(Path(self.params.path), self.progress)


def load_json_graph(path: Path, progress: Progress = _silent) -> LoadedGraph:
    """Read a graph file; see :class:`JsonGraph`.

    Args:
        path: The file.
        progress: Told now and then how many records were compiled, of how many.
    """
    repeated_keys: Counter[str] = Counter()
    data = parse_json(read_text(path), path, object_pairs_hook=partial(_object, repeated_keys))
    _check_shape(data, path)
    builder, at = TableBuilder(), ""
    done, total = 0, sum(len(data[key]) for key in ("nodes", "edges") if isinstance(data.get(key), list))
    try:
        for node in read_records(data, "nodes", KnowledgeNode.from_dict):
            at = f"node {node.node_id!r}"
            builder.add_node(node)
            done = _step(done, total, progress)
        for edge in read_records(data, "edges", KnowledgeEdge.from_dict):
            at = f"edge {edge.source_id!r} -> {edge.target_id!r}"
            builder.add_edge(edge)
            done = _step(done, total, progress)
    except GraphSourceError as error:
        raise GraphSourceError(error.what, where=f"{path}: {error.where or at}", hint=error.hint) from error
    repaired = tuple(
        f"the key {key!r} is repeated in {count} object{'' if count == 1 else 's'}, and the last value counts"
        for key, count in sorted(repeated_keys.items())
    )
    report = SourceReport(str(path), duplicate_ids=builder.repeated, repaired=repaired)
    return LoadedGraph(GraphIndex(builder.finish()), report)


def _step(done: int, total: int, progress: Progress) -> int:
    done += 1
    if done % TOLD_EVERY == 0:
        progress(done, total)
    return done


# Any: JSON data.
def _object(repeated: Counter[str], pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object, and count the keys that it has more than once."""
    made = dict(pairs)
    if len(made) < len(pairs):
        repeated.update(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
    return made


def _check_shape(data: object, path: Path) -> None:
    if isinstance(data, Mapping) and "nodes" in data and not _is_node_link(data):
        return
    if not isinstance(data, Mapping):
        found = f"a {type(data).__name__}"
    else:
        found = f"an object with the keys {', '.join(sorted(data)[:8]) or '(none)'}"
    if isinstance(data, Mapping) and _is_node_link(data):
        found += ", as networkx writes a node-link file"
    raise GraphSourceError(
        f"This is not a graph in the reference's JSON shape but {found}.",
        where=str(path),
        hint='Expected {"nodes": [{"node_id", "node_type", "label", …}], '
        '"edges": [{"source_id", "target_id", "edge_type", …}]}. '
        "A networkx node-link file can be loaded in Python, with KnowledgeGraph.from_networkx.",
    )


def _is_node_link(data: Mapping[str, Any]) -> bool:
    if "links" in data and "edges" not in data:
        return True
    nodes = data["nodes"] if isinstance(data.get("nodes"), list) else []
    return bool(nodes) and isinstance(nodes[0], Mapping) and "id" in nodes[0] and "node_id" not in nodes[0]
