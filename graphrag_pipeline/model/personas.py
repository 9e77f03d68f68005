"""Personas: on whose behalf a query is asked."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.model.zachman import ZachmanCell


@dataclass(frozen=True, slots=True)
class Persona:
    """A role that asks questions.

    Args:
        id: Unique id, for example ``FCON-001``.
        name: What people call it.
        role: Job title or duty.
        category: Group it belongs to.
        phase: Work phase it acts in.
        description: One sentence.
        zachman_cell: ``"row:column"`` it looks from, or empty.
        origin: ``file:line`` it was read from, or the name of its source.
        aliases: Other names for it.
        focus: Terms for what it looks for, for example ``audit trail``.
    """

    id: str
    name: str = ""
    role: str = ""
    category: str = ""
    phase: str = ""
    description: str = ""
    zachman_cell: str = ""
    origin: str = ""
    aliases: tuple[str, ...] = ()
    focus: tuple[str, ...] = ()


def _check_texts(persona: Persona) -> None:
    for name in ("aliases", "focus"):
        for text in getattr(persona, name):
            if not isinstance(text, str):
                raise GraphSourceError(
                    f"{name} of the persona {persona.id!r} hold {text!r:.40}, which is no text.",
                    where=persona.origin,
                )


class PersonaRegistry:
    """An immutable, ordered set of personas; look-ups by id, name, category and phase.

    Args:
        personas: In order; of two with one id the first is kept.
        skipped: What a source refused, one line each with its place.
    """

    def __init__(self, personas: Iterable[Persona] = (), skipped: Sequence[str] = ()) -> None:
        self._by_id: dict[str, Persona] = {}
        problems = list(skipped)
        for persona in personas:
            _check_texts(persona)
            first = self._by_id.setdefault(persona.id, persona)
            if first is not persona:
                problems.append(
                    f"{persona.origin}: persona {persona.id!r} again; the one at {first.origin} is kept"
                )
        self.skipped: tuple[str, ...] = tuple(problems)

    def __len__(self) -> int:
        return len(self._by_id)

    def __iter__(self) -> Iterator[Persona]:
        return iter(self._by_id.values())

    def __contains__(self, persona_id: object) -> bool:
        return persona_id in self._by_id

    def get(self, persona_id: str) -> Persona | None:
        """Return the persona with this id, or None."""
        return self._by_id.get(persona_id)

    def by_name(self, name: str) -> tuple[Persona, ...]:
        """Return the personas with this exact name, in order."""
        return tuple(persona for persona in self if persona.name == name)

    def by_category(self, category: str) -> tuple[Persona, ...]:
        """Return the personas of a category, in order."""
        return tuple(persona for persona in self if persona.category == category)

    def by_phase(self, phase: str) -> tuple[Persona, ...]:
        """Return the personas of a phase, in order."""
        return tuple(persona for persona in self if persona.phase == phase)

    def anchors(self, persona_id: str, fields: Sequence[str] = ("id",)) -> tuple[str, ...]:
        """Return the texts that stand for a persona when nodes are scored.

        Args:
            persona_id: Any id; one that is not registered stands for itself.
            fields: Persona fields to use, in order; empty values are left out. A field that holds
                several texts gives each, in order.
        """
        persona = self.get(persona_id)
        if persona is None:
            return (persona_id,)
        texts: list[str] = []
        for value in (getattr(persona, field) for field in fields):
            texts += [value] if isinstance(value, str) else value or ()
        return tuple(dict.fromkeys(text for text in texts if text)) or (persona_id,)

    def cell(self, persona_id: str) -> ZachmanCell | None:
        """Return the cell a persona looks from; None when it has none, or is not registered."""
        persona = self.get(persona_id)
        try:
            return ZachmanCell.from_coordinate(persona.zachman_cell) if persona else None
        except ValueError:
            return None

    def nearest(self, persona_id: str, count: int = 3) -> tuple[str, ...]:
        """Return the registered ids most like ``persona_id``, best first, case ignored."""
        folded: dict[str, str] = {}
        for known in self._by_id:
            folded.setdefault(known.casefold(), known)
        hits = difflib.get_close_matches(persona_id.casefold(), sorted(folded), n=count, cutoff=0.5)
        return tuple(folded[hit] for hit in hits)
