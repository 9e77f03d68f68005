"""Feeds every parser with files that are nearly right: ``python -m tests.fuzz [--seconds N] [SOURCE …]``.

A parser may read a file or refuse it with a ``GraphSourceError``; it must do so in a second, and account for
every row. Anything else is a fault: the smallest file that shows it is kept in ``build/fuzz``.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.sources.auto import HOMES
from graphrag_pipeline.graph.sources.detect import detect
from graphrag_pipeline.graph.zachman.tables import load_cell_table
from tests.fuzz.mutations import mutated
from tests.fuzz.seeds import seeds

LONGEST = 1.0
"""Seconds that one small file may take."""
KEPT = Path("build/fuzz")


class TooSlowError(Exception):
    """A small file took longer than it may."""


def main() -> int:
    """Fuzz every source, or those that are named, and return the exit code."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("sources", nargs="*", metavar="SOURCE")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each parser (default: 60)")
    given_arguments = parser.parse_args()
    failed = 0
    with TemporaryDirectory() as folder:
        corpus = seeds(Path(folder))
        if unknown := set(given_arguments.sources) - set(corpus):
            parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(corpus)}")
        for name in given_arguments.sources or corpus:
            failed += not fuzz(name, corpus[name], given_arguments.seconds, Path(folder))
    return 1 if failed else 0


def fuzz(name: str, corpus: list[bytes], seconds: float, folder: Path) -> bool:
    """Fuzz one source, print what came of it, and return whether all was well."""
    came: Counter[str] = Counter()
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        run = _test(name, corpus, folder, came, until)
        try:
            run()
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            KEPT.mkdir(parents=True, exist_ok=True)
            kept = KEPT / f"{name}-{type(error).__name__}"
            kept.write_bytes(_last[0])
            print(f"{name}: FAULT {type(error).__name__}: {error}\n  kept: {kept}", flush=True)
            return False
    print(f"{name}: {came['read']} read, {came['refused']} refused", flush=True)
    return True


_last = [b""]


def _test(
    name: str, corpus: list[bytes], folder: Path, came: Counter[str], until: float
) -> Callable[[], None]:
    @settings(
        max_examples=500,
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(mutated(corpus))
    def run(data: bytes) -> None:
        if time.monotonic() > until:
            return
        _last[0] = data
        came["read" if reads(name, data, folder) else "refused"] += 1

    return run


def reads(name: str, data: bytes, folder: Path) -> bool:
    """Return whether a source reads a file; False when it refuses it.

    Raises:
        TooSlowError: It took too long.
        Exception: Whatever else came out of it, which is a fault.
    """
    path = folder / "input"
    path.write_bytes(data)
    started = time.monotonic()
    read = _is_read(name, path)
    if (took := time.monotonic() - started) > LONGEST:
        raise TooSlowError(f"{took:.1f} s")
    return read


def _is_read(name: str, path: Path) -> bool:
    with suppress(GraphSourceError):
        detect(path)
    try:
        _load(name, path)
    except GraphSourceError:
        return False
    return True


def _load(name: str, path: Path) -> None:
    if name == "cells":
        load_cell_table(str(path))
        return
    module, _, kind = HOMES[name].rpartition(".")
    source: Any = getattr(import_module(f"graphrag_pipeline.graph.sources.{module}"), kind)
    for more in ({}, {"unknown_ends": "make"}) if "unknown_ends" in source.Params.model_fields else ({},):
        loaded = source(source.Params(path=str(path), **more)).load()
        assert loaded.report.account.balanced, loaded.report.account


if __name__ == "__main__":
    sys.exit(main())
