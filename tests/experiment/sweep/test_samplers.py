"""Samplers propose the same points every time, also after an interruption."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from graphrag_pipeline.config.sweep_space import SweepPoint, SweepSpace, sweep_space
from graphrag_pipeline.errors import ConfigError, DatasetError
from graphrag_pipeline.experiment.sweep.samplers import Sampler, is_smaller_better, make_sampler, measure_of
from graphrag_pipeline.plugin.host import PluginHost

pytest.importorskip("optuna", reason="Optuna is not installed")

SWEPT = [
    "a.x=interval(0,1)",
    "a.whole=1:21:5",
    "a.part=0:1:0.1",
    "a.down=1:0:-0.25",
    "a.word=x,y,'1'",
    "a.log=tag(log,interval(1e-3,1))",
    "a.few=tag(log,int(interval(1,100)))",
    "a.third=tag(log,range(1,100,3))",
]


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch):
    """Optuna waits for the disk after each line of its journal, most of the time these tests would take."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture(scope="module")
def space() -> SweepSpace:
    return sweep_space(SWEPT, host=PluginHost.discover(entry_points=False, environ={}))


@pytest.fixture(scope="module")
def grid() -> SweepSpace:
    overrides = ["a.k=1:4:1", "a.w=x,y,z"]
    return sweep_space(overrides, host=PluginHost.discover(entry_points=False, environ={}))


def worth(point: SweepPoint, count: int) -> list[float] | None:
    """Return what a point is worth: the nearer x is to 0.3, the better; some fail."""
    if point.number % 11 == 5:
        return None
    return [-abs(float(point.values["a.x"]) - 0.3), float(point.values["a.whole"])][:count]


def sampler(space: SweepSpace, directory: Path, name: str = "tpe", **changed) -> Sampler:
    given = {"trials": 40, "seed": 7, "objectives": ("q",), "journal": directory / "study.journal", **changed}
    return make_sampler(name, space, **given)


def run(
    found: Sampler, count: int, objectives: int = 1, stop: int | None = None
) -> list[tuple[int, tuple[str, ...]]]:
    """Ask and tell to the end, or until so many were told; return the points in that order."""
    told: list[tuple[int, tuple[str, ...]]] = []
    while points := found.ask(count):
        for point in points:
            if stop is not None and len(told) == stop:
                return told
            found.tell(point, worth(point, objectives))
            told.append((point.number, tuple(point.values.values())))
    return told


def test_a_grid_is_proposed_in_order(grid):
    found = make_sampler("grid", grid, trials=5)
    assert [point.number for point in found.ask(5)] == [0, 1, 2, 3, 4]
    assert [len(found.ask(5)) for _ in range(3)] == [5, 2, 0]


def test_a_grid_over_an_interval_is_refused(space):
    with pytest.raises(ConfigError, match="an interval has no end of values"):
        make_sampler("grid", space, trials=5)


def test_random_points_of_a_grid_come_once_each_and_the_same_by_seed(grid):
    found = [make_sampler("random", grid, trials=8, seed=seed).ask(100) for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]
    assert len({tuple(point.values.items()) for point in found[0]}) == 8
    everything = make_sampler("random", grid, trials=99).ask(100)
    assert {tuple(point.values.values()) for point in everything} == {
        tuple(point.values.values()) for point in grid.points()
    }


def test_a_grid_that_is_too_large_to_list_can_be_drawn_from(space):
    host = PluginHost.discover(entry_points=False, environ={})
    large = sweep_space(["a.k=range(0,1000000)", "a.j=range(0,1000000)"], host=host)
    points = make_sampler("random", large, trials=50).ask(100)
    assert len({tuple(point.values.values()) for point in points}) == 50


def in_bounds(point: SweepPoint) -> bool:
    values = point.values
    return (
        0 <= float(values["a.x"]) <= 1
        and values["a.whole"] in ("1", "6", "11", "16", "21")
        and values["a.part"] in [str(n / 10) for n in range(11)]
        and values["a.down"] in ("1.0", "0.75", "0.5", "0.25", "0.0")
        and values["a.word"] in ("x", "y", "'1'")
        and 1e-3 <= float(values["a.log"]) <= 1
        and 1 <= int(values["a.few"]) <= 100
        and values["a.third"] in [str(n) for n in range(1, 100, 3)]
    )


