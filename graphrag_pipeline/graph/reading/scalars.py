"""Values that stand for no value, and texts that are numbers."""

from __future__ import annotations

import math


def missing(value: object) -> bool:
    """Whether a value stands for no value: None, or NaN."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def as_number(value: object) -> float | None:
    """Return a finite number, or a text that is one, as a number; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if not isinstance(value, str):
        return None
    for kind in (int, float):
        try:
            number = kind(value)
        except ValueError:
            continue
        # Python reads digits of any script and underscores between them; no file format does.
        plain = value.strip().isascii() and "_" not in value
        # A whole number is finite however large, and may be too large to be asked.
        return number if plain and (isinstance(number, int) or math.isfinite(number)) else None
    return None
