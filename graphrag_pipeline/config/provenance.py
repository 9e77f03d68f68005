"""Where a configured value comes from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Origin:
    """The place that set a value.

    Args:
        source: A file, an override as it was typed, or the component whose default it is.
        line: Line in the file, from 1; 0 where there is none.
    """

    source: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.source}:{self.line}" if self.line else self.source

    @classmethod
    def of_override(cls, text: str) -> Origin:
        """Return the origin of a value given on the command line or to the library."""
        return cls(f"override '{text}'")

    @property
    def is_override(self) -> bool:
        """Whether the user said so in this call; no file does, whatever it is called."""
        return not self.line and self.source.startswith("override '")

    @classmethod
    def of_default(cls, component: str) -> Origin:
        """Return the origin of a value nobody set."""
        return cls(f"default of {component}")


@dataclass(frozen=True, slots=True)
class Choice:
    """The option chosen for a config group."""

    option: str
    origin: Origin
