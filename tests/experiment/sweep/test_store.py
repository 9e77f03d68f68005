"""The store of a sweep: what is in it comes back, and whatever happens to it is told."""

from __future__ import annotations

import errno
import math
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.sweep.results import STORE, read_points, read_sweep
from graphrag_pipeline.experiment.sweep.store import Layout, Store, StoredPoint, StoredRow

IDENTITY: dict[str, Any] = {
    "code": "1.0",
    "graph": "abc",
    "plugins": {"builtin": "p1", "mine": "p2"},
    "measures": ["nDCG@10", "tokens"],
}
LAYOUT = Layout("tea", ("query.k", "seed"), ("q1", "q2", "q3"), ("nDCG@10", "tokens"))
DIGEST = "ab" * 32


def point(number: int, k: str = "1") -> StoredPoint:
    return StoredPoint(number, {"query.k": k, "seed": "bm25"}, f"digest-{number}", (f"query.k={k}",), "[]")


def row(number: int, value: float = 0.5, **changed: Any) -> StoredRow:
    given = {"status": "done", "seconds": 0.25, "digest": DIGEST, "error": "", **changed}
    return StoredRow(number, values=(value, 10.0 * number), **given)


def opened(directory: Path, **changed: Any) -> Store:
    given = {"identity": IDENTITY, "layout": LAYOUT, **changed}
    return Store.open(directory / STORE, **given)


@contextmanager
def filled(directory: Path) -> Iterator[Store]:
    with opened(directory) as store:
        store.add_points([point(0), point(1, "2"), point(2, "3")])
        store.write(0, [row(0, 0.1), row(1, 0.2), row(2, 0.3)])
        store.write(1, [row(1, math.nan), row(0, 1.0)])
        store.write(2, [row(0, 0.0, status="failed", digest="", error="no graph"), row(1)])
        yield store


def error_of(call: Callable[[], object]) -> DatasetError:
    with pytest.raises(DatasetError) as caught:
        call()
    return caught.value


# -- what is in it --------------------------------------------------------------------------------


def test_what_is_written_comes_back(tmp_path):
    with filled(tmp_path):
        pass
    found = read_sweep(tmp_path)
    assert (found.dataset, found.keys, found.queries, found.measures) == (
        "tea",
        ("query.k", "seed"),
        ("q1", "q2", "q3"),
        ("nDCG@10", "tokens"),
    )
    assert [(p.number, dict(p.values), p.config, p.status, p.failed, p.seconds) for p in found.points] == [
        (0, {"query.k": "1", "seed": "bm25"}, "digest-0", "done", 1, 0.25),
        (1, {"query.k": "2", "seed": "bm25"}, "digest-1", "done", 0, 0.25),
        (2, {"query.k": "3", "seed": "bm25"}, "digest-2", "unfinished", 0, 0.25),
    ]
    nan = math.nan
    np.testing.assert_array_equal(found.values[0], [[0.1, 1.0, 0.0], [0.2, nan, 0.5], [0.3, nan, nan]])
    np.testing.assert_array_equal(found.values[1], [[0, 0, 0], [10, 10, 10], [20, nan, nan]])
    np.testing.assert_array_equal(found.seconds, [[0.25] * 3, [0.25] * 3, [0.25, nan, nan]])
    np.testing.assert_allclose(found.means()[0], [1.1 / 3, 0.35, 0.3])
    assert read_points(tmp_path)[1] == point(1, "2")


