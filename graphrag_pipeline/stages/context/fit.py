"""How many entries fit a budget."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

T = TypeVar("T")

FIRST_STEP = 32
"""Entries that are taken before anything is known about their size."""
MARGIN = 4
"""Entries taken beyond the guess, so that one more look is mostly enough."""


def longest_fit(
    head: str, lines: Iterable[str], always: int, measure: Callable[[str], int], budget: int
) -> list[str]:
    """Return the longest run of lines, from the first on, whose text stays within a budget.

    The text is ``head`` and the lines, joined by newlines; see :func:`longest_run`.

    Args:
        head: First line of the text.
        lines: Lines, best first.
        always: How many lines are kept even when they do not fit.
        measure: Gives the size of a text.
        budget: Largest size that fits.
    """

    def size(taken: Sequence[str]) -> int:
        return measure("\n".join([head, *taken]))

    return longest_run(iter(lines), size, budget, always)[0]


def longest_run(
    source: Iterator[T], size: Callable[[Sequence[T]], int], budget: int, always: int = 0
) -> tuple[list[T], list[T]]:
    """Return the longest run of entries within a budget, from the first on, and what was taken beyond it.

    ``size`` is asked about O(log n) runs, so a costly token counter is fine. Where a longer text measures
    less than its beginning, a longer run may fit; the one returned was measured in any case. Entries are
    taken from ``source`` about as far as needed: how many more may fit is guessed from those before.

    Args:
        source: Entries, best first.
        size: Gives the size of a run.
        budget: Largest size that fits.
        always: How many entries are kept even when they do not fit.
    """
    taken = list(islice(source, always))
    good, step = len(taken), FIRST_STEP
    while more := list(islice(source, step)):
        taken += more
        used = size(taken)
        if used > budget:
            first_bad = bisect_left(
                range(good + 1, len(taken) + 1), True, key=lambda count: size(taken[:count]) > budget
            )
            kept = good + first_bad
            return taken[:kept], taken[kept:]
        good = len(taken)
        # Never more than twice as many: lines may be shorter than those so far, or measure nothing.
        step = min(good + 1, (budget - used) * good // max(used, 1) + MARGIN)
    return taken, []
