"""The footer of a Parquet file: what it says of its columns, read before Arrow is let near it.

Arrow ends the whole process on some damaged footers when it is asked for this, and unpacks what it is told
to. The format is described at https://parquet.apache.org/docs/file-format/metadata/.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.files import LONGEST, looks_like, opened
from graphrag_pipeline.graph.sources.tables.parquet_thrift import Fields, read_fields

MAGIC, ENCRYPTED = b"PAR1", b"PARE"
BYTE_ARRAY = 6
DELTA_BYTE_ARRAY = 7
DECIMAL = 5
"""Number of decimals among converted and among logical types."""
HEADER = 512
"""Bytes that the header of a page has at most, if it quotes no long text."""
DAMAGED = "It may be cut off or damaged: copy or download it again."


@dataclass(frozen=True, slots=True)
class Chunk:
    """What a footer says of one column in one group of rows.

    Args:
        path: The column, its parts joined by dots.
        start: Where its pages are.
        values: How many values there are.
        packed: Bytes on disk.
        unpacked: Bytes once they are decompressed, but not decoded.
        folded: Whether it has a dictionary of texts.
        chained: Whether each text may repeat all of the one before it.
    """

    path: str
    start: int
    values: int
    packed: int
    unpacked: int
    folded: bool
    chained: bool


@dataclass(frozen=True, slots=True)
class Footer:
    """What a file says it holds.

    Args:
        size: Bytes of the file.
        rows: How many rows there are.
        chunks: All columns of all groups of rows.
    """

    size: int
    rows: int
    chunks: tuple[Chunk, ...]


def read_footer(path: Path) -> Footer:
    """Read the footer of a file.

    Raises:
        GraphSourceError: It is no Parquet file, or damaged, or encrypted.
    """
    with opened(path) as file:
        start = file.read(4096)
        size = file.seek(0, 2)
        if not start.startswith(MAGIC):
            said = "It is encrypted: decrypt it first." if start.startswith(ENCRYPTED) else looks_like(start)
            raise GraphSourceError("The file is no Parquet file.", where=str(path), hint=said)
        file.seek(max(0, size - 8))
        length, magic = struct.unpack("<I4s", file.read(8).rjust(8))
        if magic != MAGIC or not 0 < length <= min(size - 12, LONGEST):
            raise GraphSourceError("The Parquet file has no end.", where=str(path), hint=DAMAGED)
        file.seek(size - 8 - length)
        data = file.read(length)
        with _refused("The end of the Parquet file cannot be read.", path):
            told, _ = read_fields(data)
            footer = Footer(size, _whole(told[3]), tuple(_chunks(told)))
    return footer


def check_pages(path: Path, footer: Footer) -> None:
    """Refuse a file whose pages say that they are larger than the file or its columns.

    Raises:
        GraphSourceError: It has one, or a page is damaged.
    """
    with opened(path) as file, _refused("A page of the Parquet file cannot be read.", path):
        walked = 0
        for chunk in footer.chunks:
            at, seen = chunk.start, 0
            while seen < chunk.values:
                header, length = _page_header(file, at)
                unpacked, packed = _whole(header[2]), _whole(header[3])
                at += length + packed
                # No two chunks share a page; those that do could be walked for ever.
                walked += length + packed
                if max(at, walked) > footer.size or unpacked > max(chunk.unpacked, LONGEST):
                    raise ValueError(at)
                # Pages of data have their own header; that of the dictionary holds none of the values.
                seen += _whole((header.get(5) or header.get(8) or {1: 0})[1])


def _page_header(file: BinaryIO, at: int) -> tuple[Fields, int]:
    for size in (HEADER, LONGEST):
        file.seek(at)
        data = file.read(size)
        try:
            return read_fields(data)
        except IndexError:
            if len(data) < size:
                raise
    raise ValueError(at)


@contextmanager
def _refused(what: str, path: Path) -> Iterator[None]:
    try:
        yield
    except (LookupError, ValueError, TypeError, AttributeError, struct.error) as error:
        raise GraphSourceError(what, where=str(path), hint=DAMAGED) from error


def _chunks(footer: Fields) -> Iterator[Chunk]:
    leaves = [element for element in footer[2][1:] if not element.get(5)]
    texts = [_holds_text(element) for element in leaves]
    for group in footer.get(4, ()):
        for text, column in zip(texts, group[1], strict=True):
            told = column[3]
            yield Chunk(
                path=".".join(part.decode() for part in told[3]),
                start=min(_whole(told[9]), told.get(11) or told[9]),
                values=_whole(told[5]),
                packed=_whole(told[7]),
                unpacked=_whole(told[6]),
                folded=text and 11 in told,
                chained=DELTA_BYTE_ARRAY in told[2],
            )


def _holds_text(element: Fields) -> bool:
    decimal = element.get(6) == DECIMAL or DECIMAL in element.get(10, {})
    return element.get(1) == BYTE_ARRAY and not decimal


def _whole(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(value)
    return value