@pytest.mark.parametrize("name", ["random", "tpe", "nsga2"])
def test_proposals_are_values_of_the_sweep(space, tmp_path, name):
    found = sampler(space, tmp_path, name, trials=30)
    points = found.ask(30)
    assert len(points) == 30
    assert all(map(in_bounds, points))
    assert points[0].overrides[4] == f"a.word={points[0].values['a.word']}"
    assert len({point.values["a.log"] for point in points}) == 30
    assert sum(float(point.values["a.log"]) < 0.0316 for point in points) > 5, "half of it, on such a scale"
    assert found.ask(30) == []


@pytest.mark.parametrize(("name", "objectives"), [("tpe", ("q",)), ("nsga2", ("q", "-tokens"))])
def test_a_seed_gives_the_same_points_every_time(space, tmp_path, name, objectives):
    told = []
    for run_name, seed in (("a", 7), ("b", 7), ("c", 8)):
        (tmp_path / run_name).mkdir()
        found = sampler(space, tmp_path / run_name, name, objectives=objectives, seed=seed)
        told.append(run(found, 8, len(objectives)))
    assert len(told[0]) == 40
    assert told[0] == told[1] != told[2]


@pytest.mark.parametrize("stop", [0, 3, 8, 21])
@pytest.mark.parametrize(("name", "objectives"), [("tpe", ("q",)), ("nsga2", ("q", "-tokens"))])
def test_an_interrupted_study_proposes_what_one_without_a_break_does(space, tmp_path, stop, name, objectives):
    given = {"objectives": objectives, "trials": 32}
    (tmp_path / "whole").mkdir()
    (tmp_path / "broken").mkdir()
    whole = run(sampler(space, tmp_path / "whole", name, **given), 8, len(objectives))
    before = run(sampler(space, tmp_path / "broken", name, **given), 8, len(objectives), stop)
    after = run(sampler(space, tmp_path / "broken", name, **given), 8, len(objectives))
    assert before + after == whole


def test_points_that_a_killed_process_left_are_asked_for_again_with_the_same_values(space, tmp_path):
    left = sampler(space, tmp_path).ask(4)
    again = sampler(space, tmp_path)
    assert again.ask(4) == left
    assert [point.number for point in again.ask(4)] == [4, 5, 6, 7]


def test_a_study_that_is_shared_leaves_the_others_points_alone(space, tmp_path):
    one, two = (sampler(space, tmp_path, owner=owner) for owner in ("one", "two"))
    first, second = one.ask(4), two.ask(4)
    assert [point.number for point in (*first, *second)] == list(range(8))
    for point in second:
        two.tell(point, worth(point, 1))
    assert [point.number for point in sampler(space, tmp_path, owner="two").ask(4)] == [8, 9, 10, 11]
    assert sampler(space, tmp_path, owner="one").ask(4) == first


def test_tpe_finds_better_points_than_it_began_with(space, tmp_path):
    told = run(sampler(space, tmp_path, trials=60), 10)
    away = [abs(float(values[0]) - 0.3) for _, values in told]
    assert sum(away[-20:]) < sum(away[:20]) / 2


@pytest.mark.parametrize("size", [40, 400, 4000])
def test_a_journal_that_ends_in_the_middle_of_a_line_is_mended(space, tmp_path, size):
    (tmp_path / "whole").mkdir()
    whole = run(sampler(space, tmp_path / "whole", trials=16), 8)
    run(sampler(space, tmp_path, trials=16), 8, stop=10)
    journal = tmp_path / "study.journal"
    journal.write_bytes(journal.read_bytes() + b'{"op_code": 9' + b" " * size)
    after = run(sampler(space, tmp_path, trials=16), 8)
    assert after == whole[10:]


