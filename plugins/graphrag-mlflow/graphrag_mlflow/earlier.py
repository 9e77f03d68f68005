"""Finding the MLflow run of an earlier attempt at the same run, so that a retry goes on in it."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mlflow.entities import Run

RUN = "graphrag.run"
"""The tag that holds the id of a run, which is the same for the same inputs."""
PROCESS = "graphrag.process"
"""The tag that holds who writes a run."""


def this_process() -> str:
    """Return a mark of this process that gives no machine's name away."""
    return f"{_machine()}:{os.getpid()}"


def attempt_to_continue(found: Iterable[Run], params: Mapping[str, str]) -> Run | None:
    """Return the newest run that was not finished, that nobody writes any more, and whose params are these.

    A run that MLflow says is running is dead when its process was on this machine and is gone: it was killed.

    Args:
        found: Runs with the same id, the newest first.
        params: The params that will be logged; MLflow refuses other values for the same name.
    """
    for run in found:
        if run.info.status == "FINISHED":
            continue
        if run.info.status == "RUNNING" and not _is_gone(run.data.tags.get(PROCESS, "")):
            continue
        if all(params.get(name) == value for name, value in run.data.params.items()):
            return run
    return None


def _machine() -> str:
    return hashlib.sha256(platform.node().encode("utf-8", "replace")).hexdigest()[:12]


def _is_gone(process: str) -> bool:
    machine, _, number = process.partition(":")
    # Elsewhere, and on Windows, where signal 0 ends a process, nobody can tell.
    if machine != _machine() or not number.isdecimal() or os.name == "nt":
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False
