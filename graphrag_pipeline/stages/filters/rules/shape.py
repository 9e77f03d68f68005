"""How rules are written: mappings of one key, the rule's name, that may hold further rules."""

from __future__ import annotations

import sys
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, ConfigDict, Field, with_config

from graphrag_pipeline.model.component import Params
from graphrag_pipeline.stages.filters.rules.cell import CellParams
from graphrag_pipeline.stages.filters.rules.hop import HopParams
from graphrag_pipeline.stages.filters.rules.property import PropertyParams
from graphrag_pipeline.stages.filters.rules.time import TimeParams

if sys.version_info >= (3, 12):
    from typing import TypedDict
else:  # pydantic cannot read the standard library's before; it brings this package
    from typing_extensions import TypedDict

MAX_RULES = 200
MAX_DEPTH = 16
"""How deep ``all``, ``any`` and ``not`` may be nested."""

Names: TypeAlias = Annotated[tuple[str, ...], Field(min_length=1, max_length=10_000)]

# `not` is no name in Python, so these keys need a call. Mappings, and no models, because of all keys one is
# set and the others are not there: a model would have them all.
_Groups = TypedDict(
    "_Groups",
    {
        "all": Annotated["tuple[Rule, ...]", Field(description="Every rule holds; of none it does.")],
        "any": Annotated["tuple[Rule, ...]", Field(description="At least one rule holds; of none it fails.")],
        "not": Annotated["Rule", Field(description="The rule fails.")],
    },
    total=False,
)


@with_config(ConfigDict(extra="forbid", use_attribute_docstrings=True))
class RuleShape(_Groups, total=False):
    """One rule: a mapping of one key."""

    cell: CellParams
    """The node's Zachman cell is one of these."""
    node_type: Names
    """The node has one of these types."""
    edge_type: Names
    """The edge that the node was discovered over has one of these types."""
    namespace: Names
    """The node has one of these namespaces."""
    property: PropertyParams
    """A property of the node is as told."""
    time: TimeParams
    """The node's time overlaps this one."""
    hop: HopParams
    """The node is so many edges from its seed."""
    persona: Literal["mentioned"]
    """The node mentions the query's persona."""


def _one(shape: RuleShape) -> RuleShape:
    if len(shape) != 1:
        told = f"{len(shape)} rules side by side ({', '.join(shape)})" if shape else "no rule in here"
        raise ValueError(f"{told}: write one, or put them into a list: all: [...] or any: [...]")
    return shape


Rule: TypeAlias = Annotated[
    RuleShape, AfterValidator(_one), Field(json_schema_extra={"minProperties": 1, "maxProperties": 1})
]


def _bounded(shape: RuleShape) -> RuleShape:
    left, count = [(shape, 1)], 0
    while left:
        rule, depth = left.pop()
        count += 1
        if count > MAX_RULES:
            raise ValueError(f"there are more than {MAX_RULES} rules")
        if depth > MAX_DEPTH:
            raise ValueError(f"rules are nested more than {MAX_DEPTH} deep")
        inner = (*rule.get("all", ()), *rule.get("any", ()), *([rule["not"]] if "not" in rule else ()))
        left += [(item, depth + 1) for item in inner]
    return shape


class RulesParams(Params):
    """Which candidates are kept."""

    rule: Annotated[Rule, AfterValidator(_bounded)]
    """The rule that a candidate must keep."""

    @property
    def unfit_as_gate(self) -> str:
        """Why this cannot be the gate of an expander; empty when it can."""
        if path := _path_of("hop", self.rule, "rule"):
            return f"the rule {path} asks how a node was reached, which is not known before the walk"
        return ""


def _path_of(name: str, rule: RuleShape, path: str) -> str:
    """Return where a rule of this name stands, or the empty text."""
    if name in rule:
        return f"{path}.{name}"
    if "not" in rule:
        return _path_of(name, rule["not"], f"{path}.not")
    for group, inner in (("all", rule.get("all", ())), ("any", rule.get("any", ()))):
        for at, item in enumerate(inner):
            if found := _path_of(name, item, f"{path}.{group}.{at}"):
                return found
    return ""
