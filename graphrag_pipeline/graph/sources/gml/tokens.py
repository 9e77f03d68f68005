"""The words of a GML file: keys, numbers, texts and brackets.

The format: Michael Himsolt, GML: A portable graph file format, 1997. It is ASCII, with other characters
written as ``&#228;``; files in UTF-8 and Latin-1 are common and are read as well.
"""

from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Generator, Iterator
from html.entities import html5
from pathlib import Path
from typing import Literal, TypeAlias

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.files import LONGEST, opened

Sort: TypeAlias = Literal["text", "open", "close", "word"]
PIECE = 1 << 20
BLANK = re.compile(r"(?:\s|#[^\n\r]*+)*+")
"""Blanks and comments."""
TOKEN = re.compile(BLANK.pattern + r'(?:"([^"]*+)"|(\[)|(\])|([^\s"\[\]#]++))')
SORTS: tuple[Sort, ...] = ("text", "open", "close", "word")
"""What each group of the pattern is."""
ENTITY = re.compile(r"&(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));")

Token: TypeAlias = tuple[Sort, str]
"""What a word of the file is, and the word itself: without quotes, with entities replaced."""


class GmlTokens:
    """Reads the words of a file one by one, holding little of it.

    Args:
        path: The file.
        encoding: Its encoding.
    """

    def __init__(self, path: Path, encoding: str) -> None:
        self._path = path
        self._encoding = encoding
        self._text = ""
        self._found: re.Match[str] | None = None
        self._line = 1
        self._counted = 0

    @property
    def at(self) -> str:
        """File and line of the word that was read last."""
        if self._found is not None:
            self._count_lines(self._found.start(self._found.lastindex or 0))
        return f"{self._path}:{self._line}"

    def __iter__(self) -> Iterator[Token]:
        """Read every word.

        Raises:
            GraphSourceError: A text has no end, or is too long.
        """
        decoder = codecs.getincrementaldecoder(self._encoding)("replace")
        with opened(self._path) as file:
            last = False
            while not last:
                piece = file.read(PIECE)
                last = not piece
                self._text += decoder.decode(piece, last)
                end = yield from self._whole_tokens(last)
                self._count_lines(end)
                self._text, self._found, self._counted = self._text[end:], None, 0
                self._check_rest(last)

    def _count_lines(self, end: int) -> None:
        if end > self._counted:
            self._line += self._text.count("\n", self._counted, end)
            self._counted = end

    def _whole_tokens(self, last: bool) -> Generator[Token, None, int]:
        """Read the words at hand, but one that reaches the end of the text, unless it is the last one.

        Returns:
            Where the rest starts.
        """
        text, at, end = self._text, 0, len(self._text)
        while (found := TOKEN.match(text, at)) is not None:
            if found.end() == end and not last:
                return at
            self._found, at = found, found.end()
            sort = SORTS[(found.lastindex or 1) - 1]
            value = found[found.lastindex or 0]
            yield sort, ENTITY.sub(_character, value) if sort == "text" and "&" in value else value
        return at

    def _check_rest(self, last: bool) -> None:
        if len(self._text) > LONGEST:
            raise GraphSourceError(f"A text is longer than {LONGEST >> 20} MiB.", where=self.at)
        blank = BLANK.match(self._text)
        start = 0 if blank is None else blank.end()
        if last and start < len(self._text):
            self._count_lines(start)
            raise GraphSourceError(
                "A text has no closing quote.",
                where=self.at,
                hint="It ends too early: copy or download it again; or write a quote in a text as &quot;.",
            )


def _character(found: re.Match[str]) -> str:
    """Return the character that an entity means; one that means none stays as it is."""
    decimal, hexadecimal, name = found.groups()
    if name is not None:
        return html5.get(f"{name};", found[0])
    code = int(decimal) if decimal is not None else int(hexadecimal, 16)
    return chr(code) if code <= sys.maxunicode else found[0]


def encoding_of(path: Path) -> str:
    """Return the encoding of a file: UTF-8, with or without a byte order mark, or else Latin-1.

    Raises:
        GraphSourceError: It cannot be read.
    """
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    with opened(path) as file:
        try:
            while piece := file.read(PIECE):
                decoder.decode(piece)
            decoder.decode(b"", True)
        except UnicodeDecodeError:
            return "latin-1"
    return "utf-8-sig"
