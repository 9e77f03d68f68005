"""A sweep from what is asked to rows in a store: configs checked, identity compared, stages planned, run."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from graphrag_pipeline.config.settings import Settings, recipe, recipe_yaml
from graphrag_pipeline.config.sweep_space import SweepPoint
from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.manifest import loaded_plugins, surroundings
from graphrag_pipeline.experiment.request import Request
from graphrag_pipeline.experiment.run_directory import MANIFEST, safe_name, write_json, write_text
from graphrag_pipeline.experiment.sweep.frozen import difference, tree_digest
from graphrag_pipeline.experiment.sweep.jobs import Task
from graphrag_pipeline.experiment.sweep.results import STORE
from graphrag_pipeline.experiment.sweep.running import Plan, Progress, open_tasks, plan_of, run
from graphrag_pipeline.experiment.sweep.sharding import SHARDS, Launching, Part, gather, run_sharded
from graphrag_pipeline.experiment.sweep.store import Layout, Store, StoredPoint
from graphrag_pipeline.experiment.sweep.workshop import Workshop, space_of
from graphrag_pipeline.plugin.host import PluginHost

KIND = "graphrag-pipeline sweep"
FORMAT = 1
"""Version of a sweep's directory."""
FIRST, STUDY, SHARED = "config.yaml", "study.journal", ".index"
"""In a sweep's directory: its first config, a sampler's study, and compiled graphs that processes share."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """Points whose configs are checked.

    Args:
        points: The points.
        workshop: Their configs.
        noted: What the store keeps of them.
    """

    points: tuple[SweepPoint, ...]
    workshop: Workshop
    noted: tuple[StoredPoint, ...]


class Conductor:
    """A sweep that was asked for; its store is open inside :meth:`opened`.

    Args:
        request: What is asked.
        host: Where components come from.

    Raises:
        ConfigError: What is swept cannot be read.
    """

    def __init__(self, request: Request, host: PluginHost) -> None:
        self.request = request
        self.host = host
        self.space = space_of(request, host)
        self._first: Settings | None = None
        self._store: Store | None = None
        self._directory = Path()

    @property
    def directory(self) -> Path:
        """Where the sweep is, once it is open."""
        return self._directory

    @property
    def store(self) -> Store:
        """The open store."""
        assert self._store is not None, "it is open inside `opened`"
        return self._store

    @property
    def first(self) -> Settings:
        """The config of the first point that was prepared; of others, what differs from it is kept."""
        assert self._first is not None, "points are prepared first"
        return self._first

    @property
    def manifest(self) -> dict[str, Any]:  # Any: JSON
        """The manifest of the open sweep."""
        manifest: dict[str, Any] = json.loads((self.directory / MANIFEST).read_text("utf-8"))
        return manifest

    def any_point(self) -> SweepPoint:
        """Return the point with the first value of each key; of an interval, its lower end."""
        return self.space.point(0, {axis.key: axis.first() for axis in self.space.axes})

    def prepare(self, points: Sequence[SweepPoint]) -> Prepared:
        """Make the configs of some points.

        Raises:
            ConfigError: Points are invalid; it tells everything that is wrong with any of them.
        """
        noted: list[StoredPoint] = []

        def note(point: SweepPoint, settings: Settings) -> None:
            self._first = self._first or settings
            tree = recipe(settings)
            patch = json.dumps(difference(recipe(self._first), tree))
            digest = tree_digest(tree)
            noted.append(StoredPoint(point.number, dict(point.values), digest, point.overrides, patch))

        workshop = Workshop(self.request, self.space, self.host, points, note)
        return Prepared(tuple(points), workshop, tuple(noted))

    @contextmanager
    def opened(
        self,
        prepared: Prepared,
        directory: Path,
        about: Mapping[str, Any],  # Any: JSON
        *,
        force_new: bool,
    ) -> Iterator[None]:
        """Open the store, or make it, while the body runs.

        Args:
            prepared: The first points; their graph is the one that the store is held to.
            directory: Where the sweep is.
            about: How points are chosen.
            force_new: Whether to throw away what is there.

        Raises:
            DatasetError: Something else is there, or a sweep of other code, plugins or data.
        """
        refuse_stranger(directory)
        found = self._identity(prepared, about)
        directory.mkdir(parents=True, exist_ok=True)
        if force_new:
            (directory / STUDY).unlink(missing_ok=True)
        with Store.open(directory / STORE, found, self._layout(prepared), force_new=force_new) as store:
            self._store, self._directory = store, directory
            if force_new or not (directory / MANIFEST).is_file():
                self._describe(prepared, found)
            try:
                yield
            finally:
                self._store = None
                shutil.rmtree(directory / SHARED, ignore_errors=True)

    def open_tasks(self, prepared: Prepared) -> tuple[list[Task], Plan]:
        """Note points in the store, and return what is not answered yet, and what it takes.

        Raises:
            DatasetError: The store has other configs under their numbers.
        """
        self.store.add_points(prepared.noted)
        # Parts that a launcher ran before the sweep was stopped.
        gather(self.directory / SHARDS, self.manifest["identity"], self.store)
        tasks = open_tasks(prepared.workshop, self.store)
        return tasks, plan_of(prepared.workshop, tasks)

    def run_sharded(self, prepared: Prepared, tasks: Sequence[Task], launching: Launching) -> int:
        """Answer what is not answered yet in parts, by a launcher; see :meth:`run`."""
        part = Part(
            request=self.request,
            points=prepared.points,
            tasks=tuple(tasks),
            directory=str((self.directory / SHARDS).absolute()),
            identity=self.manifest["identity"],
            layout=self.store.layout,
            of=launching.shards,
        )
        return run_sharded(part, launching, self.store)

    def run(self, prepared: Prepared, tasks: Sequence[Task], *, jobs: int, progress: Progress) -> int:
        """Answer what is not answered yet, and return how many executions of stages it took."""
        request = self.request
        if jobs > 1 and len(tasks) > 1:
            # Compiled once and mapped into memory by all, also a graph too small to be kept otherwise.
            request = request.sharing(self.directory / SHARED)
            prepared.workshop.keep_in(request.index)
        return run(
            request, prepared.workshop, prepared.points, self.store, tasks, jobs=jobs, progress=progress
        )

    def _identity(self, prepared: Prepared, about: Mapping[str, Any]) -> dict[str, Any]:  # Any: JSON
        workshop, request = prepared.workshop, self.request
        plugins = loaded_plugins(self.host)
        return {
            "overrides": list(request.asked),
            "measures": list(request.measures),
            "depth": request.depth,
            "first config": tree_digest(recipe(self.first)),
            "dataset": workshop.dataset.digest,
            "graph": workshop.answering(0).pipeline.index.digest,
            "plugins": {plugin["name"]: plugin["digest"] or plugin["version"] for plugin in plugins},
            **about,
        }

    def _layout(self, prepared: Prepared) -> Layout:
        dataset = prepared.workshop.dataset
        queries = tuple(question.query_id for question in dataset.questions)
        return Layout(dataset.name, self.space.keys, queries, self.request.measures)

    def _describe(self, prepared: Prepared, found: Mapping[str, Any]) -> None:  # Any: JSON
        workshop = prepared.workshop
        questions = workshop.dataset.questions
        write_text(self.directory / FIRST, recipe_yaml(self.first))
        write_json(
            self.directory / MANIFEST,
            {
                "kind": KIND,
                "format": FORMAT,
                "digest": _digest(found),
                "keys": list(self.space.keys),
                "dataset": {
                    "name": workshop.dataset.name,
                    "queries": len(questions),
                    "digest": found["dataset"],
                },
                "request": asdict(self.request.shown()),
                "identity": dict(found),
                "plugins": list(loaded_plugins(self.host)),
                **surroundings(),
            },
        )


def _digest(found: Mapping[str, Any]) -> str:  # Any: JSON
    return hashlib.sha256(json.dumps(found, sort_keys=True).encode("ascii")).hexdigest()


def default_directory(request: Request, dataset: str) -> Path:
    """Return the directory of a sweep that names none: the same command comes back to it."""
    asked = json.dumps(asdict(request.shown()), sort_keys=True)
    digest = hashlib.sha256(asked.encode("ascii")).hexdigest()
    return Path("sweeps") / f"{safe_name(dataset, 'sweep')}-{digest[:8]}"


def refuse_stranger(directory: Path) -> None:
    """Refuse a directory that is neither a sweep, nor empty, nor yet to be made.

    Raises:
        DatasetError: Something else is there.
    """
    if directory.exists() and not directory.is_dir():
        raise DatasetError("There is a file of that name.", where=str(directory), hint="--output DIR")
    if directory.is_dir() and any(directory.iterdir()) and not (directory / STORE).is_file():
        raise DatasetError(
            "There is something else than a sweep.",
            where=str(directory),
            hint="Choose another: --output DIR.",
        )
