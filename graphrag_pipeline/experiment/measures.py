"""Values per query of evaluation measures: ours where we have them, else by ir-measures (https://ir-measur.es)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.cutoff_measures import cutoff_of, cutoff_values, is_cutoff_measure
from graphrag_pipeline.experiment.library_measures import (
    Ranking,
    cutoff_in,
    highest_level,
    parsed,
    values_by_library,
)
from graphrag_pipeline.experiment.trec import Qrels, RunFile


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Values of measures, by query.

    Args:
        queries: Ids of all judged queries, sorted.
        runs: Names of the runs, in the order they were given.
        measures: Names of the measures, in the order they were asked for.
        values: By measure, run and query; the larger, the better.
    """

    queries: tuple[str, ...]
    runs: tuple[str, ...]
    measures: tuple[str, ...]
    values: NDArray[np.float64]


def score(qrels: Qrels, runs: Sequence[RunFile], measures: Sequence[str]) -> Scores:
    """Return every measure of every run for every judged query; a query that a run lacks has 0.

    Args:
        qrels: The judgements.
        runs: The runs.
        measures: Names as ir-measures writes them: ``nDCG@10``, ``R@5``, ``AP``; and ``all-gold@5``. Repeated
            ones count once.

    Raises:
        DatasetError: A measure is unknown, cannot be computed here, or gives no finite value.
        GraphRAGError: A measure needs ir-measures, which is not installed.
    """
    found = scores_of(qrels, runs, measures)
    _refuse_not_finite(found.values, found.measures, runs, found.queries)
    return found


def scores_of(qrels: Qrels, runs: Sequence[RunFile], measures: Sequence[str]) -> Scores:
    """Return what :func:`score` does, with NaN or an infinity where the library gives no finite value.

    Raises:
        DatasetError: A measure is unknown, or cannot be computed here.
        GraphRAGError: A measure needs ir-measures, which is not installed.
    """
    names = tuple(dict.fromkeys(map(plain_name, measures)))
    queries = tuple(sorted(qrels.relevance))
    values = np.zeros((len(names), len(runs), len(queries)))
    ours = [place for place, name in enumerate(names) if is_cutoff_measure(name)]
    values[ours] = _by_cutoff([names[place] for place in ours], qrels, runs, queries)
    if len(ours) < len(names):
        # What ERR is computed by takes queries that are numbers, and nothing else.
        numbers = {query: str(place) for place, query in enumerate(queries)}
        judgements = {numbers[query]: _coded(documents) for query, documents in qrels.relevance.items()}
        rankings = [_ranking(run, qrels, numbers) for run in runs]
        for place, name in enumerate(names):
            if place not in ours:
                check_levels(name, qrels)
                values[place] = values_by_library(parsed(name), judgements, rankings, len(queries))
    return Scores(queries, tuple(run.name for run in runs), names, values)


def check_measures(measures: Sequence[str]) -> None:
    """Refuse names that are no measures; it needs no run, so that it can be asked before any is read.

    Raises:
        DatasetError: A measure is unknown, or what computes it is not installed.
        GraphRAGError: A measure needs ir-measures, which is not installed.
    """
    for name in measures:
        plain_name(name)


def plain_name(name: str) -> str:
    """Return the name that results have a measure under: ``RR`` for ``MRR``.

    Raises:
        DatasetError: There is no such measure.
        GraphRAGError: It needs ir-measures, which is not installed.
    """
    return name if is_cutoff_measure(name) else str(parsed(name))


def cutoff(name: str) -> int | None:
    """Return the last rank that a measure looks at; None where it looks at the whole ranking.

    Raises:
        DatasetError: There is no such measure.
        GraphRAGError: It needs ir-measures, which is not installed.
    """
    return cutoff_of(name) if is_cutoff_measure(name) else cutoff_in(parsed(name))


def check_levels(name: str, qrels: Qrels) -> None:
    """Refuse judgements that a measure of ir-measures does not take; it needs no run.

    Raises:
        DatasetError: A level has a fraction, or is too high.
    """
    highest = highest_level(parsed(name))
    for query, documents in qrels.relevance.items():
        for document, level in documents.items():
            if level == int(level) and level <= highest:
                continue
            if level != int(level):
                what, hint = "whole levels of relevance", "Levels may have fractions for"
            else:
                what, hint = f"levels of relevance up to {highest}", "Higher levels are taken by"
            raise DatasetError(
                f"The measure {name} takes {what}, and {document!r} has {level}.",
                where=f"{qrels.path}: query {query!r}",
                hint=f"{hint} nDCG, R, P, RR, AP, Success and all-gold.",
            )


def _by_cutoff(
    names: Sequence[str], qrels: Qrels, runs: Sequence[RunFile], queries: Sequence[str]
) -> NDArray[np.float64]:
    values = np.zeros((len(names), len(runs), len(queries)))
    for column, query in enumerate(queries):
        levels = {node: level for node, level in qrels.relevance[query].items() if level > 0}
        rankings = [run.rankings.get(query, ()) for run in runs]
        # Without a relevant document every run has 0 here, as trec_eval has it.
        if levels:
            gains = np.zeros((len(runs), max(map(len, rankings), default=0)))
            for row, ranking in zip(gains, rankings, strict=True):
                row[: len(ranking)] = [levels.get(node, 0) for node in ranking]
            ideal = np.array(sorted(levels.values(), reverse=True), dtype=np.float64)
            values[:, :, column] = cutoff_values(names, gains, ideal, len(levels))
    return values


def _coded(documents: Mapping[str, float]) -> dict[str, int]:
    return {_code(document): int(level) for document, level in documents.items()}


def _code(document: str) -> str:
    # trec_eval is C: it would end an id at its first NUL. Others are handed files with columns.
    plain = document.isascii() and document.isprintable() and " " not in document
    return f"={document}" if plain else document.encode("utf-8", "surrogatepass").hex()


def _ranking(run: RunFile, qrels: Qrels, numbers: Mapping[str, str]) -> Ranking:
    """Return scores that only say the order, so that no tie is left for the library to break."""
    return {
        numbers[query]: {_code(document): -float(place) for place, document in enumerate(documents)}
        for query, documents in run.rankings.items()
        if query in qrels.relevance
    }


def _refuse_not_finite(
    values: NDArray[np.float64], measures: Sequence[str], runs: Sequence[RunFile], queries: Sequence[str]
) -> None:
    wrong = np.argwhere(~np.isfinite(values))
    if len(wrong):
        measure, run, query = wrong[0]
        raise DatasetError(
            f"The measure {measures[measure]} has no finite value for query {queries[query]!r}.",
            where=runs[run].path,
            hint="Choose another measure.",
        )
