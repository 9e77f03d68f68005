"""How long a row of a Parquet file may be, and how much all long values take of the memory."""

from __future__ import annotations

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.files import LONGEST

LONGEST_ROW = LONGEST // 4
"""Bytes of a row at most, as in CSV files: a graph holds several copies of it while it is built."""
LONG = 1 << 16
HARMLESS_LONG = 16 << 20
PACKED_LONG = 8
"""How often larger than the file all values of :data:`LONG` bytes or more are: they hardly repeat."""


def too_good(where: str, column: str = "") -> GraphSourceError:
    """Return the error for a file that holds more than its bytes can honestly say."""
    return GraphSourceError(
        "The file says that it holds far more than a file of its size can.",
        where=f"{where}: column {column!r}" if column else where,
        hint="No graph is packed as tightly. Leave out the column, or write the file without dictionaries, "
        "delta encodings and compression.",
    )


def too_long(where: str) -> GraphSourceError:
    """Return the error for a row that is not held in memory."""
    return GraphSourceError(
        f"A row is longer than {LONGEST_ROW >> 20} MiB.",
        where=where,
        hint="No node or edge needs such a value: shorten it, or split it into several.",
    )


def most_long(size: int) -> int:
    """Return how many bytes all long values of a file of a size may take."""
    return max(HARMLESS_LONG, PACKED_LONG * size)
