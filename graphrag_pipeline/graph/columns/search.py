"""Substring search in a text column.

Each text of a searched column ends in :data:`END`, a byte that UTF-8 never uses, and so does each part
of a text that has several: a needle cannot match across two of them. UTF-8 is self-synchronising, so a
match of bytes is a match of characters.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from itertools import islice
from typing import NamedTuple

import numpy as np

from graphrag_pipeline.graph.arrays import BoolArray, IntArray
from graphrag_pipeline.graph.columns.text import Buffer, TextColumn

END = b"\xff"
CHUNK = 1 << 20
"""Bytes of a mapped blob that are copied and searched at a time."""
SCAN_RATIO, SCAN_RATIO_FAST = 20, 250
"""Measured on labels of 30 bytes: 0.35 µs a text by itself, 13 ns by bytes.find, 1.2 ns by stringzilla."""

Occurrences = Callable[[bytes, int], Iterator[int]]


class Found(NamedTuple):
    """The first texts that hold a needle.

    Args:
        positions: Their positions, ascending.
        end: Where in the blob the search stopped: at the start of a text, or at the end of all.
    """

    positions: IntArray
    end: int


class Search:
    """Finds needles in one column.

    With the extra ``fast`` installed (``stringzilla``), the search is several times faster; what it
    finds is the same.

    Args:
        column: The column; see the module for the shape of its texts.
    """

    def __init__(self, column: TextColumn) -> None:
        self._column = column
        fast = _stringzilla(column.blob)
        self._occurrences = fast or _standard(column)
        self.ratio = SCAN_RATIO_FAST if fast else SCAN_RATIO
        """Looking at one text by itself costs about as much as scanning this many in one go."""

    def first(self, needle: bytes, limit: int) -> Found:
        """Return the first texts that contain ``needle``, at most ``limit``, and where the search stopped."""
        column, beyond = self._column, 0
        found: list[int] = []
        if not needle or limit <= 0:
            return Found(np.arange(min(max(limit, 0), len(column))), 0)
        for at in self._occurrences(needle, 0):
            if at < beyond:
                continue  # once more in the text that was found last
            found.append(int(self._positions(at)))
            beyond = int(column.start[found[-1] + 1])
            if len(found) == limit:
                return Found(np.array(found, dtype=np.int64), beyond)
        return Found(np.array(found, dtype=np.int64), len(column.blob))

    def all(self, needle: bytes, limit: int, before: Found | None = None) -> BoolArray | None:
        """Tell of every text whether it contains ``needle``; None after ``limit`` occurrences.

        Args:
            needle: What to find.
            limit: Occurrences after which to give up.
            before: What :meth:`first` found of the same needle; the search goes on from there.
        """
        mask = np.zeros(len(self._column), dtype=np.bool_)
        if not needle:
            mask[:] = True
            return mask
        places = list(islice(self._occurrences(needle, before.end if before else 0), limit + 1))
        if len(places) > limit:
            return None
        mask[self._positions(places)] = True
        if before is not None:
            mask[before.positions] = True
        return mask

    def among(self, needle: bytes, positions: IntArray) -> BoolArray:
        """Tell of the texts at some positions whether they contain ``needle``."""
        column = self._column
        starts, ends = column.start[positions].tolist(), column.start[positions + 1].tolist()
        blob = column.blob
        hits = (needle in bytes(blob[start:end]) for start, end in zip(starts, ends, strict=True))
        return np.fromiter(hits, np.bool_, len(starts))

    def _positions(self, places: int | list[int]) -> IntArray:
        """Return which texts hold the bytes at some places."""
        start = self._column.start
        # In the type of the column: for any other, numpy converts the whole column first.
        return np.searchsorted(start, np.asarray(places, dtype=start.dtype), side="right") - 1


def _standard(column: TextColumn) -> Occurrences:
    if isinstance(column.blob, bytes):
        return partial(_every, column.blob.find)
    return _Chunks(column)


def _stringzilla(blob: Buffer) -> Occurrences | None:
    try:
        module = import_module("stringzilla")
    except ImportError:
        return None
    return partial(_every, module.Str(blob).find)


def _every(find: Callable[[bytes, int], int], needle: bytes, start: int) -> Iterator[int]:
    at = find(needle, start)
    while at >= 0:
        yield at
        at = find(needle, at + len(needle))


class _Chunks:
    """The search over a mapped blob without a copy of the whole of it."""

    def __init__(self, column: TextColumn) -> None:
        self._column = column
        # Chunks end where a text ends, so that no match is cut in two.
        size = len(column.blob)
        marks = np.searchsorted(column.start, np.arange(CHUNK, size + CHUNK, CHUNK), side="right") - 1
        self._ends = np.unique(column.start[marks]).tolist()

    def __call__(self, needle: bytes, start: int) -> Iterator[int]:
        blob = self._column.blob
        for end in self._ends[bisect_right(self._ends, start) :]:
            for at in _every(bytes(blob[start:end]).find, needle, 0):
                yield start + at
            start = end
