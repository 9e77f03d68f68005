"""What the terms of a JSON-LD context stand for, and by way of how many other terms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MOST_STEPS = 100
"""Other terms by way of which a term may be defined; the parser calls itself for each."""
LONGEST_NAME = 512
"""Most characters of what a term of a context stands for; each use of the term makes as many."""

# Any throughout: JSON data.


def too_far(context: Mapping[str, Any]) -> bool:
    """Whether a term is defined by way of too many others, one after the other, or as something too long."""
    done: dict[str, tuple[int, int]] = {}
    for first in context:
        followed = [_Term(context, first)] if first not in done else []
        while followed:
            term = followed[-1]
            name = next(term.needed, None)
            if name is None:
                followed.pop()
                done[term.name] = (term.length, term.steps)
                if followed:
                    followed[-1].by_way_of(*done[term.name])
            elif name in done:
                term.by_way_of(*done[name])
            elif all(name != other.name for other in followed):
                followed.append(_Term(context, name))
            if term.too_far or len(followed) > MOST_STEPS:
                return True
    return False


def texts_of(context: Mapping[str, Any], term: str) -> list[str]:
    """Return the texts in the definition of a term."""
    definition = context.get(term)
    texts = definition.values() if isinstance(definition, dict) else [definition]
    return [text for text in texts if isinstance(text, str)]


class _Term:
    """A term whose definition is being followed."""

    def __init__(self, context: Mapping[str, Any], name: str) -> None:
        self.name = name
        self.length = max(map(len, texts_of(context, name)), default=0)
        """How long what it stands for may be, as far as is known."""
        self.steps = 0
        """By way of how many others it is defined, as far as is known."""
        self.needed = iter(_needed(context, name))
        self._own = self.length

    def by_way_of(self, length: int, steps: int) -> None:
        """Take note of a term that it is defined by."""
        self.length = max(self.length, self._own + length)
        self.steps = max(self.steps, steps + 1)

    @property
    def too_far(self) -> bool:
        """Whether it is defined by too many others, or as something too long."""
        return self.steps > MOST_STEPS or self.length > LONGEST_NAME


def _needed(context: Mapping[str, Any], term: str) -> list[str]:
    """Return the terms that the definition of a term names, or has as a prefix."""
    names = [name for text in texts_of(context, term) for name in (text, text.partition(":")[0])]
    # A term that looks like prefix:name needs its prefix, whatever defines it.
    names.append(term.partition(":")[0])
    return [name for name in dict.fromkeys(names) if name in context and name != term]
