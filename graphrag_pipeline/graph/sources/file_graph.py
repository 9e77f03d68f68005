"""The base of every source that reads one file or one folder."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Generic, Literal, TypeVar

from pydantic import Field

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.files import opened, read_text
from graphrag_pipeline.graph.sources.contract import LoadedGraph
from graphrag_pipeline.graph.sources.intake import Intake, Progress, silent
from graphrag_pipeline.graph.zachman.tables import load_cell_table, table_file
from graphrag_pipeline.model.component import Component, Params

PIECE = 1 << 20


class FileGraphParams(Params):
    """Where a graph is, and what every format can be told."""

    path: str = Field(min_length=1)
    """The file or folder, relative to the directory the command runs in."""
    namespace: str | None = None
    """Namespace of nodes and edges that name none; null means the name of the source."""
    unknown_ends: Literal["keep", "make"] = "keep"
    """What an id is that only edges name: a dangling end, never walked, or a node of type ``unknown``."""
    zachman: str | None = None
    """Table that gives cells to nodes that have none: ``archimate``, ``reference`` or a YAML file."""


P = TypeVar("P", bound=FileGraphParams)


class FileGraph(Component[P], Generic[P]):
    """Reads a file or folder through an :class:`Intake`; a format is a subclass with :meth:`read`."""

    def __init__(self, params: P) -> None:
        super().__init__(params)
        self.progress: Progress = silent

    @property
    def path(self) -> Path:
        """The file or folder."""
        return Path(self.params.path)

    def files(self) -> Sequence[Path]:
        """Return every file that :meth:`read` reads, in a fixed order; the cache is found by their contents.

        Raises:
            GraphSourceError: The folder is none, or misses a file.
        """
        return [self.path]

    def read(self, intake: Intake) -> None:
        """Hand every record to the intake; a format overrides this.

        Raises:
            GraphSourceError: The file cannot be read; the message names file and place.
        """
        raise GraphSourceError(
            f"The graph source {self.name!r} is faulty: it has no method read(intake).",
            where=type(self).__qualname__,
        )

    def text(self) -> str:
        """Return the text of the file, which must be UTF-8.

        Raises:
            GraphSourceError: It cannot be read, or is no UTF-8 text.
        """
        return read_text(self.path)

    def fingerprint(self) -> str:
        """Return the SHA-256 of the names and contents of all files.

        Raises:
            GraphSourceError: One cannot be read.
        """
        digest = hashlib.sha256()
        table = [] if self.params.zachman is None else [table_file(self.params.zachman)]
        for path in (*self.files(), *table):
            digest.update(f"{path.name}\0".encode("utf-8", "surrogateescape"))
            with opened(path) as file:
                while piece := file.read(PIECE):
                    digest.update(piece)
            digest.update(b"\0")
        return digest.hexdigest()

    def load(self) -> LoadedGraph:
        """Read the graph.

        Raises:
            GraphSourceError: It cannot be read; the message names file and place.
        """
        intake = Intake(
            self.params.path,
            namespace=self.name if self.params.namespace is None else self.params.namespace,
            unknown_ends=self.params.unknown_ends,
            cells=None if self.params.zachman is None else load_cell_table(self.params.zachman),
            progress=self.progress,
        )
        given: object = self.read(intake)  # type: ignore[func-returns-value]  # a plugin may err
        if given is not None:
            raise GraphSourceError(
                f"The graph source {self.name!r} is faulty: read() gave a {type(given).__name__}.",
                where=self.params.path,
                hint="It must hand each record to the intake, and return nothing: no yield, no async.",
            )
        return intake.finish()
