"""What each step of a query left, written as it goes: enough to name the first difference between two runs.

A file of steps is one line of JSON that says what it is and which slots there are, then one record a
query, and at the end the ids of the nodes in them, as :mod:`graphrag_pipeline.experiment.node_names` has
them. Numbers are little-endian. A record is:

====================  =========================================================================
:data:`RECORD`        bytes of the id and of the body, and how many steps ended
id                    of the query
steps                 for each :data:`STEP`, how many candidates it left and how many parts it
                      changed; and for each of those :data:`PART`: number in :data:`PARTS`, a
                      checksum of all of it, and how many bytes of it the body has
body                  the parts that changed, in the order of the steps
====================  =========================================================================

These are the parts:

====================  =========================================================================
``rows``              node, parent, edge and hop of each candidate, column by column; the
                      first :data:`ROW_LIMIT` of each column
``score``             scores; as many of them, but for zeros at the end
``evidence``          the columns of evidence: a line for each, its checksum and its name
``signals``           the columns that scores were made of; in the same way
``extras``            what a bridge added, as JSON
``context``           the text
====================  =========================================================================

What a step left as it was is not written again. Before the first step every part is empty. Checksums are
those of :mod:`graphrag_pipeline.experiment.checksums`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from struct import Struct
from typing import Any

import numpy as np

from graphrag_pipeline.experiment.checksums import checksum_of_bytes, checksum_of_floats, checksum_of_numbers
from graphrag_pipeline.experiment.node_names import names_of
from graphrag_pipeline.graph.arrays import BoolArray, FloatArray, IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.pipeline.working import WorkingSet
from graphrag_pipeline.stages.candidates import Candidates, Extras

STEPS = "steps.bin"
KIND = "graphrag-pipeline steps"
FORMAT = 3
ROW_LIMIT = 1000
"""Rows of a column that are written; a difference behind them is noticed and not named."""
RECORD, STEP, PART = Struct("<IIH"), Struct("<IB"), Struct("<BQI")
PARTS = ("rows", "score", "evidence", "signals", "extras", "context")
ROWS, SCORE, EVIDENCE, SIGNALS, EXTRAS, CONTEXT = range(len(PARTS))

_FLOAT = np.dtype("<f8")
_BEFORE = WorkingSet()


@dataclass(frozen=True, slots=True)
class Recorded:
    """The record of one query.

    Args:
        content: Its bytes.
        checksums: Of each part as the last step left it, in the order of :data:`PARTS`.
    """

    content: bytes
    checksums: tuple[int, ...]


class Recorder:
    """Makes records of queries.

    Args:
        index: The graph.
    """

    def __init__(self, index: GraphIndex) -> None:
        self.met = nobody_met(index)
        """Whether a node is in a record, by position; the last one stands for nowhere."""
        self._type = _positions(index)

    def steps(self) -> Steps:
        """Return what is to be called after each step of one query."""
        return Steps(self.met, self._type)

    def record(self, query_id: str, steps: Steps) -> Recorded:
        """Return the record of one query."""
        query, parts = _encoded(query_id), steps.written()
        lengths = RECORD.pack(len(query), parts.length, len(steps.left))
        content = b"".join((lengths, query, *parts.table, *parts.body))
        return Recorded(content, tuple(parts.known))


def nobody_met(index: GraphIndex) -> BoolArray:
    """Return a column that tells of each node that it is in no record."""
    # One more for NOWHERE, which is -1.
    return np.zeros(index.node_count + 1, dtype=np.bool_)


def before_records(index: GraphIndex, slots: Sequence[str]) -> bytes:
    """Return the line that a file begins with.

    Args:
        index: The graph.
        slots: The slots of the steps, in running order.
    """
    about = {"kind": KIND, "format": FORMAT, "rows": ROW_LIMIT, "positions": _positions(index).str}
    return json.dumps({**about, "slots": list(slots)}).encode("ascii") + b"\n"


def behind_records(index: GraphIndex, met: BoolArray) -> bytes:
    """Return what a file ends with: the ids of the nodes in its records."""
    return names_of(index, met[:-1])


def _positions(index: GraphIndex) -> np.dtype[Any]:
    return np.dtype("<i4" if max(index.node_count, index.edge_count) < 2**31 else "<i8")


class Steps:
    """The steps of one query: called after each of them.

    Args:
        met: Set for each node that is written.
        positions: Type that positions are written in.
    """

    def __init__(self, met: BoolArray, positions: np.dtype[Any]) -> None:
        self.left: list[WorkingSet] = []
        self._parts = _Parts()
        self._met, self._type = met, positions

    def __call__(self, _slot: str, working: WorkingSet) -> None:
        """Keep what a step left; it is looked at in :meth:`written`, where its time is not the query's."""
        self.left.append(working)

    def written(self) -> _Parts:
        """Return what the steps changed."""
        before, parts = _BEFORE, self._parts
        for working in self.left:
            if working.candidates is not before.candidates:
                self._add_candidates(working.candidates, before.candidates)
            if working.extras is not before.extras:
                parts.add_text(EXTRAS, content_of(working.extras))
            if working.context is not before.context:
                parts.add_text(CONTEXT, _encoded(working.context.text))
            parts.end_step(len(working.candidates))
            before = working
        return parts

    def _add_candidates(self, candidates: Candidates, before: Candidates) -> None:
        parts = self._parts
        # Columns are frozen: one that a step left alone is the same object.
        if (
            candidates.node is not before.node
            or candidates.parent is not before.parent
            or candidates.edge is not before.edge
            or candidates.hop is not before.hop
        ):
            self._add_rows(candidates)
        if candidates.score is not before.score and parts.changed(
            SCORE, checksum_of_floats(candidates.score)
        ):
            parts.write(SCORE, _without_zeros(candidates.score[:ROW_LIMIT]))
        if candidates.evidence is not before.evidence:
            parts.add_text(EVIDENCE, _lines(candidates.evidence))
        if candidates.signals is not before.signals:
            parts.add_text(SIGNALS, _lines(candidates.signals))

    def _add_rows(self, candidates: Candidates) -> None:
        parts, columns = self._parts, rows_of(candidates)
        if not parts.changed(ROWS, checksum_of_numbers(*columns)):
            return
        rows = np.empty((len(columns), min(len(candidates), ROW_LIMIT)), dtype=self._type)
        for row, column in zip(rows, columns, strict=True):
            row[:] = column[:ROW_LIMIT]
        parts.write(ROWS, rows.tobytes())
        self._met[rows[:2]] = True


