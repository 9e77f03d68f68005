"""docs/scoring.md has a section for each signal, scorer and reranker that it lists, with every parameter."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from graphrag_pipeline.plugin.host import PluginHost

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "scoring.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^### `(\w+)`$\n(.*?)(?=^###? |\Z)", PAGE, re.DOTALL | re.MULTILINE))
HOST = PluginHost.discover(entry_points=False, environ={})
KNOWN = {
    name: info for kind in ("signal", "scorer", "reranker") for name, info in HOST.components(kind).items()
}


@pytest.mark.parametrize("name", SECTIONS)
def test_a_section_names_every_parameter_with_its_default(name):
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", SECTIONS[name], re.MULTILINE))
    fields = KNOWN[name].params.model_fields
    assert set(rows) - {"none", "minmax", "rank", "zscore"} == set(fields)
    for field, info in fields.items():
        if isinstance(info.default, bool | int | float | str):
            shown = str(info.default).lower() if isinstance(info.default, bool) else f"{info.default}"
            assert rows[field].strip("`") in (shown, shown.removesuffix(".0")), field


@pytest.mark.parametrize("kind", ["scorer", "reranker"])
def test_every_scorer_and_reranker_has_a_section(kind):
    assert set(HOST.components(kind)) <= set(SECTIONS)


def test_the_table_of_signals_is_that_of_the_sections():
    table = re.findall(r"^\| \[`(\w+)`\]\(#(\w+)\)", PAGE, re.MULTILINE)
    assert all(name == anchor for name, anchor in table)
    described = [name for name in SECTIONS if KNOWN[name].kind == "signal"]
    assert [name for name, _ in table] == described
