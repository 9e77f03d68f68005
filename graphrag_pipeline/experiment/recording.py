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
those of :mod:`graphrag_pipeline.experiment.checksums` for rows and columns, and CRC-32 for text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from struct import Struct
from typing import Any
from zlib import crc32

import numpy as np

from graphrag_pipeline.experiment.checksums import Checksums
from graphrag_pipeline.experiment.node_names import names_of
from graphrag_pipeline.graph.arrays import BoolArray, FloatArray, IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.pipeline.working import WorkingSet
from graphrag_pipeline.stages.candidates import Candidates, Extras

STEPS = "steps.bin"
KIND = "graphrag-pipeline steps"
FORMAT = 2
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
    """Makes records of queries; they are written in the order in which they are made.

    Args:
        index: The graph; ids are taken from it, once for all queries.
        slots: The slots of the steps, in running order.
        queries: How many records there will be; with the last one come the ids.
    """

    def __init__(self, index: GraphIndex, slots: Sequence[str], queries: int) -> None:
        self._index = index
        self._slots = list(slots)
        self._queries = queries
        self._made = 0
        # One more for NOWHERE, which is -1.
        self._met = np.zeros(index.node_count + 1, dtype=np.bool_)
        self._type = np.dtype("<i4" if max(index.node_count, index.edge_count) < 2**31 else "<i8")
        self._sums = Checksums()

    def steps(self) -> Steps:
        """Return what is to be called after each step of one query."""
        return Steps(self._sums, self._met, self._type)

    def record(self, query_id: str, steps: Steps) -> Recorded:
        """Return the record of one query.

        Before the first one stands the file's first line, and behind the last one stand the ids.
        """
        query, parts = _encoded(query_id), steps.written()
        first = self._header() if not self._made else b""
        lengths = RECORD.pack(len(query), parts.length, len(steps.left))
        self._made += 1
        last = names_of(self._index, self._met[:-1]) if self._made == self._queries else b""
        content = b"".join((first, lengths, query, *parts.table, *parts.body, last))
        return Recorded(content, tuple(parts.known))

    def _header(self) -> bytes:
        """Return the line that the file begins with."""
        about = {"kind": KIND, "format": FORMAT, "rows": ROW_LIMIT, "positions": self._type.str}
        return json.dumps({**about, "slots": self._slots}).encode("ascii") + b"\n"


class Steps:
    """The steps of one query: called after each of them.

    Args:
        sums: Makes checksums.
        met: Set for each node that is written.
        positions: Type that positions are written in.
    """

    def __init__(self, sums: Checksums, met: BoolArray, positions: np.dtype[Any]) -> None:
        self.left: list[WorkingSet] = []
        self._parts = _Parts()
        self._sums, self._met, self._type = sums, met, positions

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
        parts, sums = self._parts, self._sums
        # Columns are frozen: one that a step left alone is the same object.
        if (
            candidates.node is not before.node
            or candidates.parent is not before.parent
            or candidates.edge is not before.edge
            or candidates.hop is not before.hop
        ):
            self._add_rows(candidates)
        if candidates.score is not before.score and parts.changed(SCORE, sums.of_floats(candidates.score)):
            parts.write(SCORE, _without_zeros(candidates.score[:ROW_LIMIT]))
        if candidates.evidence is not before.evidence:
            parts.add_text(EVIDENCE, self._lines(candidates.evidence))
        if candidates.signals is not before.signals:
            parts.add_text(SIGNALS, self._lines(candidates.signals))

    def _add_rows(self, candidates: Candidates) -> None:
        parts, columns = self._parts, rows_of(candidates)
        if not parts.changed(ROWS, self._sums.of_numbers(*columns)):
            return
        rows = np.empty((len(columns), min(len(candidates), ROW_LIMIT)), dtype=self._type)
        for row, column in zip(rows, columns, strict=True):
            row[:] = column[:ROW_LIMIT]
        parts.write(ROWS, rows.tobytes())
        self._met[rows[:2]] = True

    def _lines(self, columns: Mapping[str, FloatArray]) -> bytes:
        lines = [f"{self._sums.of_floats(column):016x} {name}\n" for name, column in columns.items()]
        return _encoded("".join(lines))


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
        if self.changed(part, crc32(content)):
            self.write(part, content)

    def end_step(self, candidates: int) -> None:
        """Write down what the step changed."""
        self.table += (STEP.pack(candidates, len(self._changes)), *self._changes)
        self._changes = []


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
