"""The config of a run, or of a point of a sweep, as one file that every command takes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import Any

from graphrag_pipeline.config.yaml_writer import to_yaml
from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.manifest import KIND
from graphrag_pipeline.experiment.recorded import mapping, read_manifest
from graphrag_pipeline.experiment.stable_text import variables_of
from graphrag_pipeline.experiment.stored_run import StoredRun, read_stored_run
from graphrag_pipeline.experiment.sweep.point_config import point_config
from graphrag_pipeline.experiment.sweep.selection import ranked
from graphrag_pipeline.experiment.sweep.standings import Standings, read_standings
from graphrag_pipeline.tracking.redaction import left_out, without_secrets


@dataclass(frozen=True, slots=True)
class Frozen:
    """A config that stands for itself.

    Args:
        text: YAML with comments that say where it comes from.
        left_out: Keys whose values looked like secrets and were left out.
    """

    text: str
    left_out: tuple[str, ...]


def freeze(directory: Path, *, by: str | None = None, point: int | None = None) -> Frozen:
    """Return the config of a run or of one point of a sweep.

    Args:
        directory: The run or the sweep.
        by: Of a sweep, the measure whose best point is taken.
        point: Of a sweep, the number of the point.

    Raises:
        DatasetError: It is neither, it is damaged, or the choice does not fit.
    """
    if read_manifest(directory)["kind"] != KIND:
        return _of_sweep(directory, by, point)
    if by is not None or point is not None:
        raise DatasetError(
            "A run has one config; --by and --point choose among those of a sweep.", where=str(directory)
        )
    return _of_run(read_stored_run(directory))


def _of_sweep(directory: Path, by: str | None, point: int | None) -> Frozen:
    if by is not None and point is not None:
        raise DatasetError("--by and --point both choose a point.", where=str(directory), hint="Give one.")
    found = read_standings(directory)
    number = _best(found, by) if point is None else point
    manifest = read_manifest(directory)
    head = [
        f"The configuration of point {number} of a sweep, frozen by graphrag-pipeline.",
        "Use it with --config FILE.",
        *([f"best of {_finished(found)} by {_plain(by)}, in sample"] if point is None else []),
        *_values_of(found, number),
    ]
    identity = manifest.get("identity")
    graph = identity.get("graph") if isinstance(identity, dict) else None
    return _frozen(point_config(directory, number), [*head, *_origin({**manifest, "graph": graph})])


def _best(found: Standings, by: str | None) -> int:
    if by is None or by not in found.measures:
        what = "A sweep has many configs." if by is None else f"The sweep does not have the measure {by!r}."
        raise DatasetError(
            what,
            where=str(found.directory),
            hint=f"--by takes the best point by one of {', '.join(found.measures)}; --point N takes a point.",
        )
    means = found.means()[found.measures.index(by)]
    ended = [place for place in ranked(found, by) if found.points[place].status != "unfinished"]
    place = next((place for place in ended if not isnan(means[place])), None)
    if place is None:
        raise DatasetError(
            f"No point of the sweep that has run on all queries has a mean of {by}.",
            where=str(found.directory),
            hint="The command that began the sweep goes on where it stopped.",
        )
    return found.points[place].number


def _finished(found: Standings) -> str:
    """Tell how many points have run on all queries, and of how many there are."""
    ended = sum(point.status != "unfinished" for point in found.points)
    return str(ended) if ended == len(found.points) else f"{ended} that have run, of {len(found.points)},"


def _values_of(found: Standings, number: int) -> Iterator[str]:
    for point in found.points:
        if point.number == number:
            yield from (f"{_plain(key)}: {_plain(value)}" for key, value in point.values.items())


def _of_run(run: StoredRun) -> Frozen:
    head = [
        "The configuration of a run, frozen by graphrag-pipeline.",
        "Use it with --config FILE.",
        f"run: {_plain(run.manifest.get('digest'))}",
    ]
    return _frozen(run.config, [*head, *_origin(run.manifest)])


def _frozen(config: Mapping[str, Any], comments: Sequence[str]) -> Frozen:  # Any: plain data
    shown: Mapping[str, Any] = without_secrets(config)  # Any: plain data
    missing = tuple(left_out(shown))
    environment = ", ".join(variables_of(to_yaml(shown)))
    lines = [*comments, *([f"environment: {environment}"] if environment else [])]
    lines += [f"left out, as it looks like a secret: {_plain(key)}" for key in missing]
    return Frozen("".join(f"# {line}\n" for line in lines) + f"\n{to_yaml(shown)}", missing)


def _origin(manifest: Mapping[str, Any]) -> Iterator[str]:  # Any: JSON
    """Yield what comments say of the graph, the question set and the code."""
    yield f"graph: {_plain(manifest.get('graph'))}"
    dataset, versions = mapping(manifest.get("dataset")), mapping(manifest.get("versions"))
    yield f"question set: {_plain(dataset.get('name'))} {_plain(dataset.get('digest'))}"
    yield f"graphrag-pipeline: {_plain(versions.get('graphrag-pipeline'))}"
    for plugin in map(mapping, manifest.get("plugins") or ()):
        if plugin.get("source") != "builtin":
            parts = (plugin.get("name"), plugin.get("version"), plugin.get("source"), plugin.get("digest"))
            yield f"plugin: {' '.join(_plain(part) for part in parts if part)}"


def _plain(value: object) -> str:
    # None of it can end the line of its comment.
    text = str(value)
    return text if text.isprintable() else json.dumps(text)
