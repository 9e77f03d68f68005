"""The whole tree is checked once, strictly, and texts keep their characters."""

from __future__ import annotations

import pytest

from graphrag_pipeline.model.zachman import ZachmanCell


@pytest.mark.parametrize(
    "text", ["12E34", "007", "1_000", "1e3", "on", "2024-01-01", "nan", "true", "0x1F", "12:30"]
)
def test_text_stays_text(write, load, text):
    assert load(f"query.persona={text}").query.persona == text
    write("mine/experiment/p.yaml", f"# @package _global_\nquery:\n  persona: {text}\n")
    assert load("+experiment=p", dirs=("mine",)).query.persona == text


def test_null_is_no_text(load):
    assert load("query.persona=null").query.persona is None


@pytest.mark.parametrize("text", ["85e-2", "1e-6", "0.5"])
def test_a_number_is_a_number(write, load, text):
    assert load(f"bridge.extra_score={text}").tree["bridge"]["extra_score"] == float(text)
    write("mine/bridge/b.yaml", f"use: noop\nextra_score: {text}\n")
    assert load("bridge=b", dirs=("mine",)).tree["bridge"]["extra_score"] == float(text)


@pytest.mark.parametrize(
    ("override", "what", "hint"),
    [
        ("query.k=true", "must be a whole number, got true", ""),
        ("query.max_hops=3.0", "must be a whole number, got 3.0", "write 3"),
        ("query.k='5'", "must be a whole number, got '5'", "write it without quotes: 5"),
        ("context.max_tokens=-5", "must be at least 1, got -5", ""),
        ("bridge.timeout_s=0", "must be greater than 0, got 0", ""),
        ("bridge.extra_score=2", "must be at most 1, got 2", ""),
        ("score.clamp=ja", "must be true or false, got 'ja'", ""),
        ("score.weights.baseline=much", "must be a number, got 'much'", ""),
        ("score.weights.baseline=2e9", "must be at most 1000000000, got 2000000000.0", ""),
        (
            "filter.match=prespective",
            "must be 'perspective' or 'cell', got 'prespective'",
            "did you mean perspective?",
        ),
        ("pipeline.order=seed", "must be a list, got 'seed'", ""),
        ("plugins.modules=3", "must be a list, got 3", ""),
        ("context.counter=chars", "there is no token counter 'chars'", "did you mean chars4?"),
        ("score.weights.labelmatch=1", "there is no signal 'labelmatch'", "did you mean label_match?"),
        ("score.signal_params.label_match.x=1", "unknown key, set to 1", ""),
        ("context.counter_params.x=1", "unknown key, set to 1", ""),
        (
            "seed.use=bfs",
            "'bfs' is an expander, and this place takes a seed retriever",
            "label, mention, retriever",
        ),
        ("seed.use=lable", "there is no seed retriever 'lable'", "did you mean label?"),
        ("seed.kind=filter", "the slot 'seed' takes a seed_retriever, not a filter", ""),
        ("graph.use=jsn", "there is no graph source 'jsn'", "did you mean json?"),
        ("query=5", "must be a mapping of keys to values, got 5", "keys: text, k"),
        ("graph=5", "there is no option '5'", "options: archimate"),
        ("hydra.run=x", "Hydra's own settings have no effect here", ""),
        ("pipeline.order=[]", "the order is empty", ""),
        ("pipeline.order=[sed]", "'sed' is not a slot", "did you mean seed?"),
        ("pipeline.order=[expand,score]", "expand needs candidates, and no slot before it gives any", ""),
    ],
)
def test_a_mistake_says_what_is_wrong_and_what_to_do(mistakes, override, what, hint):
    problem = list(mistakes(override).values())[-1]
    assert problem.what == what
    assert hint in problem.hint
    assert problem.origin == f"override '{override}'"


@pytest.mark.parametrize(
    ("cell", "nearest"),
    [
        ("architect", "architect:what"),
        ("architect:whom", "architect:who"),
        ("Architect:Who", "architect:who"),
    ],
)
def test_a_malformed_cell_lists_rows_and_columns_and_the_nearest(mistakes, cell, nearest):
    problem = mistakes(f"query.cell={cell}")["query.cell"]
    assert f"did you mean {nearest}?" in problem.what
    assert "business_mgmt" in problem.what
    assert "what, how, where" in problem.what


def test_a_cell_becomes_a_cell(load):
    assert load("query.cell=architect:who").query.cell == ZachmanCell.from_coordinate("architect:who")


def test_a_required_value_says_how_to_give_it(mistakes):
    problem = mistakes("graph=json")["graph.path"]
    assert (problem.what, problem.hint) == ("is required", "graph.path=FILE")
    assert problem.origin == "conf/graph/json.yaml:3"


def test_a_quoted_question_is_text(load):
    assert load("query.text='???'").query.text == "???"


@pytest.mark.parametrize(
    "key", ["score._target_", "query._partial_", "stages.deep._args_", "score.weights._target_"]
)
def test_a_config_cannot_name_code(mistakes, key):
    problem = mistakes(f"{key}=os.system")[key]
    assert "components are chosen by name" in problem.hint


def test_a_flag_in_a_file_does_not_loosen_the_check(write, mistakes):
    stages = "stages:\n  - _target_: graphrag_pipeline.config.load.load_pipeline\n"
    write("mine/experiment/evil.yaml", f"# @package _global_\nunsafe: true\n{stages}")
    found = mistakes("+experiment=evil", dirs=("mine",))
    assert {"unsafe", "stages.0._target_"} <= set(found)


def test_a_slot_of_another_name_has_the_kind_of_its_component(load):
    slots = load("again.use=zachman", "again2.use=noop", "again2.kind=bridge").pipeline.slots
    assert (slots["again"].kind, slots["again2"].kind) == ("filter", "bridge")


def test_a_slot_whose_kind_is_not_clear_lists_the_kinds(mistakes):
    found = mistakes("again.use=zachmann", "more.use=zachman", "more.kind=filte")
    assert "did you mean use: zachman?" in found["again.use"].hint
    assert "seed_retriever" in found["again.use"].hint
    assert "did you mean filter?" in found["more.kind"].hint


def test_a_component_may_be_named_with_its_plugin(load):
    assert load("seed.use=builtin:label").tree["seed"]["use"] == "builtin:label"
