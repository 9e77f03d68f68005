"""Measures that plugins bring: found by name, called for each ranking, and never trusted to give a number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from types import MappingProxyType
from typing import Any

from graphrag_pipeline.experiment.cutoff_measures import is_cutoff_measure
from graphrag_pipeline.plugin.causes import cause, plugin_errors
from graphrag_pipeline.plugin.contract import Metric
from graphrag_pipeline.plugin.host import PluginHost

KIND = "metric"
LARGEST = 1e100
"""Values beyond are taken for none: their sum might be no number."""
RAISED = "it raised "
"""How the reason begins for a value that is missing because a metric raised."""


def metrics_of(measures: Sequence[str], host: PluginHost) -> Mapping[str, Metric]:
    """Return the metrics of plugins among the measures, made with their default parameters.

    Args:
        measures: Names, or ``plugin:name``; what no plugin has is left out.
        host: Where components are.

    Raises:
        PluginError: Several plugins have a metric of that name, or it cannot be made.
    """
    there = host.components(KIND)
    wanted = [name for name in dict.fromkeys(measures) if not is_cutoff_measure(name)]
    bare = {name: name.rpartition(":")[2] for name in wanted}
    known = [name for name in wanted if name in there or KIND in host.kinds_of(bare[name])]
    return {name: host.build(KIND, name) for name in known}


def measured(
    metric: Metric, ranking: Sequence[str], relevant: Mapping[str, float], failed: bool = False
) -> tuple[float | None, str]:
    """Return what a metric gives, or None and the reason why that is no value.

    Args:
        metric: The metric.
        ranking: Node ids, best first; the metric is given what it cannot change for others.
        relevant: Levels above 0 by node id; as well.
        failed: Whether the query failed; it counts 0 then, and the metric is not asked.
    """
    if failed:
        return 0.0, ""
    try:
        judged: Mapping[str, Any] = MappingProxyType(relevant)  # Any: levels may be fractions
        value: object = metric.measure(tuple(ranking), judged)
        if isinstance(value, bool) or not isinstance(value, Real):
            return None, f"it gave {type(value).__name__}, which is no number"
        number = float(value)
    except plugin_errors() as error:
        return None, f"{RAISED}{cause(error)}"
    return (number, "") if abs(number) <= LARGEST else (None, f"it gave {number}")
