"""Every run that a page shows in a block `console` gives what the page shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.shown import ROOT, check_run, files, runs

WIDTHS = {"README.md": 100}
"""Pages that show a terminal of this many columns; on the others nothing is cut."""
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
RUNS = [(page, line, shown) for page in PAGES for line, shown in runs(page.read_text("utf-8"))]


@pytest.mark.parametrize(
    ("page", "line", "shown"), RUNS, ids=[f"{page.name}: {line}" for page, line, _ in RUNS]
)
def test_a_run_gives_what_the_page_shows(
    page: Path,
    line: str,
    shown: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in files(page.read_text("utf-8")).items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, "utf-8")
    check_run(line, shown, monkeypatch, capfd, WIDTHS.get(page.name))


def test_pages_show_runs() -> None:
    pages = {page.name for page, _, _ in RUNS}
    assert pages >= {"README.md", "commands.md", "configuration.md", "plugins.md"}
