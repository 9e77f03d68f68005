"""Everything that configs are looked for in: directories first, installed components last."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from graphrag_pipeline.config.component_root import ComponentRoot
from graphrag_pipeline.config.roots import Root, find_roots
from graphrag_pipeline.errors import Problem
from graphrag_pipeline.plugin.host import PluginHost

SearchRoot: TypeAlias = Root | ComponentRoot
"""One place that configs are looked for in."""


def search_path(
    config_dirs: Sequence[str | Path], host: PluginHost
) -> tuple[list[SearchRoot], list[Problem]]:
    """Return every place, first to last, and what is wrong with it."""
    roots, problems = find_roots(config_dirs, host.config_sources())
    return [*roots, ComponentRoot(host)], problems


def options_with_places(roots: Sequence[SearchRoot], group: str) -> dict[str, str]:
    """Return each option of a group and the directory it is taken from."""
    places: dict[str, str] = {}
    for root in roots:
        for option in root.options(group):
            places.setdefault(option, f"{root.name}/{group}")
    return dict(sorted(places.items()))