def test_a_journal_that_is_damaged_is_told(space, tmp_path):
    run(sampler(space, tmp_path, trials=8), 8)
    journal = tmp_path / "study.journal"
    journal.write_bytes(b"\x00\x01 no journal\n" + journal.read_bytes())
    with pytest.raises(DatasetError, match=r"The journal of the study cannot be used") as caught:
        sampler(space, tmp_path)
    assert "--force-new" in caught.value.hint


@pytest.mark.parametrize("changed", [{"seed": 8}, {"objectives": ("-q",)}, {"name": "nsga2"}, {"grid": True}])
def test_a_journal_of_another_study_is_refused(space, grid, tmp_path, changed):
    sampler(space, tmp_path)
    given = dict(changed)
    other = grid if given.pop("grid", False) else space
    with pytest.raises(DatasetError, match="The journal is of another study"):
        sampler(other, tmp_path, **given)


def test_more_trials_may_be_asked_of_a_study_later(space, tmp_path):
    assert len(run(sampler(space, tmp_path, trials=8), 8)) == 8
    assert [number for number, _ in run(sampler(space, tmp_path, trials=16), 8)] == list(range(8, 16))


def run_grid(found: Sampler, count: int, stop: int | None = None) -> list[tuple[int, tuple[str, ...]]]:
    """Like :func:`run`, for spaces in which the first key alone is worth something."""
    told: list[tuple[int, tuple[str, ...]]] = []
    while points := found.ask(count):
        for point in points:
            if len(told) == stop:
                return told
            values = tuple(point.values.values())
            found.tell(point, [float(values[0])])
            told.append((point.number, values))
    return told


EVERY = "every config that there is was proposed"


def of(*swept: str) -> SweepSpace:
    return sweep_space(list(swept), host=PluginHost.discover(entry_points=False, environ={}))


@pytest.mark.parametrize("name", ["tpe", "nsga2"])
def test_a_study_of_a_grid_proposes_each_config_once_and_ends(grid, tmp_path, caplog, name):
    with caplog.at_level("INFO", "graphrag_pipeline"):
        told = run_grid(sampler(grid, tmp_path, name, trials=200), 4)
    assert sorted(values for _, values in told) == sorted(tuple(p.values.values()) for p in grid.points())
    assert caplog.messages == [f"The study ends after 12 of 200 trials: {EVERY}."]
    assert sampler(grid, tmp_path, name, trials=200).ask(4) == []


@pytest.mark.parametrize("name", ["tpe", "nsga2"])
def test_trials_are_configs_not_proposals(grid, tmp_path, caplog, name):
    with caplog.at_level("INFO", "graphrag_pipeline"):
        told = run_grid(sampler(grid, tmp_path, name, trials=9), 4)
    assert len({values for _, values in told}) == len(told) == 9
    assert caplog.messages == []


@pytest.mark.parametrize("stop", [1, 2, 5, 9, 11])
@pytest.mark.parametrize("name", ["tpe", "nsga2"])
def test_an_interrupted_study_of_a_grid_goes_on_as_one_without_a_break(grid, tmp_path, name, stop):
    (tmp_path / "whole").mkdir()
    whole = run_grid(sampler(grid, tmp_path / "whole", name, trials=200), 4)
    before = run_grid(sampler(grid, tmp_path, name, trials=200), 4, stop)
    assert before + run_grid(sampler(grid, tmp_path, name, trials=200), 4) == whole


def test_a_proposal_of_nothing_new_that_a_killed_process_left_is_not_asked_for(grid, tmp_path):
    import optuna
    from optuna.storages.journal import JournalFileBackend, JournalStorage

    [first] = sampler(grid, tmp_path).ask(1)
    storage = JournalStorage(JournalFileBackend(str(tmp_path / "study.journal")))
    study = optuna.load_study(study_name=None, storage=storage)
    study.enqueue_trial(study.trials[0].params)
    study.ask(study.trials[0].distributions)
    again = sampler(grid, tmp_path)
    assert again.ask(1) == [first]
    assert [trial.state.name for trial in study.get_trials()] == ["RUNNING", "FAIL"]
    assert [point.number for point in again.ask(1)] == [2]


