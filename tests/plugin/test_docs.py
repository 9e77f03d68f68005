"""docs/plugins.md against the code."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from graphrag_pipeline import load_pipeline
from graphrag_pipeline.plugin import discovery, hookspecs
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.plugin.kinds import KINDS
from graphrag_pipeline.plugin.records import SOURCES

HOOKS = [name for name in vars(hookspecs) if name.startswith(hookspecs.PREFIX)]


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs" / "plugins.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_is_documented_with_its_arguments(page, hook):
    arguments = ", ".join(inspect.signature(getattr(hookspecs, hook)).parameters)
    assert f"`{hook}({arguments})`" in page


def test_no_other_hook_is_documented(page):
    assert set(re.findall(r"`(graphrag_\w+)\(", page)) == set(HOOKS)


def test_every_hook_is_a_registration_an_event_or_the_config_hook():
    known = {kind.hook for kind in KINDS.values()} | {f"graphrag_{event}" for event in hookspecs.EVENTS}
    assert set(HOOKS) == known | {hookspecs.CONFIG_HOOK}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_documented_with_hook_methods_and_built_in_names(page, kind):
    (row,) = (line for line in page.splitlines() if line.startswith(f"| `{kind}` |"))
    assert f"`{KINDS[kind].hook}()`" in row
    for method in KINDS[kind].methods:
        arguments = ", ".join(argument.name for argument in KINDS[kind].arguments(method))
        assert f"`{method}({arguments})`" in row
    names = PluginHost.discover(entry_points=False, environ={}).components(kind)
    listed = row.rstrip(" |").rpartition("|")[2] if names else ""
    assert re.findall(r"`(\w+)`", listed) == list(names)


def test_sources_and_variables_are_documented(page):
    for word in (*SOURCES, discovery.GROUP, discovery.LIST_VARIABLE, discovery.DISABLE_VARIABLE):
        assert f"`{word}`" in page


def test_the_example_works_as_it_stands(page, tmp_path):
    (example,) = re.findall(r"Save this as `degree\.py`:\n\n```python\n(.*?)```", page, re.DOTALL)
    (command,) = re.findall(r'graphrag-pipeline query "audit" --plugin degree\.py (.*)', page)
    path = tmp_path / "degree.py"
    path.write_text(example, encoding="utf-8")
    host = PluginHost.discover(files=[path], entry_points=False, environ={}, strict=True)
    with_degree = load_pipeline(command.split(), host=host).run("audit")
    without = load_pipeline(host=host).run("audit")
    assert {node.node_id for node in with_degree.nodes} == {node.node_id for node in without.nodes}
    assert with_degree.scored != without.scored
