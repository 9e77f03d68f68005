"""Graphs in the reference's JSON shape."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import Field

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.builder import TableBuilder
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.reading.entries import counting_object
from graphrag_pipeline.graph.reading.files import read_bytes, read_json
from graphrag_pipeline.graph.reading.kinds import kind
from graphrag_pipeline.graph.records import read_records
from graphrag_pipeline.graph.sources.contract import LoadedGraph, SourceReport
from graphrag_pipeline.graph.sources.findings import LISTED, Account, Finding
from graphrag_pipeline.graph.sources.intake import MERGED, REPEATED, TOLD_EVERY, Progress, silent
from graphrag_pipeline.graph.zachman.classify import classified
from graphrag_pipeline.graph.zachman.tables import load_cell_table, table_file
from graphrag_pipeline.model.cell_table import CellTable
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.model.records import KnowledgeEdge, KnowledgeNode


class JsonGraphParams(Params):
    """Where the graph is."""

    path: str = Field(min_length=1)
    """The file, relative to the directory the command runs in."""
    zachman: str | None = None
    """Table that gives cells to nodes that have none: ``archimate``, ``reference`` or a YAML file."""


class JsonGraph(Component[JsonGraphParams]):
    """Reads ``{"nodes": […], "edges": […]}``."""

    name = "json"
    Params = JsonGraphParams

    def __init__(self, params: JsonGraphParams) -> None:
        super().__init__(params)
        self.progress: Progress = silent

    def fingerprint(self) -> str:
        """Return the SHA-256 of the file, and of the table of cells if there is one.

        Raises:
            GraphSourceError: One cannot be read.
        """
        digest = hashlib.sha256(read_bytes(Path(self.params.path)))
        if self.params.zachman is not None:
            digest.update(read_bytes(table_file(self.params.zachman)))
        return digest.hexdigest()

    def load(self) -> LoadedGraph:
        """Read the file.

        Raises:
            GraphSourceError: It is missing, not JSON, not of this shape, or an entry is malformed.
        """
        cells = None if self.params.zachman is None else load_cell_table(self.params.zachman)
        return load_json_graph(Path(self.params.path), self.progress, cells)


def load_json_graph(path: Path, progress: Progress = silent, cells: CellTable | None = None) -> LoadedGraph:
    """Read a graph file; see :class:`JsonGraph`.

    Args:
        path: The file.
        progress: Told now and then how many records were compiled, of how many.
        cells: Gives a Zachman cell to each node that has none.
    """
    repeated_keys: Counter[str] = Counter()
    data = read_json(path, object_pairs_hook=partial(counting_object, repeated_keys))
    _check_shape(data, path)
    builder, at = TableBuilder(), ""
    done, total = 0, sum(len(data[key]) for key in ("nodes", "edges") if isinstance(data.get(key), list))
    try:
        for node in read_records(data, "nodes", KnowledgeNode.from_dict):
            at = f"node {node.node_id!r}"
            builder.add_node(node if cells is None else classified(node, cells)[0])
            done = _step(done, total, progress)
        for edge in read_records(data, "edges", KnowledgeEdge.from_dict):
            at = f"edge {edge.source_id!r} -> {edge.target_id!r}"
            builder.add_edge(edge)
            done = _step(done, total, progress)
    except GraphSourceError as error:
        raise GraphSourceError(error.what, where=f"{path}: {error.where or at}", hint=error.hint) from error
    index = GraphIndex(builder.finish())
    return LoadedGraph(index, _report(path, data, index, builder.repeated, repeated_keys))


def _report(
    path: Path,
    data: Mapping[str, Any],
    index: GraphIndex,
    repeated: Mapping[str, int],
    repeated_keys: Mapping[str, int],
) -> SourceReport:
    findings = []
    if repeated:
        findings.append(Finding("duplicated", REPEATED, sum(repeated.values()), tuple(repeated)[:LISTED]))
    findings += [
        Finding("repaired", f"the key {key!r} was written twice in one object; its last value counts", count)
        for key, count in sorted(repeated_keys.items())
    ]
    read = {key: len(data[key]) for key in ("nodes", "edges") if key in data}
    left = {MERGED: sum(repeated.values())} if repeated else {}
    account = Account(read, {}, left, index.node_count, index.edge_count)
    return SourceReport(str(path), tuple(findings), account)


def _step(done: int, total: int, progress: Progress) -> int:
    done += 1
    if done % TOLD_EVERY == 0:
        progress(done, total)
    return done


def _check_shape(data: object, path: Path) -> None:
    if isinstance(data, Mapping) and "nodes" in data and not _is_node_link(data):
        return
    if not isinstance(data, Mapping):
        found = kind(data)
    else:
        found = f"an object with the keys {', '.join(sorted(data)[:8]) or '(none)'}"
    if isinstance(data, Mapping) and _is_node_link(data):
        found += ", as networkx writes a node-link file"
    raise GraphSourceError(
        f"This is not a graph in the reference's JSON shape but {found}.",
        where=str(path),
        hint='Expected {"nodes": [{"node_id", "node_type", "label", …}], '
        '"edges": [{"source_id", "target_id", "edge_type", …}]}. '
        "A networkx node-link file is read by graph=nodelink; graph=auto finds out what a file is.",
    )


def _is_node_link(data: Mapping[str, Any]) -> bool:
    if "links" in data and "edges" not in data:
        return True
    nodes = data["nodes"] if isinstance(data.get("nodes"), list) else []
    return bool(nodes) and isinstance(nodes[0], Mapping) and "id" in nodes[0] and "node_id" not in nodes[0]
