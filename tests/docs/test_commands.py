"""docs/commands.md names every command, argument and option, and its runs give what it shows."""

from __future__ import annotations

import difflib
import json
import logging
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from graphrag_pipeline.cli.app import app, run

PAGE = Path(__file__).resolve().parents[2] / "docs" / "commands.md"
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.DOTALL | re.MULTILINE)
FILE = re.compile(r'^```\w+ title="([\w.]+)"\n(.*?)^```', re.DOTALL | re.MULTILINE)


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
            shown = (parameter.metavar or str(parameter.name)).upper().rstrip("…")
            assert re.search(rf"\b{shown}\b", text), f"{name}: {shown} is missing"


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
        known = {flag for parameter in command.params for flag in parameter.opts} | {"--"}
        named = set(re.findall(r"`(--[\w-]*)", section(name)))
        assert named <= known, name


def runs() -> Iterator[tuple[str, str]]:
    """Every run of the page: the command line, and what it wrote."""
    for block in CONSOLE.finditer(page()):
        for shown in re.split(r"^\$ ", block[1], flags=re.MULTILINE)[1:]:
            line, _, output = shown.partition("\n")
            yield line, output


def comparable(text: str) -> list[str]:
    """Text without what differs between two runs: times, and the columns they make wider."""
    text = re.sub(r'"(seconds|import_ms)": [\d.e-]+', r'"\1": 0', text)
    return [
        re.sub(r"\s+", " ", re.sub(r"\b\d+\.\d(?!\d)", "0.0", line)).strip() for line in text.splitlines()
    ]


@pytest.fixture(autouse=True)
def _logging_as_it_was() -> Iterator[None]:
    """The command line sends the library's log to standard error; other tests want it where it was."""
    logger = logging.getLogger("graphrag_pipeline")
    handlers, propagate = list(logger.handlers), logger.propagate
    yield
    logger.handlers, logger.propagate = handlers, propagate


RUNS = list(runs())


@pytest.mark.parametrize(("line", "shown"), RUNS, ids=[line for line, _ in RUNS])
def test_a_run_gives_what_the_page_shows(
    line: str,
    shown: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHRAG_PLUGINS_DISABLE_AUTOLOAD", "1")
    monkeypatch.delenv("GRAPHRAG_PLUGINS", raising=False)
    for file in FILE.finditer(page()):
        Path(file[1]).write_text(file[2], "utf-8")
    program, *arguments = shlex.split(line)
    assert program == "graphrag-pipeline"
    run(arguments)
    captured = capfd.readouterr()
    expected, got = comparable(shown), comparable(captured.out + captured.err)
    told = "\n".join(difflib.unified_diff(expected, got, "the page", "the run", lineterm=""))
    assert fits(expected, got), told


def fields(value: object) -> Iterator[str]:
    """Every key of a JSON value that is not data of the user's."""
    if isinstance(value, list):
        for entry in value:
            yield from fields(entry)
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield key
            if key not in {"properties", "node_types", "edge_types", "cells", "signals", "components"}:
                yield from fields(entry)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("query audit bridge=noop --json --explain", "query"),
        ("graph info --json", "graph info"),
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


def fits(expected: list[str], got: list[str]) -> bool:
    """Whether two texts are equal, where a line of `…` in the first stands for any lines."""
    parts: list[list[str]] = [[]]
    for line in expected:
        if line == "…":
            parts.append([])
        else:
            parts[-1].append(line)
    first, last = parts[0], parts[-1]
    if len(parts) == 1:
        return first == got
    if got[: len(first)] != first or got[len(got) - len(last) :] != last:
        return False
    at, end = len(first), len(got) - len(last)
    for part in parts[1:-1]:
        starts = (start for start in range(at, end) if got[start : start + len(part)] == part)
        start = next(starts, -1)
        if start < 0:
            return False
        at = start + len(part)
    return at <= end
