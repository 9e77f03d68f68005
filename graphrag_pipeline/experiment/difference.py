"""What differs between two runs: what they were made from, what came out, and where they part first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import zip_longest
from typing import Any

from graphrag_pipeline.experiment.config_difference import KeyChange, Tree, config_difference
from graphrag_pipeline.experiment.first_difference import FirstDifference, first_difference
from graphrag_pipeline.experiment.recorded_steps import QuerySteps, read_steps, slots_of
from graphrag_pipeline.experiment.recording import STEPS
from graphrag_pipeline.experiment.run_files import CONTENT, PARQUET, ROWS
from graphrag_pipeline.experiment.stored_run import StoredRun

SAME_WHEN_EQUAL = tuple(name for name in CONTENT if name not in {"config.yaml", "failures.jsonl"})
"""Files that two equal runs have byte for byte; a failure also says where, which is a path."""


@dataclass(frozen=True, slots=True)
class MeanChange:
    """A value of all queries that both runs have.

    Args:
        name: Its name.
        first: Its mean in the first run; None over no query.
        second: Its mean in the second run.
        higher: Queries of which it is higher in the second run.
        lower: Queries of which it is lower.
        equal: Queries of which it is equal.
    """

    name: str
    first: float | None
    second: float | None
    higher: int
    lower: int
    equal: int


@dataclass(frozen=True, slots=True)
class RunDifference:
    """What differs between two runs.

    Args:
        identical: Whether everything that came out is the same, times left out.
        queries: How many queries both have.
        differing: Ids of those whose results differ, in order.
        only_first: Ids of queries that only the first run has.
        only_second: Ids of queries that only the second run has.
        first_difference: Where they part first; None when nothing shows it.
        config: Keys with another value.
        inputs: What else went in and is not the same.
        surroundings: Versions of packages and Python, and the platform, where they differ.
        means: Every value that both have, those that are equal too.
        files: Names of files whose content differs.
    """

    identical: bool
    queries: int
    differing: tuple[str, ...]
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    first_difference: FirstDifference | None
    config: tuple[KeyChange, ...]
    inputs: tuple[KeyChange, ...]
    surroundings: tuple[KeyChange, ...]
    means: tuple[MeanChange, ...]
    files: tuple[str, ...]

    # Any: JSON
    def to_dict(self) -> dict[str, Any]:
        """Return the difference as plain JSON data."""
        return asdict(self)


def run_difference(first: StoredRun, second: StoredRun, default: Tree) -> RunDifference:
    """Compare two runs.

    Args:
        first: A run.
        second: Another one.
        default: The config without any override, to tell which values are defaults.
    """
    shared = [query for query in first.results if query in second.results]
    differing = tuple(query for query in shared if _outcome(first, query) != _outcome(second, query))
    only_first = tuple(query for query in first.results if query not in second.results)
    only_second = tuple(query for query in second.results if query not in first.results)
    files = tuple(_differing_files(first.manifest, second.manifest))
    return RunDifference(
        identical=not (differing or only_first or only_second or files),
        queries=len(shared),
        differing=differing,
        only_first=only_first,
        only_second=only_second,
        first_difference=_first(first, second, differing) if differing or STEPS in files else None,
        config=config_difference(first.config, second.config, default),
        inputs=tuple(_changes(_inputs(first.manifest), _inputs(second.manifest))),
        surroundings=tuple(_changes(_surroundings(first.manifest), _surroundings(second.manifest))),
        means=tuple(_means(first, second)),
        files=files,
    )


def _outcome(run: StoredRun, query: str) -> tuple[str, str]:
    return run.results[query], run.failures.get(query, "")


def _differing_files(first: Mapping[str, Any], second: Mapping[str, Any]) -> Iterator[str]:
    for name in SAME_WHEN_EQUAL:
        if first["files"].get(name) != second["files"].get(name):
            yield name
    # Rows as Parquet are not written everywhere, and say the same as the others unless somebody changed them.
    rows, tables = ([run["files"].get(name) for run in (first, second)] for name in (ROWS, PARQUET))
    if all(tables) and tables[0] != tables[1] and rows[0] == rows[1]:
        yield PARQUET


def _first(first: StoredRun, second: StoredRun, differing: tuple[str, ...]) -> FirstDifference | None:
    """Return where the first query parts whose result differs, or else the first whose steps do."""
    same_graph = first.manifest["graph"] == second.manifest["graph"]
    if not differing:
        pairs = zip_longest(read_steps(first.steps), read_steps(second.steps))
        both = ((one, other) for one, other in pairs if one and other and one.query == other.query)
        found = (first_difference(one, other, same_graph=same_graph) for one, other in both)
        return next((difference for difference in found if difference), None)
    query = differing[0]
    one, other = _steps(first, query), _steps(second, query)
    if one and other and (found_here := first_difference(one, other, same_graph=same_graph)):
        return found_here
    ended = len(one.steps) if one else 0
    return _without_steps(first, second, query, min(ended, len(other.steps) if other else 0))


def _steps(run: StoredRun, query: str) -> QuerySteps | None:
    return next((steps for steps in read_steps(run.steps) if steps.query == query), None)


def _without_steps(first: StoredRun, second: StoredRun, query: str, ended: int) -> FirstDifference:
    """Return a difference that no step shows: one of the two failed, or a bridge's record differs."""
    shown = [
        f"failed: {run.failures[query]}"
        if query in run.failures
        else f"done, digest {run.results[query][:12]}"
        for run in (first, second)
    ]
    slots = slots_of(first.steps)
    failed = query in first.failures or query in second.failures
    slot, step = (slots[ended], ended + 1) if failed and ended < len(slots) else ("", 0)
    return FirstDifference(query, slot, step, "", "outcome" if failed else "result", shown[0], shown[1])


