"""What trackers are told of an evaluation."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from graphrag_pipeline.config.settings import Settings
from graphrag_pipeline.config.trackers import without_trackers
from graphrag_pipeline.experiment.answers import Row
from graphrag_pipeline.experiment.manifest import KIND, Inputs
from graphrag_pipeline.experiment.run_directory import MANIFEST, beside, write_json
from graphrag_pipeline.experiment.run_files import TRACKER_FILES, WRITTEN
from graphrag_pipeline.experiment.summary import GRAPH_VALUES, Summary
from graphrag_pipeline.experiment.trackers.tracking import TrackerState, Tracking
from graphrag_pipeline.tracking.contract import TrackedEnd, TrackedRun, TrackedStep
from graphrag_pipeline.tracking.redaction import without_secrets


def tracked_evaluation(
    settings: Settings, inputs: Inputs, name: str, queries: int, directory: Path
) -> TrackedRun:
    """Return what trackers are told when an evaluation begins.

    Args:
        settings: The config.
        inputs: What the run is made from; its digest is the run's id.
        name: How people call the run.
        queries: How many there are.
        directory: Where files are written while it runs.
    """
    return TrackedRun(
        run_id=inputs.digest,
        name=name,
        kind="evaluate",
        config=tracked_config(settings),
        tags={"config": inputs.config, "graph": inputs.graph, "dataset": inputs.dataset},
        steps=queries,
        directory=directory,
    )


def tracked_config(settings: Settings) -> Mapping[str, Any]:  # Any: JSON
    """Return the config as trackers are told it: what results depend on, without secrets."""
    config: Mapping[str, Any] = without_secrets(without_trackers(settings.tree))
    return config


def tracked_rows(
    tracking: Tracking, run: TrackedRun, rows: Iterable[Row], measures: Sequence[str]
) -> Iterator[Row]:
    """Yield the rows as they are, and tell of each."""
    for number, row in enumerate(rows):
        if tracking.active:
            tracking.log(run, _step(number, row, measures))
        yield row


def finished(summary: Summary, directory: Path) -> TrackedEnd:
    """Return how an evaluation ended whose files are all there."""
    means = {**summary.measures, **summary.graph}
    values = {name: mean.mean for name, mean in means.items() if mean.mean is not None}
    counts = {"queries": summary.queries, "judged": summary.judged, "failed": len(summary.failed)}
    manifest = json.loads((directory / MANIFEST).read_text("utf-8"))
    return TrackedEnd("finished", {**values, **counts}, manifest, directory)


def record_trackers(directory: Path, states: Sequence[TrackerState]) -> None:
    """Write into a manifest what became of each tracker, and of a run which files they wrote, in one step."""
    path, new = directory / MANIFEST, directory / beside(MANIFEST)
    manifest = json.loads(path.read_text("utf-8"))
    manifest["trackers"] = [{"name": state.name, "error": state.error or None} for state in states]
    if manifest["kind"] == KIND:
        # The run has just been made: nobody else has written into its directory yet.
        there = {entry.name for entry in directory.iterdir()}
        manifest[TRACKER_FILES] = sorted(there - {*WRITTEN, MANIFEST})
    write_json(new, manifest)
    new.replace(path)


def _step(number: int, row: Row, measures: Sequence[str]) -> TrackedStep:
    answer, failure = row.answer, row.answer.failure
    # A query that is not judged has no measures.
    values: dict[str, float | None] = dict(zip(measures, row.values or (), strict=False))
    values |= {name: getattr(answer.graph, name) for name in GRAPH_VALUES}
    return TrackedStep(
        number,
        answer.question.query_id,
        "failed" if failure else "done",
        {name: value for name, value in values.items() if value is not None and math.isfinite(value)},
        answer.seconds,
        failure.what if failure else "",
    )
