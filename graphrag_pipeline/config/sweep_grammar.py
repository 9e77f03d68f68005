"""The sweep in an override, read by Hydra's grammar; and our own ``start:stop:step``.

Imported only when a sweep is read: it loads Hydra.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from hydra.core.override_parser.types import (
    ChoiceSweep,
    Glob,
    IntervalSweep,
    Quote,
    QuotedString,
    RangeSweep,
    Sweep,
)
from hydra.core.override_parser.types import Override as HydraOverride
from hydra.errors import HydraException

from graphrag_pipeline.config import grammar
from graphrag_pipeline.config.messages import did_you_mean
from graphrag_pipeline.config.overrides import Override
from graphrag_pipeline.config.sweep_axis import Axis, Choices, Interval, Values, steps
from graphrag_pipeline.config.tree import Leaf
from graphrag_pipeline.errors import Problem

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?"
_STEPS = re.compile(rf"({_NUMBER}):({_NUMBER}):({_NUMBER})")
_CALL = re.compile(r"(choice|range|interval|glob|shuffle|sort|tag)\(.*\)", re.DOTALL)
_NOT_LOGARITHMIC = "{}: a logarithmic scale has numbers above 0 only"
Options = Callable[[], Sequence[str]]


def is_swept(override: Override) -> bool:
    """Whether an override stands for several values, or is written as if it should."""
    text = _unquoted(override)
    written = text is not None and bool(_STEPS.fullmatch(text) or _CALL.fullmatch(text))
    return override.sweep or written or override.text.partition("=")[2].strip().startswith("shuffle(")


def _unquoted(override: Override) -> str | None:
    return override.value.text if isinstance(override.value, Leaf) else None


def read_axis(override: Override, options: Options) -> Axis | Problem:
    """Read what an override is swept over; a mistake comes back as a problem.

    Args:
        override: One that :func:`is_swept`.
        options: Gives the options of the group, for ``glob()``; empty where the key is no group.
    """
    head, _, text = override.text.partition("=")
    text = text.strip()
    try:
        if override.action == "delete":
            raise ValueError("what is taken out has one value")
        values, tags, shuffled = _values(text, override, options)
        if values.size == 0:
            raise ValueError(f"{text} stands for no value")
    except HydraException as error:
        what = f"{text} cannot be read: {_first_line(error)}"
        return Problem(override.target, what, str(override.origin), f"as a text it is quoted: '{text}'")
    except ValueError as error:
        hint = f"as a text it is quoted: '{text}'" if override.action != "delete" else ""
        return Problem(override.target, str(error), str(override.origin), hint)
    return Axis(override.target, head.strip(), values, tuple(sorted(tags)), text if shuffled else "")


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines()]
    return next((line for line in lines if line), type(error).__name__)


def _values(text: str, override: Override, options: Options) -> tuple[Values, Iterable[str], bool]:
    if match := _STEPS.fullmatch(text):
        start, stop, step = (Decimal(number) for number in match.groups())
        return steps(start, stop, step, with_stop=True), (), False
    try:
        sweep = grammar.read_sweep(text)
    except HydraException:
        if _CALL.fullmatch(text) or override.choices is None:
            raise
        return _chosen(override.choices), (), False
    if isinstance(sweep, Glob):
        return _globbed(text, sweep, options()), (), False
    if sweep is None:
        raise ValueError(f"{text} is one list, and in another order every time")
    return _of_sweep(text, sweep), sweep.tags, getattr(sweep, "shuffle", False)


def _of_sweep(text: str, sweep: Sweep) -> Values:
    if isinstance(sweep, ChoiceSweep):
        parts = [part.strip() for part in grammar.split_choices(text)]
        if sweep.simple_form and len(parts) == len(sweep.list):
            return _chosen(parts)
        written = _written(text)
        return _chosen([written.get(_identity(item)) or _text(item) for item in sweep.list])
    if isinstance(sweep, RangeSweep):
        start, stop, step = (Decimal(str(number)) for number in (sweep.start, sweep.stop, sweep.step))
        if "log" in sweep.tags and min(start, stop) <= 0:
            raise ValueError(_NOT_LOGARITHMIC.format(text))
        return steps(start, stop, step, with_stop=False)
    assert isinstance(sweep, IntervalSweep)
    low, high = sweep.start, sweep.end
    assert low is not None
    assert high is not None
    if not (-float("inf") < low < high < float("inf")):
        raise ValueError(f"{text} is not an interval: it goes from a number to a higher one")
    if "log" in sweep.tags and low <= 0:
        raise ValueError(_NOT_LOGARITHMIC.format(text))
    return Interval(low, high)


def _chosen(texts: Iterable[str]) -> Choices:
    chosen = Choices(tuple(texts))
    if "" in chosen.texts:
        raise ValueError("one of the values is empty: there is a comma too many, or it is meant as ''")
    return chosen


def _globbed(text: str, glob: Glob, options: Sequence[str]) -> Choices:
    if not options:
        raise ValueError(f"{text} stands for options of a config group, and this key is none")
    found = glob.filter(list(options))
    if not found:
        raise ValueError(
            f"{text} matches no option; {did_you_mean(''.join(glob.include), options, 'options')}"
        )
    return Choices(tuple(found))


# -- the characters of a choice -------------------------------------------------------------------


def _written(text: str) -> Mapping[object, str]:
    """Return the characters of each value in a list of choices, so that 007 is not 7.

    Functions compute with values and lose their characters; what stands between the commas still has them.
    """
    inner = text
    while match := re.fullmatch(r"(?:choice|shuffle|sort|tag)\((.*)\)", inner, re.DOTALL):
        inner = match[1]
        parts = grammar.split_choices(inner)
        nested = [part for part in parts if _CALL.fullmatch(part.strip())]
        if len(nested) == 1:
            inner = nested[0].strip()
    found: dict[object, str] = {}
    for part in grammar.split_choices(inner):
        try:
            found.setdefault(_identity(grammar.parse(part.strip())), part.strip())
        except HydraException:
            continue
    return found


# Any: what Hydra's grammar gives: scalars, lists and mappings.
def _identity(value: Any) -> object:
    """Return what tells values apart that compare equal, as 1 and true do."""
    bare = grammar.unwritten(value)
    if isinstance(bare, QuotedString):
        bare = bare.text
    return (type(bare).__name__, repr(bare))


def _text(value: Any) -> str:
    """Return a value that a function computed, written so that it is read as that value."""
    text = str(HydraOverride._get_value_element_as_str(value))
    if not isinstance(value, str):
        return text
    try:
        if _identity(grammar.parse(text)) == _identity(value):
            return text
    except HydraException:
        pass
    return QuotedString(value, Quote.single).with_quotes()
