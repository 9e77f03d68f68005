"""The site: it builds without a warning, and loads nothing from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import graphrag_pipeline

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("material", reason="the docs extra is not installed")
    target = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(target)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    return target


def test_pages_load_nothing_from_elsewhere(site: Path) -> None:
    loads = re.compile(r"<(?:script|link|img|iframe)[^>]*(?:src|href)=\"?((?:https?:)?//[^\s\">]+)")
    for page in site.rglob("*.html"):
        assert loads.findall(page.read_text("utf-8")) == [], page.name


def test_no_page_holds_a_mermaid_diagram(site: Path) -> None:
    # The theme fetches mermaid from a CDN when a page has such a block.
    assert not [page.name for page in site.rglob("*.html") if 'class="mermaid"' in page.read_text("utf-8")]


@pytest.mark.parametrize("name", graphrag_pipeline.__all__)
def test_every_public_name_is_on_the_python_page(name: str) -> None:
    page = (ROOT / "docs" / "python-api.md").read_text("utf-8")
    assert re.search(rf"(?<!\w){name}(?!\w)", page)
