"""docs/verify.md: what it shows is one session, in which a run is there for the commands after it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.shown import ROOT, check_run, files

PAGE = (ROOT / "docs" / "verify.md").read_text("utf-8")
SESSION = re.compile(r"^```shell-session\n(.*?)^```", re.DOTALL | re.MULTILINE)


def test_the_session_gives_what_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in files(PAGE).items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, "utf-8")
    shown = [part for block in SESSION.findall(PAGE) for part in re.split(r"^\$ ", block, flags=re.MULTILINE)]
    runs = [part.partition("\n") for part in shown if part]
    assert len(runs) > 6
    for line, _, output in runs:
        check_run(line, output, monkeypatch, capfd, None)