def test_a_closed_store_is_one_file_also_when_it_was_read(tmp_path):
    with filled(tmp_path):
        pass
    read_sweep(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {STORE, f"{STORE}.lock"}
    with opened(tmp_path) as store:
        assert read_sweep(tmp_path).points[0].number == 0, "it can be read while it is open"
        store.write(1, [row(2)])
    assert {path.name for path in tmp_path.iterdir()} == {STORE, f"{STORE}.lock"}


def test_a_point_whose_queries_all_failed_has_failed(tmp_path):
    with opened(tmp_path) as store:
        store.add_points([point(0)])
        for query in range(3):
            store.write(query, [row(0, 0.0, status="failed", digest="", error="no")])
    assert [(p.status, p.failed) for p in read_sweep(tmp_path).points] == [("failed", 3)]


def test_a_sweep_without_rows_can_be_read(tmp_path):
    with opened(tmp_path) as store:
        store.add_points([point(7)])
    found = read_sweep(tmp_path)
    assert [p.status for p in found.points] == ["unfinished"]
    assert math.isnan(found.points[0].seconds)
    assert found.values.shape == (2, 1, 3)
    (tmp_path / "none").mkdir()
    with opened(tmp_path / "none") as store:
        assert store.done(0) == set()
    assert read_sweep(tmp_path / "none").values.shape == (2, 0, 3)


def test_numbers_of_points_may_have_gaps(tmp_path):
    with opened(tmp_path) as store:
        store.add_points([point(40), point(3)])
        store.write(1, [row(40, 0.4), row(3, 0.3)])
    found = read_sweep(tmp_path)
    assert [p.number for p in found.points] == [3, 40]
    assert found.values[0, :, 1].tolist() == [0.3, 0.4]


def test_every_bit_of_a_number_is_kept(tmp_path):
    values = (5e-324, -0.0)
    with opened(tmp_path) as store:
        store.add_points([point(0)])
        store.write(0, [StoredRow(0, "done", values, 1e-9, "", "")])
    found = read_sweep(tmp_path).values[:, 0, 0]
    assert [math.copysign(1, value) for value in found.tolist()] == [1, -1]
    assert found.tolist() == [5e-324, 0.0]


def test_messages_of_any_characters_are_kept(tmp_path):
    with opened(tmp_path) as store:
        store.add_points([point(0), point(1)])
        store.write(0, [row(0, status="failed", digest="", error="NUL \0 北 \udc80"), row(1, error="")])
    assert read_sweep(tmp_path).points[0].failed == 1


def test_done_tells_which_points_have_a_row(tmp_path):
    with filled(tmp_path) as store:
        assert [store.done(query) for query in range(3)] == [{0, 1, 2}, {0, 1}, {0, 1}]
    with opened(tmp_path) as store:
        assert store.done(1) == {0, 1}
        store.write(1, [row(2)])
        assert store.done(1) == {0, 1, 2}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (StoredRow(2, "done", (1.0,), 0.1, "", ""), "1 values for 2 measures"),
        (StoredRow(2, "odd", (1.0, 2.0), 0.1, "", ""), "not in tuple"),
        (StoredRow(2, "done", (1.0, 2.0), math.nan, "", ""), "took nan seconds"),
        (StoredRow(0, "done", (1.0, 2.0), 0.1, "", ""), "has a row for one of these configs already"),
    ],
)
def test_a_row_that_does_not_fit_is_refused_and_nothing_of_its_batch_is_kept(tmp_path, wrong, said):
    with filled(tmp_path) as store:
        with pytest.raises(ValueError, match=said):
            store.write(1, [row(2), wrong])
        assert store.done(1) == {0, 1}
        store.write(1, [row(2)])
    assert read_sweep(tmp_path).points[2].status == "unfinished"


# -- whose it is ----------------------------------------------------------------------------------


def test_a_store_of_the_same_goes_on_whatever_the_order_of_keys(tmp_path):
    with filled(tmp_path):
        pass
    with opened(tmp_path, identity=dict(reversed(IDENTITY.items()))) as store:
        assert store.done(0) == {0, 1, 2}


def test_a_store_of_something_else_is_refused_with_what_differs(tmp_path):
    with filled(tmp_path):
        pass
    other = {**IDENTITY, "graph": "xyz", "plugins": {"builtin": "p1", "new": "n"}, "measures": ["AP"]}
    layout = Layout("tea", ("query.k",), ("q1", "q2", "q3"), ("AP",))
    error = error_of(lambda: opened(tmp_path, identity=other, layout=layout))
    assert (
        error.what.splitlines()
        == [
            "The sweep that is there was made by something else:",
            '  graph: was "abc", is now "xyz"',
            '  plugins.mine: was "p2", is now nothing',
            '  plugins.new: was nothing, is now "n"',
            '  measures: was ["nDCG@10", "tokens"], is now ["AP"]',
            '  keys: was ["query.k", "seed"], is now ["query.k"]',
        ]
        or error.what.count("\n") == 6
    )
    assert "--force-new throws away what is there" in error.hint


