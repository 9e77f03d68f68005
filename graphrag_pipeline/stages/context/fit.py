"""How many lines fit a budget."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from itertools import islice


def longest_fit(head: str, lines: Iterable[str], always: int, fits: Callable[[str], bool]) -> list[str]:
    """Return the longest run of lines, from the first on, whose text fits.

    The text is ``head`` and the lines, joined by newlines. ``fits`` is asked about O(log n) texts, so
    a costly token counter is fine; it must not say yes to a text after saying no to a shorter one.
    Lines are taken from ``lines`` only as far as needed.

    Args:
        head: First line of the text.
        lines: Lines, best first.
        always: How many lines are kept even when they do not fit.
        fits: Tells whether a text is within the budget.
    """
    source = iter(lines)
    taken = list(islice(source, always))
    good, step = len(taken), 16

    def passes(count: int) -> bool:
        return not fits("\n".join([head, *taken[:count]]))

    while more := list(islice(source, step)):
        taken += more
        if passes(len(taken)):
            first_bad = bisect_left(range(good + 1, len(taken) + 1), True, key=passes)
            return taken[: good + first_bad]
        good, step = len(taken), step * 2
    return taken
