"""Which Zachman cell a node belongs to, by rules over its type, layer, persona, namespace and properties."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Self

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.model.classification import ClassificationTable
from graphrag_pipeline.model.records import KnowledgeNode
from graphrag_pipeline.model.zachman import Interrogative, Perspective, ZachmanCell

SECTIONS = ("cells", "perspectives", "interrogatives")
MOST_VALUES = 100_000
"""Values that all rules may have together; an alias counts wherever it stands."""
CONDITIONS = ("type", "layer", "persona", "namespace", "property")
PERSONA_KEYS = ("persona_id", "persona", "owner")
"""Properties that name the persona a node belongs to, the first that is there."""


@dataclass(frozen=True, slots=True)
class CellRule:
    """One rule: what a node must be, and what it then is.

    Args:
        gives: A coordinate ``row:column``, a row, or a column.
        type: Node types, any of which fits; ``*`` stands for any characters, case does not matter.
        layer: The same for the property ``layer``.
        persona: Beginnings of persona ids, of the properties :data:`PERSONA_KEYS`, or of the node's own id
            when its type is ``persona``.
        namespace: The same as ``type`` for the namespace.
        properties: Property names, each with the values of which any fits.
        confidence: How sure whoever wrote the rule is; free text, shown and counted, never compared.
    """

    gives: str
    type: tuple[str, ...] = ()
    layer: tuple[str, ...] = ()
    persona: tuple[str, ...] = ()
    namespace: tuple[str, ...] = ()
    properties: tuple[tuple[str, tuple[str, ...]], ...] = ()
    confidence: str = ""

    def fits(self, node: KnowledgeNode) -> bool:
        """Whether every condition holds; a rule without conditions fits every node."""
        properties = node.properties
        return (
            _any(self.type, node.node_type)
            and _any(self.layer, properties.get("layer"))
            and _any(self.namespace, node.namespace)
            and (not self.persona or _begins(self.persona, persona_of(node)))
            and all(_any(values, properties.get(name)) for name, values in self.properties)
        )


@dataclass(frozen=True, slots=True)
class CellTable:
    """Rules that give nodes their cells; in each list the first rule that fits wins.

    Args:
        name: What messages call it.
        cells: Rules that give a whole coordinate; tried first.
        perspectives: Rules that give a row.
        interrogatives: Rules that give a column.
        default: Coordinate of a node whose row or column no rule gives; each half counts on its own.
    """

    name: str
    cells: tuple[CellRule, ...] = ()
    perspectives: tuple[CellRule, ...] = ()
    interrogatives: tuple[CellRule, ...] = ()
    default: str = ""

    def cell(self, node: KnowledgeNode) -> tuple[str, str]:
        """Return a node's cell and the confidence in it.

        Returns:
            ``row:column``; or the row alone when no rule gives a column; or the empty text when none gives
            a row. The confidence is that of the rule for the whole cell, else of the rule for the row.
        """
        if (whole := _first(self.cells, node)) is not None:
            return whole.gives, whole.confidence
        row, column = _first(self.perspectives, node), _first(self.interrogatives, node)
        default_row, _, default_column = self.default.partition(":")
        perspective = row.gives if row else default_row
        interrogative = column.gives if column else default_column
        if not perspective:
            return "", ""
        confidence = row.confidence if row else ""
        return (f"{perspective}:{interrogative}" if interrogative else perspective), confidence

    @classmethod
    def of_classification(cls, table: ClassificationTable, name: str) -> Self:
        """Return the rules of a table in the reference's shape: kinds give columns, persona ids rows."""
        default = ZachmanCell(table.default_perspective, table.default_interrogative).coordinate
        return cls(
            name,
            perspectives=tuple(CellRule(row, persona=(prefix.lower(),)) for prefix, row in table.prefixes),
            interrogatives=tuple(CellRule(column, type=(kind,)) for kind, column in table.kinds.items()),
            default=default,
        )

    @classmethod
    def from_dict(cls, data: object, name: str) -> Self:
        """Read a table written as plain data.

        Args:
            data: Any of the lists ``cells``, ``perspectives`` and ``interrogatives``, each of rules
                ``{gives, type, layer, persona, namespace, property, confidence}``, and ``default``. Or a
                table in the reference's shape, with ``kinds`` and ``prefixes``.
            name: What messages call it.

        Raises:
            GraphSourceError: An unknown key, row or column; ``where`` names the rule.
        """
        if not isinstance(data, Mapping):
            kind = {"NoneType": "empty", "str": "a text", "list": "a list"}.get(
                type(data).__name__, "another"
            )
            raise GraphSourceError(f"A table of cells is an object of lists of rules; this is {kind}.")
        if {"kinds", "prefixes"} & set(data):
            return cls.of_classification(ClassificationTable.from_dict(data), name)
        _known(data, (*SECTIONS, "default"), "")
        default = str(data.get("default") or "")
        if default:
            _check(default, "cells", "default")
        left = [MOST_VALUES]
        lists = {key: tuple(_rules(data.get(key) or (), key, left)) for key in SECTIONS}
        return cls(name, **lists, default=default)


