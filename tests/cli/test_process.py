"""What only a process of its own can show."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from graphrag_pipeline import __version__
from tests.cli.conftest import environment

HEAVY = ("hydra", "omegaconf", "numpy", "networkx", "pydantic", "yaml", "pluggy")


def test_help_lists_the_commands_and_imports_nothing_heavy(process):
    code = (
        "import sys\nfrom graphrag_pipeline.cli.app import run\ncode = run(['--help'])\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])\nsys.exit(code)"
    )
    done = process(code=code)
    assert (done.code, done.err) == (0, "")
    for command in ("query", "config", "plugins", "graph"):
        assert f"\n  {command} " in done.out
    assert done.out.rstrip().endswith("[]")


def test_help_is_quick(process):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert process("-h").code == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 1.0


def test_importing_the_package_imports_nothing_heavy(process):
    done = process(
        code=f"import sys, graphrag_pipeline\nprint([name for name in {HEAVY!r} if name in sys.modules])"
    )
    assert done.out == "[]\n"


def test_version_shows_what_can_change_a_result(process):
    done = process("--version")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == f"graphrag-pipeline {__version__}"
    assert {line.split()[0] for line in lines} >= {"Python", "hydra-core", "pluggy", "networkx", "numpy"}


def test_only_results_go_to_standard_output(process):
    done = process("query", "persona", "--json", "query.persona=nobody-knows")
    assert done.code == 0
    assert json.loads(done.out)["scored"]
    assert done.err.startswith("warning: unknown persona")


def test_debug_shows_the_traceback_and_keeps_the_code(process):
    arguments = ("query", "x", "graph=json", "graph.path=missing.json")
    done = process(*arguments, "--debug")
    plain = process(*arguments)
    assert (done.code, plain.code) == (2, 2)
    assert (done.out, plain.out) == ("", "")
    assert done.err.endswith(plain.err)
    assert "Traceback (most recent call last)" in done.err
    assert "GraphSourceError" in done.err
    assert "missing.json" in done.err


def test_output_is_written_whatever_the_encoding_can_hold(process):
    env = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = process("query", "persona", "--top", "1", env=env)
    assert done.code == 0
    assert r"\u201cpersona\u201d" in done.out


@pytest.mark.parametrize(
    "arguments", [["query", "persona", "--json", "--explain"], ["query", "persona", "--top", "0"], ["--help"]]
)
def test_a_reader_that_leaves_is_no_error(root, tmp_path, arguments):
    process = subprocess.Popen(
        [sys.executable, "-m", "graphrag_pipeline", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env={**environment(), "PYTHONPATH": str(root)},
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(1)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(30) == 0


HANGING = """
import time
from pathlib import Path
from graphrag_pipeline import BridgeParams, hookimpl

class Hanging:
    name = "hanging"
    Params = BridgeParams
    def __init__(self, *, params=None):
        pass
    def graph_of_thought_query(self, query, depth=3):
        Path("asked").touch()
        time.sleep(30)
    def vocab_lookup(self, term, namespace=""):
        return []
    def harmonic_expand(self, concept):
        return []

@hookimpl
def graphrag_register_bridges():
    return [Hanging]
"""


@pytest.mark.parametrize("timeout", ["20", "null"])
def test_an_interrupt_ends_a_hanging_query_with_one_line(root, tmp_path: Path, timeout):
    (tmp_path / "hanging_plugin.py").write_text(HANGING)
    arguments = ["query", "persona", "--plugin", "hanging_plugin.py", "bridge.use=hanging"]
    process = subprocess.Popen(
        [sys.executable, "-m", "graphrag_pipeline", *arguments, f"bridge.timeout_s={timeout}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env={**environment(), "PYTHONPATH": str(root)},
        # A process in the background is told to ignore interrupts, and would tell its children.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509  # no threads here
    )
    deadline = time.monotonic() + 30
    while not (tmp_path / "asked").exists() and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.02)
    assert process.poll() is None
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=15)
    assert (process.returncode, out) == (130, b"")
    assert err.decode().strip() == "error: interrupted"
