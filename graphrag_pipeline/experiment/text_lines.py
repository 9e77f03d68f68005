"""Many texts of a column at once, as lines: half the work of reading them one by one."""

from __future__ import annotations

from graphrag_pipeline.graph.arrays import IntArray
from graphrag_pipeline.graph.columns.text import ENCODING, ERRORS, TextColumn


def lines_of(column: TextColumn, positions: IntArray) -> str | None:
    """Return the texts at some positions, one a line; None where they have to be read one by one.

    It is so where a text has a line break itself, or is no text.
    """
    starts, ends = column.start[positions].tolist(), column.start[positions + 1].tolist()
    blob = column.blob
    joined = b"\n".join([blob[start:end] for start, end in zip(starts, ends, strict=True)])
    if joined.count(b"\n") >= max(len(starts), 1):
        return None
    try:
        return joined.decode(ENCODING, ERRORS)
    except UnicodeDecodeError:
        return None
