"""Seeds by name, by text, by both, and by id."""

from __future__ import annotations

import math

import pytest

from graphrag_pipeline import GraphIndex, KnowledgeEdge, Query, StageError
from graphrag_pipeline.stages.contract import Seed
from graphrag_pipeline.stages.seeds.bm25 import Bm25Seeds, Bm25SeedsParams
from graphrag_pipeline.stages.seeds.hybrid import HybridSeeds, HybridSeedsParams
from graphrag_pipeline.stages.seeds.ids import IdSeeds, IdSeedsParams
from graphrag_pipeline.stages.seeds.mention import MentionSeeds, MentionSeedsParams
from graphrag_pipeline.stages.seeds.params import FieldWeights
from tests.tiny import edge, index_of, node


def films() -> GraphIndex:
    nodes = [
        node("court", "Midnight Court (film)", text="A film about a lawyer."),
        node("frank", "Frank McDonald", text="A director of western films."),
        node("west", "Western", text="A film genre."),
        node("reo", "Reo Franklin Fortune"),
        node("paris1", "Paris"),
        node("paris2", "Paris"),
    ]
    return index_of(nodes, [edge("court>frank"), edge("frank>west")])


def found(seeds: list[Seed]) -> list[str]:
    return [seed.node_id for seed in seeds]


# -- bm25 --------------------------------------------------------------------------------------


def test_bm25_gives_shares_of_the_best_and_no_node_without_a_word():
    seeds = list(Bm25Seeds().retrieve(Query("western film director"), films(), 10))
    assert found(seeds)[0] == "frank"
    assert seeds[0].score == 1.0
    assert "reo" not in found(seeds)
    assert all(seed.evidence == {"bm25": seed.score} for seed in seeds)
    assert [seed.score for seed in seeds] == sorted((seed.score for seed in seeds), reverse=True)


def test_bm25_keeps_to_k_and_ties_are_in_node_order():
    assert found(list(Bm25Seeds().retrieve(Query("paris"), films(), 1))) == ["paris1"]
    assert found(list(Bm25Seeds().retrieve(Query("paris"), films(), 9))) == ["paris1", "paris2"]


def test_bm25_looks_into_the_fields_that_count():
    labels = Bm25SeedsParams(fields=FieldWeights(aliases=0, type=0, passage=0))
    assert found(list(Bm25Seeds(labels).retrieve(Query("western film"), films(), 9))) == ["west", "court"]
    passages = Bm25SeedsParams(fields=FieldWeights(label=0, aliases=0, type=0))
    assert "reo" not in found(list(Bm25Seeds(passages).retrieve(Query("reo fortune"), films(), 9)))


@pytest.mark.parametrize("text", ["", "  ", "zzz", "the of", "🙂"])
def test_nothing_to_look_for_gives_no_seeds(text):
    for component in (Bm25Seeds(), MentionSeeds(), HybridSeeds(), IdSeeds()):
        assert list(component.retrieve(Query(text), films(), 5)) == []


@pytest.mark.parametrize("component", [Bm25Seeds(), MentionSeeds(), HybridSeeds(), IdSeeds()])
def test_an_empty_graph_gives_no_seeds(component):
    assert list(component.retrieve(Query("Paris"), index_of(), 5)) == []


# -- mention -----------------------------------------------------------------------------------


def test_a_mention_is_worth_what_its_name_and_its_owners_say():
    index = films()
    [one] = MentionSeeds(MentionSeedsParams(hub_slope=100)).retrieve(Query("Midnight Court?"), index, 5)
    # The heaviest mention, one owner, and the label without its bracket stands for the node at 0.9.
    assert one.node_id == "court"
    assert [one.score, one.evidence["mention"]] == pytest.approx([0.9, 0.9])
    pair = MentionSeeds(MentionSeedsParams(hub_slope=100)).retrieve(Query("Paris"), index, 5)
    assert [seed.score for seed in pair] == pytest.approx([2**-0.25, 2**-0.25])
    assert found(list(pair)) == ["paris1", "paris2"]


def test_hubs_are_worth_less_unless_the_query_is_all_about_one():
    spokes = [node(f"n{n}", f"spoke {n}") for n in range(30)]
    index = index_of([node("hub", "Hub"), *spokes], [KnowledgeEdge("hub", n.node_id, "of") for n in spokes])
    asked = Query("a Hub with many others around")
    [seed] = MentionSeeds().retrieve(asked, index, 5)
    specific = 1.25 * (1 - math.log(30) / math.log(31))
    [mention] = index.text.ask(asked.text).mentions
    assert seed.score == pytest.approx(specific + (1 - specific) * mention.explains**2)
    assert seed.score < 0.2
    [whole] = MentionSeeds().retrieve(Query("the Hub"), index, 5)
    assert whole.score == 1.0


