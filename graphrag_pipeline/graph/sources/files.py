"""Reading text files that come from outside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from graphrag_pipeline.errors import GraphSourceError


def read_bytes(path: Path) -> bytes:
    """Return the content of a file.

    Raises:
        GraphSourceError: There is no such file, or it cannot be read.
    """
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:
        raise GraphSourceError(
            f"The file cannot be read: {getattr(error, 'strerror', None) or error}.",
            where=str(path),
            hint="Paths are relative to the directory the command runs in.",
        ) from error


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file, with or without a byte order mark.

    Raises:
        GraphSourceError: There is no such file, it cannot be read, or it is not UTF-8.
    """
    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise GraphSourceError(
            f"The file is not UTF-8 text: byte {error.start} is {error.object[error.start]:#04x}.",
            where=str(path),
            hint="Convert it to UTF-8.",
        ) from error


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
            hint=_looks_like(text),
        ) from error
    except (RecursionError, ValueError) as error:
        raise GraphSourceError(f"The file cannot be read as JSON: {error}.", where=str(path)) from error


def _looks_like(text: str) -> str:
    start = text.lstrip()[:200].lower()
    if not start:
        return "The file is empty."
    if start.startswith(("<!doctype html", "<html")):
        return "It looks like an HTML page."
    if start.startswith("<"):
        return "It looks like XML."
    return ""
