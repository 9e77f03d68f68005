"""Everything that is shipped as YAML is data, and reads no variable that is not ours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from graphrag_pipeline.config.resolvers import PREFIX, RESOLVERS, refusal
from graphrag_pipeline.config.roots import conf_root
from graphrag_pipeline.config.tree import leaves
from graphrag_pipeline.config.validate import FORBIDDEN
from graphrag_pipeline.config.yaml_reader import read_document

ROOT = Path(__file__).resolve().parents[2]
PLACES = [conf_root(), ROOT / "experiments", *sorted((ROOT / "plugins").glob("*/*/conf"))]
FILES = sorted(file for place in PLACES for file in place.rglob("*.yaml"))


def keys(node: yaml.Node | None) -> Iterator[str]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield str(key.value)
            yield from keys(value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from keys(item)


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_a_shipped_file_is_data(file):
    text = file.read_text("utf-8")
    assert not set(keys(yaml.compose(text, Loader=yaml.SafeLoader))) & set(FORBIDDEN)
    assert not re.search(r"(^|[\s\[{,:])!", re.sub(r"#.*", "", text)), "a tag"
    document = read_document(file, file.name)
    assert document.problems == ()
    for path, leaf in leaves(document.tree):
        assert "${" not in str(leaf.value) or refusal(str(leaf.value)) is None, path
        assert path[:2] != ("plugins", "modules"), "a shipped file asks for code"


def test_there_are_files_to_check():
    assert len(FILES) > 50


def test_every_variable_that_the_docs_read_may_be_read():
    pages = sorted((ROOT / "docs").glob("*.md"))
    for page in pages:
        for name in re.findall(r"\$\{oc\.env:([A-Z]\w*)", page.read_text("utf-8")):
            assert name.startswith(PREFIX) or name in ("NAME", "HOME"), (page.name, name)


def test_the_docs_list_the_resolvers():
    page = (ROOT / "docs" / "configuration.md").read_text("utf-8")
    assert ", ".join(f"`{name}`" for name in RESOLVERS) in page


def test_the_docs_list_the_keys_that_are_refused():
    page = (ROOT / "docs" / "plugin-control.md").read_text("utf-8")
    assert all(f"`{key}`" in page for key in FORBIDDEN)
