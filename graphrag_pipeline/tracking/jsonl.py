"""The tracker ``jsonl``: what happens, as lines of JSON in a file."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import field_validator

from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.tracking.contract import TrackedEnd, TrackedRun, TrackedStep

EVENTS = "events.jsonl"
"""The file in a run's directory."""
_TAKEN = frozenset({"failures.jsonl"})
"""What a run writes itself, of the names that a file of events may have."""


class JsonLinesParams(Params):
    """Where to write, and how much."""

    path: str | None = None
    """Name of the file in the directory of the run that lines are appended to; null is ``events.jsonl``."""
    steps: bool = True
    """Write a line for each query, beside those for the beginning and the end."""

    @property
    def file(self) -> str:
        """Name of the file in the directory of the run."""
        return self.path or EVENTS

    @field_validator("path")
    @classmethod
    def _is_a_name(cls, value: str | None) -> str | None:
        # A config may come from a stranger: with a path, it could append to any file of whoever runs it.
        if value is not None and not re.fullmatch(r"\w[\w.-]*\.jsonl", value):
            told = "must be the name of a file in the directory of the run, not a path, and end in .jsonl"
            raise ValueError(f"{told}: letters, digits and . _ - such as all.jsonl")
        if value is not None and value.casefold() in _TAKEN:
            raise ValueError(f"{value} is a file of the run itself: choose another name, such as all.jsonl")
        return value


class JsonLines(Component[JsonLinesParams]):
    """Appends a line for each thing that happens; the file can be read while the run goes on.

    A run that came to its end has a line ``finish``, one that failed has ``fail``, and one whose process was
    killed has neither. The file of a run without a directory is that of the run it is a part of.

    Args:
        params: Where to write, and how much.
    """

    name = "jsonl"
    Params = JsonLinesParams

    def __init__(self, params: JsonLinesParams | None = None) -> None:
        super().__init__(params)
        self._files: dict[str, Path] = {}

    def start(self, run: TrackedRun) -> None:
        """Write what runs, with its config."""
        file = self._file(run.directory) or self._files.get(run.parent or "")
        if file is None:
            return
        self._files[run.run_id] = file
        about = {"name": run.name, "kind": run.kind, "parent": run.parent, "steps": run.steps}
        _append(file, "start", run, {**about, "tags": dict(run.tags), "config": run.config})

    def log(self, run: TrackedRun, step: TrackedStep) -> None:
        """Write what a step gave."""
        file = self._files.get(run.run_id)
        if file is None or not self.params.steps:
            return
        about: dict[str, Any] = {"step": step.number, "name": step.name, "status": step.status}
        if step.error:
            about["error"] = step.error
        _append(file, "step", run, {**about, "seconds": step.seconds, "values": step.values})

    def finish(self, run: TrackedRun, end: TrackedEnd) -> None:
        """Write how the run ended; where its directory is gone there is nothing to write to."""
        before = self._files.pop(run.run_id, None)
        file = self._file(end.directory) or before
        if file is None or not file.parent.is_dir():
            return
        if end.status == "finished":
            _append(file, "finish", run, {"values": end.values, "digest": end.manifest.get("digest")})
        else:
            _append(file, "fail", run, {"why": end.status, "error": end.error})

    def _file(self, directory: Path | None) -> Path | None:
        return None if directory is None else directory / self.params.file


def _append(file: Path, event: str, run: TrackedRun, values: Mapping[str, Any]) -> None:  # Any: JSON
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    line = _line({"event": event, "time": now, "run": run.run_id, **values})
    # Opened anew for each line: the directory gets another name at the end, which an open file would forbid
    # on some systems. One write a line, so that a reader never sees half of one.
    with file.open("ab", buffering=0) as lines:
        before = b"\n" if event == "start" and _is_torn(file) else b""
        lines.write(before + line.encode("utf-8", "backslashreplace") + b"\n")


def _line(event: Mapping[str, Any]) -> str:  # Any: JSON
    try:
        return json.dumps(event, ensure_ascii=False, allow_nan=False)
    except ValueError:  # NaN and infinity are no JSON
        return json.dumps(_finite(event), ensure_ascii=False)


def _is_torn(file: Path) -> bool:
    """Whether the last line has no end: whoever wrote it was killed."""
    with file.open("rb") as lines:
        if not lines.seek(0, 2):
            return False
        lines.seek(-1, 2)
        return lines.read(1) != b"\n"


def _finite(value: Any) -> Any:  # Any: JSON
    """Return JSON data with null for numbers that JSON cannot hold."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
