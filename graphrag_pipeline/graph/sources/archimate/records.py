"""Makes an ArchiMate model the nodes and edges of a graph."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from graphrag_pipeline.graph.reading.scalars import as_number
from graphrag_pipeline.graph.sources.archimate.model import Concept, Model, Property, Text, preferred
from graphrag_pipeline.graph.sources.archimate.names import (
    LAYERS,
    RELATIONS,
    Named,
    element_type,
    relation_type,
)
from graphrag_pipeline.graph.sources.intake import Intake

VIEW = "View"
REIFIED = "Relationship"
"""Type of the node that stands for a relation which another relation begins or ends at."""
PREFIX = (
    "the prefix 'id-', which Archi puts before ids that begin with a digit; "
    "graph.exchange_ids=written keeps it"
)
MADE = "nodes and edges for relations that are an end of another relation"
SPECIALIZATION = "specialization"
"""Name, in any case, of the property by which exchange files tell specializations."""
TAKEN = frozenset(
    [
        *("documentation", "folder", "specializations", "original_type"),
        *("layer", "junction_type", "viewpoint"),
        *("id", "name", "relation_type", "access_type", "strength", "directed"),
    ]
)
"""Properties that we make; a user's own one of such a name gets the prefix ``property:``."""
OWN = "property:"

PREFIXED = re.compile(
    r"id-(?=[0-9])(?:[0-9a-f]{1,31}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"
)
"""An id that Archi gave without ``id-``, and put ``id-`` before because it begins with a digit. Ids of 32
digits are not among them: those have ``id-`` in Archi itself."""

# Any throughout: properties hold any JSON value.


