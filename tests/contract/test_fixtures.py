"""The fixtures, and how a suite looks under pytest: each in a pytest of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from textwrap import dedent

PLUGIN = """
    from graphrag_pipeline import Component, hookimpl

    class Even(Component):
        name = "even"

        def compute(self, candidates, query, index):
            return {body}

    @hookimpl
    def graphrag_register_signals():
        return [Even]
"""
SUITE = """
    from even import Even
    from graphrag_pipeline.testing import SignalSuite

    class TestEven(SignalSuite):
        {extra}
        def make(self):
            return Even()
"""


def run_pytest(folder: Path, **files: str) -> subprocess.CompletedProcess[str]:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(dedent(text), encoding="utf-8")
    command = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "."]
    # Plugins of pytest that happen to be installed are not needed, and take longer to import than all tests.
    env = {
        **os.environ,
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    return subprocess.run(
        [sys.executable, *command], cwd=folder, env=env, capture_output=True, text=True, check=False
    )


def test_the_fixtures_are_there_when_they_are_asked_for(tmp_path: Path) -> None:
    done = run_pytest(
        tmp_path,
        conftest='pytest_plugins = ["graphrag_pipeline.testing.fixtures"]',
        even=PLUGIN.format(body="(candidates.node % 2) / 1.0"),
        test_even="""
            def test_all(plugin_host, sample_graph, make_query):
                host = plugin_host("even.py")
                assert host.find("signal", "even").plugin == "even"
                query = make_query("audit", cell="architect:who", k=3)
                assert (query.k, query.cell.coordinate) == (3, "architect:who")
                answer = sample_graph.answers[0]
                assert answer.seeds == ("audit", "plan")
        """,
    )
    assert "1 passed" in done.stdout, done.stdout


def test_nothing_is_loaded_into_pytest_that_nobody_asked_for() -> None:
    ours = [point for point in entry_points(group="pytest11") if point.value.startswith("graphrag_pipeline")]
    assert ours == []


def test_a_suite_passes_and_an_exception_is_skipped_with_its_reason(tmp_path: Path) -> None:
    done = run_pytest(
        tmp_path,
        even=PLUGIN.format(body="(candidates.node % 2) / 1.0"),
        test_even=SUITE.format(extra='exceptions = {"test_unicode": "it reads no text"}'),
    )
    assert "16 passed, 1 skipped" in done.stdout, done.stdout


def test_a_failure_is_one_sentence_that_says_what_to_change(tmp_path: Path) -> None:
    done = run_pytest(
        tmp_path, even=PLUGIN.format(body="candidates.hop[:1] / 1.0"), test_even=SUITE.format(extra="")
    )
    told = [line for line in done.stdout.splitlines() if line.startswith("E ")]
    assert (
        "The signal 'even' returned values of shape (1,) for 5 candidates (query 1 on the office): "
        in told[0]
    )
    assert told[0].endswith(
        "return one finite float64 per candidate (5 here), whatever their number and values."
    )
    assert "suite.py:" not in done.stdout


def test_an_exception_must_name_a_check_and_a_reason(tmp_path: Path) -> None:
    done = run_pytest(
        tmp_path,
        even=PLUGIN.format(body="(candidates.node % 2) / 1.0"),
        test_even=SUITE.format(extra='exceptions = {"test_unicod": "no"}'),
    )
    assert "exceptions names 'test_unicod': name a check of this suite, and why" in done.stdout
