"""Evaluating a question set in several processes: each takes some queries, one writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields

import numpy as np

from graphrag_pipeline.config.load import build_pipeline
from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.answers import Row
from graphrag_pipeline.experiment.datasets.checks import Judged, judge
from graphrag_pipeline.experiment.datasets.load import load_dataset
from graphrag_pipeline.experiment.evaluate import Evaluator, with_ends
from graphrag_pipeline.experiment.manifest import Inputs, inputs_of
from graphrag_pipeline.experiment.messages import Message, Messages, say
from graphrag_pipeline.experiment.narrowing import narrowed
from graphrag_pipeline.experiment.plugin_metrics import metrics_of
from graphrag_pipeline.experiment.processes import AHEAD, Processes, processes
from graphrag_pipeline.experiment.recording import nobody_met
from graphrag_pipeline.experiment.request import Request
from graphrag_pipeline.graph.arrays import IntArray
from graphrag_pipeline.pipeline.runner import Pipeline
from graphrag_pipeline.plugin.host import PluginHost

PART = 32
"""Queries that a process is given at once, at most."""
Errors = Mapping[str, Sequence[str]]
"""What observers raised, by plugin."""


@contextmanager
def evaluation_jobs(
    request: Request, jobs: int, pipeline: Pipeline, judged: Judged, inputs: Inputs
) -> Iterator[EvaluationJobs]:
    """Give processes that evaluate while the body runs.

    Args:
        request: What each of them makes its pipeline from.
        jobs: How many.
        pipeline: The pipeline of this process.
        judged: The question set.
        inputs: What the run is made from; every process has to find the same.
    """
    count = len(judged.dataset.questions)
    jobs = min(jobs, count)
    with processes(jobs, _in_process, "Run it again", _begin, request, inputs) as pool:
        yield EvaluationJobs(pool, jobs, pipeline, count)


class EvaluationJobs:
    """Processes that evaluate a question set.

    Args:
        pool: The processes.
        jobs: How many they are.
        pipeline: The pipeline of this process.
        count: How many queries there are.
    """

    def __init__(self, pool: Processes[_Part], jobs: int, pipeline: Pipeline, count: int) -> None:
        self._pool = pool
        self._pipeline, self._count = pipeline, count
        self._part = max(1, min(PART, count // (jobs * AHEAD)))
        self._met = nobody_met(pipeline.index)
        self._raised: dict[str, dict[str, None]] = {}

    def rows(self) -> Iterator[Row]:
        """Yield what :meth:`graphrag_pipeline.experiment.evaluate.Evaluator.evaluated` yields, in its order.

        Raises:
            LostProcessError: A process ended before its time.
            GraphRAGError: A process could not begin.
            DatasetError: A process found something else than this one, or a measure cannot be computed.
        """
        return with_ends(self._rows(), self._pipeline, self._met, self._count)

    def observer_errors(self) -> Errors:
        """Return what observers raised in any of the processes so far, by plugin, each line once."""
        found = {name: dict.fromkeys(lines) for name, lines in self._pipeline.host.observer_errors().items()}
        for name, lines in self._raised.items():
            found[name] = {**found.get(name, {}), **lines}
        return {name: list(found[name]) for name in sorted(found)}

    def _rows(self) -> Iterator[Row]:
        starts = range(0, self._count, self._part)
        for part in self._pool.in_order((start, start + self._part) for start in starts):
            self._met[part.met] = True
            say(part.messages)
            for name, lines in part.observer_errors.items():
                self._raised.setdefault(name, {}).update(dict.fromkeys(lines))
            yield from part.rows


@dataclass(frozen=True, slots=True)
class _Part:
    """What a process gives back.

    Args:
        rows: Queries with their values.
        met: Positions of the nodes in the records of their steps.
        messages: What the library said.
        observer_errors: What observers raised in this process so far.
    """

    rows: tuple[Row, ...]
    met: IntArray
    messages: tuple[Message, ...]
    observer_errors: Errors


class _Process:
    """What a process works with; it is made with the first task, so that an error of it can be told."""

    def __init__(self, request: Request, inputs: Inputs) -> None:
        self._request, self._inputs = request, inputs
        self._messages = Messages.kept()
        self._made: tuple[Evaluator, Judged, PluginHost] | None = None

    def part(self, start: int, end: int) -> _Part:
        """Evaluate some queries, by their places in the set."""
        evaluator, judged, host = self._made = self._made or self._make()
        rows = tuple(evaluator.rows(judged.dataset.questions[start:end]))
        met = np.flatnonzero(evaluator.met)
        evaluator.met[:] = False
        return _Part(rows, met, self._messages.taken(), host.observer_errors())

    def _make(self) -> tuple[Evaluator, Judged, PluginHost]:
        request, host = self._request, self._request.host()
        settings = request.settings(host)
        dataset = load_dataset(settings.dataset)
        pipeline = build_pipeline(settings, host)
        inputs = inputs_of(settings, pipeline, dataset, request.measures, request.depth)
        if other := [part.name for part in fields(Inputs) if _differs(part.name, inputs, self._inputs)]:
            raise DatasetError(
                f"Another process did not find the same {', '.join(other)}: something changed meanwhile.",
                hint="Run it again; --jobs 1 reads everything once.",
            )
        judged = judge(dataset, pipeline.index)
        evaluator = Evaluator(
            pipeline,
            judged,
            request.measures,
            request.depth,
            inputs.environment,
            metrics=metrics_of(request.measures, host),
            narrowed=narrowed(pipeline, settings.pipeline, host, dataset.questions),
        )
        # What making the pipeline says, the first process has said already.
        self._messages.taken()
        return evaluator, judged, host


def _differs(name: str, one: Inputs, other: Inputs) -> bool:
    return bool(getattr(one, name) != getattr(other, name))


_here: list[_Process] = []
"""The one entry of a process of a pool; empty in any other."""


def _begin(request: Request, inputs: Inputs) -> None:
    _here.append(_Process(request, inputs))


def _in_process(start: int, end: int) -> _Part:
    [here] = _here
    return here.part(start, end)