def test_processes_that_share_a_study_do_not_propose_the_same(grid, tmp_path):
    one, two = (sampler(grid, tmp_path, owner=owner, trials=200) for owner in ("one", "two"))
    points = [*one.ask(3), *two.ask(3), *one.ask(3), *two.ask(3)]
    assert len({tuple(point.values.values()) for point in points}) == 12
    assert one.ask(3) == two.ask(3) == []


@pytest.mark.parametrize(
    ("swept", "configs"),
    [
        (("a.k=1,2,2,1",), 2),
        (("a.k=int(interval(3,7))",), 5),
        (("a.k=tag(log,int(interval(1,4)))", "a.w=x,y"), 8),
        (("a.k=tag(log,range(1,8,3))", "a.w=1:0:-0.5"), 9),
        (("a.k=5:1:-2", "a.w=0.1:0.3:0.1", "a.z='1',1"), 18),
    ],
)
@pytest.mark.parametrize("patience", [0, 10])
def test_all_of_a_space_that_can_be_counted_is_found(tmp_path, monkeypatch, swept, configs, patience):
    monkeypatch.setattr("graphrag_pipeline.experiment.sweep.optuna_sampler.PATIENCE", patience)
    told = run_grid(sampler(of(*swept), tmp_path, trials=1000), 10)
    assert len({values for _, values in told}) == len(told) == configs


def test_an_interval_of_hardly_any_numbers_comes_to_an_end(tmp_path, caplog, monkeypatch):
    monkeypatch.setattr("graphrag_pipeline.experiment.sweep.optuna_sampler.GIVE_UP", 30)
    with caplog.at_level("INFO", "graphrag_pipeline"):
        told = run_grid(sampler(of("a.k=interval(1.0,1.0000000000000002)"), tmp_path), 4)
    assert told == [(0, ("1.0",))]
    assert caplog.messages == ["The study ends after 1 of 40 trials: Optuna proposes nothing new."]


def test_values_that_are_no_numbers_count_as_failed(space, tmp_path):
    found = sampler(space, tmp_path)
    [point] = found.ask(1)
    found.tell(point, [float("nan")])
    assert [later.number for later in sampler(space, tmp_path).ask(1)] == [1]


@pytest.mark.parametrize(
    ("objective", "name", "smaller"),
    [
        ("nDCG@10", "nDCG@10", False),
        ("-tokens", "tokens", True),
        ("min:seconds", "seconds", True),
        ("max:R@5", "R@5", False),
        ("P(rel=2)@5", "P(rel=2)@5", False),
    ],
)
def test_an_objective_names_a_measure_and_says_which_way(objective, name, smaller):
    assert (measure_of(objective), is_smaller_better(objective)) == (name, smaller)


@pytest.mark.parametrize(
    ("objectives", "said"),
    [((), "needs an objective"), (("q", "-q"), "given twice"), (("min:",), "names no measure")],
)
def test_objectives_that_are_none_are_refused(space, tmp_path, objectives: Sequence[str], said):
    with pytest.raises(DatasetError, match=said):
        sampler(space, tmp_path, objectives=objectives)


def test_without_optuna_the_error_names_the_extra(space, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(DatasetError, match="need the package optuna") as caught:
        sampler(space, tmp_path)
    assert "graphrag-pipeline[optuna]" in caught.value.hint


def test_the_journal_can_be_read_by_optuna_itself(space, tmp_path):
    import optuna
    from optuna.storages.journal import JournalFileBackend, JournalStorage

    run(sampler(space, tmp_path, trials=8), 8)
    storage = JournalStorage(JournalFileBackend(str(tmp_path / "study.journal")))
    study = optuna.load_study(study_name=None, storage=storage)
    assert [trial.state.name for trial in study.trials].count("COMPLETE") == 7
    assert set(study.trials[0].params) == set(space.keys)
    assert all(json.loads(line) for line in (tmp_path / "study.journal").read_text().splitlines())
