"""How many statements and names so many bytes of a file may make.

Turtle, JSON-LD and RDF/XML have shorthands of two or three bytes that make a statement, a blank node or
a name of hundreds of characters, so a file of a few megabytes could fill the memory. What people and tools
write takes many times as many bytes as are asked for here.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from graphrag_pipeline.errors import GraphSourceError

HARMLESS = 100_000
"""Bytes that a file may be ahead of those that were read of it: what they stand for does no harm."""
BYTES_A_STATEMENT = 4
BYTES_A_BLANK_NODE = 10
"""Those of its statements come on top."""
BYTES_AN_ITEM = 5
"""Of a list; it makes two statements and a blank node."""
BYTES_AN_ELEMENT = 12
"""Of XML, its end included."""
OFTEN = 4096
"""Statements after which it is looked at again."""

HARMLESS_NAMES = 8 << 20
NAMES = 4
"""Bytes that the names in a file may take in all, each counted once, for a byte of the file."""
LONG_NAME = 256
HARMLESS_LONG_NAMES = 32 << 20
LONG_NAMES = 8
"""Characters that long names may have, each counted as often as it is used, for a byte of the file."""


@dataclass(frozen=True, slots=True)
class Density:
    """What the bytes of one file may make.

    Args:
        where: The file.
        size: Its bytes.
    """

    where: str
    size: int

    @classmethod
    def of(cls, path: Path) -> Self:
        """Return that of a file that can be read."""
        return cls(str(path), path.stat().st_size)

    def check(self, read: int, statements: int, blank: int, items: int) -> None:
        """Refuse a file that makes far more than its bytes can honestly say.

        Args:
            read: Bytes that were read until now.
            statements: How many there were until now.
            blank: Blank nodes that they are about.
            items: How many of those are parts of lists.

        Raises:
            GraphSourceError: There are too many.
        """
        apart = BYTES_A_STATEMENT * (statements - 2 * items) + BYTES_A_BLANK_NODE * (blank - items)
        if apart + BYTES_AN_ITEM * items > HARMLESS + read:
            raise GraphSourceError(
                f"The first {read:,} bytes make {statements:,} statements and {blank:,} blank nodes: the "
                "whole file would fill the memory.",
                where=self.where,
                hint="Nothing real is written as densely. If this is, give the blank nodes names, write "
                "long lists as texts, or convert the file to N-Triples.",
            )

    @property
    def most_names(self) -> int:
        """Bytes that all names may take, each counted once."""
        return max(HARMLESS_NAMES, NAMES * self.size)

    @property
    def most_names_in_json(self) -> int:
        """Characters that the names in a JSON-LD file may take, were each as long as the longest one."""
        return HARMLESS_LONG_NAMES // 2 + LONG_NAMES * self.size

    @property
    def most_long_names(self) -> int:
        """Characters that all uses of long names may take."""
        return max(HARMLESS_LONG_NAMES, LONG_NAMES * self.size)


class Names:
    """Keeps each name once, and counts how much they take.

    Args:
        density: What the file may make.
    """

    def __init__(self, density: Density) -> None:
        self._known: dict[str, str] = {}
        self._density = density
        self._left = density.most_names
        self._left_long = density.most_long_names

    def kept(self, name: str) -> str:
        """Return a name, the same object each time, for the memory.

        Raises:
            GraphSourceError: The names are too long, all together.
        """
        if len(name) > LONG_NAME:
            self._left_long -= len(name)
        known = self._known.get(name)
        if known is not None:
            if self._left_long < 0:
                self._refuse()
            return known
        self._known[name] = name
        self._left -= len(name) if name.isascii() else 4 * len(name)
        if self._left < 0 or self._left_long < 0:
            self._refuse()
        return name

    def _refuse(self) -> None:
        raise GraphSourceError(
            "The names in the file are so long that it would fill the memory.",
            where=self._density.where,
            hint="Shorten the prefixes, or the base.",
        )
