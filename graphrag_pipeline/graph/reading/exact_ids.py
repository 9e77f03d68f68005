"""Ids that are text or numbers, as exact text."""

from __future__ import annotations

import json
from typing import Any

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.kinds import kind
from graphrag_pipeline.graph.reading.scalars import missing


class ExactIds:
    """Turns the ids of one file into text, and never makes one of two: 10 and "10" are refused.

    Args:
        tuples: Whether an id may be a list, as networkx writes a tuple; its text is that of the JSON list.
    """

    def __init__(self, *, tuples: bool = False) -> None:
        self._types: dict[str, type] = {}
        self._kinds = (str, int, float, list) if tuples else (str, int, float)

    def text(self, value: Any, at: str) -> str:  # Any: JSON data
        """Return an id as text; the empty text where there is none.

        Raises:
            GraphSourceError: It is neither text nor a number, or another id of the file has the same
                text and another type.
        """
        if missing(value):
            return ""
        if isinstance(value, bool) or not isinstance(value, self._kinds):
            raise GraphSourceError(f"An id must be text or a number, not {kind(value)}.", where=at)
        text = json.dumps(value, ensure_ascii=False) if isinstance(value, list) else str(value)
        first = self._types.setdefault(text, type(value))
        if first is not type(value):
            other = "list" if list in (first, type(value)) else "number"
            raise GraphSourceError(
                f"The id {text} is written both as text and as a {other}.",
                where=at,
                hint="Write it the same way everywhere, or rename one of the two.",
            )
        return text
