"""The page on the configuration tells of everything there is, and shows what really comes out."""

from __future__ import annotations

import textwrap

import pytest

from graphrag_pipeline.config.roots import Root, conf_root
from graphrag_pipeline.errors import ConfigError


@pytest.fixture(scope="module")
def page(root):
    return (root / "docs" / "configuration.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("option", Root("conf", conf_root()).options("graph"))
def test_every_parameter_of_a_graph_source_is_described(page, root, load, option):
    sources = (root / "docs" / "sources.md").read_text(encoding="utf-8")
    path = [] if option in ("demo", "networkx") else ["graph.path=f"]
    for key in load(f"graph={option}", *path).origins:
        if key.startswith("graph."):
            assert f"`{key}`" in page or f"`{key}`" in sources, key


def test_every_key_is_described(page, settings, load):
    given = [settings, load("graph=json", "graph.path=f", "personas=file", "personas.path=f")]
    for key in {key for each in given for key in each.origins}:
        assert f"| `{key}` |" in page, key


def test_every_group_and_option_is_described(page):
    conf = Root("conf", conf_root())
    rows = {line.split("|")[1].strip(): line for line in page.splitlines() if line.startswith("| `")}
    for group in conf.groups():
        for option in conf.options(group):
            assert f"`{option}`" in rows[f"`{group}`"], (group, option)


def test_the_mistakes_shown_are_the_mistakes_made(page, load):
    with pytest.raises(ConfigError) as caught:
        load("seed=lable", "context.max_tokns=800", "query.k=true", "graph=json")
    assert textwrap.dedent(str(caught.value)) in page


@pytest.mark.parametrize(
    ("text", "in_a_file", "in_an_override"),
    [
        *[(text, value, value) for text, value in (("12", 12), ("-3", -3), ("+5", 5), ("1_000", 1000))],
        *[(text, value, value) for text, value in ((".5", 0.5), ("5.", 5), ("1e-6", 1e-6), ("0.5", 0.5))],
        *[(text, None, None) for text in ("010", "0o10", "12:30", "true", "'5'", "nan", ".inf")],
        ("0x10", 16, None),
        ("0b11", 3, None),
    ],
)
def test_numbers_are_what_the_page_says(load, tmp_path, text, in_a_file, in_an_override):
    file = tmp_path / "experiment" / "x.yaml"
    file.parent.mkdir()
    file.write_text(f"# @package _global_\nscore:\n  weights:\n    baseline: {text}\n", encoding="utf-8")
    for wanted, overrides, dirs in (
        (in_a_file, ["+experiment=x"], (tmp_path,)),
        (in_an_override, [f"score.weights.baseline={text}"], ()),
    ):
        if wanted is None:
            with pytest.raises(ConfigError, match=r"must be a (finite )?number"):
                load(*overrides, dirs=dirs)
        else:
            assert load(*overrides, dirs=dirs).tree["score"]["weights"]["baseline"] == wanted


def test_the_last_choice_of_a_group_wins_also_over_an_experiments_values(load, tmp_path):
    assert load("bridge=mock", "bridge=noop").tree["bridge"]["use"] == "noop"
    file = tmp_path / "experiment" / "x.yaml"
    file.parent.mkdir()
    file.write_text("# @package _global_\nbridge:\n  use: mock\n", encoding="utf-8")
    assert load("+experiment=x", dirs=(tmp_path,)).tree["bridge"]["use"] == "mock"
    assert load("+experiment=x", "bridge=noop", dirs=(tmp_path,)).tree["bridge"]["use"] == "noop"


def test_an_experiment_without_its_first_line_is_told_so(load, tmp_path):
    file = tmp_path / "experiment" / "x.yaml"
    file.parent.mkdir()
    file.write_text("bridge:\n  use: mock\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="# @package _global_"):
        load("+experiment=x", dirs=(tmp_path,))


def test_an_experiments_override_comes_after_the_entries_that_choose(load, tmp_path):
    file = tmp_path / "experiment" / "x.yaml"
    file.parent.mkdir()
    entries = ["override /bridge: noop", "/filter@second: zachman"]
    for order, right in ((entries, False), (entries[::-1], True)):
        lines = "".join(f"  - {entry}\n" for entry in order)
        file.write_text(f"# @package _global_\ndefaults:\n{lines}", encoding="utf-8")
        if right:
            assert load("+experiment=x", dirs=(tmp_path,)).tree["bridge"]["use"] == "noop"
        else:
            with pytest.raises(ConfigError, match="end of the defaults list"):
                load("+experiment=x", dirs=(tmp_path,))
