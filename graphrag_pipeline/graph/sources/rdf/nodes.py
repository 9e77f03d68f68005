"""Names, labels and properties of the nodes and edges that RDF resources become."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias
from urllib.parse import unquote

from graphrag_pipeline.graph.sources.rdf.resources import Gathered, Resource
from graphrag_pipeline.graph.sources.rdf.terms import (
    DC,
    DCTERMS,
    FOAF,
    LABEL,
    OURS,
    OWL,
    RDFS,
    SCHEMA,
    SKOS,
    Literal,
    Quoted,
    is_blank,
    split,
    value,
)

Told: TypeAlias = Callable[[str], None]

LABELS = (
    *(f"{SKOS}prefLabel", LABEL, f"{DCTERMS}title", f"{DC}title", f"{FOAF}name"),
    *(f"{schema}name" for schema in SCHEMA),
)
"""Properties that hold a label, the best first."""
ALIASES = (f"{SKOS}altLabel", f"{SKOS}hiddenLabel")
DESCRIPTIONS = (
    *(f"{SKOS}definition", f"{SKOS}scopeNote", f"{RDFS}comment", f"{DCTERMS}description"),
    *(f"{DC}description", *(f"{schema}description" for schema in SCHEMA)),
)
"""Properties that hold a description, the best first."""
MADE = frozenset(["labels", "aliases", "description", "types", "graphs", "position"])
"""Properties that we make; a file's own one of such a name goes by its full IRI."""

VOCABULARIES = (SKOS, OWL, RDFS)
GENERIC = frozenset([f"{OWL}NamedIndividual", f"{OWL}Thing", f"{RDFS}Resource"])
"""Types that say nothing: any other is preferred."""
RESOURCE = "resource"
"""Type of a node that has none."""

# Any throughout: properties hold any JSON value.


