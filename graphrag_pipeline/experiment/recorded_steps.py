"""Reading what :mod:`graphrag_pipeline.experiment.recording` wrote."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NoReturn

import numpy as np

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.node_names import TAIL, read_names, size_of_names
from graphrag_pipeline.experiment.recording import (
    FORMAT,
    KIND,
    PART,
    PARTS,
    RECORD,
    ROW_LIMIT,
    ROWS,
    SCORE,
    STEP,
)
from graphrag_pipeline.graph.arrays import FloatArray, IntArray

LONGEST_HEADER = 1 << 16


@dataclass(frozen=True, slots=True)
class StepState:
    """What one step left.

    Args:
        slot: Its slot.
        candidates: How many candidates there were.
        checksums: checksum of each part, in the order of ``PARTS``.
        content: What is kept of each part.
        positions: Type of positions.
    """

    slot: str
    candidates: int
    checksums: tuple[int, ...]
    content: tuple[bytes, ...]
    positions: str

    def rows(self) -> IntArray:
        """Return node, parent, edge and hop of the first candidates, as rows of four."""
        return np.frombuffer(self.content[ROWS], dtype=self.positions).reshape(4, -1).astype(np.int64)

    def scores(self) -> FloatArray:
        """Return the scores of the first candidates."""
        scores = np.zeros(min(self.candidates, ROW_LIMIT))
        written = np.frombuffer(self.content[SCORE], dtype="<f8")
        scores[: written.size] = written
        return scores

    def text(self, part: int) -> str:
        """Return a part that is text."""
        return self.content[part].decode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class QuerySteps:
    """The steps of one query that ended, and the ids of the nodes of all queries by position."""

    query: str
    steps: tuple[StepState, ...]
    names: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class _Lengths:
    query: int
    body: int
    steps: int


def read_steps(path: Path) -> Iterator[QuerySteps]:
    """Yield the steps of each query, in the order of the file.

    Raises:
        DatasetError: It is no such file, or it is damaged.
    """
    with path.open("rb") as file:
        yield from _Reader(path, file).queries()


def slots_of(path: Path) -> tuple[str, ...]:
    """Return the slots that every query runs through; none for a run without queries.

    Raises:
        DatasetError: It is no such file.
    """
    with path.open("rb") as file:
        return tuple(_Reader(path, file).slots)


class _Reader:
    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path, self._file = path, file
        self._left = path.stat().st_size
        self.slots: Sequence[str] = ()
        self._positions = ""
        if self._left:
            self._read_header()

    def queries(self) -> Iterator[QuerySteps]:
        names = self._names() if self._left else {}
        while self._left:
            lengths = _Lengths(*RECORD.unpack(self._take(RECORD.size)))
            if lengths.steps > len(self.slots):
                self._refuse()
            query = self._text(lengths.query)
            yield QuerySteps(query, tuple(self._steps(lengths)), names)

    def _read_header(self) -> None:
        line = self._file.readline(LONGEST_HEADER)
        self._left -= len(line)
        try:
            about = json.loads(line)
            right = (about["kind"], about["format"], about["rows"]) == (KIND, FORMAT, ROW_LIMIT)
            self.slots, self._positions = [str(slot) for slot in about["slots"]], about["positions"]
        except (ValueError, TypeError, KeyError, RecursionError):
            self._refuse()
        if not right or self._positions not in {"<i4", "<i8"}:
            self._refuse()

    def _names(self) -> Mapping[int, str]:
        """Return the ids, which are at the end, and go back to where the records begin."""
        begin = self._file.tell()
        tail = self._before(begin + self._left, TAIL.size)
        content = self._before(begin + self._left, size_of_names(tail))
        self._file.seek(begin)
        try:
            return read_names(content, tail)
        except ValueError:
            self._refuse()

    def _before(self, end: int, size: int) -> bytes:
        """Return the last bytes before a place; what is left ends with them no more."""
        if size > self._left:
            self._refuse()
        self._left -= size
        self._file.seek(end - size)
        return self._file.read(size)

    def _steps(self, lengths: _Lengths) -> list[StepState]:
        table: list[tuple[int, list[tuple[int, int, int]]]] = []
        for _ in range(lengths.steps):
            candidates, changes = STEP.unpack(self._take(STEP.size))
            table.append((candidates, [PART.unpack(self._take(PART.size)) for _ in range(changes)]))
        if sum(size for _, parts in table for *_, size in parts) != lengths.body:
            self._refuse()
        checksums, content = [0] * len(PARTS), [b""] * len(PARTS)
        steps = []
        for slot, (candidates, parts) in zip(self.slots, table, strict=False):
            for part, checksum, size in parts:
                if part >= len(PARTS):
                    self._refuse()
                checksums[part], content[part] = checksum, self._take(size)
            steps.append(StepState(slot, candidates, tuple(checksums), tuple(content), self._positions))
        for step in steps:
            self._check(step)
        return steps

    def _check(self, step: StepState) -> None:
        kept = min(step.candidates, ROW_LIMIT)
        width = np.dtype(step.positions).itemsize
        rows, scores = len(step.content[ROWS]), len(step.content[SCORE])
        if rows != 4 * kept * width or scores > 8 * kept or scores % 8:
            self._refuse()

    def _take(self, size: int) -> bytes:
        if size > self._left:
            self._refuse()
        self._left -= size
        taken = self._file.read(size)
        if len(taken) != size:
            self._refuse()
        return taken

    def _text(self, size: int) -> str:
        try:
            return self._take(size).decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            self._refuse()

    def _refuse(self) -> NoReturn:
        raise DatasetError(
            "The file does not hold the steps of a run, or is damaged.",
            where=str(self._path),
            hint="`graphrag-pipeline evaluate --force` makes the run anew.",
        )
