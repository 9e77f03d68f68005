"""What filters cost in recall: which relevant nodes each of their rules dropped."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphrag_pipeline.pipeline.trace import Drops, Trace


@dataclass(frozen=True, slots=True)
class RuleCost:
    """What one rule dropped in one step.

    Args:
        step: Number of the step in the order, from 0.
        slot: Name of its slot: a filter, or an expander with a gate.
        reason: The rule, as the trace names it.
        dropped: How many nodes it dropped.
        relevant: Ids of the relevant nodes among them, in visit order.
    """

    step: int
    slot: str
    reason: str
    dropped: int
    relevant: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON data."""
        return {
            "step": self.step,
            "slot": self.slot,
            "reason": self.reason,
            "dropped": self.dropped,
            "relevant": list(self.relevant),
        }


def recall_cost(trace: Trace, relevant_ids: Iterable[str]) -> tuple[RuleCost, ...]:
    """Return, for every rule that dropped anything, how many relevant nodes it dropped.

    A node counts for the rule that the trace names: of an ``all`` the first that failed. What a gate kept a
    walk from ever meeting is dropped by no rule. Time is linear in the drops.

    Args:
        trace: An answered query.
        relevant_ids: Ids of the nodes that should have been found; others than the graph's are no mistake.

    Returns:
        One entry for each step and reason, in running order, then in the order of the filter's reasons.
    """
    relevant = frozenset(relevant_ids)
    return tuple(
        RuleCost(number, step.slot, reason, dropped, ids)
        for number, step in enumerate(trace.slots)
        for drops in step.drops
        for reason, dropped, ids in _by_reason(drops, relevant)
    )


def _by_reason(drops: Drops, relevant: frozenset[str]) -> Iterable[tuple[str, int, tuple[str, ...]]]:
    verdict = drops.verdict
    for code, reason in enumerate(verdict.reasons):
        rows = np.flatnonzero(~verdict.keep & (verdict.reason == code))
        if rows.size:
            ids = drops.index.ids_at(drops.node[rows])
            yield reason, int(rows.size), tuple(node_id for node_id in ids if node_id in relevant)
