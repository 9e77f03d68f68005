"""Leaving out of a config what looks like a secret."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

LEFT_OUT = "<left out>"
"""What stands in the place of a secret."""
# `max_tokens` and `counter` are none: a key is a secret's when a whole word of it is one of these.
_WORDS = frozenset(
    {"password", "passwd", "passphrase", "secret", "secrets", "token", "credential", "credentials"}
    | {"authorization", "apikey"}
)
_PAIRS = ("api_key", "access_key", "private_key")
_USERINFO = re.compile(r"(?<=://)[^/?#\s]*@")


def without_secrets(value: Any, key: str = "") -> Any:  # Any: JSON
    """Return JSON data with texts under secret-looking keys, and names and passwords in URLs, replaced.

    A ``${oc.env:…}`` stays: it names a variable and is no secret.

    Args:
        value: JSON data.
        key: The key it stands under.
    """
    if isinstance(value, Mapping):
        return {str(name): without_secrets(item, str(name)) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [without_secrets(item, key) for item in value]
    if not isinstance(value, str) or value.startswith("${"):
        return value
    return LEFT_OUT if is_secret(key) and value else _USERINFO.sub(f"{LEFT_OUT}@", value)


def left_out(value: Any, key: str = "") -> Iterator[str]:  # Any: JSON
    """Yield the dotted keys of JSON data under which a secret was left out."""
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from left_out(item, f"{key}.{name}" if key else str(name))
    elif isinstance(value, list | tuple):
        yield from dict.fromkeys(key for item in value for _ in left_out(item, key))
    elif isinstance(value, str) and LEFT_OUT in value:
        yield key


def override_without_secrets(text: str) -> str:
    """Return an override, ``KEY=VALUE``, in which a value that looks like a secret is replaced."""
    key, equals, value = text.partition("=")
    return f"{key}{equals}{without_secrets(value, key)}" if equals else text


def is_secret(key: str) -> bool:
    """Whether a key, or the name of a variable, looks like that of a secret."""
    words = re.findall(r"[^\W_]+", key.lower())
    return bool(_WORDS & set(words)) or any(pair in "_".join(words) for pair in _PAIRS)
