"""What is packed: entries of a context, each whole or not at all, and what they are written into."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from graphrag_pipeline.stages.contract import TokenCounter


class Sentences(Protocol):
    """An entry that may be cut at the ends of sentences."""

    def count(self) -> int:
        """Return how many sentences it has."""
        ...

    def first(self, count: int) -> str:
        """Return the entry's text with its first ``count`` sentences."""
        ...


@dataclass(frozen=True, slots=True)
class Unit:
    """An entry.

    Args:
        text: As it is written.
        ids: The nodes it shows.
        rank: Its place among the entries, best first; no two have one.
        score: What it is worth.
        same: Entries of one value are duplicates; None means that only one text is.
        sentences: How it may be cut; None means that it may not.
    """

    text: str
    ids: tuple[str, ...]
    rank: int
    score: float
    same: Hashable = None
    sentences: Sentences | None = None

    def cut(self, text: str) -> Unit:
        """Return the entry with a shorter text; it is not cut again."""
        return replace(self, text=text, sentences=None)


class Omission(NamedTuple):
    """A node that has no entry."""

    node_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Frame:
    """What entries are written into, and how that is measured.

    Args:
        render: Writes entries, in rank order; without entries it gives what stands before the first.
        separator: What stands between two.
        counter: Measures.
        budget: Tokens the text may take.
    """

    render: Callable[[Sequence[Unit]], str]
    separator: str
    counter: TokenCounter
    budget: int

    def size(self, units: Sequence[Unit]) -> int:
        """Return the tokens of the text with these entries, in rank order."""
        return self.counter.count(self.render(in_order(units)))

    def weight(self, unit: Unit) -> int:
        """Return the tokens of an entry and a separator, measured alone."""
        return alone(self.counter)(self.separator + unit.text)


def in_order(units: Sequence[Unit]) -> list[Unit]:
    """Return entries by rank."""
    return sorted(units, key=lambda unit: unit.rank)


@dataclass(frozen=True, slots=True)
class After:
    """Counts a text together with what is written before it.

    Args:
        counter: The counter.
        before: What is written before.
    """

    counter: TokenCounter
    before: str

    def count(self, text: str) -> int:
        """Return the tokens of both together."""
        return self.counter.count(self.before + text)


def alone(counter: TokenCounter) -> Callable[[str], int]:
    """Return what counts a text by itself."""
    return alone(counter.counter) if isinstance(counter, After) else counter.count
