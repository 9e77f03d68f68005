"""The declared attributes of a GEXF file, and its lists.

The format: https://gexf.net/data.html. Version 1.2 writes lists as ``a|b``, 1.3 as ``[a, b]``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from graphrag_pipeline.graph.reading.typed_text import READERS, TEXT_TYPES, typed
from graphrag_pipeline.graph.reading.xml_events import Attributes
from graphrag_pipeline.graph.sources.intake import Intake
from graphrag_pipeline.graph.sources.xml_records import Record

UNDECLARED = "a value has an attribute that is not declared; it is read as text"
UNKNOWN_TYPE = "an attribute's type is none that GEXF has; its values are read as text"
DECLARED_AGAIN = "an attribute is declared again, and differently; the last declaration counts"
LIST = "list"
SEPARATORS = "|;,"
"""What separates the entries of a list without brackets: the first of these that it has."""
QUOTED = {
    mark: re.compile(
        rf"\s*+(?:\"((?:[^\"\\]|\\.)*+)\"|'((?:[^'\\]|\\.)*+)')\s*+(?:{re.escape(mark)}|$)", re.DOTALL
    )
    for mark in SEPARATORS
}
"""An entry in quotes, up to the separator after it."""
ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Declared:
    """One declared attribute.

    Args:
        name: Its title.
        type: Its type, in lower case.
        default: Text that counts for every record without a value.
    """

    name: str
    type: str
    default: str | None = None

    def value(self, text: str, intake: Intake, at: str) -> Any:  # Any: an attribute holds anything
        """Return the value of a text; None where it stands for no value."""
        if not self.type.startswith(LIST):
            return typed(text, self.type, intake, at)
        kind = self.type.removeprefix(LIST)
        values = [typed(entry, kind, intake, at) for entry in list_entries(text)]
        return [value for value in values if value is not None]


class DeclaredAttributes:
    """All declared attributes, and those that only values name.

    Args:
        intake: Told of attributes that are not declared, or declared twice.
    """

    def __init__(self, intake: Intake) -> None:
        self._intake = intake
        self._of: dict[str, dict[str, Declared]] = {"node": {}, "edge": {}}

    def declare(self, owner: str, attribute: Attributes, default: str | None, at: str) -> None:
        """Take a declaration.

        Args:
            owner: Whether nodes or edges have it.
            attribute: Its XML attributes.
            default: Text of its default; None when it has none.
            at: Where it is declared.
        """
        key = attribute.get("id", "")
        kind = attribute.get("type", "string").lower()
        plain = kind.removeprefix(LIST)
        if plain not in READERS and plain not in TEXT_TYPES:
            self._intake.repair(UNKNOWN_TYPE, f"{at}: {kind}")
        declared = Declared(attribute.get("title") or key, kind, default)
        known = self._of.setdefault(owner, {})
        if known.get(key, declared) != declared:
            self._intake.repair(DECLARED_AGAIN, f"{at}: {key}")
        known[key] = declared

    def find(self, owner: str, key: str, at: str) -> Declared:
        """Return the attribute that a value has; a new one of text if none is declared."""
        known = self._of[owner]
        if key not in known:
            self._intake.repair(UNDECLARED, f"{at}: {key}")
            known[key] = Declared(key, "string")
        return known[key]

    def complete(self, record: Record) -> None:
        """Give a record the default of every attribute for which it has no value."""
        for declared in self._of[record.kind].values():
            if declared.default is not None and declared.name not in record.attributes:
                value = declared.value(declared.default, self._intake, record.at)
                record.attributes[declared.name] = value


def list_entries(text: str) -> list[str]:
    """Return the entries of a list: ``a|b``, ``a;b``, ``a,b`` or ``[a, "b", 'c']``, without blanks around."""
    text = text.strip()
    separator = next((mark for mark in SEPARATORS if mark in text), ",")
    if text.startswith("[") and text.endswith("]"):
        text, separator = text[1:-1], ","
    found, at = [], 0
    while at < len(text):
        entry, at = _entry(text, at, separator)
        found.append(entry)
    return [entry for entry in found if entry is not None]


def _entry(text: str, at: int, separator: str) -> tuple[str | None, int]:
    """Return the entry that starts at a place, if there is one, and where the next one starts."""
    quoted = QUOTED[separator].match(text, at)
    if quoted is not None:
        return ESCAPED.sub(r"\1", quoted.group(1) or quoted.group(2) or ""), quoted.end()
    end = text.find(separator, at)
    end = len(text) if end < 0 else end
    return text[at:end].strip() or None, end + 1
