"""What the tests of the file formats share: files to read, and the data beside the repository."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graphrag_pipeline import Account, FileGraph, GraphIndex, KnowledgeEdge, KnowledgeNode, SourceReport

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
shared = pytest.mark.skipif(not DATA.is_dir(), reason="needs ../shared/data, which is not here")


def load(source: type[FileGraph[Any]], path: Path, **params: Any) -> tuple[GraphIndex, SourceReport]:
    """Load a file, and check what holds for every source: rows are accounted for, and two loads are one."""
    made = [source(source.Params(path=str(path), **params)).load() for _ in range(2)]
    (first, report), (second, again) = [(loaded.graph, loaded.report) for loaded in made]
    assert isinstance(first, GraphIndex)
    assert isinstance(second, GraphIndex)
    assert first.digest == second.digest
    assert report == again
    assert report.account is not None
    assert report.account.balanced
    assert (report.account.nodes, report.account.edges) == (first.node_count, first.edge_count)
    return first, report


def account(report: SourceReport) -> Account:
    """The account of rows, which every source of files keeps."""
    assert report.account is not None
    return report.account


def written(path: Path, content: str | bytes) -> Path:
    """Write a file, and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
    return path


def node(index: GraphIndex, node_id: str) -> KnowledgeNode:
    """The node with this id, which must be there."""
    found = index.get_node(node_id)
    assert found is not None, f"{node_id} is not among {list(index.ids)[:20]}"
    return found


def edges(index: GraphIndex) -> list[str]:
    """The edges as ``a -type-> b``, in order."""
    return [f"{edge.source_id} -{edge.edge_type}-> {edge.target_id}" for edge in index.all_edges()]


def only_edge(index: GraphIndex) -> KnowledgeEdge:
    """The one edge there is."""
    (edge,) = index.all_edges()
    return edge


def said(report: SourceReport) -> list[str]:
    """What was found, as ``kind ×count: what``."""
    return [f"{finding.kind} ×{finding.count}: {finding.what}" for finding in report.findings]
