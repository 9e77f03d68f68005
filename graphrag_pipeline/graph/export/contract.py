"""What a format that graphs are written in must give."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import numpy as np

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.sources.findings import Finding, Tally
from graphrag_pipeline.model.records import KnowledgeEdge, KnowledgeNode

BATCH = 8192
"""Records that are Python objects at a time."""


class GraphWriter(Protocol):
    """Writes one format."""

    @property
    def name(self) -> str:
        """What people call the format."""
        ...

    @property
    def suffixes(self) -> tuple[str, ...]:
        """Endings of file names that choose it; none for a format that is a folder."""
        ...

    def losses(self, index: GraphIndex) -> tuple[Finding, ...]:
        """Return what a graph has that the format cannot carry; nothing is written."""
        ...

    def notes(self, index: GraphIndex) -> tuple[str, ...]:
        """Return what whoever reads the file with another tool should know; nothing is lost by it."""
        ...

    def write(self, index: GraphIndex, path: Path) -> None:
        """Write a graph to a new file, or to files in an empty folder.

        Raises:
            GraphSourceError: The graph cannot be written at all in this format.
            OSError: The file cannot be written.
        """
        ...


class Losses:
    """Counts what is lost, with the first places of each."""

    def __init__(self) -> None:
        self._tally = Tally()

    def add(self, what: str, place: str) -> None:
        """Count one loss."""
        self._tally.add("repaired", what, place)

    def findings(self) -> tuple[Finding, ...]:
        """Return what was counted."""
        return self._tally.findings()


def all_nodes(index: GraphIndex) -> Iterator[KnowledgeNode]:
    """Yield every node, in node order, a batch at a time."""
    for start in range(0, index.node_count, BATCH):
        yield from index.nodes(np.arange(start, min(start + BATCH, index.node_count)))


def all_edges(index: GraphIndex) -> Iterator[KnowledgeEdge]:
    """Yield every edge, in global edge order."""
    return (index.edge(position) for position in range(index.edge_count))


def edge_name(edge: KnowledgeEdge) -> str:
    """Return how messages call an edge."""
    return f"edge {edge.source_id} -{edge.edge_type}-> {edge.target_id}"


def is_default(weight: float) -> bool:
    """Whether a weight is the default, 1.0; the whole number 1 is another."""
    return type(weight) is float and weight == 1.0