def test_long_lists_are_told_by_what_differs_in_them(tmp_path):
    ids = tuple(f"q{n}" for n in range(400))
    with opened(tmp_path, layout=Layout("tea", (), ids, ("AP",))):
        pass
    changed = Layout("tea", (), (*ids[:5], "other", *ids[6:]), ("AP",))
    assert (
        'queries: no longer has "q5"; now has "other"'
        in error_of(lambda: opened(tmp_path, layout=changed)).what
    )
    shorter = Layout("tea", (), ids[:300], ("AP",))
    assert (
        'queries: no longer has "q300", "q301", "q302" and 97 more'
        in error_of(lambda: opened(tmp_path, layout=shorter)).what
    )
    turned = Layout("tea", (), ids[::-1], ("AP",))
    assert "queries: in another order" in error_of(lambda: opened(tmp_path, layout=turned)).what


def test_force_new_throws_away_what_is_there(tmp_path):
    with filled(tmp_path):
        pass
    with opened(tmp_path, identity={"code": "2.0"}, force_new=True) as store:
        assert store.done(0) == set()
    assert read_sweep(tmp_path).points == ()


def test_points_are_added_once_and_another_config_of_a_number_is_refused(tmp_path):
    with filled(tmp_path) as store:
        store.add_points([point(0), point(1, "2"), point(5)])
        error = error_of(lambda: store.add_points([point(6), point(1, "9")]))
        assert error.what.startswith("Config 1 of the sweep that is there is another one:\n")
        assert 'values.query.k: was "2", is now "9"' in error.what
    assert [p.number for p in read_points(tmp_path)] == [0, 1, 2, 5]


# -- two at once ----------------------------------------------------------------------------------

HOLD = """
import sys, time
from pathlib import Path
from tests.experiment.sweep.test_store import opened, point, row
store = opened(Path(sys.argv[1]))
store.add_points([point(0), point(1)])
store.write(0, [row(0)])
print("ready", flush=True)
{then}
"""


