"""The declared attributes of a GraphML file, and how the text of each becomes a value.

The format: http://graphml.graphdrawing.org/specification.html, its typed attributes
http://graphml.graphdrawing.org/primer/graphml-primer.html#Attributes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graphrag_pipeline.graph.reading.typed_text import NUMBER, READERS, TEXT_TYPES, from_json, typed
from graphrag_pipeline.graph.reading.xml_events import Attributes
from graphrag_pipeline.graph.sources.intake import Intake
from graphrag_pipeline.graph.sources.xml_records import Record

OURS = "graphrag-pipeline"
"""First word of the description that our own export writes in a key whose values are more than text."""
FIELDS = {
    "node": frozenset({"node_type", "label", "namespace", "uri"}),
    "edge": frozenset({"edge_type", "namespace", "weight"}),
}
"""What is a field of a record in our own export, and no property."""
EVERY = ("all", "graphml")
UNDECLARED = "a value has a key that is not declared; it is read as text"
DECLARED_AGAIN = "a key is declared again, and differently; the last declaration counts"
UNKNOWN_TYPE = "a key's attr.type is none that GraphML has; its values are read as text"
DRAWN_BY = "yworks.com"


@dataclass(slots=True)
class Key:
    """One declared attribute.

    Args:
        id: What its values refer to it by.
        kind: What may have it: ``node``, ``edge``, ``graph``, ``all`` and more.
        name: Its name.
        type: Its type in lower case; the empty text when none is declared.
        at: Where it is declared.
        json: Whether its values are JSON text.
        is_property: Whether it is a property, even if it is named like a field.
        drawn: Whether it holds what yEd draws.
        default: Text that counts for every record without a value.
    """

    id: str
    kind: str
    name: str
    type: str
    at: str
    json: bool = False
    is_property: bool = False
    drawn: bool = False
    default: str | None = None

    def describe(self, text: str) -> None:
        """Take its description; one that our own export wrote says how to read the values."""
        words = text.split()
        if words[:1] == [OURS]:
            self.json |= "json" in words[1:]
            self.is_property |= "property" in words[1:]
            self.type = NUMBER if NUMBER in words[1:] else self.type
            if "renamed" in words[1:]:
                self.name = self.name.removeprefix("property.")

    def value(self, text: str, intake: Intake, at: str) -> Any:  # Any: an attribute holds anything
        """Return the value of a text; None where it stands for no value."""
        return from_json(text, intake, at) if self.json else typed(text, self.type, intake, at)

    def give(self, record: Record, text: str, intake: Intake) -> None:
        """Give a record its value."""
        value = self.value(text, intake, record.at)
        if self.is_property or (self.json and self.name not in FIELDS[record.kind]):
            record.properties[self.name] = value
        else:
            record.set(self.name, value, intake)

    @property
    def meaning(self) -> tuple[object, ...]:
        """All that decides how its values are read."""
        return (self.name, self.type, self.json, self.is_property, self.default)


class Keys:
    """All declared attributes, and those that only values name.

    Args:
        intake: Told of keys that are not declared, or declared twice.
    """

    def __init__(self, intake: Intake) -> None:
        self._intake = intake
        self._keys: dict[tuple[str, str], Key] = {}
        self._by_id: dict[str, Key] = {}
        self._defaults: dict[str, list[Key]] = {"node": [], "edge": []}

    def start(self, attributes: Attributes, at: str) -> Key:
        """Return the key whose element starts here; :meth:`end` declares it."""
        key_id = attributes.get("id", "")
        return Key(
            key_id,
            attributes.get("for", "all"),
            attributes.get("attr.name", key_id),
            attributes.get("attr.type", "").lower(),
            at,
            # Neo4j's APOC writes lists as JSON: attr.list names the type of the entries.
            json="attr.list" in attributes,
            drawn=any(name.startswith("yfiles.") or DRAWN_BY in name for name in attributes),
        )

    def end(self, key: Key) -> None:
        """Declare a key."""
        if key.type and key.type not in READERS and key.type not in TEXT_TYPES:
            self._intake.repair(UNKNOWN_TYPE, f"{key.at}: {key.type}")
        known = self._keys.get((key.kind, key.id))
        if known is not None and known.meaning != key.meaning:
            self._intake.repair(DECLARED_AGAIN, f"{key.at}: key {key.id}")
        self._keys[key.kind, key.id] = self._by_id[key.id] = key
        for kind, keys in self._defaults.items():
            if key.kind in (kind, *EVERY):
                keys[:] = [other for other in keys if other is not known]
                if key.default is not None and not key.drawn:
                    keys.append(key)

    def find(self, kind: str, key_id: str, at: str) -> Key:
        """Return the key that a value of a node or an edge has; a new one of text if none is declared."""
        for owner in (kind, *EVERY):
            if (key := self._keys.get((owner, key_id))) is not None:
                return key
        key = self._by_id.get(key_id)
        if key is None:
            self._intake.repair(UNDECLARED, f"{at}: key {key_id}")
            key = Key(key_id, kind, key_id, "", at)
        self._keys[kind, key_id] = key
        return key

    def complete(self, record: Record) -> None:
        """Give a record the default of every key for which it has no value."""
        for key in self._defaults[record.kind]:
            if key.name not in record.attributes and key.name not in record.properties:
                key.give(record, key.default or "", self._intake)
