"""Plain tables for terminals."""

from __future__ import annotations

import shutil
import sys
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import click

from graphrag_pipeline.cli.output import coloured, printable

GAP = "  "
SHORTEST = 8
"""A column is never cut below this many cells."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column.

    Args:
        title: Its heading.
        right: Whether to align to the right, as numbers are.
        cut: Whether it may be cut to fit the terminal: 0 never, 1 first, 2 when that was not enough.
        colour: Colour of its cells on a terminal.
    """

    title: str
    right: bool = False
    cut: int = 0
    colour: str = ""


def table(columns: Sequence[Column], rows: Sequence[Sequence[object]], width: int | None = None) -> str:
    """Return a table of text.

    Args:
        columns: The columns.
        rows: One value per column; values are shown as ``str``. Control characters are spelled out, in
            titles as well, so that a row is a line.
        width: Most cells a line may take; None means the terminal's width, or no limit where the output
            is no terminal. Columns that may be ``cut`` give way to it, the widest first.
    """
    titles = [printable(column.title) for column in columns]
    cells = [[printable(str(value)) for value in row] for row in rows]
    widths = [
        max(measure(text) for text in (title, *(row[place] for row in cells)))
        for place, title in enumerate(titles)
    ]
    _squeeze(widths, columns, width or _room())
    lines = [_line(columns, widths, titles, heading=True)]
    lines += [_line(columns, widths, row) for row in cells]
    return "\n".join(lines)


def _room() -> int:
    return shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else sys.maxsize


def measure(text: str) -> int:
    """Return how many terminal cells a text takes; wide characters take two."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def _cells(character: str) -> int:
    """Return the cells of one character, by Unicode's East Asian Width (UAX 11) and general category."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _squeeze(widths: list[int], columns: Sequence[Column], limit: int) -> None:
    gaps = len(GAP) * (len(columns) - 1)
    for turn in (1, 2):
        wide = [place for place, column in enumerate(columns) if column.cut == turn]
        while sum(widths) + gaps > limit and (wide := [place for place in wide if widths[place] > SHORTEST]):
            widths[max(wide, key=lambda place: widths[place])] -= 1


def _line(columns: Sequence[Column], widths: Sequence[int], row: Sequence[str], heading: bool = False) -> str:
    parts = []
    for column, width, text in zip(columns, widths, row, strict=True):
        shown = _cut(text, width)
        blank = " " * (width - measure(shown))
        styled = _heading(shown) if heading else _coloured(shown, column.colour)
        parts.append(blank + styled if column.right else styled + blank)
    return GAP.join(parts).rstrip()


def _heading(text: str) -> str:
    return click.style(text, dim=True) if coloured(sys.stdout) else text


def _coloured(text: str, colour: str) -> str:
    return click.style(text, fg=colour) if colour and coloured(sys.stdout) else text


def _cut(text: str, width: int) -> str:
    if measure(text) <= width:
        return text
    kept = ""
    for character in text:
        if measure(kept + character) > width - 1:
            break
        kept += character
    return kept + "…"
