"""What a graph or persona source must give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from pydantic import Field

from graphrag_pipeline.graph.knowledge import KnowledgeGraph
from graphrag_pipeline.model.component import Params
from graphrag_pipeline.model.personas import PersonaRegistry


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


@dataclass(frozen=True, slots=True)
class LoadedGraph:
    """A graph and the report of its reading."""

    graph: KnowledgeGraph
    report: SourceReport


class GraphSource(Protocol):
    """Reads a graph from somewhere."""

    def load(self) -> LoadedGraph:
        """Read the whole graph.

        Raises:
            GraphSourceError: It cannot be read; the message names file and place.
        """
        ...


class PersonaSourceParams(Params):
    """Parameters every persona source has."""

    anchors: tuple[Literal["id", "name", "role", "category", "phase"], ...] = Field(
        default=("id",), min_length=1
    )
    """Persona fields whose texts stand for the persona in scoring."""


class PersonaSource(Protocol):
    """Reads personas from somewhere."""

    def load(self) -> PersonaRegistry:
        """Read all personas.

        Raises:
            GraphSourceError: They cannot be read.
        """
        ...
