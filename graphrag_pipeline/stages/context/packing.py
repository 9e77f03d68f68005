"""Which entries go into a budget, and why the others do not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from pydantic import Field

from graphrag_pipeline.graph.arrays import IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.stages.context.diverse import Novelty
from graphrag_pipeline.stages.context.fit import longest_run
from graphrag_pipeline.stages.context.knapsack import by_density, in_turn
from graphrag_pipeline.stages.context.units import Frame, Unit
from graphrag_pipeline.stages.contract import ContextParams
from graphrag_pipeline.stages.scored import REDUNDANT, TOO_LONG

ROUNDS = 4
"""How often room that is left over is filled again: entries measured alone add up to more than together."""


class PackedParams(ContextParams):
    """What every packing assembler has."""

    packing: Literal["greedy", "knapsack", "diverse"] = "greedy"
    """How entries are chosen: in rank order, by score a token, or by score and what they add."""
    skip: bool = True
    """Pass over an entry that does not fit and go on with the next; false stops there. For ``greedy``."""
    pool: int = Field(default=200, ge=1, le=10_000)
    """How many nodes are looked at, from the best on."""
    diversity: float = Field(default=0.5, ge=0, le=1)
    """How much it counts that an entry says something new, beside its score. For ``diverse``."""
    max_overlap: float = Field(default=0.9, ge=0, le=1)
    """Entries of which more than this share is written already are left out. For ``diverse``."""


@dataclass(slots=True)
class Packing:
    """Entries that were chosen so far, and reasons of those that were not.

    Args:
        frame: What they are written into.
        params: How they are chosen.
        index: Knows the terms of nodes.
        seen: The entries that were looked at, by rank.
        chosen: Those that are written; together they fit.
        reasons: By rank, where it is another than the budget.
    """

    frame: Frame
    params: PackedParams
    index: GraphIndex
    seen: list[Unit] = field(default_factory=list)
    chosen: list[Unit] = field(default_factory=list)
    reasons: dict[int, str] = field(default_factory=dict)
    _weights: dict[int, int] = field(default_factory=dict)
    _novelty: Novelty | None = None

    def pack(self, units: Iterator[Unit]) -> None:
        """Choose from entries, best first."""
        greedy = self.params.packing == "greedy"
        if greedy:
            self._run(units)
        else:
            self.seen = list(units)
            self._fill()
        self._cut()
        if self.params.skip or not greedy:
            self._fill()

    def _run(self, units: Iterator[Unit]) -> None:
        """Choose as many as fit one after the other."""
        self.chosen, over = longest_run(units, self.frame.size, self.frame.budget)
        self.seen = [*self.chosen, *over, *units] if self.params.skip else [*self.chosen, *over[:1]]
        if over:
            self._weigh(over[0])

    def _cut(self) -> None:
        """Write the beginning of the best entry that is left and may be cut; for ``greedy`` of the next."""
        left = [self.seen[place] for place in self._left()]
        may = left[:1] if self.params.packing == "greedy" else left
        unit = next((unit for unit in may if unit.sentences is not None), None)
        if unit is None or unit.sentences is None:
            return
        # Where a counter is not regular, a longer part may fit; the one that is written was measured.
        low, high = 0, unit.sentences.count()
        while low + 1 < high:
            middle = (low + high) // 2
            part = unit.cut(unit.sentences.first(middle))
            if self.frame.size([*self.chosen, part]) <= self.frame.budget:
                low = middle
            else:
                high = middle
        if low:
            self.chosen.append(unit.cut(unit.sentences.first(low)))

    def _fill(self) -> None:
        """Choose from what is left in the packing's order, as long as any fits."""
        for _ in range(ROUNDS):
            left = self._left()
            room = self.frame.budget - self.frame.size(self.chosen)
            if room <= 0 or not left:
                return
            weight = np.zeros(len(self.seen), dtype=np.int64)
            weight[left] = [self._weigh(self.seen[place]) for place in left]
            if not self._keep([self.seen[place] for place in self._choice(left, weight, room)]):
                return

    def _choice(self, left: Sequence[int], weight: IntArray, room: int) -> list[int]:
        """Return which entries to write, by place among those seen, the first to be given up last."""
        params = self.params
        if params.packing == "greedy":
            return in_turn(left, weight.tolist(), room)
        if params.packing == "knapsack":
            return by_density(self.seen, left, weight.tolist(), room)
        if self._novelty is None:
            self._novelty = Novelty(self.seen, self.index, params.diversity, params.max_overlap)
        there = {unit.rank for unit in self.chosen}
        written = [place for place, unit in enumerate(self.seen) if unit.rank in there]
        chosen, redundant = self._novelty.choose(left, written, weight, room)
        self.reasons.update((self.seen[place].rank, REDUNDANT) for place in redundant)
        return chosen

    def _keep(self, added: list[Unit]) -> bool:
        """Choose entries that fit by their weights: all, or as many of the first as fit when measured."""

        def size(some: Sequence[Unit]) -> int:
            return self.frame.size([*self.chosen, *some])

        if added and size(added) > self.frame.budget:
            added, _ = longest_run(iter(added), size, self.frame.budget)
        self.chosen += added
        return bool(added)

    def _left(self) -> list[int]:
        """Return the places of the entries that may still be chosen."""
        there = {unit.rank for unit in self.chosen}
        there |= {rank for rank, reason in self.reasons.items() if reason == REDUNDANT}
        return [place for place, unit in enumerate(self.seen) if unit.rank not in there]

    def _weigh(self, unit: Unit) -> int:
        weight = self._weights.get(unit.rank)
        if weight is None:
            weight = self._weights[unit.rank] = self.frame.weight(unit)
            if weight > self.frame.budget and self.frame.size([unit]) > self.frame.budget:
                self.reasons[unit.rank] = TOO_LONG
        return weight
