"""Reading files that come from outside: what they look like, and how large a value may be."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.json_limits import past_limits

LONGEST = 16 << 20
"""Most bytes of one value; a longer one is refused before it is held in memory."""
HEAD = 4096


def need(module: str, extra: str, what: str) -> Any:  # Any: a module
    """Import an optional package.

    Args:
        module: Its module.
        extra: The extra of this package that installs it.
        what: What needs it, for the message: ``Parquet files``.

    Raises:
        GraphSourceError: It is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise GraphSourceError(
            f"{what} need the package {module.partition('.')[0]}, which is not installed.",
            hint=f'Install it: pip install "graphrag-pipeline[{extra}]"',
        ) from error


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file to read bytes.

    Raises:
        GraphSourceError: There is no such file, or it cannot be read.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode) and not path.is_dir():
            raise GraphSourceError(
                "It is no file but a pipe or a device, which can be read once only.",
                where=str(path),
                hint="Save it to a file first.",
            )
        file = path.open("rb")
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error
    with file:
        try:
            yield file
        except OSError as error:
            raise _unreadable(path, error) from error


def head(path: Path) -> bytes:
    """Return the first bytes of a file.

    Raises:
        GraphSourceError: It cannot be read.
    """
    with opened(path) as file:
        return file.read(HEAD)


def read_bytes(path: Path) -> bytes:
    """Return the content of a file.

    Raises:
        GraphSourceError: There is no such file, or it cannot be read.
    """
    with opened(path) as file:
        return file.read()


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file, with or without a byte order mark.

    Raises:
        GraphSourceError: There is no such file, it cannot be read, or it is not UTF-8.
    """
    data = read_bytes(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise GraphSourceError(
            f"The file is not UTF-8 text: byte {error.start} is {data[error.start]:#04x}.",
            where=str(path),
            hint=looks_like(data[:HEAD]) or "Convert it to UTF-8.",
        ) from error


def read_json(path: Path, **options: Any) -> Any:  # Any: JSON holds anything; callers check what they take
    """Return the JSON value in a UTF-8 file.

    Args:
        path: The file.
        options: Passed to ``json.loads``.

    Raises:
        GraphSourceError: It cannot be read, is not JSON, or holds a value of more than :data:`LONGEST` bytes.
    """
    refuse_long_text(path)
    return parse_json(read_text(path), path, **options)


def refuse_long_text(path: Path) -> None:
    """Refuse a JSON file with a text of more than twice :data:`LONGEST` bytes, holding little of it.

    Raises:
        GraphSourceError: There is one, or the file cannot be read.
    """
    with opened(path) as file:
        quiet = 0
        while piece := file.read(LONGEST // 8):
            quiet = 0 if b'"' in piece else quiet + len(piece)
            if quiet >= LONGEST:
                raise GraphSourceError(
                    f"A text is longer than {LONGEST >> 20} MiB.",
                    where=f"{path}: near byte {file.tell()}",
                    hint="No node or edge needs such a text: shorten it, or split it into several.",
                )


# Any: JSON holds anything; callers check what they take from it.
def parse_json(text: str, path: Path, **options: Any) -> Any:
    """Return the JSON value in ``text``.

    Args:
        text: The text.
        path: The file it came from, for messages.
        options: Passed to ``json.loads``.

    Raises:
        GraphSourceError: It is not JSON; the message names line and column.
    """
    try:
        return json.loads(text, **options)
    except json.JSONDecodeError as error:
        raise GraphSourceError(
            f"The file is not valid JSON: {error.msg}.",
            where=f"{path}:{error.lineno}:{error.colno}",
            hint=looks_like(text[:HEAD].encode("utf-8", "replace")) or _cut_off(text, error.pos),
        ) from error
    except (RecursionError, ValueError) as error:
        raise past_limits(error, text, "file", str(path)) from error


def _cut_off(text: str, position: int) -> str:
    rest = text[position:].strip()
    return "It ends too early: copy or download it again." if len(rest) < 2 else ""


def looks_like(start: bytes) -> str:
    """Return what a file seems to be, by its first bytes; the empty text when there is no telling."""
    for mark, name in _MARKS:
        if start.startswith(mark):
            return f"It looks like {name}."
    text = start.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if not text:
        return "The file is empty."
    if text.startswith((b"<!doctype html", b"<html")) or b"<html" in text[:512]:
        return "It looks like an HTML page."
    if text.startswith(b"<"):
        return "It looks like XML."
    return "It looks like a binary file." if b"\0" in start else ""


_MARKS = (
    (b"PK\x03\x04", "a ZIP archive"),
    (b"PAR1", "a Parquet file"),
    (b"\x1f\x8b", "a gzip archive: unpack it first"),
    (b"\x80\x04\x95", "a Python pickle; these can run code and are never read"),
    (b"\x80\x05\x95", "a Python pickle; these can run code and are never read"),
    (b"\x89PNG", "a PNG image"),
    (b"%PDF", "a PDF document"),
    (b"\xff\xfe", "UTF-16 text: save it as UTF-8"),
    (b"\xfe\xff", "UTF-16 text: save it as UTF-8"),
)


def _unreadable(path: Path, error: OSError | ValueError) -> GraphSourceError:
    return GraphSourceError(
        f"The file cannot be read: {getattr(error, 'strerror', None) or error}.",
        where=str(path),
        hint="Paths are relative to the directory the command runs in."
        if isinstance(error, FileNotFoundError)
        else "",
    )
