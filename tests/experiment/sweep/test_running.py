"""The values of a sweep do not depend on the order of its work, where it was stopped, or what is cached."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphrag_pipeline.config.models import IndexSection
from graphrag_pipeline.experiment.request import Request
from graphrag_pipeline.experiment.sweep.conducting import Conductor
from graphrag_pipeline.experiment.sweep.results import STORE, read_sweep
from graphrag_pipeline.experiment.sweep.running import plan_of
from graphrag_pipeline.experiment.sweep.store_reading import batches_of, reading
from graphrag_pipeline.experiment.sweep.store_records import unpacked
from graphrag_pipeline.plugin.host import PluginHost

SWEPT = ("score.weights.label_match=0,0.5,0.9", "links=none,text", "bridge=mock,noop")
QUERIES = ("audit", "board", "who keeps the ledger", "tea", "audit log", "review")


@pytest.fixture(scope="module")
def host():
    return PluginHost.discover(entry_points=False)


@pytest.fixture(scope="module")
def request_(tmp_path_factory):
    directory = tmp_path_factory.mktemp("set")
    nodes = [
        ("audit", "audit log"),
        ("board", "review board"),
        ("ledger", "ledger of the board"),
        ("far", "tea"),
    ]
    graph = {
        "nodes": [{"node_id": name, "node_type": "thing", "label": label} for name, label in nodes],
        "edges": [
            {"source_id": "audit", "target_id": "board", "edge_type": "read_by"},
            {"source_id": "board", "target_id": "ledger", "edge_type": "keeps"},
        ],
    }
    (directory / "graph.json").write_text(json.dumps(graph))
    lines = [json.dumps({"id": f"q{place}", "text": text}) for place, text in enumerate(QUERIES)]
    (directory / "queries.jsonl").write_text("\n".join(lines))
    (directory / "qrels.txt").write_text("".join(f"q{place} 0 ledger 1\n" for place in range(4)))
    base = (
        f"dataset.path={directory}",
        "graph=json",
        f"graph.path={directory / 'graph.json'}",
        "personas=none",
    )
    return Request((*base, *SWEPT), (), (), (), ("nDCG@10", "RR", "tokens"), 100)


def content(directory: Path):
    """Everything that was found, but for times: rows with their digests, by query and point."""
    found = read_sweep(directory)
    path = directory / STORE
    with reading(path) as connection:
        rows = [
            (query, row.point, row.status, str(row.values), row.digest, row.error)
            for query in range(len(found.queries))
            for batch in batches_of(connection, path, query)
            for row in map(unpacked, batch)
        ]
    return found.values.tobytes(), sorted(rows)


def swept(request, host, directory, *, order=None, stops=(), index=None):
    """Run a sweep: tasks in an order, stopped after so many queries each time, then to its end."""
    conductor = Conductor(request, host)
    prepared = conductor.prepare(list(conductor.space.points()))
    if index is not None:
        prepared.workshop.keep_in(index)
    for stop in (*stops, None):

        def progress(done, total, stop=stop):
            if done == stop:
                raise KeyboardInterrupt

        with conductor.opened(prepared, directory, {}, force_new=False):
            tasks, _ = conductor.open_tasks(prepared)
            if order is not None:
                tasks.sort(key=lambda task: order[task[0] * len(QUERIES) + task[1]])
            try:
                conductor.run(prepared, tasks, jobs=1, progress=progress)
            except KeyboardInterrupt:
                assert stop is not None
    return content(directory)


@pytest.fixture(scope="module")
def expected(request_, host, tmp_path_factory):
    return swept(request_, host, tmp_path_factory.mktemp("whole"))


@settings(max_examples=6)
@given(
    order=st.permutations(range(2 * len(QUERIES))),
    stops=st.lists(st.integers(1, 5), max_size=3),
    cached=st.booleans(),
)
def test_nothing_depends_on_order_stops_or_caches(request_, host, expected, order, stops, cached):
    with tempfile.TemporaryDirectory() as directory:
        index = IndexSection(cache_dir=f"{directory}/cache", cache_from_nodes=0) if cached else None
        found = swept(request_, host, Path(directory) / "out", order=order, stops=stops, index=index)
    assert found == expected


def test_what_is_planned_is_what_is_executed(request_, host, tmp_path):
    conductor = Conductor(request_, host)
    prepared = conductor.prepare(list(conductor.space.points()))
    with conductor.opened(prepared, tmp_path, {}, force_new=False):
        tasks, plan = conductor.open_tasks(prepared)
        executed = conductor.run(prepared, tasks, jobs=1, progress=lambda done, total: None)
        assert (executed, plan.left) == (plan.shared, plan.shared)
        tasks, plan = conductor.open_tasks(prepared)
        assert (tasks, plan.left, plan.configs) == ([], 0, 12)
    assert plan == plan_of(prepared.workshop, [])
