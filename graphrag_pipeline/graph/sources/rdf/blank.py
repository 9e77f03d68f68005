"""Ids of blank nodes: made of what is said of them, since they have no name of their own.

The name that a file gives a blank node holds in that file only, and may change whenever it is written. So
an id is a digest of the statements that a node is in, and where these name other blank nodes, of theirs.
It is the same in every file that says the same of the node, in whatever order and format. Nodes that
nothing tells apart are numbered in the order of the file.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from graphrag_pipeline.graph.sources.rdf.resources import Edge, Gathered, Resource
from graphrag_pipeline.graph.sources.rdf.terms import is_blank, names_in

DIGITS = 16
ROUNDS = 12
"""How far away what tells two nodes apart may be, in edges between blank nodes."""
MOST_WORK = 100_000
"""Nodes that are looked at again, in all rounds: more of them that look alike take seconds, and are numbered
in the order of the file."""


def blank_ids(
    gathered: Gathered, spread: Mapping[Edge, Sequence[str]], note: Callable[[str], None]
) -> dict[str, str]:
    """Return an id for each blank node that the file names.

    Args:
        gathered: What the file says.
        spread: Items of lists, by the edge that leads to the list.
        note: Told when so many look alike that they were not told apart.
    """
    blank = _Described(gathered, spread)
    digests = {name: _digest(lines) for name, lines in blank.known.items()}
    work = 0
    for _ in range(ROUNDS):
        alike = _alike(digests)
        work += sum(map(len, alike))
        if work > MOST_WORK:
            note(f"{sum(map(len, alike)):,} blank nodes look alike: their ids follow their order in the file")
            break
        clearer = blank.clearer(alike, digests)
        if not clearer:
            break
        digests.update(clearer)
    numbered: Counter[str] = Counter()
    ids = {}
    for name, digest in digests.items():
        numbered[digest] += 1
        number = numbered[digest]
        ids[name] = f"_:{digest[:DIGITS]}" + (f"-{number}" if number > 1 else "")
    return ids


def _alike(digests: Mapping[str, str]) -> list[list[str]]:
    """Return the groups of nodes that have one digest."""
    groups: dict[str, list[str]] = {}
    for name, digest in digests.items():
        groups.setdefault(digest, []).append(name)
    return [names for names in groups.values() if len(names) > 1]


class _Described:
    """What is said of each blank node with names that hold everywhere, and the blank nodes beside it."""

    def __init__(self, gathered: Gathered, spread: Mapping[Edge, Sequence[str]]) -> None:
        self.known: dict[str, list[str]] = {}
        self.linked: dict[str, list[tuple[str, str]]] = {}
        self._ways: dict[str, str] = {}
        for name, resource in gathered.resources.items():
            if is_blank(name):
                self.known[name] = _own_lines(resource)
        for edge in gathered.edges:
            subject, predicate, object_ = edge
            if edge not in spread:
                self._link(subject, predicate, object_)
            else:
                for position, item in enumerate(spread[edge]):
                    self._link(subject, f"{predicate} {position}", item)
        for name in _only_mentioned(gathered):
            self.known.setdefault(name, [])

    def _link(self, subject: str, predicate: str, object_: str) -> None:
        if is_blank(subject):
            self._say(subject, f"> {predicate}", object_)
        if is_blank(object_):
            self._say(object_, f"< {predicate}", subject)

    def _say(self, name: str, how: str, other: str) -> None:
        lines = self.known.setdefault(name, [])
        if is_blank(other):
            # The same object each time, for the memory.
            self.linked.setdefault(name, []).append((self._ways.setdefault(how, how), other))
        else:
            lines.append(f"{how} {other}")

    def clearer(self, alike: Iterable[Sequence[str]], digests: Mapping[str, str]) -> dict[str, str]:
        """Return new digests of nodes that are told from others like them by the blank nodes beside them."""
        found: dict[str, str] = {}
        for names in alike:
            told = {name: self._digest(name, digests) for name in names if name in self.linked}
            if len(set(told.values())) + (len(told) < len(names)) > 1:
                found.update(told)
        return found

    def _digest(self, name: str, digests: Mapping[str, str]) -> str:
        return _digest([digests[name], *(f"{how} {digests[other]}" for how, other in self.linked[name])])


def _own_lines(resource: Resource) -> list[str]:
    lines = [f"a {kind}" for kind in resource.types]
    for predicate, literals in resource.literals.items():
        lines.extend(f"{predicate} {tuple(literal)!r}" for literal in literals)
    for predicate, values in resource.lists.items():
        lines.append(f"{predicate} {[tuple(literal) for literal in values]!r}")
    return lines


def _only_mentioned(gathered: Gathered) -> Iterator[str]:
    """Yield blank nodes that may be nothing but the name of a graph, or part of a triple in a statement."""
    for graphs in gathered.edges.values():
        yield from filter(is_blank, graphs)
    for resource in gathered.resources.values():
        yield from filter(is_blank, resource.graphs)
        for triples in resource.triples.values():
            for triple in triples:
                yield from filter(is_blank, names_in(triple))


def _digest(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(sorted(lines)).encode("utf-8", "surrogatepass")).hexdigest()
