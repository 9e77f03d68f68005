"""Settings, for people and programs."""

from __future__ import annotations

import json
from typing import Any

from graphrag_pipeline.cli.table import Column, table
from graphrag_pipeline.config.settings import Settings


def provenance_table(settings: Settings) -> str:
    """Return one line per value: key, value, what set it."""
    rows = [(key, _value(settings, key), origin) for key, origin in settings.origins.items()]
    columns = (Column("key", colour="cyan"), Column("value", cut=1), Column("set by", cut=1))
    return table(columns, rows)


def settings_json(settings: Settings, provenance: bool) -> dict[str, Any]:
    """Return the tree as JSON data; with provenance, under ``config``, beside ``origins``."""
    if not provenance:
        return dict(settings.tree)
    return {
        "config": dict(settings.tree),
        "origins": {key: str(origin) for key, origin in settings.origins.items()},
        "choices": dict(settings.choices),
    }


def _value(settings: Settings, key: str) -> str:
    node: Any = settings.tree
    for part in key.split("."):
        node = node[int(part)] if isinstance(node, list | tuple) else node[part]
    return json.dumps(node, ensure_ascii=False, default=str)
