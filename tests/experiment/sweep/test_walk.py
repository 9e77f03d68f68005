"""The time of a config: what it needs in full, whichever config came first."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from graphrag_pipeline.config.settings import load_settings
from graphrag_pipeline.experiment.datasets.dataset import Question as Asked
from graphrag_pipeline.experiment.sweep import walk
from graphrag_pipeline.experiment.sweep.groups import grouped
from graphrag_pipeline.experiment.sweep.walk import Leaf, Walk
from graphrag_pipeline.graph.text.postings import Postings
from graphrag_pipeline.graph.text.question import Question
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.stages.candidates import Candidates
from tests.tiny import index_of

TEXT = "who keeps the audit ledger"


@pytest.fixture(scope="module")
def host():
    return PluginHost.discover(entry_points=False)


@pytest.fixture
def clock(monkeypatch):
    """A clock that only work moves: BM25 takes 1 second, looking for names 100, sorting candidates 1,000."""
    now = SimpleNamespace(seconds=0.0)
    names, places = vars(Question)["mentions"], vars(Candidates)["_order"]
    bm25, mentions, order = Postings.bm25, names.func, places.func

    def searched(*arguments, **options):
        now.seconds += 1.0
        return bm25(*arguments, **options)

    def named(question):
        now.seconds += 100.0
        return mentions(question)

    def ordered(candidates):
        now.seconds += 1000.0
        return order(candidates)

    monkeypatch.setattr(Postings, "bm25", searched)
    monkeypatch.setattr(names, "func", named)
    monkeypatch.setattr(places, "func", ordered)
    monkeypatch.setattr(walk, "time", SimpleNamespace(perf_counter=lambda: now.seconds))
    return now


def seconds(host, *configs: str) -> dict[str, float]:
    """The time of each config, by what it is."""
    settings = [load_settings(["bridge=noop", *config.split()], host=host) for config in configs]
    [group] = grouped(enumerate(settings), host, lambda _: (Asked("q", TEXT),), with_context=False)
    index = index_of("audit ledger board", "audit>ledger ledger>board")
    index.text.ask(TEXT)
    found: dict[str, float] = {}
    for root in group.trie_of(Asked("q", TEXT)).roots:
        for leaf in Walk(Query(TEXT, k=root.query.k, max_hops=root.query.max_hops), index).through(
            root.stage
        ):
            assert isinstance(leaf, Leaf)
            for points in leaf.points:
                found.update((configs[point], leaf.seconds) for point in points)
    return found


@pytest.mark.parametrize(
    "configs",
    [
        ("seed=bm25 query.k=1", "seed=bm25 query.k=2", "seed=bm25 query.k=3"),
        ("seed=bm25 query.max_hops=1", "seed=hybrid query.max_hops=2", "seed=mention"),
        ("seed=label score.weights.residual=0.5", "seed=bm25", "seed=bm25 score.weights.textual=0.5"),
        ("pipeline=hybrid query.max_hops=1", "pipeline=hybrid query.max_hops=2"),
        (
            "pipeline=hybrid recall.k=5",
            "pipeline=hybrid recall.k=6 recall.k1=2",
            "pipeline=hybrid expand=bfs",
        ),
        ("seed=bm25 +rerank=mmr pipeline.order=[seed,expand,score,rerank]", "seed=bm25 score.clamp=true"),
    ],
)
def test_a_config_has_the_time_that_it_has_by_itself_whatever_the_order(host, clock, configs):
    alone = {config: seconds(host, config)[config] for config in configs}
    assert max(alone.values()) >= 1.0
    assert seconds(host, *configs) == alone
    assert seconds(host, *reversed(configs)) == alone


def test_each_of_many_weights_has_the_time_of_all_signals(host, clock):
    configs = [f"pipeline=hybrid score.weights.ppr=0.{digit}" for digit in range(1, 5)]
    alone = seconds(host, configs[0])[configs[0]]
    assert seconds(host, *configs) == dict.fromkeys(configs, alone)


def test_an_index_goes_back_to_what_it_knew_of_a_question():
    index = index_of("audit ledger", "audit>ledger")
    assert index.questions() == {}, "nothing is analysed for it"
    index.text.ask("audit")
    before = index.questions()
    assert list(before) == ["audit"]
    made = index.text.ask("audit").mentions
    index.remember(before)
    again = index.text.ask("audit")
    assert "mentions" not in vars(again)
    assert len(again.mentions) == len(made) == 1
    assert "mentions" not in vars(before["audit"])
    index.anew("audit")
    assert index.questions() == {}
