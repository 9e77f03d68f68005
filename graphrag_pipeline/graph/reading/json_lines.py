"""JSON Lines: one JSON value a line, read line by line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.entries import counting_object
from graphrag_pipeline.graph.reading.files import HEAD, LONGEST, looks_like, opened
from graphrag_pipeline.graph.reading.json_limits import past_limits
from graphrag_pipeline.graph.sources.intake import Intake

BadLines: TypeAlias = Literal["refuse", "skip"]

BOM = b"\xef\xbb\xbf"
LEAVE_OUT = "or leave such lines out: graph.bad_lines=skip."


# Any: JSON holds anything.
def json_lines(path: Path, intake: Intake, bad: BadLines) -> Iterator[tuple[str, Any]]:
    """Yield the place, ``file:line``, and the value of each line; blank lines are none.

    Args:
        path: The file.
        intake: Told of lines that are skipped and of keys that are repeated.
        bad: Whether a line that is no JSON ends the reading, or is counted and skipped.

    Raises:
        GraphSourceError: The file cannot be read, a line is no JSON or longer than :data:`LONGEST`, or
            no line could be read at all.
    """
    skipped: GraphSourceError | None = None
    taken = 0
    for number, line in numbered_lines(path):
        at = f"{path}:{number}"
        try:
            value = _parsed(line, at, intake)
        except GraphSourceError as error:
            if bad == "refuse":
                raise
            skipped = error
            intake.read("lines")
            intake.skip("a line that is no JSON", at)
            continue
        taken += 1
        yield at, value
    if not taken:
        if skipped is not None:
            raise skipped
        raise GraphSourceError("The file is empty.", where=str(path), hint="JSON Lines need a value a line.")


def are_json_lines(path: Path) -> bool:
    """Whether a file is more than one line of which the first or the second is a whole JSON object.

    Raises:
        GraphSourceError: The file cannot be read.
    """
    with opened(path) as file:
        lines: list[bytes] = []
        while len(lines) < 2 and (line := file.readline(LONGEST)):
            if line.strip():
                lines.append(line.removeprefix(BOM))
    starts = [line.lstrip()[:1] == b"{" for line in lines]
    return starts == [True, True] and any(map(_whole, lines))


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield each line that is not blank with its number, and without a byte order mark.

    Raises:
        GraphSourceError: The file cannot be read, or a line is longer than :data:`LONGEST`.
    """
    with opened(path) as file:
        for number, line in enumerate(iter(partial(_line, file, path), b""), start=1):
            content = line.removeprefix(BOM) if number == 1 else line
            if content.strip():
                yield number, content


def _line(file: BinaryIO, path: Path) -> bytes:
    line = file.readline(LONGEST + 1)
    if len(line) > LONGEST:
        raise GraphSourceError(
            f"A line is longer than {LONGEST >> 20} MiB.",
            where=f"{path}: before byte {file.tell()}",
            hint=looks_like(line[:HEAD]) or "JSON Lines hold one value a line.",
        )
    return line


def _whole(line: bytes) -> bool:
    try:
        json.loads(line, strict=False)
    except (ValueError, RecursionError):
        return False
    return True


def _parsed(line: bytes, at: str, intake: Intake) -> Any:
    repeated: Counter[str] = Counter()
    try:
        value = json.loads(
            line.decode("utf-8"), strict=False, object_pairs_hook=partial(counting_object, repeated)
        )
    except json.JSONDecodeError as error:
        raise GraphSourceError(
            f"The line is not valid JSON: {error.msg}.",
            where=f"{at}:{error.colno}",
            hint=looks_like(line[:HEAD]) or _advice(line),
        ) from error
    except UnicodeDecodeError as error:
        raise GraphSourceError(
            f"The line is not UTF-8 text: byte {error.start} of it is {line[error.start]:#04x}.",
            where=at,
            hint=looks_like(line[:HEAD]) or f"Convert the file to UTF-8, {LEAVE_OUT}",
        ) from error
    except (RecursionError, ValueError) as error:
        raise past_limits(error, line.decode("utf-8"), "line", at) from error
    for key, count in sorted(repeated.items()):
        for _ in range(count):
            intake.repair("a key was written twice in one object; its last value counts", f"{at}: {key!r}")
    return value


def _advice(line: bytes) -> str:
    if not line.endswith(b"\n"):
        return f"The last line ends too early: copy or download the file again, {LEAVE_OUT}"
    return f"Correct the line, {LEAVE_OUT}"
