"""Graphs in CSV files: a table of nodes and a table of edges."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import Field

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.scalars import as_number
from graphrag_pipeline.graph.sources.intake import Intake
from graphrag_pipeline.graph.sources.tables.cells import Batch, Reading, Table
from graphrag_pipeline.graph.sources.tables.columns import check_names
from graphrag_pipeline.graph.sources.tables.csv_encoding import encoding_of
from graphrag_pipeline.graph.sources.tables.csv_text import DELIMITERS, Dialect, detected, rows
from graphrag_pipeline.graph.sources.tables.source import TableGraph, TableParams

BATCH = 4096
"""Rows held at a time, if they are not long."""
HELD = 4 << 20
"""Characters after which a batch is full."""
WHOLE = re.compile(r"-?[1-9][0-9]{0,30}|0")
COMMA_NUMBER = re.compile(r"-?[0-9]+,[0-9]+(?:[eE][+-]?[0-9]+)?")


class CsvParams(TableParams):
    """Where the tables are, and how they are written."""

    delimiter: str | None = Field(default=None, min_length=1, max_length=1)
    """What stands between cells; null finds out whether it is a comma, a semicolon, a tab or a bar."""
    encoding: str | None = None
    """Encoding of the text; null finds out UTF-8, UTF-16 with a byte order mark, and Windows-1252."""
    quote: str | None = Field(default='"', min_length=1, max_length=1)
    """What stands around cells that hold a delimiter; null when quotes are text like any other."""
    escape: str | None = Field(default=None, min_length=1, max_length=1)
    """What stands before a quote that means itself, such as a backslash; null when it is doubled."""
    decimal: Literal[".", ","] = "."
    """What stands before the fraction of a number."""
    typed: bool = True
    """Whether a property that reads like a number, true or false is one, if it is written just so."""


@dataclass(slots=True)
class CsvTable:
    """One CSV file with a header; an empty cell means that there is no value."""

    path: Path
    dialect: Dialect
    intake: Intake
    columns: tuple[str, ...] = field(init=False)
    _places: tuple[int, ...] = field(init=False)
    _width: int = field(init=False)

    def __post_init__(self) -> None:
        line, cells, _ = next(rows(self.path, self.dialect), (1, None, 0))
        names = [cell.strip() for cell in cells or ()]
        if not any(names):
            raise GraphSourceError("The file has no header.", where=f"{self.where}:{line}")
        self._width = len(names)
        self._places = tuple(place for place, name in enumerate(names) if name)
        self.columns = tuple(names[place] for place in self._places)
        check_names(self.columns, f"{self.where}:{line}")
        if len(self.columns) < len(names):
            self.intake.note(f"{self.path.name}: columns without a name are left out")

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.path.name

    @property
    def where(self) -> str:
        """The file."""
        return str(self.path)

    def batches(self) -> Iterator[Batch]:
        """Read the rows after the header.

        Raises:
            GraphSourceError: The file cannot be read, or a quote is never closed.
        """
        lines: list[int] = []
        held: list[list[str]] = []
        size = 0
        found = rows(self.path, self.dialect)
        next(found)
        for line, cells, length in found:
            if cells is None:
                self.intake.read(self.name)
                self.intake.skip("a row whose quotes are wrong", f"{self.where}:{line}")
                continue
            lines.append(line)
            held.append(cells if len(cells) == self._width else self._even(cells, line))
            size += length + self._width
            if len(held) == BATCH or size >= HELD:
                yield self._batch(held, lines)
                lines, held, size = [], [], 0
        if held:
            yield self._batch(held, lines)

    def _even(self, cells: list[str], line: int) -> list[str]:
        at = f"{self.where}:{line}"
        if len(cells) < self._width:
            self.intake.repair("a row has fewer cells than the header; those at its end are empty", at)
        elif any(cells[self._width :]):
            self.intake.repair("a row has more cells than the header; those at its end are left out", at)
        return [*cells[: self._width], *[""] * (self._width - len(cells))]

    def _batch(self, held: list[list[str]], lines: list[int]) -> Batch:
        columns = list(map(list, zip(*held, strict=True)))
        named = {name: columns[place] for name, place in zip(self.columns, self._places, strict=True)}
        return Batch(named, len(held), lambda at: f"{self.where}:{lines[at]}")


class CsvGraph(TableGraph[CsvParams]):
    """Reads node and edge tables from CSV files, or one table of edges."""

    name = "csv"
    Params = CsvParams
    endings: ClassVar = (".csv", ".tsv", ".tab", ".txt")

    def table(self, path: Path, intake: Intake) -> Table:
        """Open one file.

        Raises:
            GraphSourceError: It is no CSV file with a header.
        """
        params = self.params
        encoding, remark = (params.encoding, "") if params.encoding else encoding_of(path)
        dialect = detected(path, encoding, params.delimiter, params.quote, params.escape)
        if remark and encoding == "cp1252":
            # A guess, which may be wrong: whoever reads the graph must hear of it.
            intake.repair(remark, path.name)
        elif remark:
            intake.note(f"{path.name}: {remark}")
        if params.delimiter is None and dialect.delimiter != ",":
            mark = DELIMITERS.get(dialect.delimiter, repr(dialect.delimiter))
            intake.note(f"{path.name}: its cells are separated by {mark}")
        return CsvTable(path, dialect, intake)

    def reading(self) -> Reading:
        """Return how cells are read."""
        comma = self.params.decimal == ","
        return Reading(
            trimmed=True,
            value=partial(_typed, comma=comma) if self.params.typed else str,
            weight=_comma_number if comma else as_number,
        )


def _typed(text: str, *, comma: bool) -> Any:  # Any: a property holds anything
    """Return the value that a text is written for, if that is written back as the same text."""
    if text in ("true", "false"):
        return text == "true"
    if text[0] not in "-0123456789":
        return text
    if WHOLE.fullmatch(text):
        return int(text)
    plain = text.replace(",", ".") if comma and COMMA_NUMBER.fullmatch(text) else text
    if comma and plain is text:
        return text
    try:
        number = float(plain)
    except ValueError:
        return text
    return number if math.isfinite(number) and repr(number) == plain else text


def _comma_number(value: Any) -> float | None:  # Any: as of as_number
    text = value.strip()
    if COMMA_NUMBER.fullmatch(text):
        return as_number(text.replace(",", "."))
    return as_number(text) if WHOLE.fullmatch(text) else None
