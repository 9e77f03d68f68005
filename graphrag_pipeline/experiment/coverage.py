"""Which queries are judged and which are ranked: nothing is left out of a mean without a word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.trec import Qrels, RunFile


@dataclass(frozen=True, slots=True)
class RunCoverage:
    """What one run answered of the judged queries.

    Args:
        run: Its name.
        missing: Judged queries without a ranking; they count 0.
        unjudged: Ranked queries without judgements; they are left out.
    """

    run: str
    missing: tuple[str, ...]
    unjudged: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """What all runs answered.

    Args:
        judged: How many queries are judged; every mean is over all of them.
        without_relevant: Judged queries with no relevant document; no run can score on them.
        runs: One entry a run, in order.
    """

    judged: int
    without_relevant: tuple[str, ...]
    runs: tuple[RunCoverage, ...]


def coverage(qrels: Qrels, runs: Sequence[RunFile]) -> Coverage:
    """Count and list what does not match; ids are sorted.

    Raises:
        DatasetError: A run has no judged query at all: ids of two kinds, most likely.
    """
    judged = qrels.relevance
    without = [query for query, documents in judged.items() if max(documents.values()) <= 0]
    return Coverage(len(judged), tuple(sorted(without)), tuple(_of_run(qrels, run) for run in runs))


def _of_run(qrels: Qrels, run: RunFile) -> RunCoverage:
    missing = sorted(qrels.relevance.keys() - run.rankings.keys())
    unjudged = sorted(run.rankings.keys() - qrels.relevance.keys())
    if len(missing) == len(qrels.relevance):
        raise DatasetError(
            f"No query of the run is judged: the run has {unjudged[0]!r}, the qrels have {missing[0]!r}.",
            where=run.path,
            hint=f"Are these the qrels of this run? {qrels.path}",
        )
    return RunCoverage(run.name, tuple(missing), tuple(unjudged))
