"""Runs that a page shows: finding them, running them, and comparing what comes out."""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphrag_pipeline.cli import result_view, table
from graphrag_pipeline.cli.app import run

ROOT = Path(__file__).resolve().parents[2]
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.DOTALL | re.MULTILINE)
FILE = re.compile(r'^```\w+ title="([\w./]+)"\n(.*?)^```', re.DOTALL | re.MULTILINE)


def files(page: str) -> dict[str, str]:
    """Return the files that a page shows, by name; a block that has a title is one."""
    return dict(FILE.findall(page))


def runs(page: str) -> Iterator[tuple[str, str]]:
    """Yield every run that a page shows: the command line, and what it wrote."""
    for block in CONSOLE.finditer(page):
        for shown in re.split(r"^\$ ", block[1], flags=re.MULTILINE)[1:]:
            line, _, output = shown.partition("\n")
            yield line, output


def comparable(text: str) -> list[str]:
    """Return a text without what differs between two runs: times, and the columns they make wider."""
    text = re.sub(r'"(seconds|import_ms)": [\d.e-]+', r'"\1": 0', text)
    return [
        re.sub(r"\s+", " ", re.sub(r"\b\d+\.\d(?!\d)", "0.0", line)).strip() for line in text.splitlines()
    ]


def check_run(
    line: str,
    shown: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    width: int | None,
) -> None:
    """Run a line in the current directory; a line that shows nothing only has to end well.

    Args:
        line: The command line.
        shown: What it should write; a line of ``…`` stands for any lines.
        monkeypatch: Pytest's.
        capfd: Pytest's.
        width: Columns of the terminal that the page shows; None means that nothing is cut.
    """
    monkeypatch.setenv("GRAPHRAG_PLUGINS_DISABLE_AUTOLOAD", "1")
    monkeypatch.delenv("GRAPHRAG_PLUGINS", raising=False)
    if width is not None:
        # A slow step is wider than a fast one, and would leave less room for the rest.
        monkeypatch.setattr(table, "_room", lambda: width)
        monkeypatch.setattr(result_view, "_ms", lambda seconds: "0.0")
    program, *arguments = shlex.split(line)
    assert program == "graphrag-pipeline"
    code = run(arguments)
    captured = capfd.readouterr()
    if not shown.strip():
        assert code == 0, captured.err
        return
    expected, got = comparable(shown), comparable(captured.out + captured.err)
    told = "\n".join(difflib.unified_diff(expected, got, "the page", "the run", lineterm=""))
    assert fits(expected, got), told
    if re.search("^error: ", shown, re.MULTILINE):
        assert code == 2


def fits(expected: list[str], got: list[str]) -> bool:
    """Tell whether two texts are equal, where a line of `…` in the first stands for any lines."""
    parts: list[list[str]] = [[]]
    for line in expected:
        if line == "…":
            parts.append([])
        else:
            parts[-1].append(line)
    first, last = parts[0], parts[-1]
    if len(parts) == 1:
        return first == got
    if got[: len(first)] != first or got[len(got) - len(last) :] != last:
        return False
    at, end = len(first), len(got) - len(last)
    for part in parts[1:-1]:
        starts = (start for start in range(at, end) if got[start : start + len(part)] == part)
        start = next(starts, -1)
        if start < 0:
            return False
        at = start + len(part)
    return at <= end
