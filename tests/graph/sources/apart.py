"""Reading a file in a process of its own, whose time and memory are measured.

Starting Python and importing the readers takes longer than most files. So one process imports them, and
forks another for each file: what one reads, holds or breaks is gone with it. ``python -m
tests.graph.sources.apart`` is the process that forks.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
LIMIT_S = 60
"""Seconds after which a process that still reads is ended."""
EXTRAS = ("pyarrow.parquet", "pyoxigraph")


@dataclass(frozen=True, slots=True)
class Told:
    """What came of reading a file.

    Args:
        seconds: Processor time, since other work on the machine is no fault of the reader.
        mb: How much the process grew.
        said: The graph and its report as JSON, or ``refused: `` and why; its first 5,000 characters.
    """

    seconds: float
    mb: float
    said: str


class Readers:
    """The process that forks."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def read(self, source: str, path: Path, answer: Path) -> Told:
        """Read a file with a source; the answer is written to a file on its way."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([source, str(path), str(answer)]), file=self._process.stdin, flush=True)
        code = self._process.stdout.readline().strip()
        assert code == "0", f"exit code {code}: {_errors(answer).read_text('utf-8')[-2000:]}"
        return Told(**json.loads(answer.read_text("utf-8")))


@contextmanager
def readers() -> Iterator[Readers]:
    """Start the process that forks; end it afterwards."""
    command = [sys.executable, "-m", "tests.graph.sources.apart"]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path},
    ) as process:
        yield Readers(process)
    assert process.returncode == 0


def _errors(answer: Path) -> Path:
    return answer.with_suffix(".err")


# -- the process that forks ----------------------------------------------------------------------------


def _serve() -> None:
    from graphrag_pipeline.graph.sources.auto import HOMES

    for home in HOMES.values():
        import_module(f"graphrag_pipeline.graph.sources.{home.rpartition('.')[0]}")
    for extra in EXTRAS:
        if find_spec(extra.partition(".")[0]):
            import_module(extra)
    for line in sys.stdin:
        source, path, answer = json.loads(line)
        child = os.fork()
        if child == 0:
            signal.alarm(LIMIT_S)
            os.dup2(os.open(_errors(Path(answer)), os.O_WRONLY | os.O_CREAT), sys.stderr.fileno())
            Path(answer).write_text(json.dumps(_read(source, path)), encoding="utf-8")
            return  # it ends as any Python does
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


def _read(source: str, path: str) -> dict[str, float | str]:
    from graphrag_pipeline.errors import GraphSourceError
    from graphrag_pipeline.graph.sources.auto import HOMES

    module, _, name = HOMES[source].rpartition(".")
    kind = getattr(import_module(f"graphrag_pipeline.graph.sources.{module}"), name)
    before, started = _peak(), time.process_time()
    try:
        loaded = kind(kind.Params(path=path)).load()
        said = json.dumps([loaded.graph.to_dict(), loaded.report.to_dict()])
    except GraphSourceError as error:
        said = f"refused: {error}"
    return {"seconds": time.process_time() - started, "mb": _peak() - before, "said": said[:5000]}


def _peak() -> float:
    # Not ru_maxrss: a child starts with the peak of its parent there.
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


if __name__ == "__main__":
    _serve()
