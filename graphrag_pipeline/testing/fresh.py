"""Asking the components of a test module in other processes, where the hashes of texts are others.

One process for each hash seed asks all suites of the module at once, as starting Python and loading a
module takes longer than most answers. ``python -m graphrag_pipeline.testing.fresh`` is that process.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from graphrag_pipeline.testing.suite import ComponentSuite

__tracebackhide__ = True

HASH_SEEDS = ("1", "2")
"""The hash seeds of the other processes; this one has a third."""
CHECK = "test_hash_seeds_change_nothing"
LIMIT_S = 600


def digests(answers: Mapping[str, str]) -> dict[str, str]:
    """Return the SHA-256 of each answer, by case."""
    return {
        name: hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()
        for name, said in answers.items()
    }


def answers_elsewhere(suite: type[ComponentSuite]) -> Iterator[dict[str, str] | str]:
    """Yield the digests of a suite's answers in each other process, by case.

    A text in place of digests says why there are none.
    """
    module = sys.modules.get(suite.__module__)
    file = getattr(module, "__file__", None)
    if module is None or file is None or getattr(module, suite.__qualname__, None) is not suite:
        yield f"{suite.__qualname__} must be a class at the top of a module that is a file"
        return
    for told in _asked(suite.__module__, file, suite.__qualname__ if suite.alone else ""):
        yield (
            told
            if isinstance(told, str)
            else told.get(suite.__qualname__, "the suite is not in its module there")
        )


@lru_cache(maxsize=64)
def _asked(name: str, file: str, only: str) -> tuple[dict[str, dict[str, str] | str] | str, ...]:
    asked = json.dumps({"path": sys.path, "module": name, "file": file, "only": only, "parent": os.getpid()})
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "graphrag_pipeline.testing.fresh"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": _own_path()},
        )
        for seed in HASH_SEEDS
    ]
    return tuple(_read(process, asked) for process in running)


def _own_path() -> str:
    # The process must find this package before it can be told where everything else is.
    return os.pathsep.join([str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]).rstrip(
        os.pathsep
    )


def _read(process: subprocess.Popen[str], asked: str) -> dict[str, dict[str, str] | str] | str:
    try:
        out, err = process.communicate(asked, timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return f"no answer within {LIMIT_S} s"
    try:
        told: dict[str, dict[str, str] | str] = json.loads(out.rpartition("\n")[2])
        return told
    except ValueError:
        return (err.strip().splitlines() or ["it ended without a word"])[-1]


# -- the other process ---------------------------------------------------------------------------------


# Any: a request is plain JSON data.
def _answers_of(request: Mapping[str, Any]) -> dict[str, dict[str, str] | str]:
    sys.path[:] = request["path"]
    module = _load(request["module"], request["file"])
    return {
        name: _answers(value)
        for name, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, ComponentSuite)
        and value.make is not ComponentSuite.make
        and CHECK not in value.exceptions
        and request["only"] in ("", name)
    }


def _end_with(parent: int) -> None:
    """End this process when the one that asked is gone: what a component does may never end."""
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(1)


def _load(name: str, file: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _answers(kind: type[ComponentSuite]) -> dict[str, str] | str:
    suite = kind()
    try:
        with tempfile.TemporaryDirectory(prefix="graphrag-contract-") as folder:
            suite.folder = Path(folder)
            return digests(suite.answers(suite.component))
    except Exception as error:  # noqa: BLE001  # told where the suite is checked
        return f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    given = json.loads(sys.stdin.read())
    threading.Thread(target=_end_with, args=(given["parent"],), daemon=True).start()
    answer_stream = sys.stdout
    sys.stdout = sys.stderr  # what components print must not get into the answer
    answer_stream.write("\n" + json.dumps(_answers_of(given)))
