"""Running a question set through a pipeline, query by query."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from graphrag_pipeline.experiment.answering import BATCH, Answering, Asked, Taken
from graphrag_pipeline.experiment.answers import Answer, Row
from graphrag_pipeline.experiment.batch_measures import BatchMeasures, Ranked
from graphrag_pipeline.experiment.datasets.checks import Judged
from graphrag_pipeline.experiment.datasets.dataset import Question
from graphrag_pipeline.experiment.gold import Gold
from graphrag_pipeline.experiment.recording import Recorder, before_records, behind_records
from graphrag_pipeline.graph.arrays import BoolArray
from graphrag_pipeline.pipeline.runner import Pipeline
from graphrag_pipeline.plugin.causes import plugin_errors
from graphrag_pipeline.plugin.contract import Metric

HELD = 20_000
"""Candidates, over all steps, whose columns are kept at most until they are looked at."""
LATEST = 0.5
"""Seconds after which those that ran are measured, however few they are."""


def with_ends(rows: Iterable[Row], pipeline: Pipeline, met: BoolArray, count: int) -> Iterator[Row]:
    """Yield rows with what stands before the first record of steps and behind the last one.

    Args:
        rows: Queries with their values, in order.
        pipeline: What answered them.
        met: Whether a node is in a record, by position; it is complete when the last row comes.
        count: How many rows there are.
    """
    for number, row in enumerate(rows, start=1):
        before = before_records(pipeline.index, _slots(pipeline)) if number == 1 else b""
        behind = behind_records(pipeline.index, met) if number == count else b""
        yield _between(before, row, behind) if before or behind else row


def _between(before: bytes, row: Row, behind: bytes) -> Row:
    return replace(row, answer=replace(row.answer, steps=before + row.answer.steps + behind))


def _slots(pipeline: Pipeline) -> list[str]:
    return [step.place.slot for step in pipeline.plan.steps]


class Evaluator:
    """Answers and measures queries of one set.

    Args:
        pipeline: Answers the queries.
        judged: The question set.
        measures: Names, as ir-measures writes them, and names of metrics.
        depth: Most nodes of a ranking; what is behind them is not measured.
        environment: Names of environment variables whose values no message may hold.
        metrics: The measures that plugins bring, by name.
        narrowed: Pipelines of queries that have rules of their own, by query id.
    """

    def __init__(
        self,
        pipeline: Pipeline,
        judged: Judged,
        measures: Sequence[str],
        depth: int,
        environment: Sequence[str] = (),
        *,
        metrics: Mapping[str, Metric] | None = None,
        narrowed: Mapping[str, Pipeline] | None = None,
    ) -> None:
        self._pipeline, self._narrowed = pipeline, narrowed or {}
        self._judged = judged
        self._recorder = Recorder(pipeline.index)
        writes_context = any(step.place.kind == "context_assembler" for step in pipeline.plan.steps)
        self._answering = Answering(
            pipeline.index, judged, depth, self._recorder, environment, writes_context=writes_context
        )
        self._batches = BatchMeasures(measures, metrics or {}, judged)

    @property
    def met(self) -> BoolArray:
        """Whether a node is in the record of a query so far, by position."""
        return self._recorder.met

    def evaluated(self) -> Iterator[Row]:
        """Yield every query of the set with its values, in order; records of steps are those of a whole file.

        Raises:
            DatasetError: A measure cannot be computed. A query that fails raises nothing: its row says so.
        """
        questions = self._judged.dataset.questions
        return with_ends(self.rows(questions), self._pipeline, self.met, len(questions))

    def rows(self, questions: Sequence[Question]) -> Iterator[Row]:
        """Yield queries with their values, in order.

        Raises:
            DatasetError: A measure cannot be computed.
        """
        taken: list[Taken] = []
        since = time.perf_counter()
        for few in self._few(questions):
            taken += map(self._answering.take, few)
            if len(taken) >= BATCH or time.perf_counter() - since >= LATEST:
                yield from self._measured(taken)
                taken, since = [], time.perf_counter()
        yield from self._measured(taken)

    def _few(self, questions: Sequence[Question]) -> Iterator[list[Asked]]:
        """Yield queries that ran, as many at a time as the processor's cache may hold.

        How many they are depends on time and changes no value.
        """
        few: list[Asked] = []
        held, since = 0, time.perf_counter()
        for question, gold in zip(questions, self._answering.golds(questions), strict=True):
            asked = self._asked(question, gold)
            few.append(asked)
            held += sum(map(len, asked.steps.left))
            if len(few) >= BATCH or held >= HELD or time.perf_counter() - since >= LATEST:
                yield few
                few, held, since = [], 0, time.perf_counter()
        if few:
            yield few

    def _asked(self, question: Question, gold: Gold) -> Asked:
        pipeline, steps = self._narrowed.get(question.query_id, self._pipeline), self._recorder.steps()
        started = time.perf_counter()
        try:
            trace = pipeline.trace(question.query(pipeline.query), after=steps)
        except plugin_errors() as error:
            return Asked(question, gold, steps, time.perf_counter() - started, error=error)
        return Asked(question, gold, steps, trace.seconds, trace)

    def _measured(self, taken: Sequence[Taken]) -> Iterator[Row]:
        answers = self._answering.answers(taken)
        relevance = self._judged.qrels.relevance
        rankings = [_ranked(answer) for answer in answers if answer.question.query_id in relevance]
        found = dict(zip((ranked.query_id for ranked in rankings), self._batches.of(rankings), strict=True))
        for answer in answers:
            values = found.get(answer.question.query_id)
            yield Row(answer, None) if values is None else Row(answer, values.values, values.undefined)


def _ranked(answer: Answer) -> Ranked:
    return Ranked(answer.question.query_id, answer.nodes, *answer.found, failed=answer.failure is not None)
