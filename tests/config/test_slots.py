"""What slots say of failures, in a config."""

from __future__ import annotations

from typing import Any

import pytest

from graphrag_pipeline.config.schema import json_schema
from graphrag_pipeline.config.settings import load_settings, settings_yaml
from graphrag_pipeline.config.slots import POLICY_KEYS, policy_of
from graphrag_pipeline.errors import ConfigError
from graphrag_pipeline.pipeline.spec import SLOT_KINDS
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.plugin.kinds import KINDS, SLOT_PARAMS
from tests.plugin.conftest import HEAD


# Any: each component has parameters of its own, and may have a fallback.
def slot(load, name: str, *overrides: str) -> Any:
    return load(*overrides).pipeline.slots[name]


def test_the_keys_are_the_names_that_no_parameter_may_have():
    assert set(POLICY_KEYS) == SLOT_PARAMS
    assert {kind for kind, each in KINDS.items() if each.fills_slots} == set(SLOT_KINDS.values())
    for kind in SLOT_KINDS.values():
        assert set(policy_of(kind).model_fields) == KINDS[kind].reserved - {"use", "kind"}


@pytest.mark.parametrize("name", SLOT_KINDS)
def test_every_slot_takes_a_policy(load, name):
    use = "+rerank=coverage" if name == "rerank" else f"{name}.on_error=fail"
    spec = slot(load, name, use, f"+{name}.on_error=skip", f"+{name}.timeout_s=2")
    assert spec.on_error == "skip"
    limit = spec.params.timeout_s if name == "bridge" else spec.timeout_s
    assert limit == 2.0


def test_nothing_said_is_nothing_in_the_spec_and_nothing_shown(settings):
    for spec in settings.pipeline.slots.values():
        assert (spec.on_error, spec.timeout_s, spec.fallback) == (None, None, None)
    assert "on_error" not in settings_yaml(settings)


def test_what_is_said_is_shown_with_its_place_and_read_again(load, write):
    settings = load("expand.on_error=fallback:ppr", "expand.fallback_params.rounds=3", "expand.timeout_s=2")
    shown = {key: settings.tree["expand"][key] for key in POLICY_KEYS}
    assert shown == {"on_error": "fallback:ppr", "fallback_params": {"rounds": 3}, "timeout_s": 2.0}
    assert str(settings.origins["expand.on_error"]) == "override 'expand.on_error=fallback:ppr'"
    write("again/config.yaml", settings_yaml(settings))
    again = load(dirs=("again",))
    assert again.pipeline == settings.pipeline


def test_a_policy_from_the_environment_is_not_shown(load, monkeypatch):
    monkeypatch.setenv("GRAPHRAG_ON_ERROR", "fallback:ppr")
    settings = load("expand.on_error=${oc.env:GRAPHRAG_ON_ERROR}")
    assert settings.pipeline.slots["expand"].fallback.use == "ppr"
    assert settings.tree["expand"]["on_error"] == "${oc.env:GRAPHRAG_ON_ERROR}"


def test_a_fallback_has_its_own_defaults_and_what_is_the_slots(load):
    context = slot(load, "context", "context.max_tokens=77", "context.on_error=fallback:jsonl")
    assert context.fallback.params.max_tokens == 77
    assert context.fallback.params.packing == "greedy"
    expand = slot(load, "expand", "expand.gate=filter", "expand.max_hops=1", "expand.on_error=fallback:beam")
    assert expand.fallback.params.gate == "filter"
    score = slot(load, "score", "score.weights={bm25: 2.0}", "score.on_error=fallback:rrf")
    assert dict(score.fallback.params.weights) == dict(score.params.weights)


def test_parameters_of_the_fallback_replace_what_is_the_slots(load):
    given = "score.fallback_params={weights: {label_match: 1.0}}"
    score = slot(load, "score", "score.on_error=fallback:rrf", given)
    assert dict(score.fallback.params.weights) == {"label_match": 1.0}


