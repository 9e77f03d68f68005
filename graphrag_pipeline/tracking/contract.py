"""What a tracker is told: that a run begins, what each step of it gave, and how it ended.

Everything is plain data that a tracker may keep. A tracker cannot change a result: what it returns is
ignored, and one that raises is left out for the rest of the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

RunKind: TypeAlias = Literal["evaluate", "sweep", "point"]
RunStatus: TypeAlias = Literal["finished", "failed", "interrupted"]


@dataclass(frozen=True, slots=True)
class TrackedRun:
    """A run that begins.

    Args:
        run_id: The same for the same inputs, at any time and place; a run that is tried again has it again.
        name: How people call it: the name of its directory.
        kind: What runs: one config (``evaluate``), many (``sweep``), or one of those many (``point``).
        config: The config in force as plain JSON data. What it asks of the environment is the ``${oc.env:…}``
            that asks, and what looks like a password is left out.
        tags: Digests and versions by name.
        steps: How many steps there will be; 0 when nobody knows.
        directory: Where its files are written while it runs; None when it has none of its own. It may be
            called otherwise at the end, or be gone.
        parent: ``run_id`` of the run that this one is a part of.
    """

    run_id: str
    name: str
    kind: RunKind = "evaluate"
    config: Mapping[str, Any] = field(default_factory=dict)  # Any: JSON
    tags: Mapping[str, str] = field(default_factory=dict)
    steps: int = 0
    directory: Path | None = None
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class TrackedStep:
    """A step that was done: a query of an evaluation, a point of a sweep.

    Args:
        number: Counts from 0.
        name: The query's id, or the point's name.
        status: ``done`` or ``failed``.
        values: Finite numbers by name; one that has no value is not there.
        seconds: How long it took.
        error: Why it failed; empty when it did not.
    """

    number: int
    name: str
    status: Literal["done", "failed"] = "done"
    values: Mapping[str, float] = field(default_factory=dict)
    seconds: float = 0.0
    error: str = ""


@dataclass(frozen=True, slots=True)
class TrackedEnd:
    """How a run ended.

    Args:
        status: ``finished`` when all was written, also where some queries failed; ``failed`` after an error,
            ``interrupted`` after Ctrl-C or the like.
        values: The means, by name, of a run that finished.
        manifest: Its manifest as JSON data; empty when it did not finish.
        directory: Where its files are; None when there are none.
        error: Why it did not finish.
    """

    status: RunStatus
    values: Mapping[str, float] = field(default_factory=dict)
    manifest: Mapping[str, Any] = field(default_factory=dict)  # Any: JSON
    directory: Path | None = None
    error: str = ""


class Tracker(Protocol):
    """Keeps what a run did where experiments are kept.

    Calls come from one thread. Runs may be nested: a sweep starts, then each of its points starts and ends,
    then the sweep ends. A process that is killed makes no last call, so what never ended has failed.
    """

    def start(self, run: TrackedRun) -> None:
        """Begin a run; one of the same ``run_id`` may have begun before, and failed."""
        ...

    def log(self, run: TrackedRun, step: TrackedStep) -> None:
        """Record a step of a run that has begun; steps come in order."""
        ...

    def finish(self, run: TrackedRun, end: TrackedEnd) -> None:
        """End a run that has begun. It is called once."""
        ...
