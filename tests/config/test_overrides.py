"""The grammar of overrides."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline.config.overrides import Override, literal, parse_override
from graphrag_pipeline.config.tree import plain
from graphrag_pipeline.errors import Problem


def value_of(text):
    override = parse_override(text)
    assert isinstance(override, Override), override
    assert override.value is not None
    return plain(override.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("query.text=北条 の 港", "北条 の 港"),
        ("graph.path=data/region=west/day=07/g.json", "data/region=west/day=07/g.json"),
        ("query.text=what is (this)?", "what is (this)?"),
        ("query.text=it's", "it's"),
        ("query.text='0.7,0.3'", "0.7,0.3"),
        ("query.text=Zürich (a, b)", "Zürich (a, b)"),
        ("query.text=", ""),
        ("bridge.extra_score=1e-6", 1e-6),
        ("score.clamp=false", False),
        ("query.persona=null", None),
        ("pipeline.order=[seed, score]", ["seed", "score"]),
        ("x=[北,港]", ["北", "港"]),
        ("x={a: 1, b: {c: d}}", {"a": 1, "b": {"c": "d"}}),
        ("++x=3", 3),
    ],
)
def test_a_value_is_what_was_written(text, value):
    assert value_of(text) == value


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("seed=label,retriever", ("label", "retriever")),
        ("context.max_tokens=500,1000", ("500", "1000")),
        ("query.text='a,b',c", ("'a,b'", "c")),
        ("query.text=北,港", ("北", "港")),
        ("context.max_tokens=range(1,3)", None),
    ],
)
def test_several_values_are_a_sweep(text, choices):
    override = parse_override(text)
    assert isinstance(override, Override)
    assert override.sweep
    assert override.choices == choices


@pytest.mark.parametrize("text", ["nonsense", "=5", "", "a b=3", "~", "1x=3", "k\udcff=1", "+", "a..b=1"])
def test_what_is_no_override_is_a_problem_and_no_traceback(text):
    assert isinstance(parse_override(text), Problem)


@pytest.mark.parametrize(
    ("text", "action", "key", "package"),
    [
        ("~seed", "delete", "seed", None),
        ("+experiment=x", "add", "experiment", None),
        ("++a.b=1", "set", "a.b", None),
        ("filter@second=zachman", "set", "filter", "second"),
        ("a/b=c", "set", "a/b", None),
    ],
)
def test_signs_and_packages_are_understood(text, action, key, package):
    override = parse_override(text)
    assert isinstance(override, Override)
    assert (override.action, override.key, override.package) == (action, key, package)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_literal_is_read_back_as_the_same_text(text):
    assert value_of(f"query.text={literal(text)}") == text.replace("${", r"\${")


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_no_value_ends_in_a_traceback(text):
    assert isinstance(parse_override(f"key={text}"), Override | Problem)
