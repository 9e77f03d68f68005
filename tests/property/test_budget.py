"""The budget is kept by every assembler, packing and counter, over any text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphrag_pipeline import GraphIndex, KnowledgeEdge, KnowledgeNode, Query
from graphrag_pipeline.pipeline.working import WorkingSet
from graphrag_pipeline.stages.candidates import Candidates, Extras
from graphrag_pipeline.stages.context.bullets import Bullets, BulletsParams
from graphrag_pipeline.stages.context.packed import PackedAssembler
from graphrag_pipeline.stages.context.sections import PARTS, Sections, SectionsParams
from graphrag_pipeline.stages.scored import Context, ScoredNode
from graphrag_pipeline.stages.tokens.chars4 import Chars4
from graphrag_pipeline.stages.tokens.scripts import Scripts
from graphrag_pipeline.stages.tokens.tokenizer import HuggingFaceTokenizer, TokenizerParams
from graphrag_pipeline.stages.tokens.words import Words
from tests.stages.tokens.small import small_tokenizer

PACKINGS = ("greedy", "stop", "knapsack", "diverse")


class Uneven:
    """A counter like none that is sensible: a longer text may count much less than its beginning."""

    def count(self, text: str) -> int:
        return len(text) if len(text) % 3 else len(text) // 9


@pytest.fixture(scope="session")
def counters(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    found: dict[str, Any] = {"chars4": Chars4(), "words": Words(), "scripts": Scripts(), "uneven": Uneven()}
    try:
        path: Path = small_tokenizer(tmp_path_factory.mktemp("tokenizer"))
    except pytest.skip.Exception:
        return found
    return {**found, "tokenizer": HuggingFaceTokenizer(TokenizerParams(path=str(path)))}


texts = st.one_of(
    st.just(""),
    st.text(max_size=30),
    st.text(alphabet="abc -[]#>\n.", max_size=30),
    st.text(alphabet="港の倉庫に。古い地図", max_size=20),
    st.text(alphabet="🚢⚓👩\u200d🔬\ufe0f🏽 ", max_size=12),
    st.text(alphabet="ท่าเรือ ระบบ", max_size=20),
    st.text("abc. ", min_size=1, max_size=6).map(lambda part: part * 200),
)


@st.composite
def results(draw: st.DrawFn) -> tuple[list[ScoredNode], GraphIndex]:
    """The ranked nodes of a working set: a forest of candidates, and what a bridge added."""
    size = draw(st.integers(1, 8))
    nodes = [
        KnowledgeNode(f"n{place}", draw(texts), draw(texts), properties={"text": draw(texts)})
        for place in range(size)
    ]
    parent = np.array([draw(st.integers(-1, place - 1)) for place in range(size)], dtype=np.int64)
    edges = [
        KnowledgeEdge(f"n{parent[row]}", f"n{row}", draw(texts)) for row in range(size) if parent[row] >= 0
    ]
    hop = np.zeros(size, dtype=np.int64)
    for row in range(size):
        hop[row] = hop[parent[row]] + 1 if parent[row] >= 0 else 0
    edge = np.full(size, -1, dtype=np.int64)
    edge[parent >= 0] = np.arange(len(edges))
    score = np.array([draw(st.sampled_from([-1.0, 0.0, 0.25, 1.0])) for _ in range(size)])
    extras = Extras()
    if draw(st.booleans()):
        extra = KnowledgeNode("x", draw(texts), draw(texts), properties={"text": draw(texts)})
        joined = (KnowledgeEdge("n0", "x", draw(texts)),)
        extras = Extras((extra,), joined, (("n0", "x"),), np.array([0.25]))
    index = GraphIndex.from_records(nodes, edges)
    working = WorkingSet(Candidates(np.arange(size), parent, edge, hop, score), extras)
    return list(working.ranked(index)), index


def assemblers(name: str, packing: str) -> Any:
    params: dict[str, Any] = {"packing": packing, "skip": True}
    if packing == "stop":
        params = {"packing": "greedy", "skip": False}
    if name == "passages":
        params |= {"without_text": "label", "header": "H"}
    if name in ("markdown", "jsonl"):
        params |= {"text": True, "properties": ("text",)}
    return PARTS[name](PARTS[name].Params(**params))


def check(assembler: Any, result: tuple[list[ScoredNode], GraphIndex], counter: Any, budget: int) -> None:
    nodes, index = result
    context: Context = assembler.assemble(iter(nodes), Query("x"), index, counter, budget)
    assert counter.count(context.text) <= budget or context.text == ""
    if context.node_ids is not None:
        assert len(context.node_ids) == context.written
        assert set(context.node_ids) <= {node.node_id for node in nodes}
        assert not set(context.node_ids) & set(context.left_out)
    assert bool(context.text) == bool(context.written)
    if isinstance(assembler, PARTS["jsonl"]):
        assert all(isinstance(json.loads(line), dict) for line in context.text.splitlines())


PACKED = [name for name, part in PARTS.items() if issubclass(part, PackedAssembler)]
COUNTERS = ("chars4", "words", "scripts", "uneven", "tokenizer")
budgets = st.one_of(st.just(1), st.integers(1, 40), st.integers(1, 900))
few = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("counter", COUNTERS)
@few
@given(result=results(), name=st.sampled_from(PACKED), budget=budgets)
def test_no_text_passes_the_budget(counters, counter, packing, result, name, budget):
    if counter not in counters:
        pytest.skip("the tokenizers extra is not installed")
    check(assemblers(name, packing), result, counters[counter], budget)


@pytest.mark.parametrize("counter", COUNTERS)
@few
@given(
    result=results(),
    shares=st.dictionaries(st.sampled_from(list(PARTS)), st.floats(0.01, 9), min_size=1, max_size=4),
    budget=budgets,
)
def test_no_text_of_sections_passes_the_budget(counters, counter, result, shares, budget):
    if counter not in counters:
        pytest.skip("the tokenizers extra is not installed")
    check(Sections(SectionsParams(sections=shares)), result, counters[counter], budget)


@pytest.mark.parametrize("counter", COUNTERS)
@few
@given(result=results(), budget=budgets, single=st.booleans())
def test_bullets_keep_the_budget_unless_they_keep_the_best_node(counters, counter, result, budget, single):
    if counter not in counters:
        pytest.skip("the tokenizers extra is not installed")
    check(Bullets(BulletsParams(keep_top=False, single_line=single)), result, counters[counter], budget)
    kept = Bullets(BulletsParams()).assemble(
        iter(result[0]), Query("x"), result[1], counters[counter], budget
    )
    assert kept.written >= 1
    assert kept.written == 1 or counters[counter].count(kept.text) <= budget
