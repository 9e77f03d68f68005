"""What the README shows works as shown."""

from __future__ import annotations

import re
from pathlib import Path

from graphrag_pipeline import load_pipeline
from tests.docs.shown import files


def _blocks(root: Path) -> list[str]:
    page = (root / "README.md").read_text(encoding="utf-8")
    return re.findall(r"```python[^\n]*\n(.*?)```", page, re.DOTALL)


def test_the_python_example_runs_and_its_assertions_hold(root: Path) -> None:
    example = next(block for block in _blocks(root) if "GraphRAG(graph)" in block)
    exec(compile(example, "README.md", "exec"), {})


def test_the_plugin_example_is_a_plugin_that_filters(root: Path, tmp_path: Path) -> None:
    file = tmp_path / "my_filter.py"
    file.write_text(next(block for block in _blocks(root) if "hookimpl" in block), encoding="utf-8")
    pipeline = load_pipeline(["filter=max_hop", "filter.hops=1", "bridge=noop"], plugins=[file])
    trace = pipeline.trace("audit")
    assert max(trace.hops) == 1
    assert trace.slots[2].drop_counts() == {
        "too_far": trace.slots[2].candidates_in - trace.slots[2].candidates_out
    }


def test_the_first_query_is_that_of_make_demo(root: Path) -> None:
    demo = re.search(r"^DEMO = (.*)$", (root / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert demo
    assert f"```console\n$ {demo[1]}\n" in (root / "README.md").read_text(encoding="utf-8")


def test_the_graph_file_has_six_lines(root: Path) -> None:
    # It is there to be typed.
    assert files((root / "README.md").read_text(encoding="utf-8"))["my_graph.json"].count("\n") == 6


def test_every_page_the_readme_links_to_exists(root: Path) -> None:
    links = re.findall(r"\]\((docs/[^)#]+)", (root / "README.md").read_text(encoding="utf-8"))
    assert len(links) > 5
    assert [link for link in links if not (root / link).exists()] == []
