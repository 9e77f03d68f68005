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
from typing import Any

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.files import LONGEST, looks_like, opened
from graphrag_pipeline.graph.sources.tables.parquet_thrift import MOST, Fields, read_fields

MAGIC, ENCRYPTED = b"PAR1", b"PARE"
BYTE_ARRAY, FIXED_BYTES = 6, 7
REQUIRED, REPEATED = 0, 2
SMALLEST_PART = 64
"""Bytes of a large file for each value in its footer, at least."""
DECIMAL = 5
"""Number of decimals among converted and among logical types."""
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
        codec: Number of the method by which its pages are packed.
        texts: Whether its values are texts or bytes of any length.
        decimals: Whether they are numbers that are written as bytes of any length.
        width: How long each value is; 0 where lengths differ, or a number.
        repeated: Whether its values are in lists.
        optional: Whether a value may be missing.
    """

    path: str
    start: int
    values: int
    packed: int
    unpacked: int
    codec: int
    texts: bool
    decimals: bool
    width: int
    repeated: bool
    optional: bool


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
        with damage_refused("The end of the Parquet file cannot be read.", path):
            told, _ = read_fields(data, max(MOST, size // SMALLEST_PART))
            footer = Footer(size, whole(told[3]), tuple(_chunks(told)))
    return footer


@contextmanager
def damage_refused(what: str, path: Path) -> Iterator[None]:
    """Turn what damaged bytes raise into a refusal.

    Raises:
        GraphSourceError: Something was raised.
    """
    try:
        yield
    except (LookupError, ValueError, TypeError, AttributeError, struct.error) as error:
        raise GraphSourceError(what, where=str(path), hint=DAMAGED) from error


def _chunks(footer: Fields) -> Iterator[Chunk]:
    leaves = list(_leaves(footer[2]))
    for group in footer.get(4, ()):
        for (element, repeated, optional), column in zip(leaves, group[1], strict=True):
            told = column[3]
            decimals = element.get(6) == DECIMAL or DECIMAL in element.get(10, {})
            yield Chunk(
                path=".".join(part.decode() for part in told[3]),
                start=min(whole(told[9]), told.get(11) or told[9]),
                values=whole(told[5]),
                packed=whole(told[7]),
                unpacked=whole(told[6]),
                codec=whole(told[4]),
                texts=element.get(1) == BYTE_ARRAY and not decimals,
                decimals=element.get(1) == BYTE_ARRAY and decimals,
                width=whole(element[2]) if element.get(1) == FIXED_BYTES else 0,
                repeated=repeated,
                optional=optional,
            )


def _leaves(schema: list[Fields]) -> Iterator[tuple[Fields, bool, bool]]:
    """Yield the elements that are columns, and whether each is in lists, and may be missing."""
    above = [(whole(schema[0].get(5) or 0), False, False)]
    for element in schema[1:]:
        left, repeated, optional = above.pop()
        if left > 1:
            above.append((left - 1, repeated, optional))
        kind = element.get(3, REQUIRED)
        repeated, optional = repeated or kind == REPEATED, optional or kind != REQUIRED
        if children := element.get(5):
            above.append((whole(children), repeated, optional))
        else:
            yield element, repeated, optional


def whole(value: Any) -> int:
    """Return a whole number.

    Raises:
        ValueError: It is none, or negative.
    """
    if type(value) is not int or value < 0:
        raise ValueError(value)
    return value
