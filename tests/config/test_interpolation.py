"""References within the config and to the environment."""

from __future__ import annotations

import pytest

from graphrag_pipeline.config.settings import settings_yaml

SECRET = "s3cr3t"


def test_a_reference_is_resolved_from_the_root_or_from_where_it_stands(load):
    settings = load("query.k=${context.max_tokens}", "bridge.extra_score=${..score.weights.baseline}")
    assert settings.query.k == 2000
    assert settings.tree["bridge"]["extra_score"] == 0.1


def test_a_reference_keeps_the_characters(load):
    assert load("query.text=007", "query.persona=${.text}").query.persona == "007"


def test_a_reference_to_nothing_names_key_text_and_path(mistakes):
    problem = mistakes("score.alpha=1", "bridge.extra_score=${..weights.missing}")["bridge.extra_score"]
    assert problem.what == "${..weights.missing} refers to weights.missing, which is not set"


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ("${oc.env:GRAPHRAG_NOT_THERE}", "the environment variable GRAPHRAG_NOT_THERE is not set"),
        ("${eval:1}", "resolver 'eval'"),
        ("${a", "not a valid interpolation"),
        ("${query.k}", "refers to query.k, which cannot be resolved"),
    ],
)
def test_what_cannot_be_resolved_is_explained(mistakes, monkeypatch, value, word):
    monkeypatch.delenv("GRAPHRAG_NOT_THERE", raising=False)
    assert word in mistakes(f"query.k={value}")["query.k"].what


def test_a_dollar_with_a_backslash_is_a_dollar(load):
    settings = load(r"query.text=\${x}")
    assert settings.query.text == "${x}"
    assert settings.tree["query"]["text"] == r"\${x}"


def test_the_environment_is_used_and_never_shown(load, monkeypatch):
    monkeypatch.setenv("GRAPHRAG_WHO", SECRET)
    monkeypatch.setenv("GRAPHRAG_HOW_MANY", "7")
    settings = load(
        "query.persona=${oc.env:GRAPHRAG_WHO}",
        "query.text=for ${query.persona}",
        "query.k=${oc.env:GRAPHRAG_HOW_MANY}",
    )
    assert (settings.query.persona, settings.query.text, settings.query.k) == (SECRET, f"for {SECRET}", 7)
    assert settings.tree["query"]["text"] == "for ${oc.env:GRAPHRAG_WHO}"
    assert settings.tree["query"]["k"] == "${oc.env:GRAPHRAG_HOW_MANY}"
    assert SECRET not in settings_yaml(settings) + str(settings.origins)


@pytest.mark.parametrize(
    "override",
    [
        "query.cell=${oc.env:GRAPHRAG_WHO}",
        "query.k=${oc.env:GRAPHRAG_WHO}",
        "filter.match=${oc.env:GRAPHRAG_WHO}",
        "context.counter=${oc.env:GRAPHRAG_WHO}",
        "seed.use=${oc.env:GRAPHRAG_WHO}",
        "query.k=${oc.decode:${oc.env:GRAPHRAG_WHO}}",
        "sed=${oc.env:GRAPHRAG_WHO}",
        "pipeline.order=[seed,'${oc.env:GRAPHRAG_WHO}']",
        "context.${oc.env:GRAPHRAG_WHO}=3",
    ],
)
def test_the_environment_is_not_shown_in_messages(load, monkeypatch, override):
    monkeypatch.setenv("GRAPHRAG_WHO", f"[{SECRET}")
    with pytest.raises(Exception) as caught:  # noqa: PT011  # any of our errors
        load(override)
    assert SECRET not in str(caught.value)
