"""Reports in a real browser: nothing is refused, nothing is loaded, graphs are drawn, tables can be used."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from graphrag_pipeline.experiment.report.assets import source
from graphrag_pipeline.experiment.report.document import Wanted, report
from tests.experiment.report.made import large_sweep, swept

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--enable-logging=stderr", "--v=0", "--virtual-time-budget=6000"),
)
PROBE = (Path(__file__).parent / "probe.js").read_text("utf-8")
DARK = "--blink-settings=preferredColorScheme=0"

pytestmark = [
    pytest.mark.skipif(BROWSER is None, reason="there is no Chromium on this machine"),
    pytest.mark.timeout(180),
]


def browse(path: Path, profile: Path, *flags: str) -> str:
    """The page after its scripts ran, without a word of the console."""
    done = subprocess.run(
        [str(BROWSER), *FLAGS, f"--user-data-dir={profile}", *flags, path.as_uri()],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert "CONSOLE" not in done.stderr, done.stderr
    return done.stdout


def probed(page: str, directory: Path, *flags: str) -> dict[str, Any]:
    """What the probe saw."""
    policy = page.replace("script-src ", f"script-src {source(PROBE)} ", 1)
    path = directory / "page.html"
    path.write_text(policy.replace("<body>", f"<body><script>{PROBE}</script>", 1), "utf-8")
    dom = browse(path, directory / "profile", "--dump-dom", *flags)
    found = re.search(r'<pre id="probe">(.*?)</pre>', dom, re.DOTALL)
    assert found, "the probe did not come to its end"
    seen: dict[str, Any] = json.loads(unescape(found[1]))
    return seen


def check(seen: dict[str, Any]) -> None:
    """Assert what holds of every report."""
    assert (seen["violations"], seen["errors"]) == ([], [])
    assert seen["contrast"] == {"system": [], "light": [], "dark": []}
    assert not seen["wide"]
    assert seen["cutCaptions"] == []
    assert all(size < seen["heading"] for size in seen["pictureTexts"])


@pytest.mark.parametrize(
    "flags", [("--window-size=1280,900",), ("--window-size=400,800", DARK)], ids=["wide", "narrow"]
)
def test_a_run_is_drawn_and_can_be_used(flags, evaluated_run, host, tmp_path) -> None:
    page = report(evaluated_run, Wanted(), host, lambda done, total: None)
    seen = probed(page, tmp_path, *flags)
    check(seen)
    assert seen["painted"]
    assert seen["labels"] == {"behind": 1, "room": 3, "level": True}
    assert seen["drawn"] == ["2", "", ""]
    assert (seen["opened"], seen["drawnLater"]) == (True, "3")
    assert seen["filtered"] == ["q3"]
    assert seen["down"]["column"] == ["0.6309", "0.6131", "0.0000", "—"]
    assert seen["up"]["column"] == ["0.0000", "0.6131", "0.6309", "—"]
    assert (seen["down"]["sort"], seen["up"]["sort"]) == ("descending", "ascending")
    assert seen["up"]["said"] == "Sorted by nDCG@10, ascending."


@pytest.mark.parametrize("width", [1400, 2560])
def test_a_picture_that_stands_alone_has_labels_as_small_as_the_text(width, tmp_path) -> None:
    found = large_sweep(queries=30)
    found = replace(found, measures=found.measures[:1], values=found.values[:1])
    seen = probed(swept(found), tmp_path, f"--window-size={width},900")
    check(seen)
    assert len(seen["pictureTexts"]) > 10
    assert max(seen["pictureTexts"]) <= 16


@pytest.mark.parametrize(
    "flags", [("--window-size=1280,900",), ("--window-size=400,800", DARK)], ids=["wide", "narrow"]
)
def test_a_sweep_can_be_read_and_used(flags, tmp_path) -> None:
    seen = probed(swept(large_sweep(queries=30)), tmp_path, *flags)
    check(seen)
    assert [float(text.split()[0]) for text in seen["up"]["column"][:3]] == [1, 2, 3]


def test_a_report_can_be_pictured_and_says_nothing_to_the_console(evaluated_run, host, tmp_path) -> None:
    path, picture = tmp_path / "page.html", tmp_path / "page.png"
    path.write_text(report(evaluated_run, Wanted(), host, lambda done, total: None), "utf-8")
    browse(path, tmp_path / "profile", "--window-size=1280,2400", f"--screenshot={picture}")
    assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert picture.stat().st_size > 50_000


def test_without_scripts_all_tables_are_there(evaluated_run, host, tmp_path) -> None:
    path = tmp_path / "page.html"
    page = report(evaluated_run, Wanted(), host, lambda done, total: None)
    path.write_text(re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL), "utf-8")
    dom = browse(path, tmp_path / "profile", "--dump-dom")
    assert dom.count("<caption>") == page.count("<caption>")
    assert '<div class="graph" hidden' in dom
