"""Running a sweep in parts, by a Hydra launcher: each part answers its share of the queries."""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from graphrag_pipeline.config.launching import launch
from graphrag_pipeline.config.sweep_space import SweepPoint
from graphrag_pipeline.experiment.messages import LIBRARY, Message, Messages, say
from graphrag_pipeline.experiment.request import Request
from graphrag_pipeline.experiment.sweep.answering import unanswered
from graphrag_pipeline.experiment.sweep.jobs import Task
from graphrag_pipeline.experiment.sweep.results import STORE
from graphrag_pipeline.experiment.sweep.running import run
from graphrag_pipeline.experiment.sweep.store import Layout, Store
from graphrag_pipeline.experiment.sweep.store_reading import IDENTITY, about_of, batches_of, reading
from graphrag_pipeline.experiment.sweep.store_records import unpacked
from graphrag_pipeline.experiment.sweep.workshop import Workshop, space_of

SHARDS = "shards"
"""Directory of the parts, inside a sweep's own; it is gone when their rows are in its store."""


@dataclass(frozen=True, slots=True)
class Part:
    """What every part of a sweep is told.

    Args:
        request: The sweep.
        points: Its configs.
        tasks: What all parts answer together.
        directory: Where each part has a store.
        identity: What the rows depend on.
        layout: What their numbers are of.
        of: How many parts there are.
    """

    request: Request
    points: tuple[SweepPoint, ...]
    tasks: tuple[Task, ...]
    directory: str
    identity: Mapping[str, Any]  # Any: JSON
    layout: Layout
    of: int


@dataclass(frozen=True, slots=True)
class Launching:
    """By what a sweep runs in parts.

    Args:
        launcher: Hydra's launcher.
        shards: How many parts.
        overrides: Of the launcher.
    """

    launcher: str
    shards: int
    overrides: tuple[str, ...] = ()


def run_sharded(part: Part, launching: Launching, store: Store) -> int:
    """Run every part, and put their rows into one store; return how many executions of stages it took."""
    directory = Path(part.directory)
    done = launch(
        launching.shards,
        partial(run_part, part),
        directory=directory,
        launcher=launching.launcher,
        overrides=launching.overrides,
    )
    gather(directory, part.identity, store)
    for _, messages in done:
        say(messages)
    return sum(executions for executions, _ in done)


def run_part(part: Part, number: int) -> tuple[int, tuple[Message, ...]]:
    """Answer the share of one part, in whatever process or on whatever machine.

    Returns:
        How many executions of stages it took, and what the library said.
    """
    messages = Messages()
    logger = logging.getLogger(LIBRARY)
    before, logger.handlers[:] = logger.handlers[:], [messages]
    try:
        return _run_part(part, number), messages.taken()
    finally:
        logger.handlers[:] = before


def _run_part(part: Part, number: int) -> int:
    host = part.request.host()
    workshop = Workshop(part.request, space_of(part.request, host), host, part.points)
    path = _store_of(Path(part.directory), number)
    with Store.open(path, part.identity, part.layout) as store:
        tasks = part.tasks[number :: part.of]
        return run(part.request, workshop, part.points, store, tasks, jobs=1, progress=_silent)


def _silent(done: int, total: int) -> None:
    """Tell nobody: a part may run where there is no terminal."""


def gather(directory: Path, identity: Mapping[str, Any], store: Store) -> None:  # Any: JSON
    """Put the rows of all parts into a store, and let the parts go.

    Parts of another sweep, which was thrown away since, are let go as they are.

    Args:
        directory: Where the parts are; it need not be there.
        identity: What the rows of the store depend on.
        store: Where rows go.

    Raises:
        DatasetError: A part is damaged.
    """
    for path in sorted(directory.glob(f"*/{STORE}")):
        with reading(path) as connection:
            if about_of(connection, path, IDENTITY) != json.loads(json.dumps(identity)):
                continue
            for query in range(len(store.layout.queries)):
                rows = [unpacked(row) for batch in batches_of(connection, path, query) for row in batch]
                store.write(query, unanswered(rows, store.done(query)))
    shutil.rmtree(directory, ignore_errors=True)


def _store_of(directory: Path, number: int) -> Path:
    path = directory / f"part-{number}" / STORE
    path.parent.mkdir(parents=True, exist_ok=True)
    return path
