"""Which names a new plugin may have."""

from __future__ import annotations

import ast

import pytest

from graphrag_pipeline import PluginError
from graphrag_pipeline.cli.plugins import KINDS as FLAGS
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.plugin.kinds import COMPONENT_NAME, KINDS
from graphrag_pipeline.plugin.scaffold.forms import FORMS
from graphrag_pipeline.plugin.scaffold.naming import LONGEST, PATTERN, check_free, names_of
from graphrag_pipeline.plugin.scaffold.render import single_file
from graphrag_pipeline.testing.suites import SUITES

SIGNAL = FORMS["signal"]


def test_every_kind_can_be_written_and_has_its_suite() -> None:
    assert {form.kind.name for form in FORMS.values()} == set(KINDS)
    assert {form.kind.name: form.suite for form in FORMS.values()} == {
        kind: suite.__name__ for kind, suite in SUITES.items()
    }
    assert tuple(FORMS) == FLAGS


def test_the_names_are_made_of_one() -> None:
    names = names_of("half_life", SIGNAL)
    assert (names.distribution, names.module) == ("graphrag-half-life", "graphrag_half_life")
    assert (names.cls, names.params) == ("HalfLifeSignal", "HalfLifeSignalParams")


@pytest.mark.parametrize(
    ("name", "flag", "cls"),
    [
        ("my_scorer", "scorer", "MyScorer"),
        ("max_hop_filter", "filter", "MaxHopFilter"),
        ("my_seed", "seed", "MySeeds"),
        ("my_seeds", "seed", "MySeeds"),
        ("staff_persona", "personas", "StaffPersonas"),
        ("my_token_counter", "token-counter", "MyTokenCounter"),
        ("my_scorer", "filter", "MyScorerFilter"),
        ("scorer_two", "scorer", "ScorerTwoScorer"),
        ("underscorer", "scorer", "UnderscorerScorer"),
        ("scorer", "scorer", "MyScorer"),
        ("seed", "seed", "MySeeds"),
    ],
)
def test_a_name_that_ends_in_its_kind_does_not_say_it_twice(name: str, flag: str, cls: str) -> None:
    names = names_of(name, FORMS[flag])
    assert (names.cls, names.params) == (cls, f"{cls}Params")


@pytest.mark.parametrize("flag", list(FORMS))
def test_no_class_is_called_like_what_its_module_imports(flag: str) -> None:
    form = FORMS[flag]
    for name in (form.module, f"my_{form.module}", "acme", form.suffix.lower(), f"{form.suffix.lower()}_x"):
        names = names_of(name, form)
        nodes = ast.walk(ast.parse(single_file(names, form)))
        imported = {
            found.asname or found.name
            for node in nodes
            if isinstance(node, ast.Import | ast.ImportFrom)
            for found in node.names
        }
        assert not imported & {names.cls, names.params}


def test_names_that_are_allowed_are_names_of_components() -> None:
    assert PATTERN.startswith("[a-z]")
    assert COMPONENT_NAME.startswith("[a-z]")
    for name in ("a", "a1", "a_b_1", "x" * LONGEST):
        assert names_of(name, SIGNAL).name == name


@pytest.mark.parametrize(
    "name",
    [
        *(
            "",
            " ",
            "Half",
            "half-life",
            "half life",
            "1st",
            "_a",
            "a_",
            "a__b",
            "größe",
            "a.b",
            "a/b",
            "../a",
        ),
        *("a\n", "a\0", "'a'", "a;b", "$a", "x" * (LONGEST + 1)),
    ],
)
def test_a_bad_name_is_refused_with_the_rule(name: str) -> None:
    with pytest.raises(PluginError, match="is no name for a component") as refused:
        names_of(name, SIGNAL)
    assert "lower-case letters, digits and single underscores" in refused.value.hint


def test_a_near_name_is_proposed() -> None:
    with pytest.raises(PluginError) as refused:
        names_of("Half-Life!", SIGNAL)
    assert refused.value.hint.endswith(": half_life")


@pytest.mark.parametrize("name", ["class", "lambda", "null", "true", "on"])
def test_a_word_of_python_or_yaml_is_refused(name: str) -> None:
    with pytest.raises(PluginError, match="means something else"):
        names_of(name, SIGNAL)


@pytest.mark.parametrize(
    ("name", "kind", "told"),
    [
        ("bm25", "signal", "a signal 'bm25' already, of the plugin builtin"),
        ("reference", "scorer", "a config option score=reference already"),
        ("pipeline", "seed", "a module 'graphrag_pipeline' already"),
    ],
)
def test_a_name_that_something_has_is_refused(name: str, kind: str, told: str) -> None:
    host = PluginHost.discover(entry_points=False, environ={})
    names = names_of(name, FORMS[kind])
    with pytest.raises(PluginError) as refused:
        check_free(names, FORMS[kind], host, ["reference"], module=names.module)
    assert told in refused.value.what
    assert f"my_{name}" in refused.value.hint


def test_a_name_of_another_kind_is_free() -> None:
    host = PluginHost.discover(entry_points=False, environ={})
    names = names_of("bm25", FORMS["filter"])
    check_free(names, FORMS["filter"], host, ["cell"], module=names.module)