def persona_of(node: KnowledgeNode) -> str:
    """Return the id of the persona that a node is, or belongs to; the empty text for none."""
    if node.node_type.lower() == "persona":
        return node.node_id
    owners = (node.properties.get(key) for key in PERSONA_KEYS)
    return next((owner for owner in owners if isinstance(owner, str)), "")


def _first(rules: Iterable[CellRule], node: KnowledgeNode) -> CellRule | None:
    return next((rule for rule in rules if rule.fits(node)), None)


def _any(patterns: tuple[str, ...], value: object) -> bool:
    if not patterns:
        return True
    if isinstance(value, list):
        return any(_any(patterns, item) for item in value)
    text = "" if value is None else str(value).strip().lower()
    return any(text == pattern or ("*" in pattern and fnmatchcase(text, pattern)) for pattern in patterns)


def _begins(prefixes: tuple[str, ...], owner: str) -> bool:
    return owner.strip().lower().startswith(prefixes)


# -- reading ---------------------------------------------------------------------------------------


def _rules(entries: object, section: str, left: list[int]) -> Iterable[CellRule]:
    if not isinstance(entries, list | tuple):
        raise GraphSourceError(f"{section} must be a list of rules.", where=section)
    for number, entry in enumerate(entries):
        at = f"{section}[{number}]"
        if not isinstance(entry, Mapping):
            raise GraphSourceError("A rule is an object.", where=at)
        _known(entry, (*CONDITIONS, "gives", "confidence"), at)
        left[0] -= sum(len(value) if isinstance(value, list) else 1 for value in entry.values())
        if left[0] < 0:
            raise GraphSourceError(f"The table has more than {MOST_VALUES:,} values.", where=at)
        if "gives" not in entry:
            raise GraphSourceError("The rule has no key 'gives', which is what it gives.", where=at)
        gives = str(entry["gives"])
        _check(gives, section, at)
        texts = {key: _texts(entry.get(key), f"{at}.{key}") for key in CONDITIONS if key != "property"}
        yield CellRule(
            gives,
            **texts,
            properties=_property_texts(entry.get("property"), at),
            confidence=str(entry.get("confidence", "")),
        )


def _property_texts(value: Any, at: str) -> tuple[tuple[str, tuple[str, ...]], ...]:  # Any: plain data
    if value is None:
        return ()
    if not isinstance(value, Mapping):
        raise GraphSourceError("property maps names to values.", where=at)
    return tuple((str(name), _texts(values, f"{at}.property.{name}")) for name, values in value.items())


def _texts(value: Any, at: str) -> tuple[str, ...]:  # Any: plain data
    values = [] if value is None else value if isinstance(value, list) else [value]
    if value is not None and (not values or not all(isinstance(text, str) for text in values)):
        raise GraphSourceError("A condition is a text or a list of texts, and not empty.", where=at)
    return tuple(text.strip().lower() for text in values)


def _check(gives: str, section: str, at: str) -> None:
    try:
        if section == "cells":
            ZachmanCell.from_coordinate(gives)
        elif section == "perspectives":
            Perspective.named(gives)
        else:
            Interrogative.named(gives)
    except ValueError as error:
        raise GraphSourceError(f"{error}.", where=at) from error


def _known(data: Mapping[Any, Any], known: tuple[str, ...], at: str) -> None:  # Any: plain data
    for key in data:
        if key not in known:
            near = difflib.get_close_matches(str(key), known, n=1)
            raise GraphSourceError(
                f"The key {key!r} is unknown.",
                where=at,
                hint=f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(known)}.",
            )
