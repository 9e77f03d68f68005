"""Measuring in a process of its own: ``python -m tests.bench.apart MODULE FUNCTION`` with JSON in and out.

What one measurement leaves behind, in memory or in caches, then cannot change the next. Each uses one thread:
threads of igraph that wait for a core would count as CPU time, and can be many times what the work takes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def apart(module: str, function: str, without: Sequence[str] = (), **arguments: object) -> dict[str, Any]:
    """Call a function of a module beside this one in a new process.

    Args:
        module: Name of the module.
        function: Name of the function; it takes and returns what JSON can hold.
        without: Packages that the process must do without.
        arguments: Its arguments.

    Returns:
        What it returned, or ``skipped`` with the package that is not installed.
    """
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.apart", module, function],
        input=json.dumps({"without": list(without), "arguments": arguments}),
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{module}.{function} failed with {arguments}; its traceback stands above")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def main(module: str, function: str) -> None:
    """Call the function as the parent process asked."""
    asked = json.load(sys.stdin)
    for name in asked["without"]:
        # None makes an import of this name fail as if it were not installed.
        sys.modules[name] = None  # type: ignore[assignment]
    try:
        found = getattr(import_module(f"tests.bench.{module}"), function)(**asked["arguments"])
    except ModuleNotFoundError as error:
        found = {"skipped": f"{error.name} is not installed"}
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
