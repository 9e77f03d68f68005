"""Asking a filter, and checking what it says."""

from __future__ import annotations

import numpy as np

from graphrag_pipeline.errors import GraphRAGError
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.pipeline.steps.step import Place
from graphrag_pipeline.plugin.causes import plugin_errors
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.contract import Filter, Verdict
from graphrag_pipeline.stages.filters.rules.cell import CellParams
from graphrag_pipeline.stages.filters.rules.filter import Rules
from graphrag_pipeline.stages.filters.rules.shape import RulesParams
from graphrag_pipeline.stages.filters.zachman import ZachmanFilter


def judge(
    place: Place, component: Filter, candidates: Candidates, query: Query, index: GraphIndex
) -> Verdict | None:
    """Return a filter's verdict, or None when it does not apply to the query.

    Raises:
        StageError: The filter returned something its contract forbids.
    """
    verdict = component.keep(candidates, query, index)
    if verdict is None:
        return None
    if not isinstance(verdict, Verdict):
        place.refuse(f"returned {type(verdict).__name__}, not a Verdict or None")
    shape = (len(candidates),)
    keep, reason = np.asarray(verdict.keep), np.asarray(verdict.reason)
    if keep.dtype != np.bool_ or keep.shape != shape:
        place.refuse(f"returned a mask of {keep.dtype} {keep.shape}, not of bool {shape}")
    dropped = reason[~keep] if reason.shape == shape and reason.dtype.kind in "iu" else None
    known = len(verdict.reasons)
    if dropped is None or (dropped.size and (dropped.min() < 0 or dropped.max() >= known)):
        place.refuse("dropped a candidate without a reason")
    reasons: object = verdict.reasons
    if not isinstance(reasons, tuple | list) or not all(isinstance(name, str) and name for name in reasons):
        place.refuse(f"returned the reasons {reasons!r:.60}, not a tuple of texts")
    return Verdict(keep, reason, tuple(reasons))


def shortage(
    place: Place, component: Filter, judged: Candidates, left: int, query: Query, index: GraphIndex
) -> tuple[str, ...]:
    """Return what to say of a filter that left fewer candidates than ``query.k``, or none.

    Args:
        place: Where the filter stands.
        component: The filter.
        judged: The candidates it judged.
        left: How many of them are left.
        query: The query.
        index: The graph they are in.
    """
    before = len(judged)
    if left == before or left >= max(query.k, 1):
        return ()
    told = f"{left} of {before} candidates are left" + (f", fewer than k = {query.k}" if left else "")
    if isinstance(component, ZachmanFilter):
        component = _as_rules(component)
    advise = getattr(component, "remarks", None)
    if advise is None:
        return (told,)
    try:
        advice: object = advise(judged, query, index)
    except GraphRAGError:
        raise
    except plugin_errors() as error:
        raise place.failure(error) from error
    if not isinstance(advice, tuple | list) or not all(isinstance(line, str) for line in advice):
        place.refuse(f"returned the remarks {advice!r:.60}, not a tuple of texts")
    return (told, *advice)


def _as_rules(component: ZachmanFilter) -> Rules:
    """Return the rule that says the same, for its advice."""
    return Rules(RulesParams(rule={"cell": CellParams(match=component.params.match)}))
