"""docs/hooks.md has every hook with its exact signature; docs/plugins-testing.md every check of the kit."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from graphrag_pipeline.plugin import hookspecs
from graphrag_pipeline.plugin.kinds import KINDS
from graphrag_pipeline.testing import __all__ as exported
from graphrag_pipeline.testing import graphs
from graphrag_pipeline.testing.running import checks_of
from graphrag_pipeline.testing.suite import ComponentSuite
from graphrag_pipeline.testing.suites import SUITES

HOOKS = [name for name in vars(hookspecs) if name.startswith(hookspecs.PREFIX)]
SUBJECTS = (
    "dangling_edges",
    "empty_graph",
    "huge_k",
    "nodes_of_a_bridge",
    "no_candidates",
    "one_candidate",
    "unicode",
)
"""Checks of an input; the table names the inputs."""


@pytest.fixture(scope="module")
def hooks(root: Path) -> str:
    return (root / "docs" / "hooks.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def kit(root: Path) -> str:
    return (root / "docs" / "plugins-testing.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("hook", HOOKS)
def test_a_hook_has_a_section_with_its_exact_signature(hooks, hook):
    signature = re.sub(r"'([^']+)'", r"\1", str(inspect.signature(getattr(hookspecs, hook))))
    assert f"### `{hook}`\n\n```text\n{hook}{signature}\n```\n" in hooks


def test_no_other_hook_has_a_section(hooks):
    assert re.findall(r"^### `(\w+)`", hooks, re.MULTILINE) == [
        *(kind.hook for kind in KINDS.values()),
        hookspecs.CONFIG_HOOK,
        *(f"graphrag_{event}" for event in hookspecs.EVENTS),
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_a_registration_hook_names_methods_params_suite_and_the_version_it_came_with(hooks, kind):
    (text,) = re.findall(rf"^### `{KINDS[kind].hook}`\n(.*?)(?=^##)", hooks, re.DOTALL | re.MULTILINE)
    for method in KINDS[kind].methods:
        assert f"`{method}`" in text
    assert f"extends `{KINDS[kind].params.__name__}`" in text
    assert f"`{SUITES[kind].__name__}`" in text
    assert re.search(r"Since \d+\.\d+\.\d+\.", text)


def test_the_documented_version_of_a_hook_is_that_of_its_docstring(hooks):
    for hook in HOOKS:
        (since,) = re.findall(r"Since (\d+\.\d+\.\d+)", inspect.getdoc(getattr(hookspecs, hook)) or "")
        (text,) = re.findall(rf"^### `{hook}`\n(.*?)(?=^##|\Z)", hooks, re.DOTALL | re.MULTILINE)
        assert f"Since {since}." in text


def test_every_suite_and_every_check_of_its_own_is_on_the_page(kit):
    common = set(checks_of(ComponentSuite))
    for check in common:
        assert f"| `{check}` |" in kit
    for suite in SUITES.values():
        (row,) = (line for line in kit.splitlines() if line.startswith(f"| `{suite.__name__}` |"))
        for check in sorted(set(checks_of(suite)) - common):
            if check.removeprefix("test_") not in SUBJECTS:
                assert f"`{check}`" in row, check


def test_every_exported_name_and_sample_graph_is_on_the_page(kit):
    for name in exported:
        assert re.search(rf"`{name}[`(]|import {name}\b", kit) or name in {
            "ComponentSuite",
            "ContractError",
            "samples",
        }
    for name in ("office", "empty", "single", "dangling", "odd", "crowd"):
        assert callable(getattr(graphs, name))
        assert f"`{name}(" in kit
