"""What MLflow takes for names and values, and bringing ours into that form."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

LONGEST_KEY = 250
LONGEST_PARAM = 6000
LONGEST_TAG = 5000
PARAMS_AT_ONCE = 100
METRICS_AT_ONCE = 1000
"""The limits of an MLflow server, which are the same for every store."""
CUT = "…"

_REFUSED = re.compile(r"[^\w. :/-]", re.ASCII)


@dataclass(frozen=True, slots=True)
class FlatConfig:
    """A config as params.

    Args:
        params: Texts by dotted key.
        cut: Keys whose text is longer than a param may be.
    """

    params: Mapping[str, str]
    cut: tuple[str, ...]


def metric_name(name: str) -> str:
    """Return a name that MLflow takes: ``nDCG@10`` is ``nDCG_at_10``."""
    return _REFUSED.sub("_", name.replace("@", "_at_"))[:LONGEST_KEY].strip("/") or "_"


def flat_config(config: Mapping[str, Any]) -> FlatConfig:  # Any: JSON
    """Return a config as params; the same config gives the same texts, at any time and place.

    Mappings become dotted keys; lists, numbers and null are written as JSON.
    """
    params: dict[str, str] = {}
    cut: list[str] = []
    for key, text in _flat(config, ""):
        name = _free(_REFUSED.sub("_", key)[:LONGEST_KEY].strip("/") or "_", params)
        params[name] = shortened(text, LONGEST_PARAM)
        if len(text) > LONGEST_PARAM:
            cut.append(name)
    return FlatConfig(params, tuple(cut))


def shortened(text: str, most: int) -> str:
    """Return at most so many characters, the last of them an ellipsis where some are left out."""
    clean = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return clean if len(clean) <= most else clean[: most - len(CUT)] + CUT


def _flat(value: Any, key: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and value:
        for name, item in value.items():
            yield from _flat(item, f"{key}.{name}" if key else str(name))
    elif isinstance(value, str):
        yield key, value
    else:
        yield key, json.dumps(value, ensure_ascii=False)


def _free(name: str, taken: Mapping[str, str]) -> str:
    """Return the name, with a number where another key has it already."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name[: LONGEST_KEY - 6]}_{number}"
    return free
