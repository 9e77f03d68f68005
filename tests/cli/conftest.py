"""The command line, run here or in a process of its own."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from graphrag_pipeline.cli.app import run


@dataclass(frozen=True)
class Done:
    """What a command did."""

    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def _quiet_logging() -> Iterator[None]:
    """Put the logger back as it was: the command line takes it over, and other tests read its records."""
    logger = logging.getLogger("graphrag_pipeline")
    before = (list(logger.handlers), logger.propagate, logger.level)
    yield
    logger.handlers[:], logger.propagate, logger.level = before


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    """Run a command in this process, without installed plugins."""
    monkeypatch.setenv("GRAPHRAG_PLUGINS_DISABLE_AUTOLOAD", "1")
    monkeypatch.delenv("GRAPHRAG_PLUGINS", raising=False)

    def _cli(*arguments: str | Path) -> Done:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        return Done(code, *capsys.readouterr())

    return _cli


def environment() -> dict[str, str]:
    """The environment of a process of its own."""
    return {**os.environ, "GRAPHRAG_PLUGINS_DISABLE_AUTOLOAD": "1", "GRAPHRAG_PLUGINS": ""}


@pytest.fixture
def process(tmp_path: Path, root: Path) -> Callable[..., Done]:
    """Run a command, or Python code, in a process of its own."""

    def _process(*arguments: str | Path, code: str | None = None, **options: Any) -> Done:
        head = ["-m", "graphrag_pipeline"] if code is None else ["-c", code]
        environ = {**environment(), "PYTHONPATH": str(root), **options.pop("env", {})}
        done = subprocess.run(
            [sys.executable, *head, *map(str, arguments)],
            capture_output=True,
            cwd=tmp_path,
            env=environ,
            check=False,
            timeout=60,
            **options,
        )
        return Done(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))

    return _process
