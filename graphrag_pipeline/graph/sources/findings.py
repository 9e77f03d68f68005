"""What a source noticed while it read, and where each row went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self, TypeAlias, get_args

Kind: TypeAlias = Literal[
    "dangling", "duplicated", "skipped", "repaired", "blank", "isolated", "unclassified"
]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""An edge to an id that is no node; an id that came again; an entry left out; a value changed; a value that
is empty and should not be; a node without edges; a node without a Zachman cell."""

LISTED = 10_000
"""Places that a finding lists; its count is exact beyond that."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One kind of thing that was noticed, with every place of it.

    Args:
        kind: See :data:`KINDS`.
        what: What it was and what became of it, the same text for every place.
        count: How often.
        places: Where, in the order met: ids, rows, lines; the first :data:`LISTED`.
    """

    kind: Kind
    what: str
    count: int
    places: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {"kind": self.kind, "what": self.what, "count": self.count, "places": list(self.places)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read what :meth:`to_dict` wrote.

        Raises:
            TypeError: It is something else.
            KeyError: A key is missing.
        """
        finding = cls(data["kind"], data["what"], data["count"], tuple(data["places"]))
        texts_only = all(type(text) is str for text in (finding.what, *finding.places))
        if finding.kind not in KINDS or type(finding.count) is not int or not texts_only:
            raise TypeError("a finding is none")
        return finding


class Tally:
    """Counts what is noticed, by kind and words, with the first places of each."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[Kind, str]] = Counter()
        self._places: dict[tuple[Kind, str], list[str]] = {}

    def add(self, kind: Kind, what: str, place: str) -> None:
        """Count one; the empty text is no place."""
        self._counts[kind, what] += 1
        places = self._places.setdefault((kind, what), [])
        if place and len(places) < LISTED:
            places.append(place)

    def findings(self) -> tuple[Finding, ...]:
        """Return what was counted, in order of the first of each."""
        return tuple(
            Finding(kind, what, self._counts[kind, what], tuple(places))
            for (kind, what), places in self._places.items()
        )


@dataclass(frozen=True, slots=True)
class Account:
    """Where every row went: ``read + made == nodes + edges + left over``.

    Args:
        read: Rows or entries that were read, by table.
        made: Nodes and edges that no row stands for, by reason.
        left: Rows that became no node and no edge of their own, by reason.
        nodes: Nodes of the graph.
        edges: Edges of the graph.
    """

    read: Mapping[str, int] = field(default_factory=dict)
    made: Mapping[str, int] = field(default_factory=dict)
    left: Mapping[str, int] = field(default_factory=dict)
    nodes: int = 0
    edges: int = 0

    @property
    def given(self) -> int:
        """Rows that were read, and records that were made."""
        return sum(self.read.values()) + sum(self.made.values())

    @property
    def became(self) -> int:
        """What became of them: nodes, edges and leftovers."""
        return self.nodes + self.edges + sum(self.left.values())

    @property
    def balanced(self) -> bool:
        """Whether every row is accounted for."""
        return self.given == self.became

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {
            "read": dict(self.read),
            "made": dict(self.made),
            "left": dict(self.left),
            "nodes": self.nodes,
            "edges": self.edges,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read what :meth:`to_dict` wrote.

        Raises:
            TypeError: It is something else.
        """
        account = cls(**data)
        tables = (account.read, account.made, account.left)
        counts = [count for table in tables for count in table.values()]
        if not all(type(count) is int for count in (*counts, account.nodes, account.edges)):
            raise TypeError("a count is none")
        return account
