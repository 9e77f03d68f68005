"""JSON-LD that is looked through before the parser gets it.

The parser follows nested objects, nested contexts and terms that other terms define by calling itself,
and copies a context for each one within it, so a small file could end the process or take hours. It gets
the JSON data written anew, so that what it reads is what was looked at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.entries import read_value
from graphrag_pipeline.graph.sources.intake import Intake
from graphrag_pipeline.graph.sources.rdf.crowd import refuse_crowded
from graphrag_pipeline.graph.sources.rdf.definitions import LONGEST_NAME, MOST_STEPS, texts_of, too_far
from graphrag_pipeline.graph.sources.rdf.density import Density

DEEPEST = 100
"""Levels of objects and lists within each other."""
MOST_TERMS = 2_000_000
"""Terms of all contexts, each counted again for every context within its own."""
MOST_IN_FORCE = 20_000
"""Terms that hold for one object: those of its own context and of all around it."""
MOST_HELD = 100_000
"""Terms that the parser holds at once: those in force, once for each context around an object."""
CONTEXT = "@context"
REMOTE = "@import"

_SURROGATE = re.compile("[\ud800-\udfff]")

# Any throughout: JSON data.


def checked_json(path: Path, intake: Intake) -> bytes:
    """Return the content of a JSON-LD file that is safe to parse.

    Raises:
        GraphSourceError: It is not JSON, is nested too deep, or refers to a context elsewhere.
    """
    refuse_crowded(path)
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
        level = [_Inner(data, 0, 0, False)]
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
        value, terms, held, within = outer
        if isinstance(value, list):
            self._names += sum(isinstance(item, str) for item in value)
            yield from (_Inner(item, terms, held, within) for item in value if isinstance(item, list | dict))
        elif isinstance(value, dict):
            self._objects += 1
            self._names += 0 if within else len(value)
            if CONTEXT in value:
                own = self._context(value[CONTEXT], terms)
                terms, held = terms + own, held + terms + own
                self._terms += terms if held <= MOST_HELD else MOST_TERMS + 1
                self._scoped += own if within else 0
            for key, item in value.items():
                if isinstance(item, list | dict):
                    yield _Inner(item, terms, held, within or key == CONTEXT)

    def _context(self, context: Any, around: int) -> int:
        """Return how many terms a context defines, within others that define some."""
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
        own = sum(map(len, defined))
        if around + own > MOST_IN_FORCE:
            raise GraphSourceError(
                f"A context defines {around + own:,} terms, with those around it: the file would fill the "
                f"memory. At most {MOST_IN_FORCE:,} may be in force at once.",
                where=f"{self._where}: near the term {next(iter(defined[-1]), '')!r:.60}",
                hint="Leave out terms that no key of the file uses, or expand the file with a JSON-LD tool.",
            )
        texts = (text for part in defined for term in part for text in texts_of(part, term))
        self._longest = max(self._longest, max(map(len, texts), default=0))
        if any(too_far(part) for part in defined):
            raise GraphSourceError(
                f"A term of a context is defined by way of more than {MOST_STEPS} others, or as a name of "
                f"more than {LONGEST_NAME} characters.",
                where=self._where,
            )
        return own


class _Inner(NamedTuple):
    """A value in the file, how many terms hold for it and are held by then, and whether a context has it."""

    value: Any
    terms: int
    held: int
    within: bool
