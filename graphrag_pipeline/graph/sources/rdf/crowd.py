"""How many values a JSON-LD file holds, and how many keys one object of it, found out before it is parsed.

A value of two or three bytes takes a hundred in memory. An object costs more by far: the parser keeps all
of it until it has seen its last key, and a key takes about a kilobyte.
"""

from __future__ import annotations

import re
from pathlib import Path

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.files import opened
from graphrag_pipeline.graph.sources.rdf.density import HARMLESS

PIECE = 1 << 16
BYTES_A_VALUE = 3
BYTES_A_LIST = 8
BYTES_AN_OBJECT = 15
"""Bytes that those have at least in an honest file; what is in lists and objects comes on top."""
HARMLESS_KEYS = 20_000
BYTES_A_KEY = 128
"""Bytes of an object for each key that it has beyond :data:`HARMLESS_KEYS`, its value included."""

_TEXT = re.compile(rb'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_BRACE = re.compile(rb"[{}]")


def refuse_crowded(path: Path) -> None:
    """Refuse a file of a great many tiny values, or an object of as many keys, before it is in memory.

    Raises:
        GraphSourceError: It is such a file, or cannot be read.
    """
    crowd = _Crowd(str(path))
    open_text = False
    with opened(path) as file:
        while piece := file.read(PIECE):
            while piece.endswith(b"\\") and (more := file.read(1)):
                piece += more
            # What is within texts does not count. A text that two pieces share is cut off in both.
            bare = _TEXT.sub(b"", b'"' + piece if open_text else piece)
            open_text = bare.count(b'"') % 2 == 1
            crowd.take(bare.partition(b'"')[0], len(piece))


class _Crowd:
    def __init__(self, where: str) -> None:
        self._where = where
        self._read = 0
        self._needed = 0
        self._outer: list[tuple[int, int]] = []
        """Of each object around this one: how many keys it had until now, and about where it begins."""
        self._keys = 0
        self._begin = 0

    def take(self, bare: bytes, size: int) -> None:
        """Count what is in a piece of the file.

        Args:
            bare: The piece without its texts.
            size: How long it was with them.
        """
        begin, self._read = self._read, self._read + size
        self._needed += BYTES_A_VALUE * bare.count(b",") + BYTES_A_LIST * bare.count(b"[")
        self._needed += BYTES_AN_OBJECT * bare.count(b"{")
        if self._needed > HARMLESS + self._read:
            raise GraphSourceError(
                f"The first {self._read:,} bytes hold so many empty or tiny values that the whole file would "
                "fill the memory.",
                where=self._where,
                hint="Nothing real is written as densely. If this is, convert the file to N-Triples.",
            )
        at = 0
        for found in _BRACE.finditer(bare):
            self._count(bare.count(b":", at, found.start()))
            at = found.end()
            if found[0] == b"{":
                self._outer.append((self._keys, self._begin))
                self._keys, self._begin = 0, begin
            elif self._outer:
                self._keys, self._begin = self._outer.pop()
        self._count(bare.count(b":", at))

    def _count(self, more: int) -> None:
        self._keys += more
        if self._keys > HARMLESS_KEYS and self._keys > HARMLESS_KEYS + self._size // BYTES_A_KEY:
            raise GraphSourceError(
                f"One object has {self._keys:,} keys in {self._size:,} bytes, so that the whole file would "
                "fill the memory.",
                where=f"{self._where}: near byte {self._begin:,}",
                hint="Write what the keys name as objects of their own, with @id, in a list under @graph; or "
                "convert the file to N-Triples.",
            )

    @property
    def _size(self) -> int:
        return self._read - self._begin
