"""A column of texts: one blob of UTF-8 and where each text starts."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, overload

import numpy as np

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.arrays import Array

Buffer: TypeAlias = bytes | memoryview

ENCODING = "utf-8"
ERRORS = "surrogatepass"
"""Lone surrogates are text too: JSON can hold them, so a graph can."""


def encode(text: str) -> bytes:
    """Return a text as the bytes that columns hold."""
    return text.encode(ENCODING, ERRORS)


@dataclass(frozen=True, slots=True)
class TextColumn(Sequence[str]):
    """Texts by position.

    Args:
        blob: All texts, one after the other.
        start: Where each text starts, and where the last one ends: one more entry than there are texts.
    """

    blob: Buffer
    start: Array

    @classmethod
    def of(cls, texts: Iterable[str]) -> TextColumn:
        """Build a column in memory."""
        builder = TextBuilder()
        for text in texts:
            builder.append(encode(text))
        return builder.finish()

    def __len__(self) -> int:
        return len(self.start) - 1

    @overload
    def __getitem__(self, position: int) -> str: ...
    @overload
    def __getitem__(self, position: slice) -> list[str]: ...
    def __getitem__(self, position: int | slice) -> str | list[str]:
        if isinstance(position, slice):
            return [self[place] for place in range(*position.indices(len(self)))]
        if position < 0:
            position += len(self)
            if position < 0:
                raise IndexError(position)
        return self._decoded([self.raw(position)])[0]

    def many(self, positions: Array) -> list[str]:
        """Return the texts at some positions, faster than one by one."""
        starts, ends = self.start[positions].tolist(), self.start[positions + 1].tolist()
        blob = self.blob
        return self._decoded([blob[start:end] for start, end in zip(starts, ends, strict=True)])

    def _decoded(self, raw: Sequence[Buffer]) -> list[str]:
        try:
            return [str(text, ENCODING, ERRORS) for text in raw]
        except UnicodeDecodeError as error:
            raise damaged("a text is no UTF-8") from error

    def raw(self, position: int) -> Buffer:
        """Return the bytes of one text.

        Raises:
            IndexError: There is no such position.
        """
        return self.blob[self.start[position] : self.start[position + 1]]


class TextBuilder:
    """Grows a text column; far smaller than a list of texts."""

    def __init__(self) -> None:
        self._blob = bytearray()
        self._ends = array("q")
        self._changed: dict[int, bytes] = {}

    def __len__(self) -> int:
        return len(self._ends)

    def append(self, text: bytes) -> None:
        """Add a text at the end."""
        self._blob += text
        self._ends.append(len(self._blob))

    def replace(self, position: int, text: bytes) -> None:
        """Put another text at a position."""
        self._changed[position] = text

    def finish(self) -> TextColumn:
        """Return the column; the builder is used up."""
        start = np.zeros(len(self) + 1, dtype=np.int64)
        start[1:] = self._ends
        blob = bytes(self._blob)
        self._blob = bytearray()
        if self._changed:
            texts = [blob[start[i] : start[i + 1]] for i in range(len(self))]
            for position, text in self._changed.items():
                texts[position] = text
            blob = b"".join(texts)
            np.cumsum([len(text) for text in texts], out=start[1:])
        return TextColumn(blob, start.astype(offset_type(len(blob))))


def damaged(what: str) -> GraphSourceError:
    """Return the error for columns that hold what nobody wrote into them."""
    return GraphSourceError(
        f"The index is damaged: {what}.",
        hint="`graphrag-pipeline index verify DIR` says where; build it anew, or remove it from the cache.",
    )


def offset_type(size: int) -> type[np.uint32] | type[np.int64]:
    """Return the smallest type that offsets into ``size`` bytes need."""
    return np.uint32 if size < 2**32 else np.int64
