"""The contracts of the kinds that no stage fills: metrics and trackers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol


class Metric(Protocol):
    """Says how good one ranking is."""

    def measure(self, ranking: Sequence[str], relevant: Mapping[str, int]) -> float:
        """Return a finite number, higher is better.

        Args:
            ranking: Node ids, best first, none twice.
            relevant: The grade of each relevant node id, all above 0.
        """
        ...


class Tracker(Protocol):
    """Sends the numbers of a run to where experiments are kept."""

    # Any: a resolved config and a manifest are plain JSON data.
    def start(self, run_id: str, config: Mapping[str, Any]) -> None:
        """Begin a run with its resolved configuration."""
        ...

    def log(self, values: Mapping[str, float], step: int) -> None:
        """Record numbers by name; ``step`` counts from 0."""
        ...

    def finish(self, manifest: Mapping[str, Any]) -> None:
        """End the run."""
        ...