class Records:
    """Hands a model to an intake.

    Args:
        intake: Takes the records.
        model: What was read.
        language: Which of several names is the label; None means the first.
        views: Whether views become nodes.
        native_ids: Whether the prefix that exchange files put before some ids is taken off.
    """

    def __init__(
        self, intake: Intake, model: Model, *, language: str | None, views: bool, native_ids: bool
    ) -> None:
        self._intake = intake
        self._model = model
        self._language = language
        self._views = views
        self._ids = self._native_ids() if model.exchange and native_ids else {}
        self._unknown: dict[str, None] = {}

    def hand_over(self) -> None:
        """Hand over everything, in the order of the file."""
        model, intake = self._model, self._intake
        intake.note(f"model {model.name!r}: {model.format}")
        if self._ids:
            intake.note(f"{len(self._ids)} ids lost {PREFIX}")
        intake.total = len(model.elements) + len(model.relations)
        labels = {self._id(element.id): self._element(element) for element in model.elements}
        inner = self._inner(labels)
        for relation in model.relations:
            self._relation(relation, labels, inner)
        self._drawings()
        self._remark()

    # -- records -------------------------------------------------------------------------------

    def _element(self, element: Concept) -> str:
        kind = element_type(element.type)
        if kind.name and kind.name not in LAYERS:
            self._unknown[kind.name] = None
        label, properties = self._common(element, kind)
        properties["layer"] = LAYERS.get(kind.name)
        properties["junction_type"] = element.attributes.get("junction")
        self._intake.read("elements")
        self._intake.node(self._id(element.id), kind.name, label, at=element.at, properties=properties)
        return label

    def _relation(self, relation: Concept, labels: dict[str, str], inner: set[str]) -> None:
        kind = relation_type(relation.type)
        if kind.name and kind.name not in RELATIONS:
            self._unknown[kind.name] = None
        properties = self._relation_properties(relation, kind)
        relation_id, source, target = map(self._id, (relation.id, relation.source, relation.target))
        with_id = {"id": relation_id, **properties}
        self._intake.read("relations")
        taken = self._intake.edge(source, target, kind.name, at=relation.at, properties=with_id)
        if taken and relation_id in inner:
            inner.discard(relation_id)
            self._reify(relation_id, (source, kind.name, target), labels, properties, relation.at)

    def _relation_properties(self, relation: Concept, kind: Named) -> dict[str, Any]:
        label, properties = self._common(relation, kind)
        attributes = relation.attributes
        properties["name"] = label or None
        properties["access_type"] = attributes.get("access")
        properties["strength"] = attributes.get("strength")
        properties["directed"] = True if attributes.get("directed") in ("true", "1") else None
        if "/" not in str(properties.get("folder", "")):
            # Every relation lies in the folder of relations; only a folder within it says something.
            properties.pop("folder", None)
        return properties

    def _inner(self, elements: dict[str, str]) -> set[str]:
        """Return the ids of relations that are an end of another one."""
        relations: set[str] = set()
        for relation in self._model.relations:
            if self._id(relation.id) in relations:
                self._intake.repair("the id of a relation came again; both are kept", relation.at)
            relations.add(self._id(relation.id))
        ends = {self._id(end) for other in self._model.relations for end in (other.source, other.target)}
        return (ends & relations) - elements.keys() - {""}

    def _reify(
        self,
        node_id: str,
        triple: tuple[str, str, str],
        labels: dict[str, str],
        properties: dict[str, Any],
        at: str,
    ) -> None:
        """Make a node that stands for a relation, and edges from it to the relation's ends."""
        source, kind, target = triple
        shown = f"{labels.get(source) or source} -{kind}-> {labels.get(target) or target}"
        label = properties.pop("name") or shown
        told = {"relation_type": kind, **properties}
        self._intake.node(node_id, REIFIED, label, at=at, properties=told, made=MADE)
        self._intake.edge(node_id, source, "source", at=at, made=MADE)
        self._intake.edge(node_id, target, "target", at=at, made=MADE)

    def _drawings(self) -> None:
        views, intake = self._model.views, self._intake
        if views:
            intake.read("views", len(views))
        if not self._views:
            if views:
                intake.absorb("views; graph.views=true makes them nodes", len(views))
            return
        for view in views:
            label, properties = self._common(view, Named(view.type))
            properties["viewpoint"] = view.attributes.get("viewpoint")
            intake.node(self._id(view.id), VIEW, label, at=view.at, properties=properties)
            shown = dict.fromkeys(map(self._id, view.drawn))
            self._account(view, len(shown))
            for element in shown:
                intake.edge(self._id(view.id), element, "shows", at=view.at)

    def _account(self, view: Concept, shown: int) -> None:
        intake = self._intake
        if view.drawn:
            intake.read("elements in views", len(view.drawn))
        if again := len(view.drawn) - shown:
            intake.absorb("elements that a view shows again", again)
        if view.decorations:
            intake.read("other things in views", view.decorations)
            intake.absorb("notes, groups, lines and pictures in views", view.decorations)

    # -- what all concepts have ----------------------------------------------------------------

    def _common(self, concept: Concept, kind: Named) -> tuple[str, dict[str, Any]]:
        """Return the label and the properties that a concept of any kind has."""
        properties: dict[str, Any] = {}
        label = self._names(concept, properties)
        self._texts("documentation", concept.documentation, properties)
        folders = concept.folders or self._model.folders.get(concept.id, [])
        for folder in folders:
            _add(properties, "folder", folder)
        if kind.older:
            properties["original_type"] = kind.older
            self._intake.repair(
                "a type of an older ArchiMate got its current name; original_type keeps it", concept.at
            )
        specializations = [self._profile(profile, concept) for profile in concept.profiles]
        own = self._own(concept, specializations, properties)
        if specializations:
            properties["specializations"] = specializations
        return label, {**properties, **own}

    def _names(self, concept: Concept, properties: dict[str, Any]) -> str:
        names = []
        for language, name in concept.names:
            if name != (bare := name.strip()):
                self._intake.repair("spaces around a name were taken off", concept.at)
            names.append((language, bare))
        self._texts("label", names, properties)
        return str(properties.pop("label", ""))

    def _texts(self, key: str, texts: Sequence[Text], properties: dict[str, Any]) -> None:
        """Put the preferred text under ``key``, and those of other languages under ``key_LANGUAGE``."""
        if not texts:
            return
        chosen = preferred(texts, self._language)
        properties[key] = chosen[1]
        for text in texts:
            if text is not chosen:
                _add(properties, f"{key}_{text[0] or 'other'}", text[1])

    def _profile(self, profile: str, concept: Concept) -> str:
        if profile not in self._model.profiles:
            self._intake.repair("a specialization is not declared; its id stands for its name", concept.at)
        return self._model.profiles.get(profile) or profile

    def _own(self, concept: Concept, specializations: list[str], made: dict[str, Any]) -> dict[str, Any]:
        """Return the properties that users made, and add what they say of specializations."""
        found: dict[str, Any] = {}
        for entry in concept.properties:
            key, value, others = self._property(entry)
            if not key:
                self._intake.blank("a property has no name; it is left out", entry.at)
            elif self._model.exchange and key.lower() == SPECIALIZATION:
                specializations.append(str(value))
            else:
                key = f"{OWN}{key}" if key in TAKEN or key in made or key.startswith(OWN) else key
                _add(found, key, value)
                for language, text in others:
                    _add(found, f"{key}_{language or 'other'}", text)
        return found

    def _property(self, entry: Property) -> tuple[str, Any, list[Text]]:
        values = entry.values or [("", "")]
        chosen = preferred(values, self._language)
        others = [text for text in values if text is not chosen]
        if not self._model.exchange:
            return entry.key, chosen[1], others
        definition = self._model.definitions.get(entry.key)
        if definition is None:
            self._intake.repair("a property is not defined; its id stands for its name", entry.at)
            return entry.key, chosen[1], others
        return definition.name, self._typed(chosen[1], definition.kind, entry.at), others

    def _typed(self, text: str, kind: str, at: str) -> Any:
        bare = text.strip()
        if kind == "boolean" and bare in ("true", "false"):
            return bare == "true"
        if kind == "number" and (number := as_number(bare)) is not None:
            return number
        if kind in ("boolean", "number") and bare:
            self._intake.repair(f"the value of a property is no {kind}; it is kept as text", at)
        return text

    # -- ids -----------------------------------------------------------------------------------

    def _id(self, written: str) -> str:
        return self._ids.get(written, written)

    def _native_ids(self) -> dict[str, str]:
        """Return the native id of each one that got a prefix.

        A short decimal number is what other tools number with, and prefix for themselves: it counts as
        Archi's only where the file has ids without the prefix too, as files from Archi have.
        """
        concepts = (*self._model.elements, *self._model.relations, *self._model.views)
        written = dict.fromkeys(concept.id for concept in concepts)
        numbers = any(not identifier.startswith("id-") for identifier in written)
        return {
            identifier: bare
            for identifier in written
            if PREFIXED.fullmatch(identifier)
            and (bare := identifier.removeprefix("id-")) not in written
            and (numbers or not bare.isdigit())
        }

    def _remark(self) -> None:
        model, intake = self._model, self._intake
        if not model.elements and model.views:
            intake.note("the model has views and no elements")
        if self._unknown:
            intake.note(f"types that ArchiMate 3 does not have: {', '.join(self._unknown)}")
        if model.remarks:
            what = f"{model.remarks} texts and properties of the model and its folders"
            intake.note(f"{what} belong to no node, and are left out")


def _add(properties: dict[str, Any], key: str, value: Any) -> None:
    """Set a property; one that comes again becomes a list of its values."""
    if key not in properties:
        properties[key] = value
    elif isinstance(properties[key], list):
        properties[key].append(value)
    else:
        properties[key] = [properties[key], value]
