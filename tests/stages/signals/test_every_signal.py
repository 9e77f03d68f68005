"""What every built-in signal does, whatever it is about."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from graphrag_pipeline import Candidates, Query, ZachmanCell
from graphrag_pipeline.config.settings import load_settings
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.stages.contract import ScorerParams
from graphrag_pipeline.stages.embedders.contract import EmbedderParams
from tests.tiny import index_of, node

HOST = PluginHost.discover(entry_points=False, environ={})
# A signal that compares vectors is given them by a pipeline.
SIGNALS = [
    name for name, info in HOST.components("signal").items() if not issubclass(info.params, EmbedderParams)
]
QUERY = Query(
    "Straße 港 of Ann",
    persona="FCON-001",
    persona_cell=ZachmanCell.from_coordinate("architect:who"),
)
GRAPH = index_of(
    [
        node("a", "Straße", text="Ann went to the Straße.", date="2026-07-03"),
        node("b", "港", zachman_cell="architect:who"),
        node("c", ""),
    ],
    "a>b",
)
EXTRAS = index_of([node("x", "Ann", zachman_cell="architect"), node("y", "🚀", year=1999)])
TREE = Candidates.of(np.array([0, 1]), np.array([-1, 0]), np.array([-1, 0]), np.array([0, 1]))


@pytest.mark.parametrize("name", SIGNALS)
@pytest.mark.parametrize("query", [QUERY, Query("")])
@pytest.mark.parametrize(
    ("candidates", "index"),
    [
        (TREE, GRAPH),
        (replace(TREE, evidence={"path_max": np.array([1.0, 0.5])}), GRAPH),
        (Candidates.seeds(np.array([2])), GRAPH),
        (Candidates.seeds(np.arange(2)), EXTRAS),
        (Candidates.seeds(np.zeros(0, dtype=np.int64)), GRAPH),
    ],
    ids=["a tree", "with evidence", "one", "extras", "none"],
)
def test_a_signal_is_one_finite_number_per_candidate(name, query, candidates, index):
    column = HOST.build("signal", name).compute(candidates, query, index)
    assert column.dtype == np.float64
    assert column.shape == (len(candidates),)
    assert np.isfinite(column).all()


@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_follows_its_candidates_in_any_order(name):
    signal = HOST.build("signal", name)
    seeds = Candidates.seeds(np.array([0, 1, 2]))
    forth = signal.compute(seeds, QUERY, GRAPH)
    back = signal.compute(Candidates.seeds(seeds.node[::-1]), QUERY, GRAPH)
    assert back.tolist() == forth[::-1].tolist()


def test_an_option_shows_every_signal_that_needs_no_vectors_with_its_parameters():
    params = load_settings(["score=all_signals"], host=HOST).pipeline.slots["score"].params
    assert isinstance(params, ScorerParams)
    assert sorted(params.weights) == sorted(SIGNALS)
    for name in SIGNALS:
        defaults = HOST.find("signal", name).params()
        shown = params.signal_params.get(name, {})
        assert type(defaults)(**shown) == defaults
        assert sorted(shown) == sorted(type(defaults).model_fields)


def test_showing_every_signal_changes_no_result():
    from graphrag_pipeline import load_pipeline

    for overrides in (["query.persona=FCON-001"], ["query.cell=architect:who"]):
        given = [*overrides, "bridge=noop", "query.max_hops=1"]
        all_signals = load_pipeline([*given, "score=all_signals"], host=HOST)
        assert all_signals.run("audit") == load_pipeline(given, host=HOST).run("audit")
