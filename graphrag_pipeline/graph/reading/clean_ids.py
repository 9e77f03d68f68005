"""Ids without control characters, two of which never become one."""

from __future__ import annotations

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.clean import Told, clean_text


class CleanIds:
    """Replaces what is unfit in the ids of one source, and remembers what they were."""

    def __init__(self) -> None:
        self._before: dict[str, str] = {}

    def clean(self, text: str, told: Told, at: str) -> str:
        """Return an id as :func:`clean_text` does.

        Raises:
            GraphSourceError: Another id became the same one.
        """
        cleaned = clean_text(text, told)
        if cleaned is not text and self._before.setdefault(cleaned, text) != text:
            raise GraphSourceError(
                f"The ids {self._before[cleaned]!r:.80} and {text!r:.80} differ only in control characters.",
                where=at,
                hint="Those become U+FFFD, and two nodes would become one: rename one of them.",
            )
        return cleaned
