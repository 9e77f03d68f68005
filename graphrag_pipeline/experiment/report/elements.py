"""Pieces of HTML from text of any origin: nothing of it becomes markup."""

from __future__ import annotations

import base64
import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

LONGEST = 160
"""Characters of a text that are shown."""
NONE = "—"
JOINERS = "\u200c\u200d"
"""Characters that shape the letters and emoji around them; harmless, though Python calls them unprintable."""


class Cell(NamedTuple):
    """A cell: its HTML, and the number to sort by where its text does not begin with it."""

    html: str
    value: float | None = None


class Column(NamedTuple):
    """A column: its heading as plain text, whether of numbers, what it means, whether it never sorts."""

    name: str
    numbers: bool = False
    hint: str = ""
    fixed: bool = False


def plain(text: str, longest: int = LONGEST) -> str:
    """Return text that is safe to show: control and direction characters spelled out, the rest cut off."""
    cut = text if len(text) <= longest else f"{text[: longest - 1]}…"
    return cut if cut.isprintable() else "".join(map(_visible, cut))


def _visible(character: str) -> str:
    if character.isprintable() or character in JOINERS:
        return character
    return " " if character.isspace() else character.encode("unicode_escape").decode("ascii")


def html(text: str, longest: int = LONGEST) -> str:
    """Return text for an element or an attribute."""
    return escape(plain(text, longest))


def own(text: str, longest: int = LONGEST) -> str:
    """Return text from data, whose direction of writing must not turn what is around it."""
    return f"<bdi>{html(text, longest)}</bdi>"


def code(text: str, longest: int = LONGEST) -> str:
    """Return text from data that is meant to the letter: an id, a digest, a key."""
    return f"<code>{html(text, longest)}</code>"


def number(value: float | None) -> str:
    """Return a value of a measure or of a count, as the tables of a terminal have it."""
    if value is None or math.isnan(value):
        return NONE
    return f"{value:.4f}" if abs(value) < 1.00005 else f"{value:,.1f}"


def milliseconds(seconds: float | None) -> str:
    """Return a time of a query or a step, in milliseconds without the unit."""
    return NONE if seconds is None or math.isnan(seconds) else f"{seconds * 1000:,.2f}"


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return a count with its noun."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def section(name: str, title: str, *parts: str) -> str:
    """Return a section of the page, with a heading that a table of contents can lead to."""
    body = "\n".join(part for part in parts if part)
    head = f'<section id="{name}" aria-labelledby="{name}-title">\n<h2 id="{name}-title">{title}</h2>'
    return f"{head}\n{body}\n</section>"


def note(text: str, kind: str = "") -> str:
    """Return a paragraph; ``kind`` marks a ``warning``. The text is HTML."""
    if kind == "warning":
        return f'<p class="warning"><strong>Note.</strong> {text}</p>'
    return f"<p>{text}</p>"


def table(
    caption: str,
    columns: Sequence[Column],
    rows: Sequence[Sequence[str | Cell]],
    *,
    sortable: bool = False,
    tall: bool = False,
    name: str = "",
) -> str:
    """Return a table that scrolls by itself where it is too wide, also by keyboard.

    Args:
        caption: What it is, as HTML.
        columns: The first is the heading of each row.
        rows: Cells as HTML, as many as there are columns.
        sortable: Whether a script may let readers sort it.
        tall: Whether it scrolls by itself where it is too high as well.
        name: Its id.
    """
    marks = (' class="sortable"' if sortable else "") + (f' id="{name}"' if name else "")
    heads = "".join(map(_head, columns))
    body = "\n".join(_row(columns, row) for row in rows)
    label = html(plain_of(caption), 120)
    return (
        f'<div class="scroll{" tall" if tall else ""}" tabindex="0" role="region" aria-label="{label}">'
        f"<table{marks}><caption><span>{caption}</span></caption>\n"
        f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )


def plain_of(markup: str) -> str:
    """Return the text of markup that this package made: what is between its tags."""
    parts = markup.split("<")
    text = parts[0] + "".join(part.partition(">")[2] for part in parts[1:])
    for name, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#x27;", "'"), ("&amp;", "&")):
        text = text.replace(name, character)
    return text


def _head(column: Column) -> str:
    marks = ' class="n"' if column.numbers else ""
    hint = f' title="{html(column.hint, 300)}"' if column.hint else ""
    marks += " data-fixed" if column.fixed else ""
    return f'<th scope="col"{marks}{hint}>{html(column.name, 60)}</th>'


def _row(columns: Sequence[Column], row: Sequence[str | Cell]) -> str:
    parts = []
    for place, (column, cell) in enumerate(zip(columns, row, strict=True)):
        markup, value = cell if isinstance(cell, Cell) else (cell, None)
        marks = ' class="n"' if column.numbers else ""
        if value is not None:
            marks += f' data-v="{value:.6g}"'
        parts.append(f'<th scope="row"{marks}>{markup}</th>' if place == 0 else f"<td{marks}>{markup}</td>")
    return f"<tr>{''.join(parts)}</tr>"


def folded(summary: str, *parts: str, opened: bool = False, name: str = "", kind: str = "") -> str:
    """Return parts that readers can fold away; both are HTML."""
    marks = (f' class="{kind}"' if kind else "") + (f' id="{name}"' if name else "")
    body = "\n".join(part for part in parts if part)
    return f"<details{marks}{' open' if opened else ''}><summary>{summary}</summary>\n{body}\n</details>"


def download(label: str, file: str, text: str) -> str:
    """Return a link that saves a text that is in the page itself."""
    content = base64.b64encode(text.encode("utf-8", "backslashreplace")).decode("ascii")
    return (
        f'<a class="button" download="{html(file)}" href="data:text/csv;base64,{content}">{html(label)}</a>'
    )
