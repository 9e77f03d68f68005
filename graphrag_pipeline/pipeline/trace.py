"""What happened in one query, slot by slot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from graphrag_pipeline.graph.arrays import IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.model.records import KnowledgeNode
from graphrag_pipeline.model.result import QueryResult
from graphrag_pipeline.pipeline.context_report import ContextReport
from graphrag_pipeline.pipeline.lazy_result import LazyResult
from graphrag_pipeline.pipeline.working import WorkingSet, best_rows
from graphrag_pipeline.stages.contract import Verdict


@dataclass(frozen=True)
class Drops:
    """The nodes a filter dropped from one set, each with a reason.

    Args:
        node: Position of every judged node.
        verdict: The filter's decision about them.
        index: The index the positions belong to.
        extras: Whether the nodes came from a bridge.
    """

    node: IntArray
    verdict: Verdict
    index: GraphIndex
    extras: bool = False

    def __len__(self) -> int:
        return int(np.count_nonzero(~self.verdict.keep))

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Yield node id and reason, in visit order."""
        for row in np.flatnonzero(~self.verdict.keep):
            yield self.index.ids[self.node[row]], self.verdict.reasons[self.verdict.reason[row]]

    def counts(self) -> dict[str, int]:
        """How many nodes each reason dropped; reasons in the filter's order, unused ones left out."""
        used = np.bincount(self.verdict.reason[~self.verdict.keep], minlength=len(self.verdict.reasons))
        return {reason: int(count) for reason, count in zip(self.verdict.reasons, used, strict=True) if count}


@dataclass(frozen=True, slots=True)
class BridgeReport:
    """What a bridge did.

    Args:
        mode: What answered: ``live``, ``mock``, ``noop``, a plugin's word, or ``failed``.
        error: Why it failed; empty when it answered.
        note: Why this mode was chosen, for example why the mock answers.
        nodes: Nodes it added.
        edges: Edges it added.
        paths: Paths it added.
        skipped: Malformed parts of the answer, one line each.
    """

    mode: str
    error: str = ""
    note: str = ""
    nodes: int = 0
    edges: int = 0
    paths: int = 0
    skipped: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain JSON data."""
        return {
            "mode": self.mode,
            "error": self.error,
            "note": self.note,
            "nodes": self.nodes,
            "edges": self.edges,
            "paths": self.paths,
            "skipped": list(self.skipped),
        }


@dataclass(frozen=True, slots=True)
class FailureReport:
    """How a step failed that did not end the query.

    Args:
        error: Why it failed.
        fallback: Name of the component that ran in its place; empty when the slot was skipped.
        late: Whether it took too long.
        hanging: How many late calls of it still run.
    """

    error: str
    fallback: str = ""
    late: bool = False
    hanging: int = 0

    @property
    def action(self) -> str:
        """What was done: ``skipped``, or ``fallback:`` with the name."""
        return f"fallback:{self.fallback}" if self.fallback else "skipped"

    @property
    def told(self) -> str:
        """The report in one line."""
        done = f"{self.fallback!r} ran in its place" if self.fallback else "was skipped"
        return f"failed and {done}: {self.error}"

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain JSON data."""
        return {"action": self.action, "error": self.error, "late": self.late, "hanging": self.hanging}


@dataclass(frozen=True)
class SlotTrace:
    """What one step of the order did.

    Args:
        slot: Name of the slot.
        kind: Kind of its component.
        use: Name of its component.
        seconds: Wall time.
        candidates_in: Candidates and extras before.
        candidates_out: Candidates and extras after.
        drops: What a filter dropped, or the gate of an expander.
        bridge: What a bridge did; None for any other kind.
        cut: Scored nodes that are not in the context.
        context: How large it is and why nodes are not in it; None for any other kind.
        idle: Why the stage was not called; empty when it was.
        remarks: What the user should know of it, one line each: why a filter left few candidates.
        failure: How its component failed, where the query went on; the rest tells of what ran instead.
    """

    slot: str
    kind: str
    use: str
    seconds: float
    candidates_in: int
    candidates_out: int
    drops: tuple[Drops, ...] = ()
    bridge: BridgeReport | None = None
    cut: int = 0
    context: ContextReport | None = None
    idle: str = ""
    remarks: tuple[str, ...] = ()
    failure: FailureReport | None = None

    def dropped(self) -> Iterator[tuple[str, str]]:
        """Yield id and reason of every dropped node, graph nodes first."""
        for drops in self.drops:
            yield from drops

    def drop_counts(self) -> dict[str, int]:
        """How many nodes each reason dropped."""
        total: dict[str, int] = {}
        for drops in self.drops:
            for reason, count in drops.counts().items():
                total[reason] = total.get(reason, 0) + count
        return total

    def to_dict(self) -> dict[str, Any]:
        """Return the step as plain JSON data."""
        return {
            "slot": self.slot,
            "kind": self.kind,
            "use": self.use,
            "seconds": self.seconds,
            "candidates_in": self.candidates_in,
            "candidates_out": self.candidates_out,
            "dropped": [[node_id, reason] for node_id, reason in self.dropped()],
            "bridge": None if self.bridge is None else self.bridge.to_dict(),
            "cut": self.cut,
            "context": None if self.context is None else self.context.to_dict(),
            "idle": self.idle,
            "remarks": list(self.remarks),
            "failure": None if self.failure is None else self.failure.to_dict(),
        }


