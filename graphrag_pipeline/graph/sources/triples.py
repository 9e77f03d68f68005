"""Passages and what was extracted from them: entities, and triples of subject, relation and object."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import md5
from typing import Any

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.scalars import missing
from graphrag_pipeline.graph.sources.intake import Intake

PASSAGE, ENTITY, MENTIONS = "passage", "entity", "mentions"
PREFIX = "e:"
"""Ids of entities start with it, so that the passage 1963 and the entity 1963 are two nodes."""
LABEL_LENGTH = 80


def entity_id(name: str, *, merge: bool = True) -> str:
    """Return the id of the entity that a name names.

    The rule is HippoRAG's, for every script: case is folded, what is neither letter, digit nor mark
    becomes a space. Runs of spaces are one. A name of such characters only stays as it is.

    Args:
        name: Not blank, without white space around it.
        merge: Whether the rule is applied; without it names are compared exactly.
    """
    if not merge:
        return PREFIX + name
    folded = unicodedata.normalize("NFC", name.casefold())
    kept = "".join(sign if sign.isalnum() or _is_mark(sign) else " " for sign in folded)
    return PREFIX + (" ".join(kept.split()) or folded)


def chunk_id(text: str) -> str:
    """Return the id that HippoRAG gives a passage without one: it depends on its text only."""
    digest = md5(text.encode("utf-8", "surrogatepass"), usedforsecurity=False)
    return f"chunk-{digest.hexdigest()}"


def headline(text: str) -> str:
    """Return the first line of a text that is not blank, shortened to be a label."""
    line = next(filter(None, map(str.strip, text.splitlines())), "")
    if len(line) <= LABEL_LENGTH:
        return line
    whole_words, _, _ = line[:LABEL_LENGTH].rpartition(" ")
    return f"{whole_words or line[:LABEL_LENGTH]}…"


# Any throughout: a model wrote this data, and it may be anything.
def take_text(record: dict[str, Any], key: str) -> str:
    """Remove and return a text; anything else stays, to be a property."""
    return str(record.pop(key)) if isinstance(record.get(key), str) else ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage, and what was extracted from it.

    Args:
        id: Its id.
        title: Its title; without one the first line of the text is its label.
        text: Its text.
        at: Where it is, for messages.
        entities: A list of names; None means there is none.
        triples: A list of lists of subject, relation and object; None means there is none.
        properties: More about the passage.
    """

    id: str
    title: str
    text: str
    at: str
    entities: Any = None
    triples: Any = None
    properties: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class _Entity:
    label: str
    types: dict[str, None] = field(default_factory=dict)
    aliases: dict[str, None] = field(default_factory=dict)


