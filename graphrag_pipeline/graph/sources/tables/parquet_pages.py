"""The pages of a Parquet file: what they hold once they are decoded, found out before Arrow decodes them.

A page says how large it is when it is decompressed. Three encodings make more of it: a dictionary, values of
a fixed length of which none need be written, and texts that repeat the start of the one before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

from graphrag_pipeline.graph.reading.files import LONGEST, need, opened
from graphrag_pipeline.graph.sources.tables.parquet_delta import repeated
from graphrag_pipeline.graph.sources.tables.parquet_footer import Chunk, Footer, damage_refused, whole
from graphrag_pipeline.graph.sources.tables.parquet_limits import (
    LONG,
    LONGEST_ROW,
    most_long,
    too_good,
    too_long,
)
from graphrag_pipeline.graph.sources.tables.parquet_thrift import Fields, read_fields

HEADER = 512
"""Bytes that the header of a page has at most, if it quotes no long text."""
HARMLESS_PAGES = 1000
SMALLEST_PAGE = 512
"""Bytes that a page has on average in an honest file of more pages than :data:`HARMLESS_PAGES`."""
HARMLESS_REPEATED = 16 << 20
REPEATED = 20
"""How many bytes of texts are repeated from the texts before them in an honest file, for a byte of it."""
DELTA_BYTE_ARRAY = 7
CODECS = {1: "snappy", 2: "gzip", 4: "brotli", 6: "zstd", 7: "lz4_raw"}
DATA, DICTIONARY, DATA_2 = 5, 7, 8
"""Fields of a header that only such a page has."""


@dataclass(frozen=True, slots=True)
class Held:
    """What a column in one group of rows holds.

    Args:
        size: Bytes once it is decoded, where dictionaries are kept as they are.
        longest: Bytes that a single value may have beyond what is written for it.
        folded: Whether it has a dictionary of texts.
    """

    size: int
    longest: int
    folded: bool


class _Page(NamedTuple):
    header: Fields
    start: int
    packed: int
    unpacked: int

    @property
    def values(self) -> int:
        """How many values there are; a dictionary has none of the column's."""
        return whole((self.header.get(DATA) or self.header.get(DATA_2) or {1: 0})[1])

    @property
    def mean(self) -> int:
        """How many bytes a value has on average, one of a dictionary too."""
        return self.unpacked // max(1, self.values or whole(self.header.get(DICTIONARY, {}).get(1, 1)))

    @property
    def chained(self) -> bool:
        """Whether each text may repeat some of the one before it."""
        first, second = self.header.get(DATA, {}), self.header.get(DATA_2, {})
        return DELTA_BYTE_ARRAY in (first.get(2), second.get(4))


def held_in(path: Path, footer: Footer, most: int) -> list[Held]:
    """Return what each column of each group of rows holds.

    Args:
        path: The file.
        footer: What it says of itself.
        most: Bytes that it may hold in all.

    Raises:
        GraphSourceError: It holds more, or is damaged.
    """
    with opened(path) as file, damage_refused("A page of the Parquet file cannot be read.", path):
        walk = _Walk(file, path, footer, most)
        return [walk.held(chunk) for chunk in footer.chunks]


class _Walk:
    def __init__(self, file: BinaryIO, path: Path, footer: Footer, most: int) -> None:
        self._file = file
        self._where = str(path)
        self._size = footer.size
        self._walked = 0
        self._pages = HARMLESS_PAGES + 2 * len(footer.chunks) + footer.size // SMALLEST_PAGE
        self._left = most
        self._left_long = most_long(footer.size)
        self._left_repeated = max(HARMLESS_REPEATED, REPEATED * footer.size)

    def held(self, chunk: Chunk) -> Held:
        size = longest = 0
        folded = False
        if chunk.width:
            size = self._take(chunk.width * chunk.values, chunk)
        for page in self._walk(chunk):
            if not chunk.width:
                size += self._take(page.unpacked, chunk)
            if page.chained:
                more, one = self._repeated(page, chunk)
                self._left_repeated -= more
                if self._left_repeated < 0:
                    raise too_good(self._where, chunk.path)
                size, longest = size + self._take(more, chunk), max(longest, one)
            elif DICTIONARY in page.header:
                folded = chunk.texts
                longest = max(longest, page.unpacked if chunk.decimals else 0)
        return Held(size, longest, folded)

    def _take(self, size: int, chunk: Chunk) -> int:
        self._left -= size
        if self._left < 0:
            raise too_good(self._where, chunk.path)
        return size

    def _walk(self, chunk: Chunk) -> Iterator[_Page]:
        at, seen = chunk.start, 0
        while seen < chunk.values:
            header, length = self._header(at)
            page = _Page(header, at + length, whole(header[3]), whole(header[2]))
            at += length + page.packed
            # No two chunks share a page; those that do could be walked for ever.
            self._walked += length + page.packed
            self._pages -= 1
            if max(at, self._walked) > self._size or self._pages < 0:
                raise ValueError(at)
            if page.unpacked > max(chunk.unpacked, LONGEST):
                raise ValueError(page.unpacked)
            seen += page.values
            self._refuse_long(page, chunk)
            yield page

    def _refuse_long(self, page: _Page, chunk: Chunk) -> None:
        if page.mean > LONGEST_ROW + HEADER:
            raise too_long(f"{self._where}: column {chunk.path!r}")
        self._left_long -= page.unpacked if page.mean >= LONG else 0
        if self._left_long < 0:
            raise too_good(self._where, chunk.path)

    def _header(self, at: int) -> tuple[Fields, int]:
        for size in (HEADER, LONGEST):
            self._file.seek(at)
            data = self._file.read(size)
            try:
                return read_fields(data)
            except IndexError:
                if len(data) < size:
                    raise
        raise ValueError(at)

    def _repeated(self, page: _Page, chunk: Chunk) -> tuple[int, int]:
        self._file.seek(page.start)
        data = self._file.read(page.packed)
        levels = 0
        if second := page.header.get(DATA_2):
            levels = whole(second[5]) + whole(second[6])
            data = data[levels:]
        if second is None or second.get(7, True):
            data = _decompressed(data, chunk.codec, page.unpacked - levels)
        if second is None:
            for there in (chunk.repeated, chunk.optional):
                data = data[4 + int.from_bytes(data[:4], "little") :] if there else data
        return repeated(data, page.values)


def _decompressed(data: bytes, codec: int, size: int) -> bytes:
    if codec == 0 or not size:
        return data
    method = need("pyarrow", "arrow", "Parquet files").Codec(CODECS[codec])
    try:
        return bytes(method.decompress(data, decompressed_size=size, asbytes=True))
    except (OSError, ArithmeticError) as error:
        raise ValueError("the page is damaged") from error
