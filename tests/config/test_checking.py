"""Checking files without running anything."""

from __future__ import annotations

import pytest

from graphrag_pipeline.config.checking import check_file
from graphrag_pipeline.config.roots import conf_root

PRIMARY = """defaults: [graph: json, personas: none, pipeline: reference, seed: label, expand: bfs,
  filter: zachman, score: reference, bridge: noop, context: bullets, _self_]
query: {k: 5, text: '???'}
"""


@pytest.mark.parametrize(
    "path", sorted(conf_root().rglob("*.yaml")), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_every_built_in_file_is_right(host, path):
    assert check_file(path, host=host) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mine/my.yaml", PRIMARY),
        ("mine/seed/x.yaml", "use: label\n"),
        (
            "mine/experiment/x.yaml",
            "# @package _global_\ndefaults:\n  - override /seed: mine\nquery: {k: 3}\n",
        ),
        ("exp.yaml", "# @package _global_\nquery: {k: 3}\n"),
        ("part.yaml", "query: {k: 3}\nagain: {use: zachman}\n"),
        ("empty.yaml", ""),
    ],
)
def test_a_right_file_has_no_problems(write, host, name, text):
    write("mine/seed/mine.yaml", "use: label\n")
    assert check_file(write(name, text), host=host) == []


@pytest.mark.parametrize(
    ("name", "text", "key", "origin"),
    [
        ("mine/my.yaml", PRIMARY + "sed: {use: label}\nquery2: 1\n", "query2", "mine/my.yaml:5"),
        ("mine/seed/x.yaml", "use: labl\n", "seed.use", "mine/seed/x.yaml:1"),
        (
            "mine/experiment/x.yaml",
            "# @package _global_\nquery: {kk: 3}\n",
            "query.kk",
            "mine/experiment/x.yaml:2",
        ),
        (
            "mine/experiment/x.yaml",
            "# @package _global_\ndefaults:\n  - override /seed: no\n",
            "seed",
            "mine/experiment/x.yaml:3",
        ),
        ("part.yaml", "context:\n  max_tokens: 85e-2\n", "context.max_tokens", "part.yaml:2"),
        ("part.yaml", "context:\n\tmax_tokens: 5\n", "", "part.yaml:2:1"),
    ],
)
def test_a_wrong_file_says_where(write, host, name, text, key, origin):
    problems = {problem.key: problem for problem in check_file(write(name, text), host=host)}
    assert problems[key].origin == origin


def test_the_modules_of_a_checked_file_are_not_imported(write, host, monkeypatch, tmp_path):
    write("bomb.py", "raise SystemExit('imported')\n")
    monkeypatch.syspath_prepend(tmp_path)
    [problem] = check_file(write("part.yaml", "plugins: {modules: [bomb]}\n"), host=host)
    assert problem.what == "the plugin 'bomb' is not loaded, and a file cannot import code"


def test_a_file_that_is_not_there_is_a_problem(host):
    [problem] = check_file("nope.yaml", host=host)
    assert problem.origin == "nope.yaml"


def test_public_bug_files_are_refused(shared, host):
    files = shared / "bug_files" / "invented"
    assert {problem.key for problem in check_file(files / "dup_keys.yaml", host=host)} == {"budget"}
    assert "stages.0._target_" in {
        problem.key for problem in check_file(files / "evil_target.yaml", host=host)
    }
    assert {problem.key for problem in check_file(files / "yaml_traps.yaml", host=host)} == {
        "country_weights.NO"
    }
