"""Messages as a run keeps them: the same on every run, and without what the environment holds."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

SHORTEST = 4
"""A value of the environment with fewer characters, such as ``1``, is part of ordinary words."""
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")
_ASKED = re.compile(r"\$\{\s*oc\.env\s*:\s*([^,}\s]+)")


def stable_text(text: str, environment: Sequence[str] = ()) -> str:
    """Return a message without addresses of objects, and with ``${oc.env:NAME}`` for values of variables.

    Args:
        text: The message.
        environment: Names of the variables.
    """
    values = [(os.environ.get(name, ""), name) for name in environment]
    # A value that holds another one goes first.
    for value, name in sorted(values, key=lambda pair: (-len(pair[0]), pair)):
        if len(value) >= SHORTEST:
            text = text.replace(value, f"${{oc.env:{name}}}")
    return _ADDRESS.sub("0x…", text)


def variables_of(config: str) -> tuple[str, ...]:
    """Return the names of the environment variables that a config asks for, sorted."""
    return tuple(sorted(set(_ASKED.findall(config))))
