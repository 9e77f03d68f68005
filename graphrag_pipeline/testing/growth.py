"""Whether the time of a call grows faster than its input."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

TOLERANCE = 3.0
"""How much more than in proportion the time may grow; what is quadratic grows by the whole ratio more."""
FLOOR_S = 0.000_2
"""A shorter time is taken as this long: it is mostly the cost of a call."""
ENOUGH_S = 0.01
"""A large input that takes no longer than this is cheap, however it grows."""
LONG_S = 0.2
"""A call that takes longer is not repeated: nothing that short disturbs it."""
ATTEMPTS = 4
"""Times that a growth is measured before it is believed; one that is in proportion is believed at once."""


def grows_faster(
    call: Callable[[tuple[Any, ...]], object],
    small: Callable[[], tuple[Any, ...]],
    large: Callable[[], tuple[Any, ...]],
    ratio: float,
) -> float:
    """Return how many times longer the large input took, or 0 when that is in proportion.

    Time is that of the processor, so that other programs do not count, and the shortest of three calls.

    Args:
        call: What is measured.
        small: Makes the arguments of the small input.
        large: Makes those of the large one.
        ratio: How many times larger that is.
    """
    factor = 0.0
    for _ in range(ATTEMPTS):
        long = _shortest(call, large)
        if long <= ENOUGH_S:
            return 0.0
        factor = long / max(_shortest(call, small), FLOOR_S)
        if factor <= ratio * TOLERANCE:
            return 0.0
    return factor


def _shortest(call: Callable[[tuple[Any, ...]], object], make: Callable[[], tuple[Any, ...]]) -> float:
    call(make())  # what is made once, such as the text index of a graph, is made here
    times = []
    for _ in range(3):
        arguments = make()
        start = time.process_time()
        call(arguments)
        times.append(time.process_time() - start)
        if times[-1] > LONG_S:
            break
    return min(times)
