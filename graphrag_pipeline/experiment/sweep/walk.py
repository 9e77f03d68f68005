"""Running one query through a trie: every stage once, for all configs that have it in common.

What stages make when it is first asked for, such as the analysis of the question, is made anew on each
branch that needs it. Otherwise the first config would pay for those behind it, and times would depend on
the order of the values.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, replace

import numpy as np

from graphrag_pipeline.errors import GraphRAGError
from graphrag_pipeline.experiment.answers import Failure, failure_of
from graphrag_pipeline.experiment.sweep.trie import Batch, Stage, Tail
from graphrag_pipeline.graph.arrays import FloatArray, frozen
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.pipeline.context_report import ContextReport
from graphrag_pipeline.pipeline.steps.step import Outcome, Step
from graphrag_pipeline.pipeline.working import WorkingSet
from graphrag_pipeline.plugin.causes import plugin_errors
from graphrag_pipeline.stages.candidates import Candidates


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """What one query gave for some configs that have the same nodes.

    Args:
        points: Numbers of configs, by row of the scores; those of one row do the same.
        scores: By row and node: candidates, then extras.
        working: The nodes; its own scores count only where there is one row.
        seconds: Time of each row: of all its stages, shared ones in full, whichever config came first.
        context: What the last context was; None where none was written.
    """

    points: tuple[tuple[int, ...], ...]
    scores: FloatArray
    working: WorkingSet
    seconds: float
    context: ContextReport | None = None


@dataclass(frozen=True, slots=True)
class Lost:
    """A stage failed, and with it every config that runs through it.

    Args:
        points: Their numbers.
        failure: What happened.
        seconds: Time until then.
    """

    points: tuple[int, ...]
    failure: Failure
    seconds: float


@dataclass(frozen=True, slots=True)
class _State:
    """What travels down the trie."""

    working: WorkingSet
    seconds: float = 0.0
    context: ContextReport | None = None

    def after(self, outcome: Outcome, seconds: float) -> _State:
        context = self.context if outcome.context is None else outcome.context
        return _State(outcome.working, self.seconds + seconds, context)


@dataclass(frozen=True, slots=True, eq=False)
class _Scored:
    """What a family gave.

    Args:
        columns: The signals.
        scores: By member and candidate.
        seconds: Time of each member: of all signals, and of its share of the sums.
    """

    columns: dict[str, FloatArray]
    scores: FloatArray
    seconds: float


def _as_it_is(working: WorkingSet) -> WorkingSet:
    """Return a copy with all that was worked out of it so far, and nothing that will be."""
    return replace(working, candidates=copy(working.candidates), extras=copy(working.extras))


class Walk:
    """One query on its way through a trie.

    Args:
        query: The query, persona resolved.
        index: The graph.
    """

    def __init__(self, query: Query, index: GraphIndex) -> None:
        self._query = query
        self._index = index
        self.executions = 0
        """How many executions of stages it took so far."""

    def through(self, root: Stage) -> Iterator[Leaf | Lost]:
        """Yield what comes out for every config below a root; every number once.

        A graph without nodes gives an empty result to all, and no stage runs.
        """
        start = _State(WorkingSet())
        self._index.anew(self._query.text)
        if not self._index.node_count:
            yield self._leaf(tuple(root.below()), start)
            return
        yield from self._below(root, start)

    def _below(self, stage: Stage, state: _State) -> Iterator[Leaf | Lost]:
        if stage.ends:
            yield self._leaf(tuple(stage.ends), state)
        singles, batches = tuple(stage.singles), stage.batches
        branches = self._branches(state, len(singles) + len(batches))
        for child in singles:
            assert child.step is not None, "only members of families have none"
            yield from self._on(child, child.step, next(branches))
        for batch in batches:
            yield from self._batch(batch, next(branches))

    def _branches(self, state: _State, count: int) -> Iterator[_State]:
        """Yield for each branch what it begins with, and let the index go back to this place of the trie."""
        if count == 1:
            yield state
            return
        questions, made = self._index.questions(), _as_it_is(state.working)
        for _ in range(count):
            self._index.remember(questions)
            yield replace(state, working=_as_it_is(made))

    def _leaf(self, points: tuple[int, ...], state: _State) -> Leaf:
        working = state.working
        return Leaf((points,), working.scores[np.newaxis], working, state.seconds, state.context)

    def _on(self, stage: Stage, step: Step, state: _State) -> Iterator[Leaf | Lost]:
        """Run a step, and go on behind it."""
        started = time.perf_counter()
        try:
            outcome = self._run(step, state.working)
        except plugin_errors() as error:
            seconds = state.seconds + time.perf_counter() - started
            yield Lost(tuple(stage.below()), _failure(step, error), seconds)
            return
        yield from self._below(stage, state.after(outcome, time.perf_counter() - started))

    def _run(self, step: Step, working: WorkingSet) -> Outcome:
        self.executions += 1
        return step.run(working, self._query, self._index)

    # -- families ------------------------------------------------------------------------------

    def _batch(self, batch: Batch, state: _State) -> Iterator[Leaf | Lost]:
        """Score all members at once; where that cannot be, one after the other."""
        own = state.working.candidates
        if not len(own) or state.working.extras.nodes:
            yield from self._one_by_one(batch, state)
            return
        tries = self._branches(state, 2)
        scored = self._scored(batch, next(tries).working.candidates)
        if scored is None:  # each member tells for itself
            yield from self._one_by_one(batch, next(tries))
            return
        self.executions += 1
        state = replace(state, seconds=state.seconds + scored.seconds)
        branches = self._branches(state, len(batch.tails) + len(batch.others))
        for tail in batch.tails:
            yield from self._tail(tail, scored.scores, next(branches))
        for row, member in batch.others:
            candidates = replace(own, score=frozen(scored.scores[row]), signals=scored.columns)
            begun = next(branches)
            working = replace(begun.working, candidates=candidates)
            yield from self._below(member, replace(begun, working=working))

    def _scored(self, batch: Batch, own: Candidates) -> _Scored | None:
        """Return the scores of all members; None when a signal fails or a score is not finite."""
        started = time.perf_counter()
        try:
            columns = batch.family.step.columns(own, self._query, self._index)
        except plugin_errors():
            return None
        looked = time.perf_counter()
        scores = batch.family.scores(columns, batch.weights)
        if not np.isfinite(scores).all():
            return None
        # Each member needs every signal, and of the sums its own.
        return _Scored(columns, scores, looked - started + (time.perf_counter() - looked) / len(scores))

    def _one_by_one(self, batch: Batch, state: _State) -> Iterator[Leaf | Lost]:
        branches = self._branches(state, len(batch.stages))
        for place, member in enumerate(batch.stages):
            yield from self._on(member, batch.family.member(batch.weights[place]), next(branches))

    def _tail(self, tail: Tail, scores: FloatArray, state: _State) -> Iterator[Leaf | Lost]:
        """Run what comes behind, once, and give each member its scores of the nodes that are left."""
        before = state.working.candidates
        for step in tail.steps:
            started = time.perf_counter()
            try:
                outcome = self._run(step, state.working)
            except plugin_errors() as error:
                seconds = state.seconds + time.perf_counter() - started
                every = tuple(point for points in tail.points for point in points)
                yield Lost(every, _failure(step, error), seconds)
                return
            state = state.after(outcome, time.perf_counter() - started)
        working = state.working
        own = scores[tail.rows]
        if len(working.candidates) != len(before):
            own = own[:, before.rows(working.candidates.node)]
        extras = np.broadcast_to(working.extras.score, (len(own), len(working.extras.nodes)))
        yield Leaf(tail.points, np.concatenate([own, extras], axis=1), working, state.seconds, state.context)


def _failure(step: Step, error: BaseException) -> Failure:
    if isinstance(error, GraphRAGError):
        return failure_of(error)
    return failure_of(step.place.failure(error))
