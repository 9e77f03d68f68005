"""How the text of a CSV file is encoded."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.files import head, looks_like, opened

PIECE = 1 << 20
MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
UNUSED_IN_CP1252 = b"\x81\x8d\x8f\x90\x9d"
ESCAPED = re.compile("[\udc80-\udcff]")
"""How Python keeps bytes that are no UTF-8."""


@contextmanager
def text_of(path: Path, encoding: str) -> Iterator[TextIO]:
    """Open a file as text, line ends as they are.

    Raises:
        GraphSourceError: It cannot be read, there is no such encoding, or the file is not in it.
    """
    # What is no UTF-8 was looked for before: it is let through here, and replaced where texts are cleaned.
    errors = "surrogateescape" if encoding == "utf-8" else "strict"
    with opened(path) as file:
        try:
            with io.TextIOWrapper(file, encoding, errors, newline="") as text:
                yield text
        except LookupError as error:
            raise GraphSourceError(
                f"There is no encoding {encoding!r}.",
                where=str(path),
                hint="utf-8, utf-16, cp1252, latin-1, gb18030 and shift_jis are some that there are.",
            ) from error
        except UnicodeError as error:
            raise GraphSourceError(
                f"The text is not in {encoding}: {error}.",
                where=str(path),
                hint="Name its encoding: graph.encoding=NAME.",
            ) from error


def encoding_of(path: Path) -> tuple[str, str]:
    """Find out how the text of a file is encoded.

    A byte order mark says so. Else it is UTF-8. A file that is not is Windows-1252 when it has more bytes
    that are no UTF-8 than it has characters that only UTF-8 writes so; else it is UTF-8 with damage.

    Returns:
        The encoding, and what is remarkable about it.

    Raises:
        GraphSourceError: It is none of these, or no text.
    """
    start = head(path)
    for mark, encoding in MARKS:
        if start.startswith(mark):
            return encoding, encoding.upper().replace("-SIG", " with a byte order mark")
    _refuse_other_formats(start, path)
    good, bad, unused = _beyond_ascii(path)
    if not bad:
        return "utf-8", ""
    if bad <= good:
        return "utf-8", f"UTF-8, but for {bad} bytes; U+FFFD stands for each"
    if not unused:
        return "cp1252", "no UTF-8, so it was read as Windows-1252; graph.encoding=NAME if it is another"
    raise GraphSourceError(
        "The text is neither UTF-8 nor Windows-1252.",
        where=str(path),
        hint="Name its encoding: graph.encoding=NAME, such as latin-1, cp1250, gb18030 or shift_jis.",
    )


def _beyond_ascii(path: Path) -> tuple[int, int, bool]:
    """Count characters beyond ASCII, and bytes that are no UTF-8; and tell whether Windows has some not."""
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    beyond = bad = 0
    unused = False
    with opened(path) as file:
        while piece := file.read(PIECE):
            text = decoder.decode(piece)
            if text.isascii():
                continue
            beyond += len(text) - len(text.encode("ascii", "ignore"))
            bad += len(text) - len(ESCAPED.sub("", text))
            unused = unused or len(piece.translate(None, UNUSED_IN_CP1252)) < len(piece)
    rest = len(decoder.decode(b"", final=True))
    return beyond - bad, bad + rest, unused


def _refuse_other_formats(start: bytes, path: Path) -> None:
    if not start.strip():
        raise GraphSourceError(
            "The file is empty: not even a header is there.",
            where=str(path),
            hint="Write the header, or say that there is no such table: graph.nodes=null, graph.edges=null.",
        )
    said = looks_like(start)
    # A few NULs in a text are damage, and replaced; many mean that it is none.
    if said and ("binary" not in said or start.count(0) * 10 > len(start)):
        raise GraphSourceError(
            "The file is no CSV text.",
            where=str(path),
            hint=f"{said} If it is UTF-16 without a byte order mark: graph.encoding=utf-16-le."
            if "binary" in said
            else said,
        )
