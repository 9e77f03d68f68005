"""docs/hooks/ has a page for every hook with its exact signature; docs/plugins-testing.md every check."""

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
def hooks(root: Path) -> dict[str, str]:
    pages = (root / "docs" / "hooks").glob("*.md")
    return {page.stem: page.read_text(encoding="utf-8") for page in pages}


@pytest.fixture(scope="module")
def kit(root: Path) -> str:
    return (root / "docs" / "plugins-testing.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("hook", HOOKS)
def test_a_hook_has_a_page_with_its_exact_signature(hooks, hook):
    signature = re.sub(r"'([^']+)'", r"\1", str(inspect.signature(getattr(hookspecs, hook))))
    assert hooks[hook].startswith(f"# {hook}\n\n```text\n{hook}{signature}\n```\n")


def test_no_other_hook_has_a_page_and_the_list_has_all_in_order(hooks, root):
    every = [
        *(kind.hook for kind in KINDS.values()),
        hookspecs.CONFIG_HOOK,
        *(f"graphrag_{event}" for event in hookspecs.EVENTS),
    ]
    assert sorted(hooks) == sorted(every)
    listed = (root / "docs" / "hooks.md").read_text(encoding="utf-8")
    assert re.findall(r"^- \[`(\w+)`\]\(hooks/\1\.md\)", listed, re.MULTILINE) == every


@pytest.mark.parametrize("kind", KINDS)
def test_a_registration_hook_names_methods_params_suite_and_the_version_it_came_with(hooks, kind):
    text = hooks[KINDS[kind].hook]
    for method in KINDS[kind].methods:
        assert f"`{method}`" in text
    assert f"extends `{KINDS[kind].params.__name__}`" in text
    assert f"`{SUITES[kind].__name__}`" in text
    assert re.search(r"Since \d+\.\d+\.\d+\.", text)


def test_the_documented_version_of_a_hook_is_that_of_its_docstring(hooks):
    for hook in HOOKS:
        (since,) = re.findall(r"Since (\d+\.\d+\.\d+)", inspect.getdoc(getattr(hookspecs, hook)) or "")
        assert f"Since {since}." in hooks[hook]


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
