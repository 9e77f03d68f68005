"""What one query of a run gave: its answer, or why there is none, and its measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from graphrag_pipeline.errors import GraphRAGError
from graphrag_pipeline.experiment.datasets.dataset import Question
from graphrag_pipeline.experiment.graph_measures import GraphValues
from graphrag_pipeline.experiment.stable_text import stable_text
from graphrag_pipeline.plugin.causes import cause, place


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
        nodes: Ids of the ranking, the best first; at most as many as were asked for.
        scores: Their scores.
        graph: Values that need more than the ranking.
        slots: Name and seconds of each step.
        seconds: Wall time of the query.
        digest: Digest of the result; empty when it failed.
        failure: Why it failed; None when it did not.
        steps: What each step left, as a record of :mod:`graphrag_pipeline.experiment.recording`.
        found: Rank, from 1, and level of each relevant node in the ranking, in no order.
        degraded: Each slot that failed and what was done, where the query went on: ``seed skipped``.
        bridged: Mode of each bridge that added nodes: ``live``, ``mock``, or a plugin's word.
    """

    question: Question
    nodes: Sequence[str]
    scores: Sequence[float]
    graph: GraphValues
    slots: tuple[tuple[str, float], ...]
    seconds: float
    digest: str
    failure: Failure | None = None
    steps: bytes = b""
    found: tuple[Sequence[int], Sequence[float]] = ((), ())
    degraded: tuple[str, ...] = ()
    bridged: tuple[str, ...] = ()

    @property
    def ranking(self) -> tuple[tuple[str, float], ...]:
        """Node ids and scores, the best first."""
        return tuple(zip(self.nodes, self.scores, strict=True))


@dataclass(frozen=True, slots=True)
class Row:
    """An answer with its measures.

    Args:
        answer: The answer.
        values: In the order the measures were asked for; None where one has no value. None for a query that
            is not judged.
        undefined: Why a measure has no value, by its name.
    """

    answer: Answer
    values: tuple[float | None, ...] | None
    undefined: Mapping[str, str] = field(default_factory=dict)


def failure_of(error: BaseException, environment: Sequence[str] = ()) -> Failure:
    """Return what an error says, in its own words where it is one of ours.

    Args:
        error: What was raised.
        environment: Names of environment variables whose values no message may hold.
    """
    said = cause(error), place(error), error.hint if isinstance(error, GraphRAGError) else ""
    return Failure(*(stable_text(text, environment) for text in said))