class TripleIntake:
    """Makes a graph of passages: ``passage -mentions-> entity`` and ``subject -relation-> object``.

    Args:
        intake: Takes the records.
        merge: Whether names that :func:`entity_id` makes one are one entity.
        tables: What the lists of entities and of triples are called in the file.
    """

    def __init__(self, intake: Intake, *, merge: bool, tables: tuple[str, str]) -> None:
        self._intake = intake
        self._merge = merge
        self._tables = tables
        self._entities: dict[str, _Entity] = {}
        self._passages: set[str] = set()

    def passage(self, passage: Passage) -> None:
        """Take a passage, its mentions, and its triples."""
        if not passage.text:
            self._intake.blank("a passage has no text", passage.at)
        text = {"text": passage.text} if passage.text else {}
        self._intake.node(
            passage.id,
            PASSAGE,
            passage.title.strip() or headline(passage.text),
            at=passage.at,
            properties={**passage.properties, **text},
        )
        self._passages.add(passage.id)
        mentioned: set[str] = set()
        self._take_entities(passage, mentioned)
        self._take_triples(passage, mentioned)

    def describe(self, name: str, *, types: Sequence[str] = (), aliases: Sequence[str] = ()) -> bool:
        """Add types and other names to an entity; returns whether a passage named it before."""
        entity = self._entities.get(entity_id(name.strip(), merge=self._merge))
        if entity is None:
            return False
        entity.types.update(dict.fromkeys(filter(None, types)))
        entity.aliases.update(dict.fromkeys(alias for alias in aliases if alias and alias != entity.label))
        return True

    def finish(self) -> None:
        """Hand over the entities, in the order in which passages named them.

        Raises:
            GraphSourceError: A passage has the id of an entity.
        """
        for entity_id_, entity in self._entities.items():
            if entity_id_ in self._passages:
                raise GraphSourceError(
                    f"A passage has the id of an entity: {entity_id_}.",
                    where=self._intake.source,
                    hint=f"Ids of entities start with {PREFIX!r}: rename the passage.",
                )
            types = list(entity.types)
            if len(types) > 1:
                self._intake.repair("an entity has several types; its first one counts", entity.label)
            self._intake.node(
                entity_id_,
                types[0] if types else ENTITY,
                entity.label,
                properties={
                    "aliases": list(entity.aliases) or None,
                    "types": types if len(types) > 1 else None,
                },
                made="entities that passages name",
            )

    def _take_entities(self, passage: Passage, mentioned: set[str]) -> None:
        table = self._tables[0]
        for number, value in enumerate(self._list(passage.entities, table, passage.at)):
            at = f"{passage.at}: {table}[{number}]"
            self._intake.read(table)
            name = self._name(value, at)
            if not name:
                self._intake.skip(f"an entity whose name is {_fault(name)}", at)
                continue
            entity = self._entity(name, at)
            if entity in mentioned:
                self._intake.absorb("entities that their passage had named before")
                continue
            mentioned.add(entity)
            self._intake.edge(passage.id, entity, MENTIONS, at=at)

    def _take_triples(self, passage: Passage, mentioned: set[str]) -> None:
        table = self._tables[1]
        taken: set[tuple[str, str, str]] = set()
        for number, value in enumerate(self._list(passage.triples, table, passage.at)):
            at = f"{passage.at}: {table}[{number}]"
            self._intake.read(table)
            triple = self._triple(value, at)
            if triple is None:
                continue
            if triple in taken:
                self._intake.absorb("triples that their passage had before")
                continue
            taken.add(triple)
            subject, relation, object_ = triple
            for end in (subject, object_):
                if end not in mentioned:
                    mentioned.add(end)
                    made = "mentions of subjects and objects that are not among their passage's entities"
                    self._intake.edge(passage.id, end, MENTIONS, at=at, made=made)
            self._intake.edge(subject, object_, relation, at=at, properties={"passage": passage.id})

    def _triple(self, value: Any, at: str) -> tuple[str, str, str] | None:
        """Return ids and relation of a triple; None when it was skipped."""
        if not isinstance(value, list) or len(value) != 3:
            self._intake.skip("a triple that is no list of subject, relation and object", at)
            return None
        subject, relation, object_ = (self._name(member, at) for member in value)
        if relation is None or not subject or not object_:
            part = "relation" if relation is None else "subject or object"
            fault = _fault(next(name for name in (relation, subject, object_) if not name))
            self._intake.skip(f"a triple whose {part} is {fault}", at)
            return None
        return self._entity(subject, at), relation, self._entity(object_, at)

    def _list(self, value: Any, table: str, at: str) -> list[Any]:
        if isinstance(value, list):
            return value
        if not missing(value):
            self._intake.read(table)
            self._intake.skip(f"{table} that are no list", at)
        return []

    def _name(self, value: Any, at: str) -> str | None:
        """Return a name without white space around it; None for what is none."""
        if isinstance(value, str):
            if (name := value.strip()) != value:
                self._intake.repair("white space around a name was taken away", at)
            return name
        if isinstance(value, bool) or not isinstance(value, int | float) or missing(value):
            return None
        self._intake.repair("a number was read as a name", at)
        return str(value)

    def _entity(self, name: str, at: str) -> str:
        """Return the id of the entity with this name, which is known from now on."""
        key = entity_id(name, merge=self._merge)
        entity = self._entities.setdefault(key, _Entity(name))
        if name != entity.label and name not in entity.aliases:
            entity.aliases[name] = None
            self._intake.repair(
                "names that differ in case, punctuation or spaces were read as one entity",
                f"{at}: {name!r} is {entity.label!r}",
            )
        return key


def _is_mark(sign: str) -> bool:
    return unicodedata.category(sign).startswith("M")


def _fault(name: str | None) -> str:
    return "no text" if name is None else "empty"
