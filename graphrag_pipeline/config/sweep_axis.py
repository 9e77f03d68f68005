"""What a swept key stands for: choices, numbers in steps, or an interval."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import TypeAlias

from graphrag_pipeline.errors import ConfigError, Problem

_DIGITS = 100
"""Digits that decimals are computed with: more than any number here has."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Values as text, each as it may stand after ``=`` alone."""

    texts: tuple[str, ...]

    @property
    def size(self) -> int:
        """How many values."""
        return len(self.texts)

    def text(self, at: int) -> str:
        """Return the value at a position."""
        return self.texts[at]


@dataclass(frozen=True, slots=True)
class Steps:
    """Numbers at one distance from each other, computed in decimals: the third of 0:1:0.1 is 0.2.

    Args:
        start: The first.
        step: The distance; below zero they go down.
        size: How many.
        whole: Whether they are whole numbers.
    """

    start: Decimal
    step: Decimal
    size: int
    whole: bool

    def text(self, at: int) -> str:
        """Return the number at a position."""
        with localcontext() as context:
            context.prec = _DIGITS
            number = self.start + at * self.step
        if self.whole:
            return str(int(number))
        short = repr(float(number))
        # A float that has not all digits is not the number that was asked for.
        return short if Decimal(short) == number else format(number, "f")


@dataclass(frozen=True, slots=True)
class Interval:
    """Every number from ``low`` to ``high``; whole ones only where both are."""

    low: int | float
    high: int | float

    @property
    def whole(self) -> bool:
        """Whether its numbers are whole."""
        return isinstance(self.low, int) and isinstance(self.high, int)

    @property
    def size(self) -> None:
        """None: they cannot be listed."""
        return None


Values: TypeAlias = Choices | Steps | Interval


@dataclass(frozen=True, slots=True)
class Axis:
    """A swept key.

    Args:
        key: Config key or group, with its package.
        head: What stands before ``=``: the key, with ``+`` where it was given.
        values: What it may be.
        tags: Tags of the sweep, sorted; ``log`` asks a sampler for a logarithmic scale.
        shuffled_by: Text that a random order of the values is drawn by; empty for the order as given.
    """

    key: str
    head: str
    values: Values
    tags: tuple[str, ...] = ()
    shuffled_by: str = ""

    @property
    def size(self) -> int | None:
        """How many values; None for an interval."""
        return self.values.size

    def texts(self) -> Sequence[str]:
        """Return every value as text.

        Raises:
            ConfigError: It is an interval.
        """
        if isinstance(self.values, Interval):
            raise ConfigError([not_listed(self.key)])
        texts = [self.values.text(at) for at in range(self.values.size)]
        if self.shuffled_by:
            random.Random(self.shuffled_by).shuffle(texts)
        return texts

    def first(self) -> str:
        """Return the first value as it was given; the lower end of an interval."""
        return str(self.values.low) if isinstance(self.values, Interval) else self.values.text(0)


def not_listed(key: str) -> Problem:
    """Return the problem of a grid over an interval."""
    hint = "give values or steps (0:1:0.1), or let a sampler draw: --sampler random, tpe or nsga2"
    return Problem(key, "an interval has no end of values, and a grid takes each", "", hint)


def steps(start: Decimal, stop: Decimal, step: Decimal, *, with_stop: bool) -> Steps:
    """Return numbers from ``start`` to ``stop``.

    Args:
        start: The first.
        stop: Where they end.
        step: The distance; below zero they go down.
        with_stop: Whether ``stop`` is one of them, where a step lands on it.

    Raises:
        ValueError: The step is 0, or a number is out of all proportion; the message is for a user.
    """
    for number in (start, stop, step):
        if not number.is_finite() or (number and abs(number.adjusted()) > _DIGITS // 4):
            raise ValueError(f"{number} is not a number to count with")
    if not step:
        raise ValueError("the step is 0")
    count = (Fraction(stop) - Fraction(start)) / Fraction(step)
    size = math.floor(count) + 1 if with_stop else math.ceil(count)
    whole = all(
        isinstance(part.as_tuple().exponent, int) and part.as_tuple().exponent == 0
        for part in (start, stop, step)
    )
    return Steps(start, step, max(size, 0), whole)
