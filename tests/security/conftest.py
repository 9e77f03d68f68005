"""A canary: a module that can be imported and leaves a mark when it is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from graphrag_pipeline.plugin.host import PluginHost

CANARY = "canary_module"


@pytest.fixture(autouse=True)
def canary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The canary's mark, which must not be there after the test; the working directory is a new one."""
    site = tmp_path / "site"
    site.mkdir()
    mark = tmp_path / "mark"
    touch = f"from pathlib import Path\nPath({str(mark)!r}).touch()"
    code = f"{touch}\ndef call(*a, **k): Path({str(mark)!r}).touch()\n"
    (site / f"{CANARY}.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(site)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    yield mark
    imported = sys.modules.pop(CANARY, None)
    assert imported is None
    assert not mark.exists()


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """Write a file below the working directory."""

    def write_file(name: str, text: str | bytes) -> Path:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write_file


@pytest.fixture(scope="session")
def host() -> PluginHost:
    """A host of built-ins, which nothing here adds to."""
    return PluginHost.discover(entry_points=False, environ={})
