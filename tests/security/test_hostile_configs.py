"""A config, an experiment or an override cannot import, construct or locate code, nor read secrets."""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import pytest

from graphrag_pipeline.config.checking import check_file
from graphrag_pipeline.config.resolvers import refusal
from graphrag_pipeline.config.settings import load_settings
from graphrag_pipeline.config.validate import FORBIDDEN
from graphrag_pipeline.errors import ConfigError
from tests.security.conftest import CANARY

SECRET = "s3cr3t-of-the-machine"
CALLS = (
    f"{CANARY}.call",
    "os.system",
    "graphrag_pipeline.cli.app.os.system",
    "graphrag_pipeline.plugin.host",
)
PLACES = (
    "",
    "seed.",
    "graph.",
    "personas.",
    "context.counter_params.",
    "context.counter_params.deep.deeper.",
    "score.signal_params.bm25.",
    "expand.fallback_params.",
    "trackers.jsonl.",
    "dataset.",
    "plugins.",
    "anything.",
)


@pytest.fixture(autouse=True)
def _secret(monkeypatch):
    monkeypatch.setenv("MACHINE_SECRET", SECRET)
    monkeypatch.setenv("GRAPHRAG_PART", "MACHINE_SECRET")


def refused(host, text: str, *overrides: str, name: str = "their/experiment/x.yaml") -> str:
    """Load a hostile experiment and return what is said; no secret is in it."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_settings(["+experiment=x", *overrides], config_dirs=["their"], host=host)
    assert SECRET not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(("key", "place"), list(itertools.product(FORBIDDEN, PLACES)))
def test_keys_that_call_code_are_refused_at_every_depth(host, key, place):
    steps = [*place.split(".")[:-1], key]
    text = "".join(f"{'  ' * depth}{step}:\n" for depth, step in enumerate(steps))
    said = refused(host, f"# @package _global_\n{text.rstrip()} {CALLS[0]}\n")
    assert f"{place}{key}: a config cannot name code to run" in said


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("place", PLACES)
def test_overrides_cannot_name_code_either(host, place, call):
    with pytest.raises(ConfigError, match="a config cannot name code to run"):
        load_settings([f"+{place}_target_={call}"], host=host)


@pytest.mark.parametrize(
    "text",
    [
        f"pipeline:\n  order:\n    - {{_target_: {CALLS[0]}}}\n",
        f"score:\n  weights: {{bm25: 1, label_match: {{_target_: {CALLS[0]}}}}}\n",
        f"base: &base {{_target_: {CALLS[0]}}}\ncontext: {{counter_params: {{<<: *base}}}}\n",
        f"base: &base {{_target_: {CALLS[0]}}}\ncontext: {{counter_params: *base}}\n",
        f"query: {{text: _target_}}\ncontext: {{counter_params: {{inner: [[{{_target_: {CALLS[0]}}}]]}}}}\n",
        f"unsafe: true\nstages: [{{_target_: {CALLS[2]}, path: evil.yaml}}]\n",
    ],
)
def test_lists_merges_and_a_flag_that_would_disarm_the_check_are_no_way_round(host, text):
    assert "a config cannot name code to run" in refused(host, "# @package _global_\n" + text)


def test_a_reference_cannot_smuggle_a_key_in(host):
    evil = f"counter_params: '${{.evil}}', evil: {{_target_: {CALLS[0]}}}"
    text = f"# @package _global_\ncontext: {{{evil}}}\n"
    assert "a config cannot name code to run" in refused(host, text)


NO_YAML = ("not valid YAML", "cannot be a key", "keys are text", "holds a mapping")
"""What is said of a tag that stands where YAML allows none, or a key allows none."""


@pytest.mark.parametrize(
    "node",
    [
        f"!!python/object/apply:{CANARY}.call [x]",
        f"!!python/object/new:{CANARY}.call [x]",
        f"!!python/name:{CANARY}.call",
        f"!!python/module:{CANARY}",
        f"!!python/object:{CANARY}.call {{a: 1}}",
        "!!python/tuple [1, 2]",
        "!!python/complex 1+2j",
        "!<tag:yaml.org,2002:python/name:os.system> x",
        "!local x",
        "!!set {a, b}",
        "!!binary aGVsbG8=",
        "!!timestamp 2024-01-01",
        f"!!python/object/apply:os.system ['touch {CANARY}']",
    ],
)
@pytest.mark.parametrize(
    "place", ["query:\n  persona: {}\n", "context:\n  counter_params: {{a: [{}]}}\n", "{}: 1\n"]
)
def test_tags_are_refused_wherever_they_stand(host, node, place):
    said = refused(host, "# @package _global_\n" + place.format(node))
    assert any(word in said for word in ("the tag '", *NO_YAML)), said


@pytest.mark.parametrize(
    "entry",
    [
        f"- !!python/name:{CANARY}.call x",
        f"- override /seed: !!python/name:{CANARY}.call x",
        "- override /seed: ${oc.env:MACHINE_SECRET}",
        "- override /seed: ${oc.env:GRAPHRAG_PART}",
        "- override /seed: ${${oc.env:GRAPHRAG_PART}}",
        "- /seed/${oc.env:MACHINE_SECRET}",
        "- /filter@x.${oc.env:MACHINE_SECRET}: zachman",
        "- override /seed: ../../../etc/passwd",
        "- /../../secret",
        f"- override /seed: {CANARY}",
        f"- override /seed: {CANARY}:call",
        "- hydra/launcher: basic",
    ],
)
def test_a_defaults_list_chooses_files_and_nothing_else(host, entry):
    refused(host, f"# @package _global_\ndefaults:\n  {entry}\n")


@pytest.mark.parametrize("header", [f"_target_.{CANARY}", "${oc.env:MACHINE_SECRET}", "../x", "x._target_"])
def test_a_package_header_places_values_and_nothing_else(host, header):
    said = refused(host, f"# @package {header}\nname: {CANARY}\n")
    assert CANARY not in said or "unknown" in said or "cannot name code" in said


REFUSED = [
    "${oc.env:MACHINE_SECRET}",
    "${ oc.env:MACHINE_SECRET}",
    "${oc.env: MACHINE_SECRET}",
    "${oc.env:'MACHINE_SECRET'}",
    '${oc.env:"MACHINE_SECRET"}',
    "${oc.env:MACHINE_SECRET,x}",
    "${oc.env:' GRAPHRAG_PART'}",
    "${oc.env:graphrag_part}",
    "${oc.env:}",
    "${oc.env:[MACHINE_SECRET]}",
    "a ${query.k} b ${oc.env:MACHINE_SECRET}",
    "${oc.select:nope,${oc.env:MACHINE_SECRET}}",
    "${oc.env:GRAPHRAG_NOPE,${oc.env:MACHINE_SECRET}}",
    "${oc.env:${oc.env:GRAPHRAG_PART}}",
    "${oc.env:${query.text}}",
    "${oc.${query.text}:MACHINE_SECRET}",
    "${${query.text}.env:MACHINE_SECRET}",
    "${oc.decode:'${oc.env:MACHINE_SECRET}'}",
    "${oc.decode:$${query.text}}",
    "${oc.decode:x}",
    "${oc.create:{a:1}}",
    "${oc.deprecated:query.text}",
    "${hydra:runtime.cwd}",
    "${eval:1}",
    "${now:%Y}",
    "${python:os.getcwd}",
    "${score.weights[${oc.env:MACHINE_SECRET}]}",
    "${oc.env:GRAPHRAG_LYRA_TOKEN}",
    "${oc.env:'GRAPHRAG_API_KEY'}",
    "${oc.env:GRAPHRAG_DB_PASSWORD,none}",
    "${oc.select:nope,${oc.env:GRAPHRAG_Client_Secret}}",
    "${oc.env:GRAPHRAG_${query.text}}",
    "${oc.env:GRAPHRAG_LYRA_TOK\\EN}",
]


@pytest.mark.parametrize("value", REFUSED)
def test_resolvers_that_read_more_than_is_ours_are_refused_before_they_run(host, value):
    assert refusal(value) is not None
    quoted = value.replace("'", "''")
    said = refused(host, f"# @package _global_\nquery:\n  text: env\n  persona: '{quoted}'\n")
    assert "query.persona: " in said


def test_a_secret_of_ours_is_for_the_plugin_that_needs_it(host, monkeypatch):
    monkeypatch.setenv("GRAPHRAG_LYRA_TOKEN", SECRET)
    said = refused(host, "# @package _global_\nquery:\n  persona: 'x ${oc.env:GRAPHRAG_LYRA_TOKEN}'\n")
    assert "a config cannot read secrets; the plugin that needs it reads it from the environment" in said


@pytest.mark.parametrize(
    "value",
    [
        "${oc.env:GRAPHRAG_PART}",
        "${oc.env:'GRAPHRAG_PART'}",
        "${oc.env:GRAPHRAG_NOPE,none}",
        "${oc.select:query.text}",
        "${oc.select:nope,default}",
        "${query.text}",
        r"\${oc.env:MACHINE_SECRET}",
        "no reference at all",
    ],
)
def test_what_may_be_asked_for_is_answered_and_shows_no_secret(host, value, write):
    escaped = value.replace("'", "''")
    write("their/experiment/x.yaml", f"# @package _global_\nquery: {{text: hi, persona: '{escaped}'}}\n")
    settings = load_settings(["+experiment=x"], config_dirs=["their"], host=host)
    assert SECRET not in str(settings.query.persona) + str(settings.tree)


def test_a_value_of_the_environment_is_not_resolved_again(host, monkeypatch):
    monkeypatch.setenv("GRAPHRAG_NESTED", "${oc.env:MACHINE_SECRET}")
    settings = load_settings(["query.persona=${oc.env:GRAPHRAG_NESTED}"], host=host)
    assert settings.query.persona == "${oc.env:MACHINE_SECRET}"


def test_texts_that_become_a_resolver_when_put_together_stay_text(host):
    overrides = ["query.text='{oc.env:MACHINE_SECRET}'", "query.persona=$${query.text}"]
    assert load_settings(overrides, host=host).query.persona == "${oc.env:MACHINE_SECRET}"


@pytest.mark.parametrize(
    "use", [f"{CANARY}:call", f"{CANARY}.call", CANARY, "os:system", "builtins:eval", "../x"]
)
@pytest.mark.parametrize("slot", ["seed", "expand", "graph", "personas", "context"])
def test_a_component_is_looked_up_by_name_and_never_imported(host, slot, use):
    said = refused(host, f"# @package _global_\n{slot}:\n  use: '{use}'\n")
    assert f"{slot}.use: there is no " in said


@pytest.mark.parametrize(
    "given",
    [
        f"context: {{counter: '{CANARY}:call'}}",
        f"score: {{weights: {{'{CANARY}:call': 1}}}}",
        f"seed: {{use: dense, embedder: '{CANARY}:call'}}",
        f"expand: {{on_error: 'fallback:{CANARY}:call'}}",
        f"trackers: {{x: {{use: '{CANARY}:call'}}}}",
    ],
)
def test_components_that_parameters_name_are_looked_up_as_well(host, given):
    assert f"{CANARY}:call" in refused(host, f"# @package _global_\n{given}\n")


def test_aliases_that_multiply_are_refused_in_no_time(host):
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    started = time.monotonic()
    assert "more than 20000 values" in refused(host, "# @package _global_\n" + "\n".join(lines) + "\n")
    assert time.monotonic() - started < 20


@pytest.mark.parametrize(
    "text",
    ["a: &a [*a]\n", "a: &a {b: *a}\n", "x: " + "[" * 5000 + "]" * 5000 + "\n", "a: " + "{b: " * 3000 + "\n"],
)
def test_rings_and_depths_are_refused(host, text):
    refused(host, "# @package _global_\n" + text)


@pytest.mark.parametrize(
    "text",
    [
        f"seed: {{_target_: {CALLS[0]}}}\n",
        f"query: {{text: !!python/object/apply:{CALLS[0]} []}}\n",
        "query: {text: '${oc.env:MACHINE_SECRET}'}\n",
        "defaults: [override /seed: '${oc.env:MACHINE_SECRET}']\n",
        f"plugins: {{modules: [{CANARY}]}}\n",
        f"seed: {{use: '{CANARY}:call'}}\n",
    ],
)
def test_checking_a_file_finds_the_same(host, write, text):
    problems = check_file(write("their/experiment/x.yaml", "# @package _global_\n" + text), host=host)
    assert problems != []
    assert SECRET not in str(problems)
