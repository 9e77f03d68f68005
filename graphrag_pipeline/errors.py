"""The errors a caller can catch: one root, one child per kind of cause.

Every error says what happened, where, and what to do next. The command line prints that and
nothing else; the exception that led to it stays reachable as ``__cause__``.
"""

from __future__ import annotations

import errno
from collections.abc import Sequence
from dataclasses import dataclass


class GraphRAGError(Exception):
    """Root of every error this package raises on purpose.

    Args:
        what: One sentence saying what happened.
        where: The place: ``file:line``, a config key, a slot, a plugin.
        hint: What to do next.
    """

    def __init__(self, what: str, *, where: str = "", hint: str = "") -> None:
        self.what = what
        self.where = where
        self.hint = hint
        super().__init__(what, where, hint)

    def __str__(self) -> str:
        lines = [self.what]
        if self.where:
            lines.append(f"  where: {self.where}")
        if self.hint:
            lines.append(f"  hint:  {self.hint}")
        return "\n".join(lines)

    def __reduce__(self) -> tuple[object, ...]:
        # Worker processes send errors back by pickle; keyword arguments need help to survive it.
        return (_rebuild, (type(self), self.args, self.__dict__.copy()))


def _rebuild(kind: type[GraphRAGError], args: tuple[object, ...], state: dict[str, object]) -> GraphRAGError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(state)
    return error


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake in a configuration.

    Args:
        key: Dotted config key, for example ``context.max_tokens``.
        what: What is wrong with it.
        origin: The file and line, override or default that set it.
        hint: The nearest valid name, the valid range, or the command to run.
    """

    key: str
    what: str
    origin: str = ""
    hint: str = ""

    def __str__(self) -> str:
        text = f"{self.key}: {self.what}" if self.key else self.what
        if self.origin:
            text += f"\n    set by: {self.origin}"
        if self.hint:
            text += f"\n    hint:   {self.hint}"
        return text


class ConfigError(GraphRAGError):
    """The configuration is wrong; ``problems`` lists every mistake found."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        count = len(self.problems)
        head = "The configuration is wrong" if count == 1 else f"The configuration has {count} mistakes"
        body = "\n".join(f"  {problem}" for problem in self.problems)
        super().__init__(f"{head}:\n{body}")


class PluginError(GraphRAGError):
    """A plugin could not be loaded, or breaks its contract."""


class GraphSourceError(GraphRAGError):
    """A graph or persona source could not be read."""


class StageError(GraphRAGError):
    """A stage failed while a query ran, or returned something its contract forbids."""


class DatasetError(GraphRAGError):
    """A question set or its judgements could not be read."""


class OutputError(DatasetError):
    """What came out could not be written: there is no room for it, or the disk fails."""


class LostProcessError(GraphRAGError):
    """A process that worked for this one ended before its time."""


NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What the system says where there is no room for more."""
