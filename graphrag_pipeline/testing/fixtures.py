"""Fixtures for plugin tests.

A ``conftest.py`` asks for them: ``pytest_plugins = ["graphrag_pipeline.testing.fixtures"]``. They are not
loaded by themselves, so that nobody's tests get slower by our being installed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from graphrag_pipeline.model.query import Query
from graphrag_pipeline.model.zachman import ZachmanCell
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.testing.graphs import SampleGraph, office

MakeHost: TypeAlias = Callable[..., PluginHost]
# Any: the further fields of a query.
MakeQuery: TypeAlias = Callable[..., Query]


@pytest.fixture
def plugin_host() -> MakeHost:
    """Return a function that makes a strict host with the built-ins and the modules or files it is given.

    What else is installed, and what the environment lists, is left out: a test must not depend on it.
    """

    def make(*plugins: str | Path) -> PluginHost:
        files = [plugin for plugin in plugins if isinstance(plugin, Path) or plugin.endswith(".py")]
        modules = [plugin for plugin in plugins if isinstance(plugin, str) and plugin not in files]
        return PluginHost.discover(modules=modules, files=files, entry_points=False, environ={}, strict=True)

    return make


@pytest.fixture
def sample_graph() -> SampleGraph:
    """Return a small graph with known answers; see :func:`graphrag_pipeline.testing.graphs.office`."""
    return office()


@pytest.fixture
def make_query() -> MakeQuery:
    """Return a function that makes a query; a cell may be written ``"row:column"``."""

    # Any: each field has its own type, which Query checks.
    def make(text: str = "audit", **rest: Any) -> Query:
        cell = rest.get("cell")
        if isinstance(cell, str):
            rest["cell"] = ZachmanCell.from_coordinate(cell)
        return Query(text, **rest)

    return make
