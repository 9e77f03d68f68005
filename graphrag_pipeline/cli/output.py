"""Writing to standard output and standard error: results there, everything else here."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

import click

from graphrag_pipeline.cli.jsonable import jsonable

JOINERS = "\u200c\u200d"
"""Characters that shape the letters and emoji around them; harmless, though Python calls them unprintable."""
COLOURS = {"warning": "yellow", "error": "red", "note": "cyan"}


class ReaderGone(Exception):  # noqa: N818  # nothing went wrong
    """Whoever read the output has left. The ``OSError`` itself would make click exit with code 1."""


def write(text: str) -> None:
    """Write a line to standard output, whatever its encoding can hold."""
    _write(sys.stdout, text)


def message(level: str, text: str) -> None:
    """Write ``level: text`` to standard error; one that cannot be written is lost, and nothing else is."""
    if sys.stderr is None:
        return
    head = f"{level}: "
    if coloured(sys.stderr):
        head = click.style(head, fg=COLOURS.get(level), bold=True)
    with suppress(ReaderGone, OSError):
        _write(sys.stderr, head + printable(text, keep="\n"))


def coloured(stream: TextIO) -> bool:
    """Whether to write colours: to a terminal, unless NO_COLOR is set (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return a count with its noun, which takes an s for any number but one, or has a plural of its own."""
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"


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
    """Return text that is safe to show: control characters, such as a terminal's escapes, are spelled out.

    Args:
        text: Text from anywhere.
        keep: Characters to leave alone.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep or c in JOINERS else _spelled(c) for c in text)


def _spelled(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii") if not character.isspace() else " "


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
