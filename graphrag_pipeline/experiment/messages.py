"""What the library says in another process, brought to the one that has a terminal."""

from __future__ import annotations

import logging

LIBRARY = "graphrag_pipeline"
"""Name of the logger that all of the library's descend from."""
Message = tuple[int, str]
"""A level of logging, and a text."""


class Messages(logging.Handler):
    """Keeps each message of the library once: every query may have the same to say."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self._said: set[str] = set()
        self._new: list[Message] = []

    @classmethod
    def kept(cls) -> Messages:
        """Take the messages of this process in place of whatever takes them now."""
        made, logger = cls(), logging.getLogger(LIBRARY)
        logger.handlers[:] = [made]
        logger.setLevel(logging.INFO)
        logger.propagate = False
        return made

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a message that is new."""
        text = record.getMessage()
        if text not in self._said:
            self._said.add(text)
            self._new.append((record.levelno, text))

    def taken(self) -> tuple[Message, ...]:
        """Return what was said since this was last called."""
        taken, self._new = tuple(self._new), []
        return taken


def say(messages: tuple[Message, ...]) -> None:
    """Say in this process what was said in another."""
    for level, text in messages:
        logging.getLogger(LIBRARY).log(level, "%s", text)
