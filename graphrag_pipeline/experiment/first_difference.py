"""Where two runs of one query part: the step, the node, and both values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from graphrag_pipeline.experiment.recorded_steps import QuerySteps, StepState
from graphrag_pipeline.experiment.recording import (
    CONTEXT,
    EVIDENCE,
    EXTRAS,
    PARTS,
    ROW_LIMIT,
    ROWS,
    SCORE,
    SIGNALS,
)
from graphrag_pipeline.graph.arrays import IntArray

LONGEST = 160
"""Characters of a line of a context that are shown."""
ABSENT = "not there"


@dataclass(frozen=True, slots=True)
class FirstDifference:
    """The first thing in which two runs of a query differ.

    Args:
        query: Its id.
        slot: The slot whose step left it; empty when no step shows it.
        step: Number of the step, from 1; 0 when no step shows it.
        node: Id of the node; empty when it is not about one node.
        what: What differs: ``score``, ``place``, ``found from``, …
        first: The value in the first run.
        second: The value in the second run.
        also: What else that step left differently.
    """

    query: str
    slot: str
    step: int
    node: str
    what: str
    first: str
    second: str
    also: tuple[str, ...] = ()


def first_difference(first: QuerySteps, second: QuerySteps, *, same_graph: bool) -> FirstDifference | None:
    """Return where the steps of a query part; None where all that ended in both left the same.

    Evidence and signals have no values to show, so they are named only where nothing else differs in any
    step; otherwise ``also`` tells of them.

    Args:
        first: Its steps in the first run.
        second: Its steps in the second run.
        same_graph: Whether positions mean the same in both; if not, nodes are compared by id and edges
            are not compared.
    """
    pairs = [
        _Pair(one, other, first, second, same_graph)
        for one, other in zip(first.steps, second.steps, strict=False)
    ]
    for with_columns in (False, True):
        for place, pair in enumerate(pairs):
            if found := pair.difference(with_columns=with_columns):
                node, what, one, other = found
                also = _columns_before(pairs[:place])
                also += [name for name in pair.changed() if name != what.partition(",")[0]]
                slot = pair.one.slot
                return FirstDifference(first.query, slot, place + 1, node, what, one, other, tuple(also))
    return None


def _columns_before(pairs: Sequence[_Pair]) -> list[str]:
    """Return which columns differ in steps before one, each with the first such step."""
    found: dict[str, str] = {}
    for number, pair in enumerate(pairs, start=1):
        for name in pair.changed():
            found.setdefault(name, f"{name} of step {number}")
    return list(found.values())


Found = tuple[str, str, str, str]
"""Node, what, and the two values."""


@dataclass(frozen=True, slots=True)
class _Pair:
    one: StepState
    other: StepState
    first: QuerySteps
    second: QuerySteps
    same_graph: bool

    def changed(self) -> list[str]:
        """Return the parts besides the candidates themselves that differ."""
        return [name for part, name in enumerate(PARTS) if part != ROWS and not self._same(part)]

    def difference(self, *, with_columns: bool) -> Found | None:
        """Return the first difference, looking at evidence and signals too or not."""
        if self.one.slot != self.other.slot:
            return "", "slot", self.one.slot, self.other.slot
        columns = (EVIDENCE, SIGNALS) if with_columns else ()
        found = self._candidates() or self._scores() or self._extras() or self._context()
        return found or next(filter(None, map(self._columns, columns)), None)

    def _same(self, part: int) -> bool:
        return self.one.checksums[part] == self.other.checksums[part] and (part != ROWS or self.same_graph)

    def _candidates(self) -> Found | None:
        if self._same(ROWS) and self.one.candidates == self.other.candidates:
            return None
        rows, others = self.one.rows(), self.other.rows()
        ids, other_ids = self._ids(rows[0], self.first), self._ids(others[0], self.second)
        if ids != other_ids:
            return _moved(ids, other_ids)
        if self.one.candidates != self.other.candidates:
            return "", "candidates", str(self.one.candidates), str(self.other.candidates)
        return (
            _unequal("found from", ids, self._ids(rows[1], self.first), self._ids(others[1], self.second))
            or _unequal("hop", ids, rows[3].tolist(), others[3].tolist())
            or (self._edges(ids, rows[2], others[2]) if self.same_graph else None)
        )

    def _edges(self, ids: list[str], edges: IntArray, others: IntArray) -> Found | None:
        if found := _unequal("found over edge", ids, edges.tolist(), others.tolist()):
            return found
        return None if self._same(ROWS) else ("", *_behind("rows"))

    def _ids(self, positions: IntArray, query: QuerySteps) -> list[str]:
        return [query.names.get(position, "—") for position in positions.tolist()]

    def _scores(self) -> Found | None:
        if self._same(SCORE):
            return None
        scores, others = self.one.scores(), self.other.scores()
        rows = np.flatnonzero(scores.view(np.int64) != others.view(np.int64))
        if not rows.size:
            return "", *_behind("score")
        row = int(rows[0])
        node = self._ids(self.one.rows()[0][row : row + 1], self.first)[0]
        return node, "score", repr(float(scores[row])), repr(float(others[row]))

    def _columns(self, part: int) -> Found | None:
        if self._same(part):
            return None
        one, other = (_named(step.text(part)) for step in (self.one, self.other))
        names = [name for name in {**one, **other} if one.get(name) != other.get(name)]
        shown = [
            ", ".join(f"{name} {f'checksum {found[name]}' if name in found else ABSENT}" for name in names)
            for found in (one, other)
        ]
        return "", PARTS[part], shown[0], shown[1]

    def _extras(self) -> Found | None:
        if self._same(EXTRAS):
            return None
        one, other = (_cut(step.text(EXTRAS) or "none") for step in (self.one, self.other))
        return "", "extras", one, other

    def _context(self) -> Found | None:
        if self._same(CONTEXT):
            return None
        lines = [step.text(CONTEXT).split("\n") for step in (self.one, self.other)]
        for number, (line, other) in enumerate(zip_longest(*lines), start=1):
            if line != other:
                shown = [ABSENT if text is None else _cut(text) for text in (line, other)]
                return "", f"context, line {number}", shown[0], shown[1]
        return None


def _behind(what: str) -> tuple[str, str, str]:
    place = f"behind the first {ROW_LIMIT} candidates, which are the same"
    return what, place, place


def _moved(ids: list[str], others: list[str]) -> Found:
    """Return the first node that is not at the same place in both."""
    row, (node, other) = next(
        (row, pair) for row, pair in enumerate(zip_longest(ids, others)) if pair[0] != pair[1]
    )
    place = f"place {row + 1}"
    if node is not None and node not in others:
        return node, "place", place, ABSENT
    if other is not None and other not in ids:
        return other, "place", ABSENT, place
    assert node is not None  # the shorter list lacks what the longer one has
    return node, "place", place, f"place {others.index(node) + 1}"


def _unequal(
    what: str, ids: list[str], values: list[str] | list[int], others: list[str] | list[int]
) -> Found | None:
    for node, value, other in zip(ids, values, others, strict=True):
        if value != other:
            return node, what, str(value), str(other)
    return None


def _named(lines: str) -> dict[str, str]:
    """Return checksum by name of a column."""
    pairs = [line.partition(" ") for line in lines.split("\n") if line]
    return {name: checksum for checksum, _, name in pairs}


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
