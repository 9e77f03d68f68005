"""What every step is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn, Protocol

import numpy as np

from graphrag_pipeline.errors import StageError
from graphrag_pipeline.graph.arrays import FloatArray, frozen
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.pipeline.context_report import ContextReport
from graphrag_pipeline.pipeline.trace import BridgeReport, Drops, FailureReport
from graphrag_pipeline.pipeline.working import WorkingSet


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a step made of the working set, and what the trace should say about it."""

    working: WorkingSet
    drops: tuple[Drops, ...] = ()
    bridge: BridgeReport | None = None
    cut: int = 0
    context: ContextReport | None = None
    idle: str = ""
    remarks: tuple[str, ...] = ()
    failure: FailureReport | None = None


class Step(Protocol):
    """One place in the order, its component ready to run."""

    @property
    def place(self) -> Place:
        """Where it stands."""
        ...

    def run(self, working: WorkingSet, query: Query, index: GraphIndex) -> Outcome:
        """Run the component.

        Raises:
            StageError: The component raised, or returned something its contract forbids.
        """
        ...


@dataclass(frozen=True, slots=True)
class Place:
    """Where a step stands: for the trace and for messages."""

    slot: str
    kind: str
    use: str

    def failure(self, error: BaseException, where: str = "") -> StageError:
        """Return the error that tells of what the component raised."""
        return StageError(
            f"The {self.kind} {self.use!r} failed: {type(error).__name__}: {error}",
            where=where or f"slot {self.slot}",
            hint="The component raised this; run with --debug to see where.",
        )

    def refuse(self, what: str) -> NoReturn:
        """Raise the error for a return value that the contract forbids."""
        raise StageError(
            f"The {self.kind} {self.use!r} {what}.",
            where=f"slot {self.slot}",
            hint="This is a fault of the component; see its kind in docs/plugins.md.",
        )

    def column(self, value: object, length: int, what: str) -> FloatArray:
        """Return ``value`` as finite float64 column of the right length, or refuse it."""
        given = np.asarray(value)
        if given.dtype.kind not in "fiub" and given.size:
            self.refuse(f"returned {what} that are no numbers but {given.dtype}")
        column = given.astype(np.float64)
        if column.shape != (length,):
            self.refuse(f"returned {what} of shape {column.shape} for {length} candidates")
        if not np.isfinite(column).all():
            row = int(np.flatnonzero(~np.isfinite(column))[0])
            self.refuse(f"returned {column[row]} for candidate {row}; {what} must be finite")
        return frozen(column)
