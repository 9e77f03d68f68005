"""docs/commands.md names every command, argument, option and field. Its runs are run by test_runs.py."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from graphrag_pipeline.cli.app import app, run

PAGE = Path(__file__).resolve().parents[2] / "docs" / "commands.md"


def commands(command: click.Command, name: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command by its full name; a group stands for its commands."""
    if not isinstance(command, click.Group):
        yield name, command
        return
    context = click.Context(command)
    for child in command.list_commands(context):
        found = command.get_command(context, child)
        assert found is not None
        yield from commands(found, f"{name} {child}".strip())


def section(name: str) -> str:
    """The text under a command's heading, subsections included."""
    match = re.search(rf"^## {re.escape(name)}\n(.*?)(?=^## |\Z)", page(), re.DOTALL | re.MULTILINE)
    assert match, f"docs/commands.md has no section {name!r}"
    return match[1]


def page() -> str:
    return PAGE.read_text("utf-8")


ALL = dict(commands(app))


@pytest.mark.parametrize("name", ALL)
def test_every_argument_and_option_of_a_command_is_in_its_section(name: str) -> None:
    text = section(name)
    for parameter in ALL[name].params:
        if isinstance(parameter, click.Option):
            for flag in (*parameter.opts, *parameter.secondary_opts):
                assert re.search(rf"`{flag}\b", text), f"{name}: {flag} is missing"
        else:
            shown = (parameter.metavar or str(parameter.name)).upper()
            for word in re.findall(r"\w+", shown):
                assert re.search(rf"\b{word}\b", text), f"{name}: {word} is missing"


@pytest.mark.parametrize("name", ALL)
def test_every_command_is_in_the_table_at_the_top(name: str) -> None:
    assert f"| [`{name}`](#{name.replace(' ', '-')}) |" in page()


def test_every_option_of_the_top_command_is_there() -> None:
    head = page().partition("## Output")[0]
    for parameter in app.params:
        for flag in parameter.opts:
            assert f"`{flag}`" in head


def test_no_section_documents_an_option_that_a_command_does_not_have() -> None:
    for name, command in ALL.items():
        known = {
            flag for parameter in command.params for flag in (*parameter.opts, *parameter.secondary_opts)
        } | {"--"}
        named = set(re.findall(r"`(--[\w-]*)", section(name)))
        assert named <= known, name


OF_NAMES = ("rows", "read", "made", "left", "confidence", "unclassified_types", "below_floor", "counts")
"""Fields whose keys are names from the graph or the matrix."""


def fields(value: object) -> Iterator[str]:
    """Every key of a JSON value that is not data of the user's."""
    if isinstance(value, list):
        for entry in value:
            yield from fields(entry)
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield key
            if key not in {
                "properties",
                "node_types",
                "edge_types",
                "cells",
                "signals",
                "components",
                *OF_NAMES,
            }:
                yield from fields(entry)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("query audit bridge=noop --json --explain", "query"),
        ("graph info --json", "graph info"),
        ("graph doctor --json", "graph doctor"),
        ("graph classify --json", "graph classify"),
        ("graph matrix --json", "graph matrix"),
        ("plugins list --json", "plugins list"),
    ],
)
def test_every_field_of_json_output_is_documented(
    line: str, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(line.split()) == 0
    text = section(name)
    for field in dict.fromkeys(fields(json.loads(capfd.readouterr().out))):
        assert re.search(rf"[`.]{field}[`.\[]", text), f"{name}: the field {field} is missing"


def test_every_field_of_an_index_is_documented(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["index", "build", "--output", str(tmp_path / "index"), "--json"]) == 0
    built = capfd.readouterr().out
    assert run(["index", "info", str(tmp_path / "index"), "--json"]) == 0
    assert capfd.readouterr().out == built
    text = section("index info") + section("graph doctor")  # where the report is described
    for field in fields(json.loads(built)):
        assert re.search(rf"`{field}`", text), f"the field {field} is missing"
