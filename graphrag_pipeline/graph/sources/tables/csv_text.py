"""CSV files as rows of text: delimiters and quotes, after RFC 4180 and its many cousins."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Self, TextIO

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.files import LONGEST
from graphrag_pipeline.graph.sources.tables.csv_encoding import text_of

if TYPE_CHECKING:
    from _csv import Reader

LONGEST_ROW = LONGEST // 4
"""Characters of a row: Python's reader holds each as four bytes."""
BLANK_LINES = 500_000
BLANK_SHARE = 0.99
SAMPLE = 1 << 16
SAMPLE_ROWS = 20
DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
EXCEL_MARK = re.compile(r"sep=(.)\r?\n")
"""The line by which Excel is told the delimiter."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a file is written.

    Args:
        encoding: Its encoding.
        delimiter: What stands between cells.
        quote: What stands around cells that hold a delimiter; None when nothing does.
        escape: What stands before a quote that means itself; None when such a quote is doubled.
        skipped: Lines before the header.
    """

    encoding: str
    delimiter: str
    quote: str | None
    escape: str | None
    skipped: int = 0

    def reader(self, lines: Iterator[str], *, strict: bool = True) -> Reader:
        """Return a reader of rows.

        Raises:
            GraphSourceError: No file can be written so.
        """
        if csv.field_size_limit() < LONGEST_ROW:
            csv.field_size_limit(LONGEST_ROW)
        try:
            return csv.reader(
                lines,
                delimiter=self.delimiter,
                quotechar=self.quote,
                quoting=csv.QUOTE_NONE if self.quote is None else csv.QUOTE_MINIMAL,
                escapechar=self.escape,
                strict=strict,
            )
        except (TypeError, ValueError) as error:
            raise GraphSourceError(
                f"No CSV file is written so: {error}.",
                hint="delimiter, quote and escape are one character each, and different ones.",
            ) from error


class Lines(Iterator[str]):
    """Lines of a text, counting how much of the row that is being read is held in memory."""

    def __init__(self, text: TextIO, where: str) -> None:
        self._text = text
        self._where = where
        self.number = 0
        self.begin = 1
        self.held = 0

    def next_row(self) -> None:
        """Count from here: the row before was read."""
        self.begin, self.held = self.number + 1, 0

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        line = self._text.readline(LONGEST_ROW + 1)
        if not line:
            raise StopIteration
        self.number += 1
        self.held += len(line)
        if self.held > LONGEST_ROW:
            raise too_long(f"{self._where}:{self.begin}")
        return line


def too_long(where: str) -> GraphSourceError:
    """Return the error for a row that is not held in memory."""
    return GraphSourceError(
        f"A row is longer than {LONGEST_ROW >> 20} million characters.",
        where=where,
        hint="Look for a quote that is opened and never closed; graph.quote=null reads quotes as text.",
    )


def rows(path: Path, dialect: Dialect) -> Iterator[tuple[int, list[str] | None, int]]:
    """Read the rows of a file, the header among them, blank lines left out.

    Yields:
        The line where a row begins; its cells, or None when its quotes are wrong; and how long it is.

    Raises:
        GraphSourceError: The file cannot be read, or a quote is never closed.
    """
    with text_of(path, dialect.encoding) as text:
        lines = Lines(text, str(path))
        for _ in islice(lines, dialect.skipped):
            pass
        reader = dialect.reader(lines)
        blank = 0
        while True:
            lines.next_row()
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                _refuse_open_quote(error, f"{path}:{lines.begin}")
                yield lines.begin, None, lines.held
                continue
            if cells:
                yield lines.begin, cells, lines.held
            else:
                blank += 1
                if blank > BLANK_LINES and blank > BLANK_SHARE * lines.number:
                    raise GraphSourceError(
                        f"Nearly all of the first {lines.number:,} lines are blank.",
                        where=f"{path}:{lines.begin}",
                        hint="Remove the blank lines.",
                    )


def detected(
    path: Path, encoding: str, delimiter: str | None, quote: str | None, escape: str | None
) -> Dialect:
    """Find out what stands between the cells of a file, by its first rows.

    Args:
        path: The file.
        encoding: Its encoding.
        delimiter: What is known to stand between cells; None to find it out.
        quote: See :class:`Dialect`.
        escape: See :class:`Dialect`.

    Raises:
        GraphSourceError: The file cannot be read.
    """
    with text_of(path, encoding) as text:
        sample = text.read(SAMPLE)
    skipped = 0
    if mark := EXCEL_MARK.match(sample):
        skipped, delimiter, sample = 1, delimiter or mark.group(1), sample[mark.end() :]
    if delimiter is None:
        marks = [mark for mark in DELIMITERS if mark not in (quote, escape)]
        found = [(_width(sample, Dialect(encoding, mark, quote, escape)), mark) for mark in marks]
        # The first one wins a tie, and a table of one column has none of them.
        delimiter = max(found, key=lambda each: each[0])[1]
    return Dialect(encoding, delimiter, quote, escape, skipped)


def _width(sample: str, dialect: Dialect) -> tuple[bool, int]:
    """Return whether most rows are as wide as the header, and how wide that is."""
    try:
        lines = io.StringIO(sample, newline="")
        found = list(islice(dialect.reader(lines, strict=False), SAMPLE_ROWS))
    except csv.Error:
        return False, 0
    widths = [len(cells) for cells in found if cells]
    if not widths or widths[0] == 1:
        return False, 0
    return 2 * widths.count(widths[0]) > len(widths), widths[0]


def _refuse_open_quote(error: csv.Error, where: str) -> None:
    if "unexpected end" in str(error):
        raise GraphSourceError(
            "A quote is opened here and never closed.",
            where=where,
            hint="Close it, or read quotes as text: graph.quote=null.",
        ) from error
    if "field limit" in str(error):
        raise too_long(where) from error
