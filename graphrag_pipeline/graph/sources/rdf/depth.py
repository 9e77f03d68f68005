"""How deep the brackets of a Turtle, TriG, N-Triples or N-Quads file are nested.

The parser keeps every open bracket, and takes down a triple within a triple within a triple by calling
itself, so some kilobytes of brackets could fill the memory or end the process. Brackets are therefore
counted first, those in texts too; only where there are many is the nesting looked at.
"""

from __future__ import annotations

import mmap
import re
from pathlib import Path

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.files import opened
from graphrag_pipeline.graph.sources.rdf.density import BYTES_AN_ITEM, HARMLESS

DEEPEST = 500
MANY_BRACKETS = 50_000
"""So many open brackets fit in the memory, however they are nested."""
PIECE = 1 << 20

_BRACKET = re.compile(
    rb"(?:[^\"'<>\[\]()\\#]++"
    rb'|"""(?:[^"\\]|\\.|"(?!""))*+"""'
    rb"|'''(?:[^'\\]|\\.|'(?!''))*+'''"
    rb'|"(?:[^"\\\n]|\\.)*+"'
    rb"|'(?:[^'\\\n]|\\.)*+'"
    rb'|<[^\x00-\x20<>"{}|^`]*+>'
    rb"|\#[^\n]*+"
    rb"|\\."
    rb"|[\"'\\]|<(?!<)|>(?!>))*+"
    rb"(<<|[\[(]|>>|[\])]|\Z)",
    re.DOTALL,
)
"""What is no bracket, such as texts and names with brackets in them, and then a bracket or the end."""


def refuse_deep_brackets(path: Path) -> None:
    """Refuse a file whose brackets are nested more than :data:`DEEPEST` levels deep.

    Raises:
        GraphSourceError: They are, or the file cannot be read.
    """
    quoted = brackets = 0
    with opened(path) as file:
        while piece := file.read(PIECE):
            quoted += piece.count(b"<<")
            brackets += piece.count(b"[") + piece.count(b"(")
    if (quoted > DEEPEST or brackets > MANY_BRACKETS) and _too_deep(path):
        raise GraphSourceError(
            f"Brackets are nested more than {DEEPEST} levels deep.",
            where=str(path),
            hint="Give what is so deep within brackets a name, and state it for itself.",
        )


def _too_deep(path: Path) -> bool:
    level = opened_here = 0
    with opened(path) as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        for found in _BRACKET.finditer(content):
            opens = found[1] in (b"<<", b"[", b"(")
            level += 1 if opens else -1
            opened_here += opens
            if opened_here * BYTES_AN_ITEM > HARMLESS + found.end():
                raise GraphSourceError(
                    f"The first {found.end():,} bytes open {opened_here:,} brackets: the whole file would "
                    "fill the memory.",
                    where=str(path),
                    hint="Nothing real is written as densely. If this is, convert the file to N-Triples.",
                )
            if level > DEEPEST:
                return True
    return False
