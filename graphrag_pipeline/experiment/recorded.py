"""Reading what a run recorded, strictly: a report of a damaged run would be believed."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.datasets.lines import as_dataset_errors
from graphrag_pipeline.experiment.manifest import FORMAT
from graphrag_pipeline.experiment.run_directory import MANIFEST
from graphrag_pipeline.experiment.run_files import TIMINGS
from graphrag_pipeline.graph.reading.files import read_json, read_text

RUN, SWEEP = "graphrag-pipeline run", "graphrag-pipeline sweep"
NEITHER = "Give the directory that `graphrag-pipeline evaluate` or `graphrag-pipeline sweep` wrote."
CONFIG = "config.yaml"
WORDS = ("query", "kind", "status")
SECONDS = "seconds"

# Any throughout: JSON data of a file.


@dataclass(frozen=True, slots=True)
class QueryRow:
    """One query of a run.

    Args:
        query: Its id.
        kind: What sort of question it is.
        status: ``done`` or ``failed``.
        values: In the order of the columns; NaN where there is none.
        seconds: Wall time; NaN when it is not known.
    """

    query: str
    kind: str
    status: str
    values: tuple[float, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run as its directory holds it.

    Args:
        directory: Where it is.
        manifest: What it was made from.
        metrics: Counts, means and findings.
        columns: Names of the values, measures first.
        rows: The queries, in order.
        failures: What went wrong, by query.
        timings: Seconds by slot, and by query and step where they were kept; empty where they were not read.
        config: The config in force, as YAML.
        csv: The rows as they are on disk.
    """

    directory: Path
    manifest: Mapping[str, Any]
    metrics: Mapping[str, Any]
    columns: tuple[str, ...]
    rows: tuple[QueryRow, ...]
    failures: Mapping[str, str]
    timings: Mapping[str, Any]
    config: str
    csv: str

    @property
    def measures(self) -> tuple[str, ...]:
        """Names of the measures of rankings."""
        named = texts(self.manifest.get("measures"))
        return tuple(name for name in self.columns if name in named)

    def column(self, name: str) -> tuple[float, ...]:
        """Return a value of every query."""
        place = self.columns.index(name)
        return tuple(row.values[place] for row in self.rows)


def read_manifest(directory: Path) -> Mapping[str, Any]:
    """Return the manifest of a run or a sweep.

    Raises:
        DatasetError: The directory is something else, or a newer version wrote it.
    """
    if not (directory / MANIFEST).is_file():
        what = "This is no directory of a run." if directory.is_dir() else "There is no such directory."
        raise DatasetError(what, where=str(directory), hint=NEITHER)
    manifest = _object(directory / MANIFEST)
    if manifest.get("kind") not in (RUN, SWEEP):
        raise DatasetError(
            "This is no directory of a run or a sweep.", where=str(directory / MANIFEST), hint=NEITHER
        )
    version = manifest.get("format")
    if manifest["kind"] == RUN and (not isinstance(version, int) or version > FORMAT):
        raise DatasetError(
            f"The run has format {version!r:.40}; this version reads up to {FORMAT}.",
            where=str(directory / MANIFEST),
            hint="Use the version of graphrag-pipeline that wrote it, or a newer one.",
        )
    return manifest


def read_run_record(directory: Path, *, times: bool = True) -> RunRecord:
    """Read a run.

    Args:
        directory: Where it is.
        times: Whether to read where the time went; without, there are no timings.

    Raises:
        DatasetError: It is no run, a file is missing or wrong, or a newer version wrote it.
    """
    manifest = read_manifest(directory)
    with as_dataset_errors():
        text = read_text(directory / "queries.csv")
        config = read_text(directory / CONFIG)
    columns, rows = _rows(text, directory / "queries.csv")
    named = texts(manifest.get("measures"))
    first = tuple(name for name in columns if name in named)
    order = (*first, *(name for name in columns if name not in named))
    places = [columns.index(name) for name in order]
    rows = tuple(
        QueryRow(row.query, row.kind, row.status, tuple(row.values[place] for place in places), row.seconds)
        for row in rows
    )
    return RunRecord(
        directory,
        manifest,
        _object(directory / "metrics.json"),
        order,
        rows,
        _failures(directory / "failures.jsonl"),
        _object(directory / TIMINGS) if times else {},
        config,
        text,
    )


def texts(value: object) -> tuple[str, ...]:
    """Return the texts of a JSON list; nothing of anything else."""
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def mapping(value: object) -> Mapping[str, Any]:
    """Return a JSON object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def _object(path: Path) -> Mapping[str, Any]:
    with as_dataset_errors():
        value = read_json(path)
    if not isinstance(value, dict):
        raise DatasetError("The file holds no JSON object.", where=str(path))
    return value


def _failures(path: Path) -> dict[str, str]:
    with as_dataset_errors():
        text = read_text(path)
    found: dict[str, str] = {}
    for number, line in enumerate(filter(None, text.split("\n")), start=1):
        try:
            entry = json.loads(line)
            parts = [str(entry[key]) for key in ("what", "where") if entry.get(key)]
            found[str(entry["query"])] = " · ".join(parts)
        except (ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
            raise DatasetError("The line tells of no failure.", where=f"{path}:{number}") from error
    return found


def _rows(text: str, path: Path) -> tuple[tuple[str, ...], tuple[QueryRow, ...]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[QueryRow] = []
    try:
        head = next(reader, [])
        if tuple(head[:3]) != WORDS or head[-1] != SECONDS or len(set(head)) < len(head):
            raise DatasetError("The first line does not name the columns of a run.", where=f"{path}:1")
        for cells in reader:
            if len(cells) != len(head):
                raise DatasetError(
                    f"The row has {len(cells)} columns, not {len(head)}.", where=f"{path}:{reader.line_num}"
                )
            values = [_number(cell, path, reader.line_num) for cell in cells[3:]]
            rows.append(QueryRow(cells[0], cells[1], cells[2], tuple(values[:-1]), values[-1]))
    except csv.Error as error:
        raise DatasetError(f"The file is no CSV: {error}.", where=f"{path}:{reader.line_num}") from error
    return tuple(head[3:-1]), tuple(rows)


def _number(cell: str, path: Path, line: int) -> float:
    if not cell:
        return math.nan
    try:
        value = float(cell)
    except ValueError:
        value = math.inf
    if not math.isfinite(value):
        raise DatasetError(f"{cell!r:.40} is no finite number.", where=f"{path}:{line}")
    return value