def test_a_passing_mention_is_worth_less_where_that_is_asked_for():
    index = films()
    asked = Query("Paris in the rain")
    plain = MentionSeeds().retrieve(asked, index, 5)[0].score
    share = index.text.ask(asked.text).mentions[0].explains
    passing = MentionSeeds(MentionSeedsParams(explains_power=0.5)).retrieve(asked, index, 5)[0].score
    assert passing == pytest.approx(plain * share**0.5)
    assert 0 < share < 0.5


def test_nodes_that_are_named_in_part_count_where_that_is_asked_for():
    index = films()
    asked = Query("Where did Reo Fortune die?")
    assert list(MentionSeeds().retrieve(asked, index, 5)) == []
    [seed] = MentionSeeds(MentionSeedsParams(partial=0.6)).retrieve(asked, index, 5)
    # Two of three words of a label, equally rare.
    assert seed.node_id == "reo"
    assert seed.score == pytest.approx(0.6 * 2 / 3)
    strict = MentionSeedsParams(partial=0.6, partial_least=0.8)
    assert list(MentionSeeds(strict).retrieve(asked, index, 5)) == []


# -- hybrid ------------------------------------------------------------------------------------


def test_a_union_takes_the_better_value_and_says_where_it_came_from():
    index = films()
    seeds = {
        seed.node_id: seed for seed in HybridSeeds().retrieve(Query("director of Midnight Court"), index, 9)
    }
    assert seeds["court"].evidence["mention"] == seeds["court"].score
    assert seeds["frank"].evidence["mention"] == 0.0
    coverage = index.text.ask("director of Midnight Court").coverage
    assert seeds["frank"].score == pytest.approx(0.6 * seeds["frank"].evidence["bm25"])
    assert seeds["court"].evidence["bm25"] == pytest.approx(1 - coverage)


def test_text_is_not_damped_where_nothing_is_mentioned():
    seeds = HybridSeeds().retrieve(Query("lawyer"), films(), 5)
    assert found(list(seeds)) == ["court"]
    assert seeds[0].score == pytest.approx(0.6)


def test_quotas_bound_each_list():
    asked = Query("Paris western director")
    none = HybridSeedsParams(mention_quota=0)
    assert all(seed.evidence["mention"] == 0 for seed in HybridSeeds(none).retrieve(asked, films(), 9))
    names = HybridSeedsParams(text_quota=0)
    assert all(seed.evidence["mention"] > 0 for seed in HybridSeeds(names).retrieve(asked, films(), 9))


def test_ranks_are_fused_where_that_is_asked_for():
    params = HybridSeedsParams(fusion="rrf", rrf_k=1)
    seeds = HybridSeeds(params).retrieve(Query("Frank McDonald"), films(), 9)
    # First by name and first by text.
    assert seeds[0].node_id == "frank"
    assert seeds[0].score == pytest.approx(1 / 2 + 1 / 2)


def test_fused_ranks_are_shares_of_the_most_there_can_be():
    seeds = HybridSeeds(HybridSeedsParams(fusion="rrf")).retrieve(Query("Frank McDonald Paris"), films(), 9)
    assert 0 < min(seed.score for seed in seeds) < max(seed.score for seed in seeds) <= 1.0


# -- ids ---------------------------------------------------------------------------------------


def test_given_ids_come_first_and_then_words_that_are_ids():
    seeds = IdSeeds(IdSeedsParams(ids=("west", "reo"))).retrieve(Query("is (frank) near west?"), films(), 9)
    assert found(list(seeds)) == ["west", "reo", "frank"]
    only = IdSeeds(IdSeedsParams(ids=("west",), from_text=False)).retrieve(Query("frank"), films(), 9)
    assert found(list(only)) == ["west"]
    assert found(list(IdSeeds(IdSeedsParams(ids=("west", "reo"))).retrieve(Query(""), films(), 1))) == [
        "west"
    ]


def test_a_given_id_that_is_no_node_is_refused():
    with pytest.raises(StageError, match="There is no node 'nobody', nor 1 more of ids"):
        IdSeeds(IdSeedsParams(ids=("west", "nobody", "none"))).retrieve(Query(""), films(), 9)