@pytest.mark.parametrize(
    ("overrides", "key", "what", "hint"),
    [
        (["expand.on_error=skp"], "expand.on_error", "must be fail, skip or fallback:NAME, got 'skp'", ""),
        (["expand.on_error=fallback"], "expand.on_error", "did you mean fallback:NAME?", ""),
        (["expand.on_error='fallback:'"], "expand.on_error", "must be fail, skip or fallback:NAME", ""),
        (["expand.on_error=7"], "expand.on_error", "must be text, got 7", ""),
        (["expand.on_error=fallback:bfs"], "expand.on_error", "cannot stand in for itself", "others: beam"),
        (["expand.on_error=fallback:builtin:bfs"], "expand.on_error", "cannot stand in for itself", ""),
        (["expand.on_error=fallback:ppp"], "expand.on_error", "there is no expander 'ppp'", "mean ppr?"),
        (["expand.on_error=fallback:zachman"], "expand.on_error", "'zachman' is a filter, and this", ""),
        (["expand.on_error=fallback:os.system"], "expand.on_error", "no expander 'os.system'", ""),
        (["expand.fallback_params.max_hops=1"], "expand.fallback_params", "there is no fallback", "NAME"),
        (
            ["expand.on_error=fallback:ppr", "expand.fallback_params.round=1"],
            "expand.fallback_params.round",
            "unknown key, set to 1",
            "did you mean rounds?",
        ),
        (
            ["expand.on_error=fallback:ppr", "expand.fallback_params.rounds=x"],
            "expand.fallback_params.rounds",
            "must be a whole number, got 'x'",
            "",
        ),
        (
            ["expand.on_error=fallback:ppr", "expand.fallback_params.use=none"],
            "expand.fallback_params.use",
            "the fallback is named in on_error",
            "",
        ),
        (
            ["expand.on_error=fallback:ppr", "expand.fallback_params.gate=seed"],
            "expand.fallback_params.gate",
            "a gate is a filter",
            "",
        ),
        (
            ["expand.on_error=fallback:ppr", "expand.fallback_params=3"],
            "expand.fallback_params",
            "mapping",
            "",
        ),
        (["expand.timeout_s=0"], "expand.timeout_s", "must be greater than 0, got 0", ""),
        (["expand.timeout_s=.inf"], "expand.timeout_s", "must be a", ""),
        (["expand.timeout_s=soon"], "expand.timeout_s", "must be a number, got 'soon'", ""),
        (["expand.on_eror=skip"], "expand.on_eror", "unknown key", "did you mean on_error?"),
        (
            ["+g.use=zachman", "expand.gate=g", "g.on_error=skip"],
            "g.on_error",
            "has no effect",
            "expand.on_error",
        ),
        (["graph.on_error=skip"], "graph.on_error", "unknown key", ""),
        (["personas.timeout_s=1"], "personas.timeout_s", "unknown key", ""),
    ],
)
def test_mistakes_are_told_before_the_run(mistakes, overrides, key, what, hint):
    problem = mistakes(*overrides)[key]
    assert what in problem.what
    assert hint in problem.hint
    assert problem.origin.startswith("override ") or not problem.origin


def test_another_component_starts_afresh(load):
    spec = slot(load, "expand", "expand.use=ppr")
    assert spec.on_error is None
    assert slot(load, "expand", "expand.on_error=skip", "expand.use=ppr").on_error == "skip"


def test_a_second_slot_of_a_kind_has_a_policy_of_its_own(load):
    order = "pipeline.order=[seed,expand,filter,exact,score,context]"
    settings = load(order, "+exact.use=zachman", "+exact.on_error=skip")
    assert settings.pipeline.slots["exact"].on_error == "skip"
    assert settings.pipeline.slots["filter"].on_error is None


def test_the_schema_has_the_keys_of_slots_and_of_nothing_else(host):
    schema = json_schema(host)
    [bfs] = [each for each in schema["$defs"]["expander"]["oneOf"] if each["title"] == "bfs"]
    assert set(POLICY_KEYS) <= set(bfs["properties"])
    assert "fail" in bfs["properties"]["on_error"]["description"]
    [demo] = [each for each in schema["$defs"]["graph_source"]["oneOf"] if each["title"] == "demo"]
    assert not set(POLICY_KEYS) & set(demo["properties"])


@pytest.mark.parametrize(
    ("kind", "method", "base", "field", "refused"),
    [
        ("filter", "keep(self, candidates, query, index)", "Params", "timeout_s", True),
        ("filter", "keep(self, candidates, query, index)", "Params", "on_error", True),
        ("signal", "compute(self, candidates, query, index)", "Params", "timeout_s", False),
        ("graph_source", "load(self)", "Params", "timeout_s", False),
    ],
)
def test_a_parameter_that_the_slot_keeps_for_itself_is_refused(write, kind, method, base, field, refused):
    text = f"""
class P({base}):
    {field}: float = 1.0

class Mine(Component):
    name = "mine"
    Params = P
    def {method}: ...

@hookimpl
def graphrag_register_{kind}s():
    return [Mine]
"""
    host = PluginHost()
    host.add_files([write("mine.py", HEAD + text)])
    assert bool(host.failed) == refused
    if refused:
        assert f"its Params has a field {field!r}" in str(host.failed[0].failure)


def test_a_plugins_fallback_is_found_by_its_qualified_name(write):
    text = """
class Mine(Component):
    name = "mine"
    Params = Params
    def keep(self, candidates, query, index): ...

@hookimpl
def graphrag_register_filters():
    return [Mine]
"""
    host = PluginHost.discover(files=[write("acme.py", HEAD + text)], entry_points=False, environ={})
    settings = load_settings(["filter.on_error=fallback:acme:mine"], host=host)
    fallback = settings.pipeline.slots["filter"].fallback
    assert fallback is not None
    assert fallback.use == "acme:mine"
    with pytest.raises(ConfigError, match="cannot stand in for itself"):
        load_settings(["filter=mine", "filter.on_error=fallback:acme:mine"], host=host)
