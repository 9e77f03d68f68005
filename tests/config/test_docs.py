"""The page on the configuration tells of everything there is, and shows what really comes out."""

from __future__ import annotations

import textwrap

import pytest

from graphrag_pipeline.config.roots import Root, conf_root
from graphrag_pipeline.errors import ConfigError


@pytest.fixture(scope="module")
def page(root):
    return (root / "docs" / "configuration.md").read_text(encoding="utf-8")


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
