"""Values per query of evaluation measures: ours where we have them, else by ir-measures (https://ir-measur.es)."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrag_pipeline.errors import DatasetError, GraphRAGError
from graphrag_pipeline.experiment.cutoff_measures import cutoff_values, is_cutoff_measure
from graphrag_pipeline.experiment.trec import LARGEST, Qrels, RunFile

Ranking = Mapping[str, Mapping[str, float]]


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
        library = _library()
        numbers = {query: f"q{place}" for place, query in enumerate(queries)}
        judgements = {numbers[query]: _coded(documents) for query, documents in qrels.relevance.items()}
        rankings = [_ranking(run, qrels, numbers) for run in runs]
        for place, name in enumerate(names):
            if place not in ours:
                _refuse_fractions(name, qrels)
                measure = _parse(library, name)
                values[place] = _values(library, measure, judgements, rankings, len(queries))
    return Scores(queries, tuple(run.name for run in runs), names, values)


def check_measures(measures: Sequence[str]) -> None:
    """Refuse names that are no measures; it needs no run, so that it can be asked before any is read.

    Raises:
        DatasetError: A measure is unknown.
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
    return name if is_cutoff_measure(name) else str(_parse(_library(), name))


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


def _refuse_fractions(name: str, qrels: Qrels) -> None:
    for query, documents in qrels.relevance.items():
        for document, level in documents.items():
            if isinstance(level, float):
                raise DatasetError(
                    f"The measure {name} takes whole levels of relevance, and {document!r} has {level}.",
                    where=f"{qrels.path}: query {query!r}",
                    hint="Levels may have fractions for nDCG, R, P, RR, AP, Success and all-gold.",
                )


def _library() -> Any:  # Any: the module, which is optional
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of its code's age, which users can do nothing about
            return import_module("ir_measures")
    except ImportError as error:
        raise GraphRAGError(
            "Measures need the package ir-measures, which is not installed.",
            hint='Install it: pip install "graphrag-pipeline[experiment]"',
        ) from error


def _parse(library: Any, name: str) -> Any:  # Any: a measure of the library
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it reads names with parts of ast that Python 3.12 gives up
            measure = library.parse_measure(name)
        measure.validate_params()
        if not all(map(_is_safe, measure.params.values())):
            raise ValueError("a cutoff is a whole number from 1 on")
    except Exception as error:  # it raises of every kind, down to AssertionError and NameError
        raise DatasetError(
            f"There is no measure {name!r}: {error}.",
            hint="Measures are written nDCG@10, R@5, RR, AP, P@5, Success@3.",
        ) from error
    return measure


def _is_safe(value: object) -> bool:
    """Tell whether a parameter is in range: a cutoff of 0 ends the process inside trec_eval."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return isinstance(value, bool | str)
    return 1 <= value <= LARGEST if isinstance(value, int) else 0 <= value <= 1


def _coded(documents: Mapping[str, float]) -> dict[str, int]:
    # trec_eval is C: it would end an id at its first NUL.
    return {_code(document): int(level) for document, level in documents.items()}


def _code(document: str) -> str:
    return document.encode("utf-8", "surrogatepass").hex() if "\0" in document else f"={document}"


def _ranking(run: RunFile, qrels: Qrels, numbers: Mapping[str, str]) -> Ranking:
    """Return scores that only say the order, so that no tie is left for the library to break."""
    return {
        numbers[query]: {_code(document): -float(place) for place, document in enumerate(documents)}
        for query, documents in run.rankings.items()
        if query in qrels.relevance
    }


def _values(
    library: Any,
    measure: Any,
    judgements: Mapping[str, Mapping[str, int]],
    rankings: Sequence[Ranking],
    queries: int,
) -> NDArray[np.float64]:
    values = np.zeros((len(rankings), queries))
    try:
        evaluator = library.evaluator([measure], judgements)
        for row, ranking in enumerate(rankings):
            values[row, [int(query[1:]) for query in ranking]] = np.nan  # a ranked query must get a value
            for metric in evaluator.iter_calc(ranking):
                if metric.query_id in ranking:
                    values[row, int(metric.query_id[1:])] = metric.value
    except Exception as error:  # whatever program the measure is computed by
        raise DatasetError(
            f"The measure {measure} cannot be computed here: {error}",
            hint="Measures that need no further program: nDCG@10, R@5, RR, AP, P@5, Success@3.",
        ) from error
    return values


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
