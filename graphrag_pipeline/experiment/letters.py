"""Significance letters: runs that share a letter could not be told apart."""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_letters


def letters(count: int, different: Iterable[tuple[int, int]]) -> tuple[str, ...]:
    """Return the letters of each run, as a compact letter display.

    Two runs share a letter exactly when they do not differ significantly. It starts with one letter for
    all. For each pair that differs, every letter that both have becomes two, each without one of them
    (insert); then letters that another one covers go (absorb).

    Source: H.-P. Piepho, An algorithm for a letter-based representation of all-pairwise comparisons (2004).

    Args:
        count: How many runs there are; the first is the best, and has the letter a.
        different: Pairs of places that differ significantly.
    """
    groups = [(1 << count) - 1]  # the runs that have a letter, as bits
    for first, second in sorted(different):
        both = 1 << first | 1 << second
        split = [group for group in groups if group & both != both]
        for group in groups:
            if group & both == both:
                split += [group & ~(1 << first), group & ~(1 << second)]
        groups = _absorbed(split)
    groups.sort(key=lambda group: [place for place in range(count) if group >> place & 1])
    return tuple(
        "".join(_letter(which) for which, group in enumerate(groups) if group >> place & 1)
        for place in range(count)
    )


def _absorbed(groups: list[int]) -> list[int]:
    kept: list[int] = []
    for group in sorted(set(groups), key=lambda group: (-group.bit_count(), group)):
        if all(group & larger != group for larger in kept):
            kept.append(group)
    return kept


def _letter(which: int) -> str:
    return ascii_letters[which] if which < len(ascii_letters) else f"({which + 1})"
