"""The contract of metrics, which fill no slot; that of trackers is in :mod:`graphrag_pipeline.tracking`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol


class Metric(Protocol):
    """Says how good one ranking is."""

    def measure(self, ranking: Sequence[str], relevant: Mapping[str, int]) -> float:
        """Return a finite number, higher is better.

        Args:
            ranking: Node ids, best first, none twice.
            relevant: The grade of each relevant node id, all above 0.
        """
        ...
