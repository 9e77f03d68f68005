"""Public faults of tools like ours, section F of the collection: matching, ties, walks. By their numbers."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from graphrag_pipeline import GraphIndex, KnowledgeNode, load_pipeline
from graphrag_pipeline.graph.text.settings import AnalysisSettings, TextSettings
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.expand.push import PageRankParams, page_rank
from graphrag_pipeline.stages.seeds.label import LabelSeeds
from tests.tiny import index_of, node


def ask(index: GraphIndex, text: str, *overrides: str) -> Any:
    return load_pipeline(["pipeline=hybrid", *overrides], graph=index).trace(text)


def ids(trace: Any) -> list[str]:
    return [node_id for node_id, _ in trace.result.scored]


def jordan() -> GraphIndex:
    return index_of([KnowledgeNode("p1", "person", "Jordan"), KnowledgeNode("l1", "place", "Jordan")])


def test_case_67_two_things_of_one_name_stay_apart():
    assert ids(ask(jordan(), "Jordan")) == ["p1", "l1"]
    only = ask(jordan(), "Jordan", "filter=node_type", "filter.rule.node_type=[place]")
    assert ids(only) == ["l1"]


@pytest.mark.parametrize(
    ("label", "text"), [("Straße", "STRASSE"), ("İzmir", "izmir"), ("ΣΑΣ", "σας"), ("Łódź", "lodz")]
)
def test_case_70_letters_match_whatever_their_case(label, text):
    assert ids(ask(index_of([node("x", label), node("y", "other")]), f"where is {text}"))[:1] == ["x"]


def test_case_70_accents_count_in_the_reference_and_where_folding_is_off():
    index = index_of([node("a", "Żar"), node("b", "Zar")])
    assert [seed.node_id for seed in LabelSeeds().retrieve(Query("Zar"), index, 5)] == ["b"]
    strict = index.with_text(TextSettings(analysis=AnalysisSettings(fold=False)))
    [mention] = strict.text.ask("Zar").mentions
    assert strict.ids_at(mention.node) == ["b"]


def test_case_71_a_label_with_punctuation_is_found_by_itself():
    label = "Plan /review — Phase (2)"
    index = index_of([node("a", "Plan review"), node("b", label), node("c", "Phase 2 plan")])
    ranking = ask(index, label).ranking(3)
    assert ranking[0].node.node_id == "b"
    assert ranking[0].score > ranking[1].score


TIES = """
from graphrag_pipeline import GraphIndex, KnowledgeNode, load_pipeline
nodes = [KnowledgeNode(f"n{i}", "t", "same words") for i in (7, 3, 11, 0, 5, 2, 9, 1, 8, 4, 10, 6)]
for preset in ("reference", "hybrid"):
    pipeline = load_pipeline([f"pipeline={preset}", "query.k=5"], graph=GraphIndex.from_records(nodes))
    print(pipeline.run("same words").to_dict())
"""


def test_case_73_ties_are_the_same_in_every_process(root):
    def run(seed: str) -> bytes:
        environ = {**os.environ, "PYTHONHASHSEED": seed}
        return subprocess.run(
            [sys.executable, "-c", TIES], cwd=root, env=environ, capture_output=True, check=True
        ).stdout

    first = run("0")
    assert b"'n7'" in first
    assert run("42") == first


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("scores", [[0.0, 0.0], [-1.0, -2.0]])
def test_case_76_page_rank_of_seeds_that_are_worth_nothing_starts_from_all_alike(scores):
    index = index_of("a b c", "a>b b>c")
    seeds = Candidates.seeds(np.array([0, 1]))
    worthless = Candidates(seeds.node, seeds.parent, seeds.edge, seeds.hop, np.array(scores))
    alike = Candidates(seeds.node, seeds.parent, seeds.edge, seeds.hop, np.ones(2))
    params = PageRankParams()
    assert np.array_equal(page_rank(worthless, index, params), page_rank(alike, index, params))


def test_case_77_no_rank_leaks_to_what_cannot_be_reached():
    index = index_of("a b c d", "a>b c>d")
    seeds = Candidates.seeds(np.array([1]))
    rank = page_rank(seeds, index, PageRankParams())
    assert rank[2:].tolist() == [0.0, 0.0]
    assert rank[:2].min() > 0


@pytest.mark.filterwarnings("error")
def test_case_79_a_query_about_something_else_finds_nothing_and_says_so():
    index = index_of([node("h", "Harbour", text="Ships and cranes."), node("q", "Quay")], "h>q")
    trace = ask(index, "zebra tariffs")
    assert ids(trace) == []
    assert trace.slots[0].remarks == ("no seeds: 'hybrid' found no node for this query",)


def test_case_80_a_list_of_names_does_not_outrank_what_says_something():
    index = index_of(
        [node("a", text="pump, valve, seal, motor"), node("b", text="The seal on pump 4 fails above 80 C")]
    )
    assert ids(ask(index, "why does the seal fail"))[:1] == ["b"]
    # How much length counts is a parameter.
    short = ask(
        index, "seal pump", "seed=bm25", "score.weights={}", "~score.weights", "+score.weights={bm25:1}"
    )
    assert ids(short)[:1] == ["a"]


def test_case_83_seeds_by_id_say_where_the_word_is_found_instead():
    index = index_of([node("n-17", "kiln"), node("n-18", "oven")])
    trace = ask(index, "kiln", "seed=ids", "pipeline.order=[seed,expand,score,context]")
    assert ids(trace) == []
    assert trace.slots[0].remarks == (
        "no seeds: no word of the query is the id of a node; "
        "'kiln' is the label of 'n-17', which seed=mention finds",
    )
