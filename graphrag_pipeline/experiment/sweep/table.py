"""The points of a sweep as a table for other programs."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

from graphrag_pipeline.experiment.run_directory import write_text
from graphrag_pipeline.experiment.sweep.standings import Standings

POINTS, FAILURES = "points.csv", "failures.jsonl"


def write_table(found: Standings, directory: Path) -> None:
    """Write ``points.csv``: one row a point, with its values, its means and its median time.

    It is replaced in one step. Numbers have all their digits; a mean over no query is empty.
    """
    beside = directory / f".{POINTS}"
    write_text(beside, points_csv(found))
    beside.replace(directory / POINTS)


def write_failures(found: Standings, directory: Path) -> None:
    """Write ``failures.jsonl``: a line for each reason why queries failed, how many rows, and the first.

    It is empty when none failed, and replaced in one step.
    """
    lines = [
        json.dumps(
            {**_told(failure.error), "rows": failure.rows, "point": failure.point, "query": failure.query},
            ensure_ascii=False,
        )
        for failure in found.failures
    ]
    beside = directory / f".{FAILURES}"
    write_text(beside, "".join(f"{line}\n" for line in lines))
    beside.replace(directory / FAILURES)


def first_failure(found: Standings) -> str:
    """Return what happened to the first query that failed; empty when none did."""
    return str(_told(found.failures[0].error).get("what", "")) if found.failures else ""


def _told(error: str) -> dict[str, Any]:  # Any: JSON
    try:
        told = json.loads(error)
    except ValueError:
        told = error
    return told if isinstance(told, dict) else {"what": str(told)}


def points_csv(found: Standings) -> str:
    """Return the points as CSV, by number."""
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(["point", "status", "failed", *found.keys, *found.measures, "seconds", "config"])
    means = found.means()
    for place, point in enumerate(found.points):
        numbers = [None if math.isnan(mean) else mean for mean in means[:, place].tolist()]
        seconds = None if math.isnan(point.seconds) else f"{point.seconds:.6f}"
        values = [point.values.get(key, "") for key in found.keys]
        writer.writerow([point.number, point.status, point.failed, *values, *numbers, seconds, point.config])
    return lines.getvalue()
