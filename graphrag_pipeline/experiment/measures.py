"""Values per query of evaluation measures, by ir-measures (https://ir-measur.es)."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrag_pipeline.errors import DatasetError, GraphRAGError
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
        measures: Names as ir-measures writes them: ``nDCG@10``, ``R@5``, ``AP``. Repeated ones count once.

    Raises:
        DatasetError: A measure is unknown, cannot be computed here, or gives no finite value.
        GraphRAGError: ir-measures is not installed.
    """
    library = _library()
    parsed = dict.fromkeys(_parse(library, name) for name in measures)
    queries = tuple(sorted(qrels.relevance))
    numbers = {query: f"q{place}" for place, query in enumerate(queries)}
    judgements = {numbers[query]: _coded(documents) for query, documents in qrels.relevance.items()}
    rankings = [_ranking(run, qrels, numbers) for run in runs]
    values = np.zeros((len(parsed), len(runs), len(queries)))
    for place, measure in enumerate(parsed):
        values[place] = _values(library, measure, judgements, rankings, len(queries))
    _refuse_not_finite(values, tuple(map(str, parsed)), runs, queries)
    return Scores(queries, tuple(run.name for run in runs), tuple(map(str, parsed)), values)


def check_measures(measures: Sequence[str]) -> None:
    """Refuse names that are no measures; it needs no run, so that it can be asked before any is read.

    Raises:
        DatasetError: A measure is unknown.
        GraphRAGError: ir-measures is not installed.
    """
    library = _library()
    for name in measures:
        _parse(library, name)


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


def _coded(documents: Mapping[str, int]) -> dict[str, int]:
    # trec_eval is C: it would end an id at its first NUL.
    return {_code(document): level for document, level in documents.items()}


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
