"""TREC files: what is read, in which order, and what is refused with its line."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.run_names import named_runs
from graphrag_pipeline.experiment.trec import read_qrels, read_run

RUN = "q1 Q0 a 1 2.5 sys\nq1 Q0 b 2 1.5 sys\n"


@pytest.fixture
def run_of(tmp_path: Path):
    def _run_of(text: str | bytes):
        (tmp_path / "r.trec").write_bytes(text if isinstance(text, bytes) else text.encode())
        return dict(read_run(tmp_path / "r.trec", "r").rankings)

    return _run_of


@pytest.fixture
def qrels_of(tmp_path: Path):
    def _qrels_of(text: str):
        (tmp_path / "q.txt").write_bytes(text.encode())
        return dict(read_qrels(tmp_path / "q.txt").relevance)

    return _qrels_of


@pytest.mark.parametrize(
    "text",
    [
        RUN,
        "\ufeff" + RUN,
        RUN.replace("\n", "\r\n"),
        RUN.replace(" ", "\t"),
        RUN.replace(" ", "  \t "),
        f"\n{RUN}\n \n",
        RUN.rstrip(),
    ],
)
def test_what_editors_do_to_a_file_changes_nothing(run_of, text):
    assert run_of(text) == {"q1": ("a", "b")}


def test_the_score_decides_then_the_rank_then_the_place_in_the_file(run_of):
    text = "q Q0 low 1 1 s\nq Q0 z 3 5 s\nq Q0 m 2 5.0 s\nq Q0 y 3 5e0 s\nq Q0 top 9 +6. s\n"
    assert run_of(text) == {"q": ("top", "m", "z", "y", "low")}


def test_ids_may_hold_any_character_but_blanks_and_tabs(run_of, qrels_of):
    for name in ("naïve", "問い", "a\u00a0b", "a\u2028b", "a\x0cb", "😀", "a\u0085b"):
        assert run_of(f"{name} Q0 {name} 1 1 s\n") == {name: (name,)}
        assert qrels_of(f"{name} 0 {name} 1\n") == {name: {name: 1}}


@pytest.mark.parametrize(
    ("text", "what", "line"),
    [
        ("q Q0 a 1 2.5\n", "The line has 5 columns, not 6.", 1),
        (RUN + "q1 Q0 c 1 2.5 my system\n", "The line has 7 columns, not 6.", 3),
        ("x\n", "The line has 1 column, not 6.", 1),
        (RUN + "q1 Q0 a 3 1.0 sys\n", "Document 'a' is ranked twice for query 'q1'.", 3),
        ("q Q0 a 1 nan s\n", "The score 'nan' is no finite number.", 1),
        ("q Q0 a 1 inf s\n", "The score 'inf' is no finite number.", 1),
        ("q Q0 a 1 1e999 s\n", "The score '1e999' is no finite number.", 1),
        ("q Q0 a 1 1_0 s\n", "The score '1_0' is no finite number.", 1),
        ("q Q0 a 1 ٣ s\n", "The score '٣' is no finite number.", 1),
        ("q Q0 a one 1 s\n", "The rank 'one' is no whole number of at most 1000000.", 1),
        ("\n\nq Q0 a 1.5 1 s\n", "The rank '1.5' is no whole number of at most 1000000.", 3),
    ],
)
def test_a_wrong_line_of_a_run_is_named(run_of, tmp_path, text, what, line):
    with pytest.raises(DatasetError) as caught:
        run_of(text)
    assert (caught.value.what, caught.value.where) == (what, f"{tmp_path / 'r.trec'}:{line}")


@pytest.mark.parametrize(
    ("text", "what", "line", "hint"),
    [
        ("q 0 a 1\nq 0 a 0\n", "Document 'a' is judged twice for query 'q'.", 2, "The first time is line 1"),
        ("q 0 a 1_5\n", "The relevance '1_5' is no number of at most 1000000.", 1, ""),
        ("q 0 a nan\n", "The relevance 'nan' is no number of at most 1000000.", 1, ""),
        ("q 0 a 9999999\n", "The relevance '9999999' is no number of at most 1000000.", 1, ""),
        ("q 0 a 1" + "0" * 9999, "The relevance '1", 1, ""),
        (RUN, "The line has 6 columns, not 4.", 1, "Six columns are those of a run file."),
        ("query-id\tcorpus-id\tscore\n", "The line has 3 columns, not 4.", 1, "BEIR"),
    ],
)
def test_a_wrong_line_of_qrels_is_named(qrels_of, tmp_path, text, what, line, hint):
    with pytest.raises(DatasetError) as caught:
        qrels_of(text)
    assert caught.value.what.startswith(what)
    assert caught.value.where == f"{tmp_path / 'q.txt'}:{line}"
    assert hint in caught.value.hint


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from(["q", "Q0", "a", "1", "2.5", "-1", " ", " ", " ", "\t", "\n", "\r", "é", "\0", "nan"])
    )
)
def test_whatever_a_file_holds_it_is_read_or_refused(run_of, qrels_of, pieces):
    for read in (run_of, qrels_of):
        with suppress(DatasetError):
            assert read("".join(pieces))


def test_what_is_no_trec_file_is_refused(run_of, qrels_of, tmp_path):
    with pytest.raises(DatasetError, match="holds no ranking"):
        run_of("\n")
    with pytest.raises(DatasetError, match="holds no judgement"):
        qrels_of("")
    with pytest.raises(DatasetError, match="gzip"):
        run_of(b"\x1f\x8b\x08\x00")
    with pytest.raises(DatasetError, match="UTF-16"):
        run_of(RUN.encode("utf-16"))
    with pytest.raises(DatasetError, match="No such file"):
        read_run(tmp_path / "missing", "m")
    with pytest.raises(DatasetError, match="those of qrels"):
        run_of("q 0 a 1\n")


def test_a_run_is_called_by_its_file_or_its_directory_or_where_that_is_not_one_by_its_path(tmp_path):
    (tmp_path / "best").mkdir()
    assert [name for name, _ in named_runs(["x/bm25.trec", str(tmp_path / "best")])] == ["bm25", "best"]
    assert named_runs([str(tmp_path / "best")])[0][1] == tmp_path / "best" / "run.trec"
    assert [name for name, _ in named_runs(["x/r.trec", "y/r.trec", "z.trec"])] == [
        "x/r.trec",
        "y/r.trec",
        "z.trec",
    ]
    with pytest.raises(DatasetError, match="given twice"):
        named_runs(["x/r.trec", "x/./r.trec"])
