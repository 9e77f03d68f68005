"""Every Python block of a page runs, in the order of the page, in one namespace."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
OWN_TEST = {"plugins.md"}  # its example is a file of its own: tests/plugin/test_docs.py
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
PAGES = [page.name for page in sorted(DOCS.glob("*.md")) if BLOCK.search(page.read_text("utf-8"))]


@pytest.mark.parametrize("name", [page for page in PAGES if page not in OWN_TEST])
def test_the_python_of_a_page_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = (DOCS / name).read_text("utf-8")
    namespace: dict[str, Any] = {"__name__": "docs"}
    for block in BLOCK.finditer(page):
        line = page.count("\n", 0, block.start(1))
        # Leading newlines make a traceback name the line of the page.
        exec(compile("\n" * line + block[1], str(DOCS / name), "exec"), namespace)
