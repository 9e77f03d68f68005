"""Running a question set through a pipeline, query by query."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graphrag_pipeline.experiment.answers import Answer, Row, failure_of
from graphrag_pipeline.experiment.batch_measures import BatchMeasures, Ranked
from graphrag_pipeline.experiment.datasets.checks import Judged
from graphrag_pipeline.experiment.datasets.dataset import Question
from graphrag_pipeline.experiment.excerpts import Excerpt
from graphrag_pipeline.experiment.gold import Gold
from graphrag_pipeline.experiment.graph_measures import GraphMeasures, failed_values
from graphrag_pipeline.experiment.node_ids import NodeIds
from graphrag_pipeline.experiment.recording import ROWS, SCORE, Recorded, Recorder, Steps
from graphrag_pipeline.experiment.result_digest import digest_of
from graphrag_pipeline.experiment.result_rows import ids_of_rows
from graphrag_pipeline.graph.arrays import FloatArray, IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.pipeline.runner import Pipeline
from graphrag_pipeline.pipeline.trace import Trace
from graphrag_pipeline.pipeline.working import best_rows
from graphrag_pipeline.plugin.causes import plugin_errors
from graphrag_pipeline.plugin.contract import Metric
from graphrag_pipeline.stages.candidates import Extras

BATCH = 64
"""Queries that are measured at once, at most: one call of the library costs more than a query."""
HELD = 20_000
"""Candidates, over all steps, whose columns are kept until then at most."""
LATEST = 0.5
"""Seconds after which those that ran are measured, however few they are."""


def evaluated(
    pipeline: Pipeline,
    judged: Judged,
    measures: Sequence[str],
    depth: int,
    environment: Sequence[str] = (),
    *,
    metrics: Mapping[str, Metric] | None = None,
    narrowed: Mapping[str, Pipeline] | None = None,
) -> Iterator[Row]:
    """Yield every query of the set with its values, in order.

    Args:
        pipeline: Answers the queries.
        judged: The question set.
        measures: Names, as ir-measures writes them, and names of metrics.
        depth: Most nodes of a ranking; what is behind them is not measured.
        environment: Names of environment variables whose values no message may hold.
        metrics: The measures that plugins bring, by name.
        narrowed: Pipelines of queries that have rules of their own, by query id.

    Raises:
        DatasetError: A measure cannot be computed. A query that fails raises nothing: its row says so.
    """
    questions = judged.dataset.questions
    recorder = Recorder(pipeline.index, [step.place.slot for step in pipeline.plan.steps], len(questions))
    answering = _Answering(pipeline.index, judged, depth, recorder, environment)
    batches = BatchMeasures(measures, metrics or {}, judged)
    taken: list[_Taken] = []
    since = time.perf_counter()
    for asked in _few(pipeline, narrowed or {}, zip(questions, answering.golds(), strict=True), recorder):
        taken += map(answering.take, asked)
        if len(taken) >= BATCH or time.perf_counter() - since >= LATEST:
            yield from _measured(answering.answers(taken), judged, batches)
            taken, since = [], time.perf_counter()
    yield from _measured(answering.answers(taken), judged, batches)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A query that ran: with a trace, or with what it raised."""

    question: Question
    gold: Gold
    steps: Steps
    seconds: float
    trace: Trace | None = None
    error: BaseException | None = None


def _few(
    pipeline: Pipeline,
    narrowed: Mapping[str, Pipeline],
    questions: Iterable[tuple[Question, Gold]],
    recorder: Recorder,
) -> Iterator[list[_Asked]]:
    """Yield queries that ran, as many at a time as the processor's cache may hold.

    How many they are depends on time and changes no value.
    """
    few: list[_Asked] = []
    held, since = 0, time.perf_counter()
    for question, gold in questions:
        asked = _asked(narrowed.get(question.query_id, pipeline), question, gold, recorder.steps())
        few.append(asked)
        held += sum(map(len, asked.steps.left))
        if len(few) >= BATCH or held >= HELD or time.perf_counter() - since >= LATEST:
            yield few
            few, held, since = [], 0, time.perf_counter()
    if few:
        yield few


def _asked(pipeline: Pipeline, question: Question, gold: Gold, steps: Steps) -> _Asked:
    started = time.perf_counter()
    try:
        trace = pipeline.trace(question.query(pipeline.query), after=steps)
    except plugin_errors() as error:
        return _Asked(question, gold, steps, time.perf_counter() - started, error=error)
    return _Asked(question, gold, steps, trace.seconds, trace)


@dataclass(frozen=True, slots=True)
class _Result:
    """What is kept of a result until its batch is full: little, so that its columns can be let go."""

    excerpt: Excerpt
    ranked: IntArray
    nodes: IntArray | list[str]
    scores: FloatArray
    slots: tuple[tuple[str, float], ...]
    degraded: tuple[str, ...]
    extras: Extras
    context: str