class RankedNode(NamedTuple):
    """A node of the ranking: its score, edges from its seed (-1 for an extra), and its signals."""

    node: KnowledgeNode
    score: float
    hop: int
    signals: Mapping[str, float]


@dataclass(frozen=True)
class Trace:
    """One query, its result, and how it came about.

    Args:
        query: The query as it ran, anchors filled in.
        working: What the last step left.
        index: The graph it ran on.
        slots: The steps, in running order; empty for an empty graph.
        warnings: What the user should know, one line each.
        seconds: Wall time of the whole query.
    """

    query: Query
    working: WorkingSet
    index: GraphIndex
    slots: tuple[SlotTrace, ...] = ()
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0

    @cached_property
    def result(self) -> QueryResult:
        """The result; its parts are made when they are asked for."""
        return LazyResult(self.working, self.index)

    @cached_property
    def signals(self) -> Mapping[str, tuple[float, ...]]:
        """The columns the scores were made of, by signal name; one number per node of the result.

        A node that no score stage saw has 0.
        """
        candidates, extras = self.working.candidates, self.working.extras
        none, no_extra = np.zeros(len(candidates)), np.zeros(len(extras.nodes))
        return {
            name: (
                *candidates.signals.get(name, none).tolist(),
                *extras.signals.get(name, no_extra).tolist(),
            )
            for name in {**candidates.signals, **extras.signals}
        }

    def ranking(self, count: int) -> list[RankedNode]:
        """Return the best nodes with what placed them; only these are read.

        Args:
            count: How many; 0 or less means all.
        """
        working = self.working
        rows = best_rows(working.scores, count) if count > 0 else working.ranking()
        scores = working.scores[rows].tolist()
        nodes = working.nodes(rows, self.index)
        return [
            RankedNode(node, score, self._hop(row), self._signals(row))
            for node, score, row in zip(nodes, scores, rows.tolist(), strict=True)
        ]

    def _hop(self, row: int) -> int:
        candidates = self.working.candidates
        return int(candidates.hop[row]) if row < len(candidates) else -1

    def _signals(self, row: int) -> dict[str, float]:
        candidates, extras = self.working.candidates, self.working.extras
        own = row < len(candidates)
        columns, place = (candidates.signals, row) if own else (extras.signals, row - len(candidates))
        return {name: float(column[place]) for name, column in columns.items()}

    @cached_property
    def hops(self) -> tuple[int, ...]:
        """Edges between each node of the result and its seed; -1 for extras."""
        return (*self.working.candidates.hop.tolist(), *[-1] * len(self.working.extras.nodes))

    @property
    def bridge(self) -> BridgeReport | None:
        """What the last bridge of the order did; None when none ran."""
        return next((step.bridge for step in reversed(self.slots) if step.bridge is not None), None)

    def to_dict(self) -> dict[str, Any]:
        """Return the trace, without the result, as plain JSON data."""
        return {
            "query": {
                "text": self.query.text,
                "k": self.query.k,
                "persona": self.query.persona,
                "anchors": list(self.query.anchors),
                "cell": None if self.query.cell is None else self.query.cell.coordinate,
                "max_hops": self.query.max_hops,
            },
            "seconds": self.seconds,
            "warnings": list(self.warnings),
            "slots": [step.to_dict() for step in self.slots],
            "signals": {name: list(column) for name, column in self.signals.items()},
            "hops": list(self.hops),
        }
