"""How many nodes of each ranking are measured: enough for every cutoff that is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.measures import cutoff
from graphrag_pipeline.experiment.run_directory import manifest_of
from graphrag_pipeline.experiment.run_names import RANKING

DEPTH = 100
"""Nodes of each ranking where no measure looks further, and nothing else is asked for."""


def ranking_depth(measures: Iterable[str], given: int | None) -> int:
    """Return the depth that is given, or else the larger of :data:`DEPTH` and the largest cutoff.

    Args:
        measures: Names of measures of rankings, without metrics of plugins.
        given: What is asked for; None where nothing is.

    Raises:
        DatasetError: A measure looks further than the depth that is given, or there is no such measure.
        GraphRAGError: A measure needs ir-measures, which is not installed.
    """
    cutoffs = _cutoffs(measures)
    largest = max(cutoffs.values(), default=0)
    if given is None:
        return max(DEPTH, largest)
    if beyond := _beyond(cutoffs, given):
        ranks = "1 rank is" if given == 1 else f"{given:,} ranks are"
        raise DatasetError(
            f"Only {ranks} measured, and {', '.join(beyond)}.",
            where=f"--depth {given}",
            hint=f"Give --depth {largest}, leave --depth out, or choose other measures with --measure.",
        )
    return given


def refuse_beyond(file: Path, measures: Iterable[str]) -> None:
    """Refuse measures that look further than the rankings of a run go.

    Args:
        file: A run file; how deep it is, is known only of one that stands in the directory of a run.
        measures: Names of measures of rankings.

    Raises:
        DatasetError: One looks further.
    """
    depth = _recorded_depth(file.parent) if file.name == RANKING else None
    cutoffs = _cutoffs(measures)
    if depth is not None and (beyond := _beyond(cutoffs, depth)):
        raise DatasetError(
            f"The run has at most {depth:,} nodes of each ranking, and {', '.join(beyond)}.",
            where=str(file.parent),
            hint=f"`evaluate --depth {max(cutoffs.values())}` makes a run with as many.",
        )


def depths_differ(files: Sequence[Path], measures: Iterable[str]) -> str:
    """Return what is to say of runs of several depths, where a measure looks at all of each; else nothing.

    Args:
        files: Run files; how deep one is, is known only where it stands in the directory of a run.
        measures: Names of measures of rankings.
    """
    known = {str(file.parent): _recorded_depth(file.parent) for file in files if file.name == RANKING}
    depths = {run: depth for run, depth in known.items() if depth is not None}
    whole = [name for name in measures if cutoff(name) is None]
    if len(set(depths.values())) < 2 or not whole:
        return ""
    told = ", ".join(f"{run} has {depth:,}" for run, depth in depths.items())
    return f"{', '.join(whole)} looks at whole rankings, and these are not equally deep: {told} nodes at most"


def _recorded_depth(directory: Path) -> int | None:
    depth = (manifest_of(directory) or {}).get("depth")
    return depth if isinstance(depth, int) else None


def _cutoffs(measures: Iterable[str]) -> dict[str, int]:
    return {name: last for name in measures if (last := cutoff(name)) is not None}


def _beyond(cutoffs: Mapping[str, int], depth: int) -> list[str]:
    return [f"{name} looks at {last:,}" for name, last in cutoffs.items() if last > depth]
