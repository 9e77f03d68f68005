"""Running a question set through a pipeline, query by query."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from graphrag_pipeline.errors import GraphRAGError
from graphrag_pipeline.experiment.datasets.checks import Judged
from graphrag_pipeline.experiment.datasets.dataset import Question
from graphrag_pipeline.experiment.graph_measures import (
    GraphValues,
    failed_values,
    graph_values,
    ids_of_rows,
)
from graphrag_pipeline.experiment.measures import score
from graphrag_pipeline.experiment.result_digest import result_digest
from graphrag_pipeline.experiment.trec import Qrels, RunFile
from graphrag_pipeline.pipeline.runner import Pipeline
from graphrag_pipeline.pipeline.trace import Trace
from graphrag_pipeline.pipeline.working import best_rows
from graphrag_pipeline.plugin.causes import PLUGIN_ERRORS, cause, place

BATCH = 64
"""Queries that are measured at once: one call of the library costs more than a query."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a query has no answer."""

    what: str
    where: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one query gave.

    Args:
        question: The query.
        ranking: Node ids and scores, the best first; at most as many as were asked for.
        graph: Values that need more than the ranking.
        slots: Name and seconds of each step.
        seconds: Wall time of the query.
        digest: Digest of the result; empty when it failed.
        failure: Why it failed; None when it did not.
    """

    question: Question
    ranking: tuple[tuple[str, float], ...]
    graph: GraphValues
    slots: tuple[tuple[str, float], ...]
    seconds: float
    digest: str
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """An answer with its measures, in the order they were asked for; None for a query that is not judged."""

    answer: Answer
    values: tuple[float, ...] | None


def evaluated(pipeline: Pipeline, judged: Judged, measures: Sequence[str], depth: int) -> Iterator[Row]:
    """Yield every query of the set with its values, in order.

    Args:
        pipeline: Answers the queries.
        judged: The question set.
        measures: Names, as ir-measures writes them.
        depth: Most nodes of a ranking; what is behind them is not measured.

    Raises:
        DatasetError: A measure cannot be computed. A query that fails raises nothing: its row says so.
    """
    answers = (_answer(pipeline, question, judged, depth) for question in judged.dataset.questions)
    while batch := list(islice(answers, BATCH)):
        yield from _measured(batch, judged, measures)


def _answer(pipeline: Pipeline, question: Question, judged: Judged, depth: int) -> Answer:
    relevant = judged.relevant.get(question.query_id)
    edges = judged.edges.get(question.query_id, ())
    started = time.perf_counter()
    try:
        trace = pipeline.trace(question.query(pipeline.query))
        return Answer(
            question,
            _ranking(trace, depth),
            graph_values(trace, relevant, edges),
            tuple((slot.slot, slot.seconds) for slot in trace.slots),
            trace.seconds,
            result_digest(trace.working),
        )
    except PLUGIN_ERRORS as error:
        seconds = time.perf_counter() - started
        values = failed_values(relevant is not None, bool(edges))
        return Answer(question, (), values, (), seconds, "", _failure(error))


def _failure(error: BaseException) -> Failure:
    if isinstance(error, GraphRAGError):
        return Failure(error.what, error.where, error.hint)
    return Failure(cause(error), place(error))


def _ranking(trace: Trace, depth: int) -> tuple[tuple[str, float], ...]:
    working = trace.working
    scores = working.scores
    rows = best_rows(scores, depth)
    return tuple(zip(ids_of_rows(rows, working, trace.index), scores[rows].tolist(), strict=True))


def _measured(answers: Sequence[Answer], judged: Judged, measures: Sequence[str]) -> Iterator[Row]:
    relevance = {
        answer.question.query_id: judged.qrels.relevance[answer.question.query_id]
        for answer in answers
        if answer.question.query_id in judged.qrels.relevance
    }
    values: dict[str, tuple[float, ...]] = {}
    if relevance and measures:
        rankings = {
            answer.question.query_id: tuple(node for node, _ in answer.ranking)
            for answer in answers
            if answer.ranking
        }
        run = RunFile("run", judged.dataset.name, rankings)
        scores = score(Qrels(judged.qrels.path, relevance), [run], measures)
        for column, query in enumerate(scores.queries):
            values[query] = tuple(scores.values[:, 0, column].tolist())
    for answer in answers:
        yield Row(answer, values.get(answer.question.query_id))
