"""Which nodes are called the same but for case, accents, punctuation and the order of words."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from xxhash import xxh3_64_intdigest

from graphrag_pipeline.experiment.text_lines import lines_of
from graphrag_pipeline.graph.arrays import Array, IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.text.folding import fold

_NO_WORD = re.compile(r"[^\w\n]+")
_UNSEEN = -1
_NONE = 0
"""The sum of a label without words, and of one that is not read yet."""


class LabelGroups:
    """Counts labels that have the same words; the label of a node is summed up when it is first met.

    Labels with the same words have the same letters, and so the same sum of a number for each letter. Few
    others have: only where sums are equal words are compared.

    Args:
        index: The graph.
    """

    def __init__(self, index: GraphIndex) -> None:
        self._labels = index.table.nodes.label
        self._sums = np.full(index.node_count, _NONE, dtype=np.uint64)
        self._numbers = _numbers()
        self._groups = np.full(index.node_count, _UNSEEN, dtype=np.int64)
        self._known: dict[str, int] = {}

    def repeated(self, nodes: IntArray, added: Sequence[str] = ()) -> int:
        """Return how many have the words of one before; a label without words has those of none.

        Args:
            nodes: Positions.
            added: Further labels, behind those of the nodes.
        """
        self.read(nodes)
        sums = self._sums[nodes]
        if added:
            sums = np.concatenate([sums, self._summed(_lines(added))])
        order = np.argsort(sums)
        ordered = sums[order]
        same = (ordered[1:] == ordered[:-1]) & (ordered[1:] != _NONE)
        if not same.any():
            return 0
        alike = np.zeros(sums.size, dtype=np.bool_)
        alike[order[1:][same]] = alike[order[:-1][same]] = True
        groups = self._groups_of(nodes[alike[: nodes.size]])
        groups += self._numbered(
            [label for label, doubtful in zip(added, alike[nodes.size :], strict=True) if doubtful]
        )
        return len(groups) - len({*groups})

    def _groups_of(self, nodes: IntArray) -> list[int]:
        groups = self._groups[nodes]
        if groups.size and groups.min() == _UNSEEN:
            new = nodes[groups == _UNSEEN]
            self._groups[new] = self._numbered(self._labels.many(new))
            groups = self._groups[nodes]
        found: list[int] = groups.tolist()
        return found

    def _numbered(self, labels: Sequence[str]) -> list[int]:
        """Return a number for the words of each label, whatever their order."""
        if not labels:
            return []
        lines = _NO_WORD.sub(" ", _plain(_lines(labels)).casefold()).split("\n")
        keys = [" ".join(sorted(line.split())) for line in lines]
        return [self._known.setdefault(key, len(self._known)) for key in keys]

    def read(self, nodes: IntArray) -> None:
        """Sum up the labels of nodes that were not met; for many at once it is cheaper."""
        new = nodes[self._sums[nodes] == _NONE]
        if new.size:
            lines = lines_of(self._labels, new)
            self._sums[new] = self._summed(_lines(self._labels.many(new)) if lines is None else lines)

    def _summed(self, lines: str) -> Array:
        """Return the sum of the letters of each line."""
        # All at once: calls on short texts would cost more than the work.
        letters = np.frombuffer(f"{_plain(lines)}\n".encode("utf-8", "surrogatepass"), dtype=np.uint8)
        ends = np.flatnonzero(letters == ord("\n"))
        starts = np.concatenate([[0], ends[:-1] + 1])
        sums: Array = np.add.reduceat(self._numbers[letters], starts)
        return sums


def _lines(labels: Sequence[str]) -> str:
    return "\n".join([label.replace("\n", " ") for label in labels])


def _plain(lines: str) -> str:
    """Return lines whose letters are plain and small, without signs; ASCII as it is."""
    return lines if lines.isascii() else _NO_WORD.sub(" ", fold(lines).casefold())


def _numbers() -> Array:
    """Return a number for each byte; small and capital letters have the same, and what is no letter has 0."""
    numbers: Array = np.array([xxh3_64_intdigest(bytes([code])) for code in range(256)], dtype=np.uint64)
    numbers[ord("A") : ord("Z") + 1] = numbers[ord("a") : ord("z") + 1]
    numbers[[code for code in range(128) if not re.match(r"\w", chr(code))]] = _NONE
    return numbers
