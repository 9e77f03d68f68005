"""The data at the start of a JSON file that may be large."""

from __future__ import annotations

import json
import re
from typing import Any

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)|[{}\[\],]', re.DOTALL)
DEEPEST = 40
"""Levels that are looked at: enough to tell one format from another."""
CLOSER = {"{": "}", "[": "]"}


def data_at_start(text: str) -> Any:  # Any: JSON holds anything
    """Return what a JSON text that was cut off anywhere holds up to there: the last entries may be missing.

    Returns:
        The data; None when the text does not begin as JSON does.
    """
    stack: list[str] = []
    cut, closers = 0, ""
    for found in TOKEN.finditer(text):
        token = found[0]
        if token in CLOSER:
            if len(stack) == DEEPEST:
                break
            stack.append(CLOSER[token])
        elif stack and token == stack[-1]:
            stack.pop()
        elif token != ",":
            if token in "}]":
                break
            continue
        # Up to here, and in front of a comma, every value is whole.
        cut = found.start() if token == "," else found.end()
        closers = "".join(reversed(stack))
        if not stack:
            break
    try:
        return json.loads(text[:cut] + closers, strict=False) if cut else None
    except (ValueError, RecursionError):
        return None