class _Parts:
    """The parts of a working set as they are known so far, and the bytes of those that changed."""

    def __init__(self) -> None:
        # Nothing has the checksum 0.
        self.known = [0] * len(PARTS)
        self.table: list[bytes] = []
        self.body: list[bytes] = []
        self.length = 0
        self._changes: list[bytes] = []

    def changed(self, part: int, checksum: int) -> bool:
        """Tell whether a part changed; what did is to be written."""
        if self.known[part] == checksum:
            return False
        self.known[part] = checksum
        return True

    def write(self, part: int, content: bytes) -> None:
        """Write a part that changed."""
        self.body.append(content)
        self.length += len(content)
        self._changes.append(PART.pack(part, self.known[part], len(content)))

    def add_text(self, part: int, content: bytes) -> None:
        """Write a part if it changed."""
        if self.changed(part, checksum_of_bytes(content)):
            self.write(part, content)

    def end_step(self, candidates: int) -> None:
        """Write down what the step changed."""
        self.table += (STEP.pack(candidates, len(self._changes)), *self._changes)
        self._changes = []


def _lines(columns: Mapping[str, FloatArray]) -> bytes:
    lines = [f"{checksum_of_floats(column):016x} {name}\n" for name, column in columns.items()]
    return _encoded("".join(lines))


def _without_zeros(score: FloatArray) -> bytes:
    """Return scores up to the last one that is not 0: before the score stage only seeds have one."""
    score = np.ascontiguousarray(score, _FLOAT)
    there = np.flatnonzero(score.view(np.int64))
    return score[: int(there[-1]) + 1].tobytes() if there.size else b""


def rows_of(candidates: Candidates) -> tuple[IntArray, ...]:
    """Return the columns that say which nodes there are and where they were found."""
    return candidates.node, candidates.parent, candidates.edge, candidates.hop


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def content_of(extras: Extras) -> bytes:
    """Return what a bridge added, as JSON: ids and scores of nodes, edges, and paths; nothing for nothing."""
    if not (extras.nodes or extras.edges or extras.paths):
        return b""
    content = [
        [[node.node_id, score] for node, score in zip(extras.nodes, extras.score.tolist(), strict=True)],
        [list(edge.key) for edge in extras.edges],
        [list(path) for path in extras.paths],
    ]
    return json.dumps(content).encode("ascii")
