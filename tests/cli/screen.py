"""A terminal to write to."""

from __future__ import annotations

import io


class Screen(io.StringIO):
    """Keeps what is written, and says that it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        """Whether people look at it."""
        return True