@dataclass(frozen=True, slots=True)
class _Taken:
    """A query that ran: with a result, or with what was raised."""

    question: Question
    gold: Gold
    seconds: float
    recorded: Recorded
    result: _Result | None = None
    error: BaseException | None = None


class _Answering:
    """Takes from each result what a run keeps.

    What needs the columns of a result is done soon, while they are in the processor's cache. The rest is
    done for a batch: little of its code and tables would be there between two queries.
    """

    def __init__(
        self, index: GraphIndex, judged: Judged, depth: int, recorder: Recorder, environment: Sequence[str]
    ) -> None:
        self._index = index
        self._judged = judged
        self._depth = depth
        self._recorder = recorder
        self._environment = environment
        self._measures = GraphMeasures(index)
        self._ids = NodeIds(index)

    def golds(self) -> Iterator[Gold]:
        """Yield what is known of each query's answer."""
        questions = self._judged.dataset.questions
        for start in range(0, len(questions), BATCH):
            yield from [self._gold(question.query_id) for question in questions[start : start + BATCH]]

    def _gold(self, query: str) -> Gold:
        judged = self._judged
        edges, relevance = judged.edges.get(query, ()), judged.qrels.relevance.get(query)
        return Gold.of(self._index, judged.relevant.get(query), edges, relevance)

    def take(self, asked: _Asked) -> _Taken:
        """Take what is needed from a query that ran."""
        recorded = self._recorder.record(asked.question.query_id, asked.steps)
        result, error = None, asked.error
        if asked.trace is not None:
            try:
                result = self._result(asked.trace, asked.gold)
            except plugin_errors() as raised:  # a bridge may have given what cannot be kept
                error = raised
        return _Taken(asked.question, asked.gold, asked.seconds, recorded, result, error)

    def _result(self, trace: Trace, gold: Gold) -> _Result:
        working = trace.working
        extras, candidates = working.extras, working.candidates
        scores = working.scores if extras.nodes else candidates.score
        best = best_rows(scores, max(self._depth, working.context.written))
        ranked = best[: self._depth]
        nodes = ids_of_rows(ranked, working, self._index) if extras.nodes else candidates.node[ranked]
        excerpt = self._measures.take(trace, gold, best)
        return _Result(
            excerpt,
            ranked,
            nodes,
            scores[ranked],
            tuple((slot.slot, slot.seconds) for slot in trace.slots),
            tuple(f"{slot.slot} {slot.failure.action}" for slot in trace.slots if slot.failure),
            extras,
            working.context.text,
        )

    def answers(self, taken: Sequence[_Taken]) -> list[Answer]:
        """Return the answers to queries, or why there is none."""
        self._measures.read([one.result.excerpt for one in taken if one.result])
        return list(map(self._answer, taken))

    def _answer(self, taken: _Taken) -> Answer:
        error = taken.error
        if taken.result is not None:
            try:
                return self._answered(taken, taken.result)
            except plugin_errors() as raised:
                error = raised
        assert error is not None, "without a result there is an error"
        gold = taken.gold
        values = failed_values(gold.count is not None, bool(gold.edges), bool(gold.cells.size))
        failure = failure_of(error, self._environment)
        return Answer(
            taken.question, (), (), values, (), taken.seconds, "", failure, steps=taken.recorded.content
        )

    def _answered(self, taken: _Taken, result: _Result) -> Answer:
        sums, excerpt = taken.recorded.checksums, result.excerpt
        nodes = result.nodes if isinstance(result.nodes, list) else self._ids.of(result.nodes)
        return Answer(
            taken.question,
            nodes,
            result.scores.tolist(),
            self._measures.of(excerpt),
            result.slots,
            taken.seconds,
            digest_of(
                excerpt.candidates - len(result.extras.nodes),
                sums[ROWS],
                sums[SCORE],
                result.extras,
                result.context,
            ),
            steps=taken.recorded.content,
            found=_found(excerpt.found, taken.gold, result.ranked),
            degraded=result.degraded,
        )


def _found(rows: IntArray, gold: Gold, ranked: IntArray) -> tuple[Sequence[int], Sequence[float]]:
    """Return rank and level of each relevant node that is in the ranking."""
    if not rows.size or not ranked.size:
        return (), ()
    which, place = np.nonzero(rows[:, np.newaxis] == ranked)
    return (place + 1).tolist(), gold.levels[which].tolist()


def _measured(answers: Sequence[Answer], judged: Judged, batches: BatchMeasures) -> Iterator[Row]:
    rankings = [
        Ranked(answer.question.query_id, answer.nodes, *answer.found, failed=answer.failure is not None)
        for answer in answers
        if answer.question.query_id in judged.qrels.relevance
    ]
    found = {ranked.query_id: values for ranked, values in zip(rankings, batches.of(rankings), strict=True)}
    for answer in answers:
        values = found.get(answer.question.query_id)
        yield Row(answer, None) if values is None else Row(answer, values.values, values.undefined)
