"""What a rule says of each node of a small graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphrag_pipeline import Candidates, GraphIndex, KnowledgeNode, Query
from graphrag_pipeline.stages.filters.rules.filter import Rules
from graphrag_pipeline.stages.filters.rules.shape import RulesParams


def rules(rule: dict[str, Any]) -> Rules:
    return Rules(RulesParams.model_validate({"rule": rule}))


def every(index: GraphIndex) -> Candidates:
    """All nodes, as seeds."""
    return Candidates.seeds(np.arange(index.node_count))


def judged(
    rule: dict[str, Any],
    index: GraphIndex,
    query: Query | None = None,
    candidates: Candidates | None = None,
) -> dict[str, str] | None:
    """The reason for which each node is dropped, "" where it is kept; None where the rule does not apply."""
    candidates = every(index) if candidates is None else candidates
    verdict = rules(rule).keep(candidates, Query("x") if query is None else query, index)
    if verdict is None:
        return None
    return {
        index.ids[node]: "" if kept else verdict.reasons[reason]
        for node, kept, reason in zip(
            candidates.node.tolist(), verdict.keep.tolist(), verdict.reason.tolist(), strict=True
        )
    }


def kept(rule: dict[str, Any], index: GraphIndex, query: Query | None = None) -> str:
    """The ids that are kept, separated by blanks."""
    told = judged(rule, index, query)
    assert told is not None
    return " ".join(node_id for node_id, reason in told.items() if not reason)


def typed(node_id: str, node_type: str = "concept", namespace: str = "g", **properties: Any) -> KnowledgeNode:
    return KnowledgeNode(node_id, node_type, node_id, namespace, properties=properties)
