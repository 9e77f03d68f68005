"""JSON-LD that is looked through before the parser gets it.

The parser follows nested objects, nested contexts and terms that other terms define by calling itself,
and copies a context for each one within it, so a small file could end the process or take hours. It gets
the JSON data written anew, so that what it reads is what was looked at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.entries import read_value
from graphrag_pipeline.graph.reading.files import opened
from graphrag_pipeline.graph.sources.intake import Intake
from graphrag_pipeline.graph.sources.rdf.density import HARMLESS, Density

DEEPEST = 100
LONGEST_NAME = 512
"""Most characters of what a term of a context stands for; each use of the term makes as many."""
MOST_TERMS = 5_000_000
"""Terms of all contexts, each counted again for every context within its own."""
PIECE = 1 << 16
BYTES_A_VALUE = 3
BYTES_A_LIST = 8
BYTES_AN_OBJECT = 15
"""Bytes that those have at least in an honest file; what is in lists and objects comes on top."""
CONTEXT = "@context"
REMOTE = "@import"

_TEXT = re.compile(rb'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")

# Any throughout: JSON data.


def checked_json(path: Path, intake: Intake) -> bytes:
    """Return the content of a JSON-LD file that is safe to parse.

    Raises:
        GraphSourceError: It is not JSON, is nested too deep, or refers to a context elsewhere.
    """
    _refuse_crowded(path)
    data = read_value(path, intake)
    _Contexts(path).check(data)
    try:
        text = json.dumps(data, ensure_ascii=False, allow_nan=False)
    except ValueError as error:
        raise GraphSourceError("The file has a number that is none, such as NaN.", where=str(path)) from error
    if _SURROGATE.search(text):
        intake.repair("a control character or lone surrogate was replaced by U+FFFD", str(path))
        text = _SURROGATE.sub("\ufffd", text)
    return text.encode()


def _refuse_crowded(path: Path) -> None:
    """Refuse a file of a great many tiny values before they are in memory."""
    read = needed = 0
    open_text = False
    with opened(path) as file:
        while piece := file.read(PIECE):
            while piece.endswith(b"\\") and (more := file.read(1)):
                piece += more
            read += len(piece)
            # What is within texts does not count. A text that two pieces share is cut off in both.
            bare = _TEXT.sub(b"", b'"' + piece if open_text else piece)
            open_text = bare.count(b'"') % 2 == 1
            bare = bare.partition(b'"')[0]
            needed += BYTES_A_VALUE * bare.count(b",") + BYTES_A_LIST * bare.count(b"[")
            needed += BYTES_AN_OBJECT * bare.count(b"{")
            if needed > HARMLESS + read:
                raise GraphSourceError(
                    f"The first {read:,} bytes hold so many empty or tiny values that the whole file would "
                    "fill the memory.",
                    where=str(path),
                    hint="Nothing real is written as densely. If this is, convert the file to N-Triples.",
                )


class _Contexts:
    def __init__(self, path: Path) -> None:
        self._where = str(path)
        self._most_names = Density.of(path).most_names_in_json
        self._objects = 0
        self._terms = 0
        self._longest = 0
        self._names = 0
        self._scoped = 0
        """Terms of contexts within contexts, which count for every object."""

    def check(self, data: Any) -> None:
        """Refuse what the parser should not get, level by level, without calling itself."""
        level = [_Inner(data, 0, False)]
        for _ in range(DEEPEST):
            level = [inner for outer in level for inner in self._inside(outer)]
            if self._names * self._longest > self._most_names:
                raise GraphSourceError(
                    "The names in the file are so long that it would fill the memory.",
                    where=self._where,
                    hint="Shorten what the terms of the context, @vocab and @base stand for.",
                )
            if self._terms + self._scoped * self._objects > MOST_TERMS:
                raise GraphSourceError(
                    "Contexts within contexts define too many terms.",
                    where=self._where,
                    hint="Write one context at the top of the file.",
                )
            if not level:
                return
        raise GraphSourceError(
            f"Objects and lists are nested more than {DEEPEST} levels deep.",
            where=self._where,
            hint="Name inner objects with @id, and write them beside each other.",
        )

    def _inside(self, outer: _Inner) -> Iterator[_Inner]:
        value, terms, within = outer
        if isinstance(value, list):
            self._names += sum(isinstance(item, str) for item in value)
            yield from (_Inner(item, terms, within) for item in value if isinstance(item, list | dict))
        elif isinstance(value, dict):
            self._objects += 1
            self._names += 0 if within else len(value)
            if CONTEXT in value:
                own = self._context(value[CONTEXT])
                terms += own
                self._terms += terms
                self._scoped += own if within else 0
            for key, item in value.items():
                if isinstance(item, list | dict):
                    yield _Inner(item, terms, within or key == CONTEXT)

    def _context(self, context: Any) -> int:
        """Return how many terms a context defines."""
        parts = context if isinstance(context, list) else [context]
        for part in parts:
            elsewhere = part.get(REMOTE) if isinstance(part, dict) else part
            if isinstance(elsewhere, str):
                raise GraphSourceError(
                    f"The file takes its context from {elsewhere:.200}; nothing is fetched from elsewhere.",
                    where=self._where,
                    hint="Write that context into the file, or expand the file with a JSON-LD tool.",
                )
        defined = [part for part in parts if isinstance(part, dict)]
        texts = (text for part in defined for term in part for text in _texts(part, term))
        self._longest = max(self._longest, max(map(len, texts), default=0))
        if any(_too_far(part) for part in defined):
            raise GraphSourceError(
                f"A term of a context is defined by way of more than {DEEPEST} others, or as a name of more "
                f"than {LONGEST_NAME} characters.",
                where=self._where,
            )
        return sum(map(len, defined))


class _Inner(NamedTuple):
    """A value in the file, how many terms hold for it, and whether it lies within a context."""

    value: Any
    terms: int
    within: bool


class _Term:
    """A term whose definition is being followed."""

    def __init__(self, context: Mapping[str, Any], name: str) -> None:
        self.name = name
        self.length = max(map(len, _texts(context, name)), default=0)
        """How long what it stands for may be, as far as is known."""
        self.steps = 0
        """By way of how many others it is defined, as far as is known."""
        self.needed = iter(_needed(context, name))
        self._own = self.length

    def by_way_of(self, length: int, steps: int) -> None:
        """Take note of a term that it is defined by."""
        self.length = max(self.length, self._own + length)
        self.steps = max(self.steps, steps + 1)

    @property
    def too_far(self) -> bool:
        """Whether it is defined by too many others, or as something too long."""
        return self.steps > DEEPEST or self.length > LONGEST_NAME


def _too_far(context: Mapping[str, Any]) -> bool:
    """Whether a term is defined by way of too many others, one after the other, or as something too long."""
    done: dict[str, tuple[int, int]] = {}
    for first in context:
        followed = [_Term(context, first)] if first not in done else []
        while followed:
            term = followed[-1]
            name = next(term.needed, None)
            if name is None:
                followed.pop()
                done[term.name] = (term.length, term.steps)
                if followed:
                    followed[-1].by_way_of(*done[term.name])
            elif name in done:
                term.by_way_of(*done[name])
            elif all(name != other.name for other in followed):
                followed.append(_Term(context, name))
            if term.too_far or len(followed) > DEEPEST:
                return True
    return False


def _texts(context: Mapping[str, Any], term: str) -> list[str]:
    definition = context.get(term)
    texts = definition.values() if isinstance(definition, dict) else [definition]
    return [text for text in texts if isinstance(text, str)]


def _needed(context: Mapping[str, Any], term: str) -> list[str]:
    """Return the terms that the definition of a term names, or has as a prefix."""
    names = [name for text in _texts(context, term) for name in (text, text.partition(":")[0])]
    # A term that looks like prefix:name needs its prefix, whatever defines it.
    names.append(term.partition(":")[0])
    return [name for name in dict.fromkeys(names) if name in context and name != term]
