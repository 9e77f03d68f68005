"""How mistakes are worded: nearest names, and pydantic's errors in a user's words."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

NO_OPTION = "there is no option"
"""How the problem of an unknown option begins."""


def nearest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Return the known name most like ``name``, case ignored; None when none is like it."""
    folded: dict[str, str] = {}
    for item in known:
        folded.setdefault(item.casefold(), item)
    hits = difflib.get_close_matches(name.casefold(), list(folded), n=1, cutoff=cutoff)
    return folded[hits[0]] if hits else None


def did_you_mean(name: str, known: Iterable[str], label: str) -> str:
    """Return a hint: the nearest name and the list of all.

    Args:
        name: What was written.
        known: What could have been.
        label: What the list is of, in the plural.
    """
    names = list(known)
    listed = f"{label}: {', '.join(names)}" if names else f"there are no {label}"
    best = nearest(name, names)
    return f"did you mean {best}? {listed}" if best else listed


# Any: pydantic's error contexts hold values of any type.
def word_error(error: Mapping[str, Any], shown: str) -> tuple[str, str]:
    """Return what is wrong and a hint for one of pydantic's errors.

    Args:
        error: One item of ``ValidationError.errors()``.
        shown: The value as messages show it.
    """
    kind, context = str(error["type"]), error.get("ctx", {})
    if kind == "value_error":
        return f"{_lowered(str(context.get('error', error['msg'])))}", ""
    if kind in ("literal_error", "enum"):
        return f"must be {context['expected']}, got {shown}", _literal_hint(shown, str(context["expected"]))
    if kind in _BOUNDS:
        bounds = {name: _short(bound) for name, bound in context.items()}
        return f"must be {_BOUNDS[kind].format(**bounds)}, got {shown}", ""
    if kind in ("too_short", "too_long"):
        bound, word = ("min_length", "at least") if kind == "too_short" else ("max_length", "at most")
        return f"must have {word} {context[bound]} entries, has {context.get('actual_length', 'none')}", ""
    for prefixes, wanted in _WANTED:
        if kind.startswith(prefixes):
            return f"must be {wanted}, got {shown}", _type_hint(wanted, shown)
    return f"{_lowered(str(error['msg']))}, got {shown}", ""


def _short(bound: Any) -> Any:
    return int(bound) if isinstance(bound, float) and bound.is_integer() else bound


_BOUNDS = {
    "greater_than": "greater than {gt}",
    "greater_than_equal": "at least {ge}",
    "less_than": "less than {lt}",
    "less_than_equal": "at most {le}",
    "multiple_of": "a multiple of {multiple_of}",
    "finite_number": "a finite number",
}
_WHOLE, _NUMBER, _FLAG, _TEXT = "a whole number", "a number", "true or false", "text"
_WANTED = (
    (("int_",), _WHOLE),
    (("float_", "decimal_"), _NUMBER),
    (("bool_",), _FLAG),
    (("string_type", "path_type"), _TEXT),
    (("list_type", "tuple_type", "set_type", "frozen_set_type"), "a list"),
    (("dict_type", "model_type", "model_attributes_type", "mapping_type"), "a mapping of keys to values"),
    (("none_required",), "null"),
)


def _type_hint(wanted: str, shown: str) -> str:
    if (
        wanted == _WHOLE
        and shown.removeprefix("-").replace(".", "", 1).isdigit()
        and float(shown).is_integer()
    ):
        return f"write {int(float(shown))}"
    if wanted in (_WHOLE, _NUMBER, _FLAG) and shown[:1] in "'\"" and _is_plain(shown[1:-1], wanted):
        return f"write it without quotes: {shown[1:-1]}"
    return ""


def _is_plain(text: str, wanted: str) -> bool:
    if wanted == _FLAG:
        return text in ("true", "false")
    try:
        return (
            bool(text.strip())
            and (float(text) == float(text))
            and (wanted == _NUMBER or float(text).is_integer())
        )
    except (ValueError, OverflowError):
        return False


def _literal_hint(shown: str, expected: str) -> str:
    names = expected.replace(" or ", ", ").replace("'", "").split(", ")
    best = nearest(shown.strip("'\""), names)
    return f"did you mean {best}?" if best else ""


def _lowered(text: str) -> str:
    # "MiB" and "I/O" keep their capitals: only an ordinary first word is lowered.
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text
