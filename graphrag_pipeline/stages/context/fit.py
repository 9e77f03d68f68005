"""How many lines fit a budget."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from itertools import islice


def longest_fit(
    head: str, lines: Iterable[str], always: int, measure: Callable[[str], int], budget: int
) -> list[str]:
    """Return the longest run of lines, from the first on, whose text stays within a budget.

    The text is ``head`` and the lines, joined by newlines. ``measure`` is asked about O(log n) texts, so
    a costly token counter is fine; a longer text must not measure less than its beginning. Lines are
    taken from ``lines`` about as far as needed: how many more may fit is guessed from those before.

    Args:
        head: First line of the text.
        lines: Lines, best first.
        always: How many lines are kept even when they do not fit.
        measure: Gives the size of a text.
        budget: Largest size that fits.
    """
    source = iter(lines)
    taken = list(islice(source, always))
    good, step = len(taken), FIRST_STEP

    def size(count: int) -> int:
        return measure("\n".join([head, *taken[:count]]))

    while more := list(islice(source, step)):
        taken += more
        used = size(len(taken))
        if used > budget:
            first_bad = bisect_left(
                range(good + 1, len(taken) + 1), True, key=lambda count: size(count) > budget
            )
            return taken[: good + first_bad]
        good = len(taken)
        # Never more than twice as many: lines may be shorter than those so far, or measure nothing.
        step = min(good + 1, (budget - used) * good // max(used, 1) + MARGIN)
    return taken


FIRST_STEP = 32
"""Lines that are taken before anything is known about their size."""
MARGIN = 4
"""Lines taken beyond the guess, so that one more look is mostly enough."""
