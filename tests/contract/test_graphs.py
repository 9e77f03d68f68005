"""The answers that sample graphs are said to have are those of the reference pipeline."""

from __future__ import annotations

import pytest

from graphrag_pipeline import BridgeParams, Params
from graphrag_pipeline.pipeline.plan import build_plan
from graphrag_pipeline.pipeline.reference import reference_spec
from graphrag_pipeline.pipeline.runner import Pipeline
from graphrag_pipeline.pipeline.spec import ComponentSpec, PipelineSpec
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.testing import samples
from graphrag_pipeline.testing.graphs import Answer, SampleGraph, crowd, office
from graphrag_pipeline.testing.plain import plain

HOST = PluginHost.discover(entry_points=False, environ={})
OFFICE = office()


def reference(sample: SampleGraph) -> Pipeline:
    """The reference pipeline over a sample graph, without a bridge's extras."""
    spec = reference_spec()
    slots = {**spec.slots, "bridge": ComponentSpec("bridge", "noop", BridgeParams())}
    return Pipeline(build_plan(PipelineSpec(spec.order, slots), HOST, None), sample.index, HOST)


def ids(sample: SampleGraph, candidates: Candidates) -> tuple[str, ...]:
    return tuple(sample.index.ids_at(candidates.node))


@pytest.mark.parametrize("answer", OFFICE.answers, ids=lambda answer: answer.query.text)
def test_the_reference_gives_the_known_answers(answer: Answer) -> None:
    seeds = HOST.build("seed_retriever", "label").retrieve(answer.query, OFFICE.index, answer.query.k)
    assert tuple(seed[0] for seed in seeds) == answer.seeds
    trace = reference(OFFICE).trace(answer.query)
    scores = dict(trace.result.scored)
    assert scores == pytest.approx(dict(answer.scores))
    assert [node_id for node_id in answer.kept if node_id in scores] == list(answer.kept)


@pytest.mark.parametrize("answer", OFFICE.answers[:2], ids=lambda answer: answer.query.text)
def test_expansion_and_filter_give_the_known_nodes(answer: Answer) -> None:
    import numpy as np

    positions = [OFFICE.index.position(node_id) for node_id in answer.seeds]
    found = HOST.build("expander", "bfs").expand(
        Candidates.seeds(np.array(positions, dtype=np.int64)), answer.query, OFFICE.index
    )
    assert ids(OFFICE, found) == answer.reached
    verdict = HOST.build("filter", "zachman").keep(found, answer.query, OFFICE.index)
    kept = found if verdict is None else found.keep(verdict.keep)
    assert ids(OFFICE, kept) == answer.kept


def test_the_sample_graphs_have_what_they_are_for() -> None:
    by_name = {sample.name: sample.index for sample in samples()}
    assert by_name["empty"].node_count == 0
    assert by_name["single"].node_count == 1
    assert by_name["dangling"].dangling_edges == 3
    assert by_name["office"].self_loops == 1
    assert not all(by_name["odd"].node(at).label.isprintable() for at in range(by_name["odd"].node_count))


def test_a_crowd_of_a_size_is_always_the_same_and_grows_with_it() -> None:
    assert crowd(50).index.digest == crowd(50).index.digest
    small, large = crowd(50).index, crowd(400).index
    assert (small.node_count, large.node_count) == (50, 400)
    assert large.edge_count / small.edge_count == pytest.approx(8, rel=0.02)


def test_plain_text_tells_types_order_and_every_bit() -> None:
    assert plain([1, 2]) != plain((1, 2))
    assert plain({"a": 1, "b": 2}) != plain({"b": 2, "a": 1})
    assert plain(0.1 + 0.2) != plain(0.3)
    assert plain(Params()) == plain(Params())
