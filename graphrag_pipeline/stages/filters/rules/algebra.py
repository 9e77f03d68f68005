"""Rules made of rules: all, any and not.

A rule that cannot judge a candidate is left out of what is made of it: ``all`` and ``any`` look at the rules
that can, and are themselves unable where none can. So the laws of logic hold: ``not all`` is ``any not``,
and a double ``not`` changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from graphrag_pipeline.graph.arrays import IntArray
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.filters.rules.judgement import Judgement, Scene, Test


class Rule(Protocol):
    """A node of the tree of rules."""

    def applies(self, query: Query) -> bool:
        """Whether there is anything to judge by in this query."""
        ...

    def judge(self, scene: Scene, rows: IntArray) -> Judgement:
        """Judge the candidates in some rows."""
        ...

    def tests(self) -> Iterator[Test]:
        """Yield the tests in it, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Leaf:
    """A test.

    Args:
        test: The test.
        reason: Code of its first reason.
    """

    test: Test
    reason: int

    def applies(self, query: Query) -> bool:
        """Whether the test does."""
        return self.test.applies(query)

    def judge(self, scene: Scene, rows: IntArray) -> Judgement:
        """Ask the test."""
        if not self.test.applies(scene.query):
            return Judgement.none(rows.size)
        found = self.test.judge(scene, rows)
        return Judgement(found.holds, found.judged, found.reason + self.reason)

    def tests(self) -> Iterator[Test]:
        """Yield the test."""
        yield self.test


@dataclass(frozen=True, slots=True)
class All:
    """Every rule holds; of no rules it holds. The reason is that of the first rule that fails."""

    rules: tuple[Rule, ...]

    def applies(self, query: Query) -> bool:
        """Whether any rule does."""
        return not self.rules or any(rule.applies(query) for rule in self.rules)

    def judge(self, scene: Scene, rows: IntArray) -> Judgement:
        """Ask each rule about what the rules before it left."""
        holds = np.ones(rows.size, dtype=np.bool_)
        judged = np.full(rows.size, not self.rules)
        reason = np.zeros(rows.size, dtype=np.int64)
        left = np.arange(rows.size)
        for rule in self.rules:
            found = rule.judge(scene, rows[left])
            judged[left] |= found.judged
            failed = left[~found.keep]
            holds[failed], reason[failed] = False, found.reason[~found.keep]
            left = left[found.keep]
        return Judgement(holds, judged, reason)

    def tests(self) -> Iterator[Test]:
        """Yield those of all rules."""
        for rule in self.rules:
            yield from rule.tests()


@dataclass(frozen=True, slots=True)
class Any:
    """At least one rule holds; of no rules it fails. The reason is its own.

    Args:
        rules: The rules.
        reason: Code of its reason.
    """

    rules: tuple[Rule, ...]
    reason: int

    def applies(self, query: Query) -> bool:
        """Whether any rule does."""
        return not self.rules or any(rule.applies(query) for rule in self.rules)

    def judge(self, scene: Scene, rows: IntArray) -> Judgement:
        """Ask each rule about what holds by none before it."""
        holds = np.zeros(rows.size, dtype=np.bool_)
        judged = np.full(rows.size, not self.rules)
        left = np.arange(rows.size)
        for rule in self.rules:
            found = rule.judge(scene, rows[left])
            judged[left] |= found.judged
            passed = found.holds & found.judged
            holds[left[passed]] = True
            left = left[~passed]
        return Judgement(holds, judged, np.full(rows.size, self.reason))

    def tests(self) -> Iterator[Test]:
        """Yield those of all rules."""
        for rule in self.rules:
            yield from rule.tests()


@dataclass(frozen=True, slots=True)
class Not:
    """A rule fails.

    Args:
        rule: The rule.
        reason: Code of its reason.
    """

    rule: Rule
    reason: int

    def applies(self, query: Query) -> bool:
        """Whether the rule does."""
        return self.rule.applies(query)

    def judge(self, scene: Scene, rows: IntArray) -> Judgement:
        """Turn round what the rule says where it says anything."""
        found = self.rule.judge(scene, rows)
        return Judgement(~found.holds, found.judged, np.full(rows.size, self.reason))

    def tests(self) -> Iterator[Test]:
        """Yield those of the rule."""
        yield from self.rule.tests()
