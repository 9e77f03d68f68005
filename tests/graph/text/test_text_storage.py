"""Text indexes that are kept between runs."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from graphrag_pipeline import GraphIndex
from graphrag_pipeline.graph.text.settings import AnalysisSettings, TextSettings
from graphrag_pipeline.graph.text.storage import TextCache
from graphrag_pipeline.graph.text.text_index import TextIndex
from tests.tiny import index_of, node


def graph() -> GraphIndex:
    return index_of([node("a", "Zürich", text="A town in Switzerland"), node("b", "Switzerland")], "a>b")


@pytest.fixture
def cache(tmp_path: Path) -> TextCache:
    return TextCache(tmp_path / "text", 0)


@pytest.fixture
def unbuildable(monkeypatch: pytest.MonkeyPatch):
    def refuse():
        def build(*_: object) -> TextIndex:
            raise AssertionError("the text was analysed again")

        monkeypatch.setattr(TextIndex, "build", build)

    return refuse


def test_what_was_kept_is_found_and_answers_alike(cache, unbuildable):
    first = graph().keeping_text(cache)
    question = first.text.ask("zurich town")
    unbuildable()
    again = graph().keeping_text(cache)
    assert again.text.ask("zurich town").terms[0].tolist() == question.terms[0].tolist()
    assert again.text.ask("Zurich").mentions[0].node.tolist() == [0]
    assert again.text.salience.tolist() == first.text.salience.tolist()
    assert again.text.textual.tolist() == first.text.textual.tolist()


def test_other_settings_are_another_text_index(cache):
    graph().keeping_text(cache).text.ask("x")
    other = TextSettings(analysis=AnalysisSettings(stemmer="none"))
    graph().with_text(other).keeping_text(cache).text.ask("x")
    assert len(list(cache.directory.iterdir())) == 2


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 not a zip", b"\x93NUMPY"])
def test_a_damaged_file_is_told_and_made_anew(cache, caplog, content):
    graph().keeping_text(cache).text.ask("x")
    [file] = cache.directory.iterdir()
    file.write_bytes(content)
    with caplog.at_level(logging.WARNING):
        assert graph().keeping_text(cache).text.ask("Switzerland").mentions
    assert "analysed anew" in caplog.text
    assert file.stat().st_size > 100


def test_small_graphs_are_not_kept(tmp_path):
    small = TextCache(tmp_path / "text", 3)
    graph().keeping_text(small).text.ask("x")
    assert not small.directory.exists()


def test_that_it_cannot_be_kept_is_only_a_warning(tmp_path, caplog):
    (tmp_path / "text").write_text("a file")
    with caplog.at_level(logging.WARNING):
        assert graph().keeping_text(TextCache(tmp_path / "text", 0)).text.ask("Switzerland").mentions
    assert "index.cache_dir=null ends this" in caplog.text
