"""Signs of life at a terminal."""

from __future__ import annotations

import io

import pytest

from graphrag_pipeline.cli import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_says_how_much_is_done() -> None:
    assert progress.line("reading", 0, 0, 3.4) == "reading: 3 s"
    assert progress.line("reading", 5_000, 20_000, 3.4) == (
        "reading: ███████░░░░░░░░░░░░░░░░░░░░░░░ 25 % of 20,000 records, 3 s"
    )
    assert "100 %" in progress.line("reading", 30, 20, 1)


def test_a_terminal_is_shown_the_bar_and_left_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(progress, "PERIOD", 0.01)
    with progress.shown("reading") as report:
        report(1, 2)
        while "50 % of 2 records" not in stream.getvalue():
            pass
    assert stream.getvalue().endswith("\r\x1b[K")


def test_what_is_no_terminal_is_shown_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    with progress.shown("reading") as report:
        report(1, 2)
    assert stream.getvalue() == ""


def test_a_bar_may_tell_how_fast_it_goes_and_how_long_it_takes() -> None:
    line = progress.line("evaluating", 100, 400, 4.0, "queries", rate=True)
    assert line.endswith("25 % of 400 queries, 4 s, 25 a second, 12 s to go")
    assert progress.line("evaluating", 0, 400, 4.0, "queries", rate=True).endswith("400 queries, 4 s")
