"""The points of a sweep as a table for other programs."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path

from graphrag_pipeline.experiment.run_directory import write_text
from graphrag_pipeline.experiment.sweep.standings import Standings

POINTS = "points.csv"


def write_table(found: Standings, directory: Path) -> None:
    """Write ``points.csv``: one row a point, with its values, its means and its median time.

    It is replaced in one step. Numbers have all their digits; a mean over no query is empty.
    """
    beside = directory / f".{POINTS}"
    write_text(beside, points_csv(found))
    beside.replace(directory / POINTS)


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
