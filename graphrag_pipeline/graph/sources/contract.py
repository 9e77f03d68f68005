"""What a graph or persona source must give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Params
from graphrag_pipeline.model.personas import PersonaRegistry

if TYPE_CHECKING:
    from graphrag_pipeline.graph.knowledge import KnowledgeGraph


@dataclass(frozen=True, slots=True)
class SourceReport:
    """What a source noticed while it read; nothing is lost in silence.

    Args:
        source: What was read: a file, or the source's name.
        duplicate_ids: Ids that appeared more than once, in order of the repetition.
        skipped: Entries left out, one line each with place and cause.
        repaired: Values changed, one line each with place and cause.
    """

    source: str
    duplicate_ids: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    repaired: tuple[str, ...] = ()

    def remarks(self) -> dict[str, tuple[str, ...]]:
        """Return the lists by name."""
        return {
            "duplicate_ids": self.duplicate_ids,
            "skipped": self.skipped,
            "repaired": self.repaired,
        }

    def summary(self) -> str:
        """Return how much there is of each, or the empty text when there is nothing to remark."""
        parts = {
            "repeated ids": self.duplicate_ids,
            "entries left out": self.skipped,
            "values changed": self.repaired,
        }
        return ", ".join(f"{what}: {len(entries)}" for what, entries in parts.items() if entries)


@dataclass(frozen=True, slots=True)
class LoadedGraph:
    """A graph, compiled or not, and the report of its reading."""

    graph: KnowledgeGraph | GraphIndex
    report: SourceReport


class GraphSource(Protocol):
    """Reads a graph from somewhere.

    A source may have a method ``fingerprint() -> str``: a digest of everything that ``load`` depends on,
    much cheaper to get than to load. The compiled graph is then kept and found again under it. A source
    may have an attribute ``progress``: a function that ``index build`` sets, to be called with how many
    records were read and how many there are.
    """

    def load(self) -> LoadedGraph:
        """Read the whole graph.

        Raises:
            GraphSourceError: It cannot be read; the message names file and place.
        """
        ...


class PersonaSourceParams(Params):
    """Parameters every persona source has."""

    anchors: tuple[Literal["id", "name", "role", "category", "phase"], ...] = ("id",)
    """Persona fields whose texts stand for the persona in scoring."""


class PersonaSource(Protocol):
    """Reads personas from somewhere."""

    def load(self) -> PersonaRegistry:
        """Read all personas.

        Raises:
            GraphSourceError: They cannot be read.
        """
        ...
