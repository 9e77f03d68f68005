"""docs/context.md: the parameters of every assembler and counter, and the table that was measured."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.stages import scored
from graphrag_pipeline.stages.context.packing import PackedParams
from graphrag_pipeline.stages.contract import ContextParams
from graphrag_pipeline.stages.tokens.chars4 import Chars4
from graphrag_pipeline.stages.tokens.scripts import Scripts
from graphrag_pipeline.stages.tokens.words import Words

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "context.md").read_text("utf-8")
MEASURED = json.loads((ROOT / "tests" / "stages" / "tokens" / "measured.json").read_text("utf-8"))["texts"]
HOST = PluginHost.discover(entry_points=False, environ={})


def section(heading: str) -> str:
    prose = re.sub(r"^```.*?^```$", "", PAGE, flags=re.DOTALL | re.MULTILINE)
    found = re.search(rf"^{re.escape(heading)}\n(.*?)(?=^#|\Z)", prose, re.DOTALL | re.MULTILINE)
    assert found, heading
    return found[1]


@pytest.mark.parametrize("name", HOST.components("context_assembler"))
def test_every_parameter_of_an_assembler_is_in_its_section(name: str) -> None:
    own, shared = section(f"### `{name}`"), section("## Parameters")
    for key, field in HOST.find("context_assembler", name).params.model_fields.items():
        if key in ContextParams.model_fields or key in (*PackedParams.model_fields, "header"):
            assert f"| `{key}` |" in (own if name == "sections" and key == "pool" else shared), key
            continue
        (row,) = (line for line in own.splitlines() if line.startswith(f"| `{key}` |"))
        default = field.get_default(call_default_factory=True)
        shown = default if isinstance(default, str) else json.dumps(default).replace("()", "[]")
        shown = "{paths: 0.3, passages: 0.7}" if key == "sections" else shown
        assert shown in row, (key, shown)


@pytest.mark.parametrize("name", HOST.components("token_counter"))
def test_every_counter_and_its_parameters_are_described(name: str) -> None:
    text = section("## Token counters")
    assert f"| `{name}` |" in text
    for key in HOST.find("token_counter", name).params.model_fields:
        assert f"`{key}`" in text, key


def test_every_reason_is_explained() -> None:
    text = section("## What was left out")
    reasons = [value for name, value in vars(scored).items() if name.isupper() and isinstance(value, str)]
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == reasons


def test_the_table_is_what_was_measured() -> None:
    rows = re.findall(r"^\| ([\w -]+?) \| (\d.*) \|$", section("## Token counters"), re.MULTILINE)
    assert len(rows) > 25
    for name, numbers in rows:
        text, tokens = MEASURED[name]["text"], MEASURED[name]["tokens"]
        counts = [len(text), *tokens.values()]
        counts += [counter.count(text) for counter in (Chars4(), Words(), Scripts())]
        lowest = f"{counts[-1] / max(tokens.values()):.2f}"
        assert numbers.split(" | ") == [*map(str, counts), lowest], name
