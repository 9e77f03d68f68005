"""Writing to standard output and standard error: results there, everything else here."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

import click

COLOURS = {"warning": "yellow", "error": "red", "note": "cyan"}


class ReaderGone(Exception):  # noqa: N818  # nothing went wrong
    """Whoever read the output has left. The ``OSError`` itself would make click exit with code 1."""


def write(text: str) -> None:
    """Write a line to standard output, whatever its encoding can hold."""
    _write(sys.stdout, text)


def message(level: str, text: str) -> None:
    """Write ``level: text`` to standard error."""
    head = f"{level}: "
    if sys.stderr.isatty():
        head = click.style(head, fg=COLOURS.get(level), bold=True)
    with suppress(ReaderGone):  # nobody reads messages, and that changes nothing
        _write(sys.stderr, head + printable(text, keep="\n"))


# Any: JSON data.
def write_json(value: Any) -> None:
    """Write a value to standard output as JSON, two spaces a level, always valid.

    Text is UTF-8; a lone surrogate, which UTF-8 cannot hold, is written as its escape. JSON has no NaN
    and no infinity: they become null, and a warning counts them.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False, default=str)
    except ValueError:
        clean, count = _finite(value)
        message("warning", f"JSON cannot hold numbers that are not finite; set to null: {count}")
        text = json.dumps(clean, ensure_ascii=False, indent=2, default=str)
    # The escape that Python writes for a lone surrogate is the escape JSON has for it.
    with _reader_may_leave():
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")


def printable(text: str, keep: str = "") -> str:
    """Return text that is safe to show: control characters, such as a terminal's escapes, are spelled out.

    Args:
        text: Text from anywhere.
        keep: Characters to leave alone.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else _spelled(c) for c in text)


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


def _finite(value: Any) -> tuple[Any, int]:
    if isinstance(value, float) and not math.isfinite(value):
        return None, 1
    if isinstance(value, dict):
        pairs = {key: _finite(entry) for key, entry in value.items()}
        return {key: entry for key, (entry, _) in pairs.items()}, sum(count for _, count in pairs.values())
    if isinstance(value, list | tuple):
        entries = [_finite(entry) for entry in value]
        return [entry for entry, _ in entries], sum(count for _, count in entries)
    return value, 0
