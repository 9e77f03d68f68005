"""Tiny real plugins on disk: as files, as modules and as installed distributions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest

HEAD = "from graphrag_pipeline import Component, Params, hookimpl\n"
Write = Callable[..., Path]


def filter_source(*names: str) -> str:
    """The text of a plugin with filters of these names."""
    classes = "".join(
        f"""
class {name.title().replace("_", "")}(Component):
    name = "{name}"
    Params = Params
    def keep(self, candidates, query, index):
        return None
"""
        for name in names
    )
    listed = ", ".join(name.title().replace("_", "") for name in names)
    return f"{HEAD}{classes}\n@hookimpl\ndef graphrag_register_filters():\n    return [{listed}]\n"


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file below the test's own folder; return its path."""

    def _write(name: str, text: str = "") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
        return path

    return _write


@pytest.fixture
def importable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on sys.path; modules imported from it are forgotten after the test."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    before = set(sys.modules)
    yield folder
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.fixture
def install(importable: Path) -> Callable[..., None]:
    """Install a distribution with one plugin module and one entry point to it."""

    def _install(
        distribution: str, text: str, *, entry: str = "", attribute: str = "", version: str = "1.0"
    ) -> None:
        module = distribution.replace("-", "_")
        (importable / f"{module}.py").write_text(dedent(text), encoding="utf-8")
        info = importable / f"{distribution.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        metadata = f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n"
        (info / "METADATA").write_text(metadata, encoding="utf-8")
        (info / "top_level.txt").write_text(f"{module}\n", encoding="utf-8")
        target = f"{module}:{attribute}" if attribute else module
        points = f"[graphrag_pipeline.plugins]\n{entry or distribution} = {target}\n"
        (info / "entry_points.txt").write_text(points, encoding="utf-8")

    return _install
