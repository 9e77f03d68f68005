"""A component that says what another one has said, so that a pipeline's own checks can look at it."""

from __future__ import annotations

from typing import Any


class Said:
    """Gives one answer to every call.

    Args:
        answer: The answer.
    """

    # Any: an answer of whatever kind, right or wrong.
    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def retrieve(self, *_: object) -> Any:
        """Answer as a seed retriever."""
        return self.answer

    def expand(self, *_: object) -> Any:
        """Answer as an expander."""
        return self.answer

    def keep(self, *_: object) -> Any:
        """Answer as a filter."""
        return self.answer