def _changes(first: Mapping[str, str], second: Mapping[str, str]) -> Iterator[KeyChange]:
    for key in dict.fromkeys([*first, *second]):
        if first.get(key) != second.get(key):
            yield KeyChange(key, first.get(key), second.get(key))


def _inputs(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Return what went in but the config, by name."""
    inputs = {name: str(manifest[name]) for name in ("graph", "personas", "depth", "hook_api")}
    inputs["question set"] = str(manifest["dataset"].get("digest"))
    inputs["measures"] = ", ".join(map(str, manifest["measures"]))
    inputs |= {f"file {key}": str(digest) for key, digest in manifest["component_files"].items()}
    for plugin in manifest["plugins"]:
        version = plugin.get("version") or "without a version"
        inputs[f"plugin {plugin.get('name')}"] = f"{version}, digest {plugin.get('digest')}"
    return inputs


def _surroundings(manifest: Mapping[str, Any]) -> dict[str, str]:
    versions = {str(name): str(version) for name, version in manifest["versions"].items() if version}
    return {**versions, "python": str(manifest["python"]), "platform": str(manifest["platform"])}


def _means(first: StoredRun, second: StoredRun) -> Iterator[MeanChange]:
    ones = {row.query: row.values for row in first.record.rows}
    others = {row.query: row.values for row in second.record.rows}
    shared = [query for query in ones if query in others]
    for place, name in enumerate(first.record.columns):
        if name not in second.record.columns:
            continue
        at = second.record.columns.index(name)
        pairs = [(ones[query][place], others[query][at]) for query in shared]
        yield MeanChange(
            name,
            _mean(first.record.column(name)),
            _mean(second.record.column(name)),
            sum(one < other for one, other in pairs),
            sum(one > other for one, other in pairs),
            sum(one == other for one, other in pairs),
        )


def _mean(values: tuple[float, ...]) -> float | None:
    there = [value for value in values if not math.isnan(value)]
    return math.fsum(there) / len(there) if there else None
