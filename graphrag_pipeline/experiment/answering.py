"""From a query that ran to what a run keeps of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from graphrag_pipeline.experiment.answers import Answer, failure_of
from graphrag_pipeline.experiment.datasets.checks import Judged
from graphrag_pipeline.experiment.datasets.dataset import Question
from graphrag_pipeline.experiment.excerpts import Excerpt
from graphrag_pipeline.experiment.gold import Gold
from graphrag_pipeline.experiment.graph_measures import GraphMeasures, GraphValues, failed_values
from graphrag_pipeline.experiment.node_ids import NodeIds
from graphrag_pipeline.experiment.recording import ROWS, SCORE, Recorded, Recorder, Steps
from graphrag_pipeline.experiment.result_digest import digest_of
from graphrag_pipeline.experiment.result_rows import ids_of_rows
from graphrag_pipeline.experiment.stable_text import stable_text
from graphrag_pipeline.graph.arrays import FloatArray, IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.pipeline.trace import Trace
from graphrag_pipeline.pipeline.working import best_rows
from graphrag_pipeline.plugin.causes import plugin_errors
from graphrag_pipeline.stages.candidates import Extras

BATCH = 64
"""Queries that are looked at together, at most."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A query that ran: with a trace, or with what it raised."""

    question: Question
    gold: Gold
    steps: Steps
    seconds: float
    trace: Trace | None = None
    error: BaseException | None = None


@dataclass(frozen=True, slots=True)
class _Result:
    """What is kept of a result until its batch is full: little, so that its columns can be let go."""

    excerpt: Excerpt
    ranked: IntArray
    nodes: IntArray | list[str]
    scores: FloatArray
    slots: tuple[tuple[str, float], ...]
    degraded: tuple[str, ...]
    bridged: tuple[str, ...]
    extras: Extras
    context: str


@dataclass(frozen=True, slots=True)
class Taken:
    """A query that ran: with a result, or with what was raised."""

    question: Question
    gold: Gold
    seconds: float
    recorded: Recorded
    result: _Result | None = None
    error: BaseException | None = None


class Answering:
    """Takes from each result what a run keeps.

    What needs the columns of a result is done soon, while they are in the processor's cache. The rest is
    done for a batch: little of its code and tables would be there between two queries.

    Args:
        index: The graph.
        judged: The question set.
        depth: Most nodes of a ranking.
        recorder: Records what each step left.
        environment: Names of environment variables whose values no message may hold.
        writes_context: Whether the pipeline has a stage that writes a context.
    """

    def __init__(
        self,
        index: GraphIndex,
        judged: Judged,
        depth: int,
        recorder: Recorder,
        environment: Sequence[str],
        *,
        writes_context: bool = True,
    ) -> None:
        self._index = index
        self._judged = judged
        self._depth = depth
        self._recorder = recorder
        self._environment = environment
        self._writes_context = writes_context
        self._measures = GraphMeasures(index)
        self._ids = NodeIds(index)

    def golds(self, questions: Sequence[Question]) -> Iterator[Gold]:
        """Yield what is known of each query's answer."""
        for start in range(0, len(questions), BATCH):
            yield from [self._gold(question.query_id) for question in questions[start : start + BATCH]]

    def _gold(self, query: str) -> Gold:
        judged = self._judged
        edges, relevance = judged.edges.get(query, ()), judged.qrels.relevance.get(query)
        return Gold.of(self._index, judged.relevant.get(query), edges, relevance)

    def take(self, asked: Asked) -> Taken:
        """Take what is needed from a query that ran."""
        recorded = self._recorder.record(asked.question.query_id, asked.steps)
        result, error = None, asked.error
        if asked.trace is not None:
            try:
                result = self._result(asked.trace, asked.gold)
            except plugin_errors() as raised:  # a bridge may have given what cannot be kept
                error = raised
        return Taken(asked.question, asked.gold, asked.seconds, recorded, result, error)

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
            tuple(stable_text(mode, self._environment) for mode in _bridged(trace)),
            extras,
            working.context.text,
        )

    def answers(self, taken: Sequence[Taken]) -> list[Answer]:
        """Return the answers to queries, or why there is none."""
        self._measures.read([one.result.excerpt for one in taken if one.result])
        return list(map(self._answer, taken))

    def _answer(self, taken: Taken) -> Answer:
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
        values = self._known(values)
        return Answer(
            taken.question, (), (), values, (), taken.seconds, "", failure, steps=taken.recorded.content
        )

    def _known(self, values: GraphValues) -> GraphValues:
        return values if self._writes_context else values.without_context()

    def _answered(self, taken: Taken, result: _Result) -> Answer:
        sums, excerpt = taken.recorded.checksums, result.excerpt
        nodes = result.nodes if isinstance(result.nodes, list) else self._ids.of(result.nodes)
        return Answer(
            taken.question,
            nodes,
            result.scores.tolist(),
            self._known(self._measures.of(excerpt)),
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
            bridged=result.bridged,
        )


def _bridged(trace: Trace) -> Iterator[str]:
    """Yield the mode of each bridge that added nodes; a plugin may call it anything."""
    for slot in trace.slots:
        if slot.bridge is not None and slot.bridge.nodes:
            yield slot.bridge.mode


def _found(rows: IntArray, gold: Gold, ranked: IntArray) -> tuple[Sequence[int], Sequence[float]]:
    """Return rank and level of each relevant node that is in the ranking."""
    if not rows.size or not ranked.size:
        return (), ()
    which, place = np.nonzero(rows[:, np.newaxis] == ranked)
    return (place + 1).tolist(), gold.levels[which].tolist()
