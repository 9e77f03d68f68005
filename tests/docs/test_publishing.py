"""The page on publishing a number: its lines run as they stand, and what it says of them is so."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from graphrag_pipeline.cli.app import run
from tests.docs.shown import ROOT, files

PAGE = (ROOT / "docs/publishing.md").read_text("utf-8")
EXAMPLE = (ROOT / "docs/sweep.md").read_text("utf-8")
LINES = re.findall(r"^graphrag-pipeline (.+)$", PAGE, re.MULTILINE)


@pytest.fixture
def told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> dict[str, str]:
    """What each line of the page writes, by its command; of two of one command the last."""
    monkeypatch.setenv("GRAPHRAG_PLUGINS_DISABLE_AUTOLOAD", "1")
    monkeypatch.chdir(tmp_path)
    for name, text in files(EXAMPLE).items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, "utf-8")
    found = {}
    for line in LINES:
        arguments = shlex.split(line)
        assert run(arguments) == 0, line
        found[arguments[0]] = capfd.readouterr().out
    return found


def test_the_lines_of_the_page_lead_to_what_it_names(told):
    assert list(told) == ["evaluate", "sweep", "freeze", "compare", "verify"]
    assert re.search(r"^nDCG@10 +1 .+", told["sweep"].partition("half B, to report")[2], re.MULTILINE)
    assert "B (held out)" in told["compare"]
    assert "A (in-sample)" in told["compare"]
    assert told["verify"].startswith("identical: runs/hops")
    assert "frozen: hops.yaml" in told["freeze"]


@pytest.mark.usefixtures("told")
def test_what_the_page_says_of_options_is_so(capfd: pytest.CaptureFixture[str]):
    assert run(["freeze", "sweeps/hops", "--by", "nDCG@10"]) == 0
    assert "# best of 2 by nDCG@10, in sample" in capfd.readouterr().out
    base = shlex.split(LINES[0])[:-1]
    assert run([*base, "runs/few", "--depth", "5"]) == 2
    assert run([*base, "runs/strict", "--strict"]) == 2, "one query of the example has no judgements"
    assert '"bridged"' in Path("runs/base/metrics.json").read_text("utf-8")
    ranked = [line.split() for line in Path("runs/base/run.trec").read_text("utf-8").splitlines()]
    for query in dict.fromkeys(line[0] for line in ranked):
        scores = np.array([float(line[4]) for line in ranked if line[0] == query], dtype=np.float32)
        assert (np.diff(scores) < 0).all()
    assert run(["verify", "runs/base", "--data", "."]) == 0