@contextmanager
def another_process(directory: Path, then: str = "time.sleep(60)") -> Iterator[subprocess.Popen[str]]:
    root = Path(__file__).parents[3]
    with subprocess.Popen(
        [sys.executable, "-c", HOLD.format(then=then), str(directory)],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        try:
            yield process
        finally:
            process.kill()


def test_a_second_sweep_on_a_store_is_refused_at_once_with_the_process_of_the_first(tmp_path):
    with another_process(tmp_path) as process:
        begun = time.monotonic()
        error = error_of(lambda: opened(tmp_path))
        assert time.monotonic() - begun < 2
        assert error.what == f"Another sweep is writing this store: process {process.pid}."
        assert error_of(lambda: opened(tmp_path, force_new=True)).what == error.what
        assert read_sweep(tmp_path).points[0].number == 0, "reading is allowed meanwhile"


def test_a_killed_process_leaves_no_lock_behind(tmp_path):
    with another_process(tmp_path) as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
        with opened(tmp_path) as store:
            assert store.done(0) == {0}


def test_a_worker_that_outlives_its_process_holds_no_lock(tmp_path):
    fork = "import os\nif os.fork() == 0:\n    time.sleep(60)\nelse:\n    time.sleep(60)"
    with another_process(tmp_path, fork) as process:
        time.sleep(0.2)
        process.send_signal(signal.SIGKILL)
        process.wait()
        with opened(tmp_path) as store:
            assert store.done(0) == {0}


def test_a_lock_file_of_a_process_that_is_gone_is_no_lock(tmp_path):
    (tmp_path / f"{STORE}.lock").write_text("999999\n")
    with opened(tmp_path) as store:
        assert store.done(0) == set()
    assert (tmp_path / f"{STORE}.lock").read_text() == ""


def test_kill_9_in_the_middle_of_a_write_leaves_whole_batches_only(tmp_path):
    endless = (
        "for batch in range(10**6):\n"
        "    store.add_points([point(n) for n in range(batch * 500, batch * 500 + 500)][2 * (batch == 0):])\n"
        "    store.write(1, [row(n) for n in range(batch * 500, batch * 500 + 500)])"
    )
    with another_process(tmp_path, endless) as process:
        deadline = time.monotonic() + 20
        while (tmp_path / f"{STORE}-wal").stat().st_size < 300_000 and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
    with opened(tmp_path) as store:
        done = store.done(1)
        assert done
        assert done == set(range(len(done)))
        assert len(done) % 500 == 0
        store.write(2, [row(0)])
    assert read_sweep(tmp_path).values[0, 0, 2] == 0.5


def test_ctrl_c_in_a_write_takes_the_batch_back_and_the_sweep_goes_on(tmp_path):
    with opened(tmp_path) as store:
        store.add_points([point(0), point(1)])
        store.write(0, [row(0)])

        def points() -> Iterator[StoredPoint]:
            yield point(2)
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            store.add_points(points())
        assert len(read_points(tmp_path)) == 2
        store.write(0, [row(1)])
    with opened(tmp_path) as store:
        assert store.done(0) == {0, 1}


def test_no_clock_is_asked_for_the_order_of_anything(tmp_path, monkeypatch):
    def backwards() -> float:
        raise AssertionError("the time of day is of no use here")

    monkeypatch.setattr(time, "time", backwards)
    with filled(tmp_path):
        pass
    first = read_sweep(tmp_path)
    os.utime(tmp_path / STORE, (0, 0))
    with opened(tmp_path) as store:
        store.write(1, [row(2)])
    os.utime(tmp_path / STORE, (0, 0))
    second = read_sweep(tmp_path)
    assert [p.number for p in first.points] == [p.number for p in second.points]
    assert second.values[0, 2, 1] == 0.5


# -- damage ---------------------------------------------------------------------------------------


def test_a_full_disk_is_told_and_what_was_stored_before_is_still_there(tmp_path):
    with opened(tmp_path) as store:
        store.add_points([point(0), point(1)])
        store.write(0, [row(0)])
        pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
        store._connection.execute(f"PRAGMA max_page_count = {pages + 1}")
        many = [row(n, error="x" * 2000 + str(n), status="failed", digest="") for n in range(100)]
        error = error_of(lambda: store.write(1, many))
        assert error.what == "The disk is full."
        assert "goes on from what is stored" in error.hint
        store._connection.execute("PRAGMA max_page_count = 1000000")
        store.write(1, [row(1)])
    assert read_sweep(tmp_path).values[0, :, :2].tolist()[0][0] == 0.5
    with opened(tmp_path) as store:
        assert (store.done(0), store.done(1)) == ({0}, {1})


def test_a_disk_that_is_full_when_the_lock_is_taken_is_told(tmp_path, monkeypatch):
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "open", full)
    error = error_of(lambda: opened(tmp_path))
    assert error.what == "The store of the sweep cannot be written: No space left on device."


