"""Graphs that ``graphrag-pipeline index build`` compiled."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from graphrag_pipeline.graph.sources.contract import LoadedGraph
from graphrag_pipeline.graph.storage.read import open_index, read_report
from graphrag_pipeline.model.component import Component, Params


class IndexDirectoryParams(Params):
    """Where the index is."""

    path: str = Field(min_length=1)
    """The directory, relative to the directory the command runs in."""
    verify: bool = False
    """Read every byte and compare digests before the first query."""


class IndexDirectory(Component[IndexDirectoryParams]):
    """Maps a compiled index; this takes milliseconds whatever its size."""

    name = "index"
    Params = IndexDirectoryParams

    def __init__(self, params: IndexDirectoryParams) -> None:
        super().__init__(params)

    def load(self) -> LoadedGraph:
        """Open the index.

        Raises:
            GraphSourceError: It is no index, of another version, damaged or truncated.
        """
        path = Path(self.params.path)
        index = open_index(path, verify=self.params.verify)
        return LoadedGraph(index, read_report(path, self.params.path))
