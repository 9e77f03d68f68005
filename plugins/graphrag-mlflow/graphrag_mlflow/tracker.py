"""The tracker."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from pydantic import Field

from graphrag_mlflow.artefacts import files_of
from graphrag_mlflow.calling import short_patience
from graphrag_mlflow.credentials import fault
from graphrag_mlflow.earlier import PROCESS, RUN, attempt_to_continue, this_process
from graphrag_mlflow.names import (
    LONGEST_TAG,
    METRICS_AT_ONCE,
    PARAMS_AT_ONCE,
    flat_config,
    metric_name,
    shortened,
)
from graphrag_pipeline import Component, Params

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Metric, Run, RunTag

    from graphrag_pipeline import TrackedEnd, TrackedRun, TrackedStep

EXPERIMENT = "graphrag-pipeline"
PERIOD = 5.0
"""Most seconds that metrics wait before they are sent."""
MEGABYTE = 1_000_000


class MlflowParams(Params):
    """Where runs are kept, and what of them."""

    tracking_uri: str | None = Field(default=None, min_length=1)
    """The store, ``https://…`` or ``sqlite:///FILE``; null means MLFLOW_TRACKING_URI, or MLflow's own."""
    experiment: str | None = Field(default=None, min_length=1)
    """Name of the experiment; null means MLFLOW_EXPERIMENT_NAME, or else ``graphrag-pipeline``."""
    artifact_location: str | None = Field(default=None, min_length=1)
    """Where files of an experiment that does not exist yet will be kept; null leaves it to the store."""
    steps: bool = True
    """Metrics of each query, beside the means."""
    artefacts: bool = True
    """The files of the run."""
    max_artefact_mb: float = Field(default=50, gt=0)
    """Files larger than this are left out, and counted in a tag."""
    timeout_s: float = Field(default=5, ge=1)
    """Seconds for one call of a server."""
    retries: int = Field(default=1, ge=0, le=20)
    """How often a call that a server does not answer is tried again."""
    tags: dict[str, str] = Field(default_factory=dict)
    """More tags for each run."""


@dataclass(slots=True)
class OpenRun:
    """A run of MLflow that is written.

    Args:
        mlflow_id: What MLflow calls it.
        waiting: Metrics that are not sent yet.
        sent: When the last were, as a monotonic time.
        is_continued: Whether it was there before.
    """

    mlflow_id: str
    waiting: list[Metric] = field(default_factory=list)
    sent: float = field(default_factory=time.monotonic)
    is_continued: bool = False


