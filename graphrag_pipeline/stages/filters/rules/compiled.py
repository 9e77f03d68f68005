"""From rules as they are written to rules that judge, each with the reasons it gives."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from graphrag_pipeline.stages.filters.rules.algebra import All, Any, Leaf, Not, Rule
from graphrag_pipeline.stages.filters.rules.cell import CellTest
from graphrag_pipeline.stages.filters.rules.hop import HopTest
from graphrag_pipeline.stages.filters.rules.judgement import Test
from graphrag_pipeline.stages.filters.rules.names import EdgeTypeTest, NodeNameTest
from graphrag_pipeline.stages.filters.rules.persona import PersonaTest
from graphrag_pipeline.stages.filters.rules.property import PropertyTest
from graphrag_pipeline.stages.filters.rules.shape import RuleShape
from graphrag_pipeline.stages.filters.rules.time import TimeTest

LONGEST = 60
"""Characters of a rule's name that is made of the names of others."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """Rules that judge.

    Args:
        root: The outermost rule.
        reasons: What the codes of its judgements mean.
    """

    root: Rule
    reasons: tuple[str, ...]


def compile_rules(shape: RuleShape, path: str = "rule") -> Compiled:
    """Make rules of what a configuration says.

    Args:
        shape: The outermost rule, validated.
        path: Where it stands; a reason that two rules have tells them apart by their places.
    """
    compiler = _Compiler()
    root, _ = compiler.rule(shape, path)
    return Compiled(root, compiler.reasons())


@dataclass(slots=True)
class _Compiler:
    _given: list[tuple[str, str]] = field(default_factory=list)

    def rule(self, shape: RuleShape, path: str) -> tuple[Rule, str]:
        """Return a rule and what to call it."""
        if "all" in shape:
            rules, label = self._several("all", shape["all"], path)
            return All(rules), label
        if "any" in shape:
            rules, label = self._several("any", shape["any"], path)
            return Any(rules, self._reason(label, path)), label
        if "not" in shape:
            rule, inner = self.rule(shape["not"], f"{path}.not")
            label = f"not {inner}"
            return Not(rule, self._reason(label, path)), label
        test = _test(shape)
        first = len(self._given)
        for reason in test.reasons:
            self._reason(reason, path)
        return Leaf(test, first), test.label

    def _several(self, name: str, shapes: tuple[RuleShape, ...], path: str) -> tuple[tuple[Rule, ...], str]:
        made = [self.rule(shape, f"{path}.{name}.{at}") for at, shape in enumerate(shapes)]
        label = f"{name}({', '.join(label for _, label in made)})"
        if len(label) > LONGEST:
            label = f"{label[: LONGEST - 2]}…)"
        return tuple(rule for rule, _ in made), label

    def _reason(self, reason: str, path: str) -> int:
        self._given.append((reason, path))
        return len(self._given) - 1

    def reasons(self) -> tuple[str, ...]:
        """Return what the codes mean, each text once."""
        often = Counter(reason for reason, _ in self._given)
        return tuple(reason if often[reason] == 1 else f"{reason} ({path})" for reason, path in self._given)


def _test(shape: RuleShape) -> Test:  # noqa: PLR0911  # one line for each kind of test
    if "cell" in shape:
        return CellTest(shape["cell"])
    if "node_type" in shape:
        return NodeNameTest("node_type", shape["node_type"])
    if "namespace" in shape:
        return NodeNameTest("namespace", shape["namespace"])
    if "edge_type" in shape:
        return EdgeTypeTest(shape["edge_type"])
    if "property" in shape:
        return PropertyTest(shape["property"])
    if "time" in shape:
        return TimeTest(shape["time"])
    if "hop" in shape:
        return HopTest(shape["hop"])
    assert "persona" in shape, "the shape has one of the known keys"
    return PersonaTest()
