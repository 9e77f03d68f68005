"""What a graph or persona source must give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self, TypeAlias

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.sources.findings import KINDS, Account, Finding, Kind
from graphrag_pipeline.model.component import Params
from graphrag_pipeline.model.personas import PersonaRegistry

if TYPE_CHECKING:
    from graphrag_pipeline.graph.knowledge import KnowledgeGraph


@dataclass(frozen=True, slots=True)
class SourceReport:
    """What a source noticed while it read; nothing is lost in silence.

    Args:
        source: What was read: a file, or the source's name.
        findings: What was wrong, and what became of it.
        account: Where each row went; None when the source does not count rows.
        notes: What was recognised, such as the layout of a folder or the encoding of a file; no faults.
    """

    source: str
    findings: tuple[Finding, ...] = ()
    account: Account | None = None
    notes: tuple[str, ...] = ()

    def of(self, kind: Kind) -> tuple[Finding, ...]:
        """Return the findings of one kind."""
        return tuple(finding for finding in self.findings if finding.kind == kind)

    def counts(self) -> dict[Kind, int]:
        """Count what was found, by kind; every kind is there."""
        return {kind: sum(finding.count for finding in self.of(kind)) for kind in KINDS}

    @property
    def duplicate_ids(self) -> tuple[str, ...]:
        """Ids of nodes that came more than once, in order of the first repetition."""
        return tuple(place for finding in self.of("duplicated") for place in finding.places)

    def summary(self) -> str:
        """Return how much there is of each kind, or the empty text when there is nothing to remark."""
        return ", ".join(f"{kind}: {count}" for kind, count in self.counts().items() if count)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON data, without ``source``."""
        return {
            "findings": [finding.to_dict() for finding in self.findings],
            "account": None if self.account is None else self.account.to_dict(),
            "notes": list(self.notes),
        }

    @classmethod
    def from_dict(cls, source: str, data: Mapping[str, Any]) -> Self:
        """Read what :meth:`to_dict` wrote.

        Raises:
            TypeError: It is something else.
            KeyError: A key is missing.
        """
        notes = tuple(data["notes"])
        if not all(type(note) is str for note in notes):
            raise TypeError("a note is none")
        account = None if data["account"] is None else Account.from_dict(data["account"])
        return cls(source, tuple(Finding.from_dict(entry) for entry in data["findings"]), account, notes)


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


PersonaField: TypeAlias = Literal["id", "name", "aliases", "role", "category", "phase", "focus"]
"""Fields of a persona that may stand for it."""


class PersonaSourceParams(Params):
    """Parameters every persona source has."""

    anchors: tuple[PersonaField, ...] = ("id",)
    """Persona fields whose texts stand for the persona in scoring."""


class PersonaSource(Protocol):
    """Reads personas from somewhere."""

    def load(self) -> PersonaRegistry:
        """Read all personas.

        Raises:
            GraphSourceError: They cannot be read.
        """
        ...
