"""How scorers and rerankers are configured."""

from __future__ import annotations

import pytest

from graphrag_pipeline.config.schema import json_schema


def test_a_scale_of_a_signal_that_is_not_there_is_a_mistake(mistakes):
    problem = mistakes("score.normalise_signals.label_mach=rank")["score.normalise_signals.label_mach"]
    assert problem.what == "there is no signal 'label_mach'"
    assert problem.hint.startswith("did you mean label_match?")


def test_a_scale_of_one_signal_is_set_by_its_name(load):
    params = load("score.normalise_signals.label_match=rank").pipeline.slots["score"].params
    assert params.normalise_signals == {"label_match": "rank"}
    assert params.normalise == "none"


def test_what_clamp_would_cut_is_a_mistake(mistakes, load):
    assert "set clamp to false" in mistakes("score.normalise=zscore")["score"].what
    load("score.normalise=zscore", "score.clamp=false")


def test_parameters_of_a_signal_are_checked_where_they_are_set(mistakes):
    for key, value, said in [
        ("hop_decay.decay", "1.5", "must be at most 1"),
        ("recency.reference", "soon", "'soon' is no date"),
        ("neighbour_smoothing.of", "[bm25]", "must be a mapping"),
        ("node_type_prior.types.person", "much", "must be a number"),
        ("textual.most", "1", "unknown key"),
    ]:
        name = f"score.signal_params.{key}"
        assert said in mistakes(f"{name}={value}")[name].what


@pytest.mark.parametrize("option", ["mmr", "coverage"])
def test_a_reranker_compares_at_most_two_hundred(mistakes, load, option):
    assert "at most 200" in mistakes(f"+rerank={option}", "rerank.depth=201")["rerank.depth"].what
    slot = load(f"+rerank={option}", "rerank.depth=200").pipeline.slots["rerank"]
    assert (slot.kind, slot.use) == ("reranker", option)


def test_options_of_the_ranking_start_from_the_defaults_of_their_component(load, host):
    for choice, slot in [("score=rrf", "score"), ("+rerank=mmr", "rerank"), ("+rerank=coverage", "rerank")]:
        spec = load(choice).pipeline.slots[slot]
        defaults = host.find(spec.kind, spec.use).params()
        written = spec.params.model_dump(exclude={"weights", "signal_params"})
        assert written == defaults.model_dump(exclude={"weights", "signal_params"})


def test_the_schema_knows_the_names_of_signals(host):
    scorers = json_schema(host)["$defs"]["scorer"]["oneOf"]
    by_name = {scorer["title"]: scorer["properties"] for scorer in scorers}
    for key in ("weights", "signal_params", "normalise_signals"):
        assert "hop_decay" in by_name["weighted_sum"][key]["propertyNames"]["anyOf"][0]["enum"]
    assert "normalise_signals" not in by_name["rrf"]


def test_a_persona_is_found_by_what_it_looks_for(load):
    assert load("personas.anchors=[id,aliases,focus]").tree["personas"]["anchors"] == [
        "id",
        "aliases",
        "focus",
    ]
