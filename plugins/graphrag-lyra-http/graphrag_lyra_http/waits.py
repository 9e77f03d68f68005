"""How long to wait before a retry."""

from __future__ import annotations

import hashlib


def backoff(attempt: int, first: float, most: float, seed: int, key: str) -> float:
    """Return the seconds before a retry: doubled each time, with up to half taken off at random.

    The same request, attempt and seed give the same wait; different requests do not all come back at once.

    Args:
        attempt: Which attempt failed, counted from 0.
        first: Seconds after the first.
        most: Most seconds.
        seed: Seed of what is random.
        key: What tells requests apart.
    """
    whole = min(most, first * 2.0**attempt)
    digest = hashlib.sha256(f"{seed}\n{key}\n{attempt}".encode("utf-8", "surrogatepass")).digest()
    share = int.from_bytes(digest[:8], "big") / 2**64
    return whole * (1 - share / 2)