def test_a_store_that_another_program_has_locked_is_told(tmp_path, monkeypatch):
    with filled(tmp_path):
        pass
    with closing(sqlite3.connect(tmp_path / STORE, isolation_level=None)) as other, opened(tmp_path) as store:
        store._connection.execute("PRAGMA busy_timeout = 50")
        other.execute("BEGIN IMMEDIATE")
        error = error_of(lambda: store.write(1, [row(2)]))
        assert error.what == "Another program has the store of the sweep open and locked."
        other.execute("ROLLBACK")
        store.write(1, [row(2)])


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE rows SET measures = zeroblob(16) WHERE query = 1 AND point = 0",
        "UPDATE rows SET status = 1 WHERE query = 1 AND point = 0",
        "UPDATE rows SET seconds = 0.5 WHERE query = 1 AND point = 0",
        "UPDATE rows SET digest = x'00' WHERE query = 1 AND point = 0",
        "UPDATE rows SET digest = 'text' WHERE query = 1 AND point = 0",
        "UPDATE rows SET point = 9 WHERE query = 1 AND point = 0",
        "UPDATE rows SET batch = 1 WHERE query = 1 AND point = 0",
        "DELETE FROM rows WHERE query = 1 AND point = 0",
        "DELETE FROM batches WHERE query = 1",
        "UPDATE batches SET checksum = x'00' WHERE query = 1",
        "UPDATE batches SET query = 0 WHERE query = 1",
    ],
)
def test_rows_that_were_changed_are_found_and_their_query_is_named(tmp_path, statement):
    with filled(tmp_path):
        pass
    with closing(sqlite3.connect(tmp_path / STORE)) as connection, connection:
        connection.execute(statement)
    said = "The store of the sweep is damaged: the rows of query q2 are not those that were written."
    if statement.endswith("SET query = 0 WHERE query = 1"):
        said = said.replace("q2", "q1")
    error = error_of(lambda: read_sweep(tmp_path))
    assert (error.what, error.hint) == (
        said,
        "--force-new makes the sweep anew; or restore the file from a copy.",
    )
    with opened(tmp_path) as store:
        found = [query for query in range(3) if _is_damaged(store, query)]
        assert 1 in found
        assert 2 not in found


def _is_damaged(store: Store, query: int) -> bool:
    try:
        store.done(query)
    except DatasetError:
        return True
    return False


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE errors SET text = 'another'", "the rows of query q3 are not"),
        ("DELETE FROM errors", "the rows of query q3 are not"),
        ("UPDATE points SET point = replace(point, 'bm25', 'bm26') WHERE number = 1", "config 1 is not what"),
        ("UPDATE points SET point = 7 WHERE number = 1", "config 1 is not what was written"),
        ("DELETE FROM points WHERE number = 1", "rows of a config that it does not have"),
        ("UPDATE about SET value = '{}' WHERE key = 'layout'", "what it says of itself is not what was"),
        ("DELETE FROM about", "what it says of itself is not what was written"),
        ("DROP TABLE rows", "no such table: rows"),
    ],
)
def test_whatever_else_was_changed_is_found(tmp_path, statement, said):
    with filled(tmp_path):
        pass
    with closing(sqlite3.connect(tmp_path / STORE)) as connection, connection:
        connection.execute(statement)
    assert said in error_of(lambda: read_sweep(tmp_path)).what


def test_no_flipped_bit_of_the_file_goes_unnoticed_where_it_changes_a_result(tmp_path):
    with opened(tmp_path) as store:
        store.add_points([point(n) for n in range(40)])
        for query in range(3):
            store.write(query, [row(n, n / 7) for n in range(40)])
    whole = (tmp_path / STORE).read_bytes()
    expected = read_sweep(tmp_path)
    source, found = random.Random(0), 0
    for _ in range(150):
        place, bit = source.randrange(len(whole)), 1 << source.randrange(8)
        broken = bytearray(whole)
        broken[place] ^= bit
        (tmp_path / STORE).write_bytes(broken)
        try:
            results = read_sweep(tmp_path)
        except DatasetError:
            found += 1
            continue
        # A bit of a page that is free, or of the index over queries, changes nothing.
        assert results.points == expected.points
        np.testing.assert_array_equal(results.values, expected.values)
        np.testing.assert_array_equal(results.seconds, expected.seconds)
    assert found > 20


@pytest.mark.parametrize("kept", [1, 99, 100, 4096, 5000, 8192])
def test_a_file_that_was_cut_off_is_told(tmp_path, kept):
    with filled(tmp_path):
        pass
    whole = (tmp_path / STORE).read_bytes()
    assert len(whole) > kept
    (tmp_path / STORE).write_bytes(whole[:kept])
    for call in (lambda: opened(tmp_path), lambda: read_sweep(tmp_path)):
        error = error_of(call)
        assert "damaged" in error.what or "not the store of a sweep" in error.what
        assert error.where == str(tmp_path / STORE)


