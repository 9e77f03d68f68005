"""How long the command line takes, as whole processes."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from typing import Any

from tests.bench.apart import apart
from tests.bench.building import WORK
from tests.bench.clock import command

IMPORT = re.compile(r"^import time:\s+(\d+) \|\s+\d+ \| +(\S+)$", re.MULTILINE)
SHOWN = ("hydra", "omegaconf", "antlr4", "pydantic", "pydantic_core", "numpy", "networkx", "yaml", "click")


def starts(size: int) -> dict[str, Any]:
    """Measure the interpreter, the help text, and a query on a JSON graph whose index is cached."""
    program = [sys.executable, "-m", "graphrag_pipeline"]
    graph = WORK / f"graph-{size}.json"
    apart("starting", "write_json", size=size)
    cached = {"XDG_CACHE_HOME": str(WORK / "cache")}
    query = ["query", "x000042", "graph=json", f"graph.path={graph}", "bridge=noop"]
    query += ["personas=none", "query.persona=P-007", "query.cell=architect:who", "query.max_hops=2"]
    first, _ = command([*program, *query, "index.cache_dir=null"], runs=1)
    bare, _ = command([sys.executable, "-c", "pass"])
    helped, _ = command([*program, "--help"])
    asked, _ = command([*program, *query], cached)
    _, told = command([sys.executable, "-X", "importtime", *program[1:], *query], cached, runs=1)
    return {
        "nodes": size,
        "python -c pass": bare,
        "--help": helped,
        "query, not cached": first,
        "query, cached": asked,
        "import_ms": _imports(told),
    }


def write_json(size: int) -> dict[str, Any]:
    """Write the graph that the command line reads."""
    from tests.bench.graphs import Generated

    (WORK / f"graph-{size}.json").write_text(json.dumps(Generated.of(size).data()), encoding="utf-8")
    return {}


def _imports(told: str) -> dict[str, float]:
    """Sum up the time that importing each package took by itself."""
    taken: Counter[str] = Counter()
    for micros, module in IMPORT.findall(told):
        root = module.partition(".")[0]
        group = (
            "ours" if root == "graphrag_pipeline" else root if root in SHOWN else "standard library, others"
        )
        taken[group] += int(micros)
    return {name: micros / 1e3 for name, micros in taken.most_common()}
