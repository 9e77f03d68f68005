"""What a value from a file is, in words for people."""

from __future__ import annotations

NAMES = {str: "the text", int: "the number", float: "the number", list: "a list", dict: "an object"}


def kind(value: object) -> str:
    """Return what a JSON value is, for messages: ``null``, ``a list``, ``the text 'x'``."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    name = NAMES.get(type(value))
    if name is None:
        # The text of an object may hold its address, which is another one in every run.
        return f"a value of the type {type(value).__name__}"
    return name if isinstance(value, list | dict) else f"{name} {value!r:.60}"