def test_an_overwritten_page_is_told(tmp_path):
    with opened(tmp_path) as store:
        store.add_points([point(n) for n in range(500)])
        for query in range(3):
            store.write(query, [row(n) for n in range(500)])
    whole = bytearray((tmp_path / STORE).read_bytes())
    whole[8192:12288] = random.Random(1).randbytes(4096)
    (tmp_path / STORE).write_bytes(whole)
    for call in (lambda: opened(tmp_path), lambda: read_sweep(tmp_path)):
        error = error_of(call)
        assert error.what.startswith("The store of the sweep is damaged: ")
        assert "--force-new makes the sweep anew" in error.hint


def test_files_of_other_programs_are_told_and_left_alone(tmp_path):
    text = b"these are notes of somebody, longer than a hundred bytes, so that it could be a header " * 3
    (tmp_path / STORE).write_bytes(text)
    assert "it is no SQLite file" in error_of(lambda: opened(tmp_path)).what
    assert "it is no SQLite file" in error_of(lambda: read_sweep(tmp_path)).what
    assert (tmp_path / STORE).read_bytes() == text
    (tmp_path / STORE).unlink()
    with closing(sqlite3.connect(tmp_path / STORE)) as connection, connection:
        connection.execute("CREATE TABLE songs (title TEXT)")
    assert "an SQLite file of something else" in error_of(lambda: opened(tmp_path)).what
    assert "an SQLite file of something else" in error_of(lambda: read_sweep(tmp_path)).what


def test_a_store_of_a_later_version_is_told(tmp_path):
    with filled(tmp_path):
        pass
    with closing(sqlite3.connect(tmp_path / STORE)) as connection:
        connection.execute("PRAGMA user_version = 2")
    for call in (lambda: opened(tmp_path), lambda: read_sweep(tmp_path)):
        assert "its store has format 2, not 1" in error_of(call).what


def test_a_directory_that_is_not_there_is_told(tmp_path):
    error = error_of(lambda: opened(tmp_path / "nowhere"))
    assert error.what == "The store of the sweep cannot be written: No such file or directory."
    assert error_of(lambda: read_sweep(tmp_path / "nowhere")).what == "There is no store of a sweep."
    (tmp_path / STORE).mkdir()
    assert error_of(lambda: opened(tmp_path)).what == "The store of the sweep cannot be opened or written."


@contextmanager
def nobody() -> Iterator[Path]:
    """Be a user for whom permissions count, in a directory of that user."""
    is_root = os.geteuid() == 0
    with tempfile.TemporaryDirectory() as made:
        Path(made).chmod(0o777)
        if is_root:
            os.seteuid(65534)
        directory = Path(made) / "sweep"
        try:
            directory.mkdir()
            yield directory
        finally:
            directory.chmod(0o755)
            if is_root:
                os.seteuid(0)


def test_a_directory_that_may_not_be_written_is_told_and_can_be_read():
    with nobody() as directory:
        with filled(directory):
            pass
        (directory / f"{STORE}.lock").unlink()
        directory.chmod(0o555)
        (directory / STORE).chmod(0o444)
        assert error_of(lambda: opened(directory)).what == (
            "The store of the sweep cannot be written: Permission denied."
        )
        assert len(read_sweep(directory).points) == 3


def test_a_store_that_may_not_be_written_is_told():
    with nobody() as directory:
        with filled(directory):
            pass
        (directory / STORE).chmod(0o444)
        assert error_of(lambda: opened(directory)).what == (
            "The store of the sweep cannot be opened or written."
        )


def test_four_hundred_thousand_rows_are_written_in_six_seconds(tmp_path):
    layout = Layout("tea", (), tuple(f"q{n}" for n in range(400)), tuple(f"m{n}" for n in range(11)))
    values = tuple(n / 7 for n in range(11))
    rows = [StoredRow(n, "done", values, 0.01, DIGEST, "") for n in range(1000)]
    with opened(tmp_path, layout=layout) as store:
        store.add_points(point(n) for n in range(1000))
        begun = time.process_time()
        for query in range(400):
            store.write(query, rows)
        assert time.process_time() - begun < 6
    begun = time.process_time()
    found = read_sweep(tmp_path)
    assert time.process_time() - begun < 6
    assert found.values.shape == (11, 1000, 400)
    assert (found.values[3] == 3 / 7).all()
