"""What Python cannot read of JSON that is none the less JSON: endless nesting and endless numbers."""

from __future__ import annotations

import re
import sys

from graphrag_pipeline.errors import GraphSourceError

DEEP = 200
"""Levels from which nesting is called deep; Python reads some hundreds more."""
BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\Z)|[{}\[\]]', re.DOTALL)


def past_limits(error: RecursionError | ValueError, text: str, what: str, where: str) -> GraphSourceError:
    """Return the error for JSON that is too deep or has too long a number.

    Args:
        error: What Python said.
        text: The JSON.
        what: What it is of: ``file``, ``line``.
        where: Where it begins: a file, or a file and a line.
    """
    if isinstance(error, RecursionError):
        why = "lists and objects are nested too deeply"
        hint = f"More than {DEEP} levels are one inside of the other there. Is it damaged?"
        where = _deep_place(text, what, where)
    else:
        why = f"a whole number has more than {sys.get_int_max_str_digits():,} digits"
        hint = "Put it in quotes: text may be that long."
    return GraphSourceError(f"The {what} cannot be read as JSON: {why}.", where=where, hint=hint)


def _deep_place(text: str, what: str, where: str) -> str:
    level = 0
    for found in BRACKET.finditer(text):
        level += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
        if level > DEEP:
            line = "" if what == "line" else f":{text.count(chr(10), 0, found.start()) + 1}"
            return f"{where}{line}:{found.start() - text.rfind(chr(10), 0, found.start())}"
    return where