class Mlflow(Component[MlflowParams]):
    """Params are the config, metrics the means and each query's values, artefacts the files of the run.

    Args:
        params: Where runs are kept, and what of them.
    """

    name = "mlflow"
    Params = MlflowParams

    def __init__(self, params: MlflowParams | None = None) -> None:
        super().__init__(params)
        self._client: MlflowClient | None = None
        self._experiment = ""
        self._open: dict[str, OpenRun] = {}

    def start(self, run: TrackedRun) -> None:
        """Make the run, or go on in the one of an attempt that failed."""
        with self._called() as client:
            config = flat_config(run.config)
            tags = self._tags(run, config.cut)
            before = self._earlier(client, run, config.params)
            if before is None:
                made = client.create_run(self._experiment_id(client), tags=tags, run_name=run.name)
                into, new = OpenRun(made.info.run_id), dict(config.params)
            else:
                into = OpenRun(before.info.run_id, is_continued=True)
                client.update_run(into.mlflow_id, status="RUNNING", name=run.name)
                attempts = before.data.tags.get("graphrag.attempts", "1")
                tags["graphrag.attempts"] = str(int(attempts) + 1 if attempts.isdecimal() else 2)
                new = {name: value for name, value in config.params.items() if name not in before.data.params}
            self._open[run.run_id] = into
            _log_params(client, into.mlflow_id, new)
            if before is not None:
                _log_tags(client, into.mlflow_id, tags)

    def log(self, run: TrackedRun, step: TrackedStep) -> None:
        """Keep the values of a step, and send them with those of others."""
        if not self.params.steps:
            return
        from mlflow.entities import Metric

        into, now = self._open[run.run_id], int(time.time() * 1000)
        values = {**step.values, "seconds": step.seconds, "failed": float(step.status == "failed")}
        into.waiting += [
            Metric(metric_name(f"query/{name}"), value, now, step.number) for name, value in values.items()
        ]
        if len(into.waiting) >= METRICS_AT_ONCE or time.monotonic() - into.sent > PERIOD:
            with self._called() as client:
                _send(client, into)

    def finish(self, run: TrackedRun, end: TrackedEnd) -> None:
        """Send what is left and say how the run ended: only one that finished is ``FINISHED``."""
        into = self._open.pop(run.run_id)
        with self._called() as client:
            try:
                from mlflow.entities import Metric

                now = int(time.time() * 1000)
                into.waiting += [
                    Metric(metric_name(name), value, now, 0) for name, value in end.values.items()
                ]
                _send(client, into, _end_tags(end))
                if self.params.artefacts and end.directory is not None:
                    self._send_files(client, into.mlflow_id, end.directory)
            except BaseException:
                client.set_terminated(into.mlflow_id, "FAILED")
                raise
            client.set_terminated(into.mlflow_id, "FINISHED" if end.status == "finished" else "FAILED")

    @contextmanager
    def _called(self) -> Iterator[MlflowClient]:
        with short_patience(self.params.timeout_s, self.params.retries):
            if self._client is None:
                if told := fault(self.params.tracking_uri):
                    raise ValueError(told)
                from mlflow import MlflowClient

                self._client = MlflowClient(tracking_uri=self.params.tracking_uri)
            yield self._client

    def _earlier(self, client: MlflowClient, run: TrackedRun, params: Mapping[str, str]) -> Run | None:
        """Return the run to go on in; inside a new run there can be none."""
        parent = self._open.get(run.parent or "")
        if parent is not None and not parent.is_continued:
            return None
        same = f"tags.`{RUN}` = '{_quoted(run.run_id)}'"
        return attempt_to_continue(client.search_runs([self._experiment_id(client)], same), params)

    def _experiment_id(self, client: MlflowClient) -> str:
        if not self._experiment:
            name = self.params.experiment or os.environ.get("MLFLOW_EXPERIMENT_NAME") or EXPERIMENT
            found = client.get_experiment_by_name(name)
            if found is not None:
                self._experiment = found.experiment_id
            else:
                self._experiment = client.create_experiment(name, self.params.artifact_location)
        return self._experiment

    def _tags(self, run: TrackedRun, cut: tuple[str, ...]) -> dict[str, str]:
        tags = {metric_name(name): value for name, value in self.params.tags.items()}
        tags |= {f"graphrag.{metric_name(name)}": value for name, value in run.tags.items()}
        tags |= {RUN: run.run_id, PROCESS: this_process(), "graphrag.kind": run.kind}
        tags["graphrag.params_cut"] = f"{len(cut)}: {', '.join(cut)}" if cut else "0"
        parent = self._open.get(run.parent or "")
        if parent is not None:
            tags["mlflow.parentRunId"] = parent.mlflow_id
        return {name: shortened(value, LONGEST_TAG) for name, value in tags.items()}

    def _send_files(self, client: MlflowClient, mlflow_id: str, directory: Path) -> None:
        left: list[str] = []
        for path, folder in files_of(directory):
            if path.stat().st_size > self.params.max_artefact_mb * MEGABYTE:
                left.append(path.relative_to(directory).as_posix())
            else:
                client.log_artifact(mlflow_id, str(path), folder)
        text = f"{len(left)}: {', '.join(left)}" if left else "0"
        _log_tags(client, mlflow_id, {"graphrag.artefacts_left_out": text})


def _quoted(text: str) -> str:
    # MLflow's filters know no escape; a digest needs none.
    return text.replace("'", "_")


def _end_tags(end: TrackedEnd) -> Mapping[str, str]:
    tags: dict[str, str] = {"graphrag.ended": end.status}
    if end.error:
        tags["graphrag.error"] = end.error
    versions = end.manifest.get("versions")
    if isinstance(versions, Mapping):
        tags["graphrag.version"] = str(versions.get("graphrag-pipeline", ""))
    plugins = end.manifest.get("plugins")
    if isinstance(plugins, list):
        described = [f"{each.get('name')} {each.get('version')} {each.get('digest')}" for each in plugins]
        tags["graphrag.plugins"] = "; ".join(described)
    return tags


def _log_params(client: MlflowClient, mlflow_id: str, params: Mapping[str, str]) -> None:
    from mlflow.entities import Param

    every = [Param(name, value) for name, value in params.items()]
    for start in range(0, len(every), PARAMS_AT_ONCE):
        client.log_batch(mlflow_id, params=every[start : start + PARAMS_AT_ONCE])


def _log_tags(client: MlflowClient, mlflow_id: str, tags: Mapping[str, str]) -> None:
    every = _run_tags(tags)
    for start in range(0, len(every), PARAMS_AT_ONCE):
        client.log_batch(mlflow_id, tags=every[start : start + PARAMS_AT_ONCE])


def _run_tags(tags: Mapping[str, str]) -> list[RunTag]:
    from mlflow.entities import RunTag

    return [RunTag(name, shortened(value, LONGEST_TAG)) for name, value in tags.items()]


def _send(client: MlflowClient, into: OpenRun, tags: Mapping[str, str] = MappingProxyType({})) -> None:
    """Send the metrics that wait, and a few tags with the last of them."""
    # One call takes as many entities in all as it takes metrics; a store is asked once for each.
    most = METRICS_AT_ONCE - PARAMS_AT_ONCE
    while len(into.waiting) > most:
        client.log_batch(into.mlflow_id, metrics=into.waiting[:most])
        del into.waiting[:most]
    if into.waiting or tags:
        client.log_batch(into.mlflow_id, metrics=into.waiting, tags=_run_tags(tags))
    into.waiting.clear()
    into.sent = time.monotonic()
