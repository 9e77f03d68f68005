"""What trackers are told of a sweep: it is a run, and each of its configs is a run inside it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from graphrag_pipeline.experiment.run_directory import MANIFEST
from graphrag_pipeline.experiment.sweep.results import PointResult
from graphrag_pipeline.experiment.sweep.standings import Standings
from graphrag_pipeline.experiment.trackers.tracking import Tracking
from graphrag_pipeline.tracking.contract import TrackedEnd, TrackedRun
from graphrag_pipeline.tracking.redaction import override_without_secrets, without_secrets


def tracked_sweep(manifest: dict[str, Any], name: str, directory: Path) -> TrackedRun:  # Any: JSON
    """Return what trackers are told when a sweep begins.

    Args:
        manifest: The sweep's.
        name: How people call it.
        directory: Where its files are.
    """
    identity = manifest["identity"]
    return TrackedRun(
        run_id=str(manifest["digest"]),
        name=name,
        kind="sweep",
        config={
            "keys": manifest["keys"],
            "overrides": [override_without_secrets(text) for text in identity["overrides"]],
        },
        tags={key: str(identity[key]) for key in ("graph", "dataset", "first config")},
        directory=directory,
    )


def tell_points(tracking: Tracking, sweep: TrackedRun, found: Standings) -> None:
    """Tell of every config that has run: what was swept, and its means."""
    if not tracking.active:
        return
    means = found.means()
    for place, point in enumerate(found.points):
        if point.status == "unfinished":
            continue
        values = dict(zip(found.measures, means[:, place].tolist(), strict=True))
        values |= {"seconds": point.seconds, "failed": float(point.failed)}
        _tell_point(tracking, sweep, point, {name: x for name, x in values.items() if math.isfinite(x)})


def _tell_point(tracking: Tracking, sweep: TrackedRun, point: PointResult, values: dict[str, float]) -> None:
    run = TrackedRun(
        run_id=f"{sweep.run_id}-{point.number}",
        name=f"{sweep.name}-{point.number}",
        kind="point",
        config=without_secrets(point.values),
        tags={"config": point.config},
        parent=sweep.run_id,
    )
    tracking.start(run)
    if point.status == "failed":
        tracking.finish(run, TrackedEnd("failed", values, error="every query failed"))
    else:
        tracking.finish(run, TrackedEnd("finished", values))


def finished_sweep(found: Standings) -> TrackedEnd:
    """Return how a sweep ended whose configs have all run."""
    manifest = json.loads((found.directory / MANIFEST).read_text("utf-8"))
    counts = {
        "configs": float(len(found.points)),
        "queries": float(len(found.queries)),
        "failed": float(sum(point.failed for point in found.points)),
    }
    return TrackedEnd("finished", counts, manifest, found.directory)
