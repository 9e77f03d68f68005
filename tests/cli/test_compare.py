"""`compare`: what it writes in each form, what it tells, and how it ends when the input is wrong."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphrag_pipeline.cli.compare import compare
from graphrag_pipeline.cli.evaluate import evaluate
from graphrag_pipeline.cli.options import MEASURES
from graphrag_pipeline.cli.sweep import sweep

QRELS = "".join(f"q{place} 0 d{place} 1\n" for place in range(12)) + "none 0 d1 0\n"


def run_text(ranks: list[int], tag: str) -> str:
    """A run that has the relevant document of each query at a rank; 0 leaves the query out."""
    lines = []
    for query, rank in enumerate(ranks):
        for place in range(1, rank + 1):
            document = f"d{query}" if place == rank else f"x{place}"
            lines.append(f"q{query} Q0 {document} {place} {10 - place} {tag}\n")
    return "".join(lines)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text(QRELS)
    Path("good.trec").write_text(run_text([1] * 12, "good"))
    Path("poor.trec").write_text(
        run_text([2, 3, 4, 2, 3, 4, 2, 3, 4, 0, 0, 3], "poor") + "q77 Q0 a 1 1 poor\n"
    )
    return tmp_path


COMMAND = (
    "compare",
    "good.trec",
    "poor.trec",
    "--qrels",
    "qrels.txt",
    "--measure",
    "RR",
    "--resamples",
    "200",
)


def test_a_table_says_what_differs_and_messages_what_is_missing(cli, files):
    done = cli(*COMMAND)
    assert done.code == 0
    assert "Means over 13 queries" in done.out
    assert "good  0.9231 a" in done.out
    assert "poor  0.2" in done.out
    assert "12/1/0" in done.out
    assert done.err.splitlines() == [
        "warning: good: 1 judged query has no ranking and counts 0: none",
        "warning: poor: 3 judged queries have no ranking and count 0: none, q10, q9",
        "warning: poor: 1 unjudged query is left out: q77",
        "warning: qrels: 1 judged query has no relevant document, so no run scores: none",
    ]


def test_what_is_compared_is_what_evaluate_and_sweep_measure(cli, files):
    data = json.loads(cli("compare", "good.trec", "poor.trec", "--qrels", "qrels.txt", "--json").out)
    assert data["measures"] == ["nDCG@10", "R@10", "RR", "AP"] == list(MEASURES)
    for command in (compare, evaluate, sweep):
        (option,) = (option for option in command.params if option.name == "measures")
        assert option.default == MEASURES


def test_every_form_has_the_same_figures(cli, files):
    data = json.loads(cli(*COMMAND, "--json").out)
    (pair,) = data["pairs"]
    assert pair["paired"]["p"] == 2 / 2**12
    (row,) = csv.DictReader(io.StringIO(cli(*COMMAND, "--format", "csv").out))
    assert float(row["difference"]) == pair["paired"]["difference"]
    assert (row["part"], row["first"], row["queries"], row["in_sample"]) == ("all", "good", "13", "")
    shown = f"{pair['paired']['difference']:+.4f}"
    for form in ("table", "markdown", "latex"):
        assert shown in cli(*COMMAND, "--format", form).out
    assert data["coverage"]["runs"][1]["missing"] == ["none", "q10", "q9"]


def test_a_split_marks_what_is_in_sample(cli, files):
    done = cli(*COMMAND, "--split")
    assert "A (in-sample)" in done.out
    assert "Chosen on half A (" in done.out
    assert "in-sample for the run that is best here" in done.out
    rows = list(csv.DictReader(io.StringIO(cli(*COMMAND, "--split", "--format", "csv").out)))
    assert [row["part"] for row in rows] == ["all", "B"]
    assert float(rows[1]["in_sample"]) > 0.8


def test_a_directory_stands_for_the_run_in_it(cli, files):
    Path("mine").mkdir()
    Path("good.trec").rename("mine/run.trec")
    done = cli(
        "compare", "mine", "poor.trec", "--qrels", "qrels.txt", "--baseline", "mine", "--resamples", "100"
    )
    assert done.code == 0
    assert "*: differs significantly from mine" in done.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("good.trec", "--qrels", "qrels.txt"), "A comparison is of 2 to 26 runs, not of 1."),
        (("good.trec", "poor.trec"), "Missing option '--qrels'"),
        (("good.trec", "poor.trec", "--qrels", "no.txt"), "The file cannot be read: No such file"),
        (("good.trec", "no.trec", "--qrels", "qrels.txt"), "The file cannot be read: No such file"),
        (("good.trec", "good.trec", "--qrels", "qrels.txt"), "A run is given twice."),
        (("good.trec", "qrels.txt", "--qrels", "qrels.txt"), "The line has 4 columns, not 6."),
        (("good.trec", "poor.trec", "--qrels", "qrels.txt", "--measure", "nDGC@10"), "There is no measure"),
        (("good.trec", "poor.trec", "--qrels", "qrels.txt", "--measure", "nDCG@0"), "There is no measure"),
        (("good.trec", "poor.trec", "--qrels", "qrels.txt", "--baseline", "x"), "There is no run 'x'."),
        (("good.trec", "", "--qrels", "qrels.txt"), "Invalid value for 'RUN RUN...': the name is empty"),
        (("good.trec", "poor.trec", "--qrels", "qrels.txt", "--resamples", "1"), "Invalid value"),
    ],
)
def test_wrong_input_is_one_message_and_code_2(cli, files, arguments, message):
    done = cli("compare", *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: {message}")
    assert done.err.count("error:") == 1


def test_control_characters_in_names_are_spelled_out(cli, files):
    Path("good.trec").rename("g\x1b[31m.trec")
    for form in ("table", "markdown", "latex", "csv"):
        out = cli("compare", "g\x1b[31m.trec", "poor.trec", "--qrels", "qrels.txt", "--format", form).out
        assert "\x1b" not in out


def fields(value: object) -> Iterator[str]:
    if isinstance(value, list):
        for entry in value:
            yield from fields(entry)
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield key
            yield from fields(entry)


def test_every_field_and_column_is_documented(cli, files, root):
    section = (root / "docs" / "commands.md").read_text("utf-8").partition("\n## compare\n")[2]
    for field in dict.fromkeys(fields(json.loads(cli(*COMMAND, "--split", "--json").out))):
        assert re.search(rf"[`.]{field}[`.\[]", section), field
    page = (root / "docs" / "compare.md").read_text("utf-8")
    for column in cli(*COMMAND, "--format", "csv").out.partition("\n")[0].split(","):
        assert f"`{column}`" in page, column


def test_the_same_bytes_under_any_hash_seed(process, files):
    outputs = {
        process(*COMMAND, "--split", "--json", env={"PYTHONHASHSEED": seed}).out for seed in ("0", "4242")
    }
    assert len(outputs) == 1
    assert json.loads(outputs.pop())["split"]["choices"][0]["chosen"] == "good"
