"""Writing to standard output and standard error: results there, everything else here."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TextIO

import click

from graphrag_pipeline.cli.jsonable import jsonable

JOINERS = "\u200c\u200d"
"""Characters that shape the letters and emoji around them; harmless, though Python calls them unprintable."""
BLANKS = "".join(map(chr, (0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)))
"""Every blank but the usual one; as harmless."""
COLOURS = {"warning": "yellow", "error": "red", "note": "cyan"}
_UNINDENTED = re.compile(r"\n(?=[^ \n])")


class ReaderGone(Exception):  # noqa: N818  # nothing went wrong
    """Whoever read the output has left. The ``OSError`` itself would make click exit with code 1."""


_STYLE = re.compile("(\x1b\\[[0-9;]*m)")
"""What click colours text with."""


def write(text: str) -> None:
    """Write lines to standard output, whatever its encoding can hold; control characters are spelled out.

    Colours stay where there are any. A line break does, too: text from outside that is to stay on its line
    goes through :func:`printable` first.
    """
    parts = _STYLE.split(text) if coloured(sys.stdout) else [text]
    safe = (part if place % 2 else printable(part, keep=f"\n{BLANKS}") for place, part in enumerate(parts))
    _write(sys.stdout, "".join(safe))


def message(level: str, text: str) -> None:
    """Write ``level: text`` to standard error; one that cannot be written is lost, and nothing else is.

    Lines after the first are indented: none of them can pass for a message of its own. Only a traceback,
    of the level ``debug``, stays as it is.
    """
    if sys.stderr is None:
        return
    head = f"{level}: "
    if coloured(sys.stderr):
        head = click.style(head, fg=COLOURS.get(level), bold=True)
    with suppress(ReaderGone, OSError):
        shown = printable(text, keep="\n")
        _write(sys.stderr, head + (shown if level == "debug" else _UNINDENTED.sub("\n  ", shown)))


def coloured(stream: TextIO) -> bool:
    """Whether to write colours: to a terminal, unless NO_COLOR is set (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return a count with its noun, which takes an s for any number but one, or has a plural of its own."""
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"


def listed(texts: Sequence[str], most: int, count: int | None = None) -> str:
    """Return the first of some texts on one line, each safe to show, and a sign where there are more.

    Args:
        texts: Ids, names or places from anywhere.
        most: How many to show.
        count: How many there are, where ``texts`` has not all of them.
    """
    more = (len(texts) if count is None else count) > most
    return ", ".join(map(printable, texts[:most])) + (", …" if more else "")


# Any: data that is nearly JSON.
def write_json(value: Any) -> None:
    """Write a value to standard output as JSON, two spaces a level, always valid.

    Text is UTF-8; a lone surrogate, which UTF-8 cannot hold, is written as its escape. What JSON cannot
    hold is replaced, and a warning counts it: NaN and infinity by null, keys and values of other types by
    their text.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        clean, count = jsonable(value)
        message("warning", f"JSON cannot hold some values; replaced by null or by their text: {count}")
        text = json.dumps(clean, ensure_ascii=False, indent=2)
    # The escape that Python writes for a lone surrogate is the escape JSON has for it.
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")


def printable(text: str, keep: str = "") -> str:
    r"""Return text that is safe to show, on one line: control characters are spelled out.

    These are a terminal's escapes, line breaks and tabs (``\n``, ``\t``, ``\u2028``), and what turns the
    direction of writing (``\u202e``). Blanks of all widths become the usual one.

    Args:
        text: Text from anywhere.
        keep: Characters to leave alone.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep or c in JOINERS else _spelled(c) for c in text)


def _spelled(character: str) -> str:
    return " " if character in BLANKS else character.encode("unicode_escape").decode("ascii")


def _write(stream: TextIO, text: str) -> None:
    encoding = stream.encoding or "utf-8"
    with _reader_may_leave():
        click.echo(text.encode(encoding, "backslashreplace").decode(encoding), file=stream)


@contextmanager
def _reader_may_leave() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise ReaderGone from error