class Naming:
    """Names for what a file has IRIs for.

    Args:
        gathered: What the file says.
        about: What it says of edges.
        prefixes: Namespace of each prefix; empty where namespaces are to be IRIs.
        ids: Ids of blank nodes.
        languages: Languages in order of preference; the empty text is text without one.
    """

    def __init__(
        self,
        gathered: Gathered,
        about: Iterable[Resource],
        prefixes: Mapping[str, str],
        ids: Mapping[str, str],
        languages: Sequence[str],
    ) -> None:
        self._ids = ids
        self._languages = [language.lower() for language in languages]
        named = sorted(
            ((prefix, iri) for prefix, iri in prefixes.items() if prefix), key=_shortest, reverse=True
        )
        self._prefixes = {iri: prefix for prefix, iri in named}
        self._keys = _keys([*gathered.resources.values(), *about])

    def id(self, name: str) -> str:
        """Return the id of a resource: its IRI, or the id of a blank node."""
        return self._ids.get(name, name)

    def namespace(self, name: str) -> str | None:
        """Return the prefix, or the IRI, of the namespace of a resource; None for a blank node."""
        if is_blank(name):
            return None
        iri = split(name)[0]
        return self._prefixes.get(iri, iri)

    def label(self, resource: Resource) -> str:
        """Return the label that people read, the empty text where there is none."""
        chosen = self._label(resource)
        return chosen[1].text if chosen else ""

    def node_type(self, types: Iterable[str]) -> str:
        """Return the type that a node goes by."""
        ranked = sorted(types, key=_rank)
        return split(ranked[0])[1] if ranked else RESOURCE

    def properties(self, resource: Resource, told: Told) -> dict[str, Any]:
        """Return the properties of a node or an edge, in an order that is the same for every format.

        Args:
            resource: What is said of it.
            told: Told of values that are none of their type.
        """
        described = next((name for name in DESCRIPTIONS if name in resource.literals), None)
        found: dict[str, Any] = {}
        if described is not None:
            found.update(self._by_language("description", resource.literals[described], told))
        found.update(self._labels(resource))
        for predicate, literals in sorted(resource.literals.items()):
            if predicate != described and predicate not in LABELS and predicate not in ALIASES:
                found.update(self._by_language(self._key(predicate), literals, told))
        for predicate, listed in sorted(resource.lists.items()):
            found[self._key(predicate)] = _before(found, self._key(predicate)) + [
                value(literal, told) for literal in listed
            ]
        for predicate, triples in sorted(resource.triples.items()):
            found[self._key(predicate)] = _one_or_all(sorted(map(self._shown, triples)))
        if resource.types:
            found["types"] = sorted(resource.types)
        if resource.graphs:
            found["graphs"] = sorted(map(self.id, resource.graphs))
        return found

    def _key(self, predicate: str) -> str:
        return self._keys.get(predicate, predicate)

    # -- texts in several languages --------------------------------------------------------------

    def _label(self, resource: Resource) -> tuple[str, Literal] | None:
        for predicate in LABELS:
            if predicate in resource.literals:
                literals = resource.literals[predicate]
                language = self._language({literal.language for literal in literals})
                return predicate, min(literal for literal in literals if literal.language == language)
        return None

    def _labels(self, resource: Resource) -> dict[str, Any]:
        """Return the labels of other languages, and every other name."""
        if not resource.literals:
            return {}
        best, chosen = self._label(resource) or ("", Literal(""))
        labels: dict[str, str] = {}
        aliases: dict[str, None] = {}
        for predicate in (*LABELS, *ALIASES):
            for literal in sorted(resource.literals.get(predicate, ())):
                other = literal.language not in ("", chosen.language, *labels)
                if predicate == best and other:
                    labels[literal.language] = literal.text
                else:
                    aliases[literal.text] = None
        for text in (chosen.text, *labels.values()):
            aliases.pop(text, None)
        return {
            **({"labels": dict(sorted(labels.items()))} if labels else {}),
            **({"aliases": list(aliases)} if aliases else {}),
        }

    def _by_language(self, key: str, literals: Iterable[Literal], told: Told) -> dict[str, Any]:
        """Return the values in the preferred language under ``key``, others under ``key@language``."""
        by_language: dict[str, list[Any]] = {}
        for literal in sorted(literals):
            by_language.setdefault(literal.language, []).append(value(literal, told))
        chosen = self._language(by_language)
        return {
            key if language == chosen else f"{key}@{language}": _one_or_all(values)
            for language, values in by_language.items()
        }

    def _language(self, there: Iterable[str]) -> str:
        """Return the preferred one of some languages."""
        tags = sorted(there)
        for language in self._languages:
            if language in tags:
                return language
            for tag in tags:
                if language and tag.startswith(f"{language}-"):
                    return tag
        return tags[0]

    def _shown(self, triple: Quoted) -> str:
        object_ = triple.object
        if isinstance(object_, Quoted):
            shown = self._shown(object_)
        else:
            shown = self._term(object_) if isinstance(object_, str) else repr(object_.text)
        return f"<<( {self._term(triple.subject)} {self._term(triple.predicate)} {shown} )>>"

    def _term(self, name: str) -> str:
        return self.id(name) if is_blank(name) else f"<{name}>"


def readable(iri: str) -> str:
    """Return the local name of an IRI as people would write it."""
    return unquote(split(iri)[1])


def _shortest(named: tuple[str, str]) -> tuple[int, str]:
    return len(named[0]), named[0]


def _rank(type_: str) -> int:
    if type_ in GENERIC:
        return len(VOCABULARIES) + 1
    vocabularies = [rank for rank, iri in enumerate(VOCABULARIES) if type_.startswith(iri)]
    return vocabularies[0] if vocabularies else len(VOCABULARIES)


def _keys(resources: Iterable[Resource]) -> dict[str, str]:
    """Return the property that each predicate is: its local name, or its IRI where two share that."""
    used = {
        predicate: split(predicate)[1]
        for resource in resources
        for predicate in (*resource.literals, *resource.lists, *resource.triples)
        if not predicate.startswith(OURS)
    }
    shared = Counter(used.values())
    return {
        predicate: predicate if shared[local] > 1 or local in MADE else local
        for predicate, local in used.items()
    }


def _one_or_all(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values


def _before(found: Mapping[str, Any], key: str) -> list[Any]:
    before = found.get(key, [])
    return before if isinstance(before, list) else [before]
