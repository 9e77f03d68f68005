"""Stages run in the order the configuration says, whatever order their plugins were loaded in."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphrag_pipeline import load_pipeline
from graphrag_pipeline.plugin.host import PluginHost
from tests.tiny import graph_of

FIRST_TWO = """
import numpy as np
from graphrag_pipeline import Component, Verdict, hookimpl

class FirstTwo(Component):
    name = "first_two"

    def keep(self, candidates, query, index):
        rows = np.arange(len(candidates))
        return Verdict(rows < 2, np.zeros(len(candidates), dtype=int), ("not_among_the_first_two",))

@hookimpl
def graphrag_register_filters():
    return [FirstTwo]
"""
NO_SEEDS = """
import numpy as np
from graphrag_pipeline import Component, Verdict, hookimpl

class NoSeeds(Component):
    name = "no_seeds"

    def keep(self, candidates, query, index):
        return Verdict(candidates.hop > 0, np.zeros(len(candidates), dtype=int), ("is_a_seed",))

@hookimpl
def graphrag_register_filters():
    return [NoSeeds]
"""


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    (tmp_path / "first_two.py").write_text(FIRST_TWO, encoding="utf-8")
    (tmp_path / "no_seeds.py").write_text(NO_SEEDS, encoding="utf-8")
    return [tmp_path / "first_two.py", tmp_path / "no_seeds.py"]


@pytest.mark.parametrize("turn", [1, -1], ids=["loaded_as_named", "loaded_the_other_way"])
@pytest.mark.parametrize(
    ("order", "left"), [("[seed,expand,two,grown]", ["b"]), ("[seed,expand,grown,two]", ["b", "c"])]
)
def test_reversing_the_order_in_the_configuration_reverses_the_stages(
    files: list[Path], turn: int, order: str, left: list[str]
) -> None:
    host = PluginHost.discover(files=files[::turn], entry_points=False, environ={})
    overrides = ["two.use=first_two", "grown.use=no_seeds", f"pipeline.order={order}", "personas=none"]
    pipeline = load_pipeline(overrides, host=host, graph=graph_of("a b c d", "a>b a>c c>d"))
    trace = pipeline.trace("a")
    assert [node.node_id for node in trace.result.nodes] == left
    assert [step.slot for step in trace.slots] == order.strip("[]").split(",")
