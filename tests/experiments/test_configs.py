"""Each experiment's config, composed again: a default that has changed since it was measured is noticed.

An experiment says in `configs.json` what it ran: overrides, the config of the first point, and the digest
of that file. Where a change is known, findings stay and `since` tells it: what was in place of what is now.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from graphrag_pipeline.config.settings import load_settings
from graphrag_pipeline.config.sweep_space import SweepPoint, point_settings, sweep_space
from graphrag_pipeline.config.trackers import without_trackers
from graphrag_pipeline.config.yaml_writer import to_yaml
from graphrag_pipeline.experiment.sweep.frozen import tree_digest
from graphrag_pipeline.plugin.host import PluginHost

EXPERIMENTS = Path(__file__).parents[2] / "experiments"
FOLDERS = tuple(sorted(path for path in EXPERIMENTS.glob("[0-9][0-9][0-9]-*") if path.is_dir()))
Tree = dict[str, Any]  # Any: plain data


@dataclass(frozen=True, slots=True, eq=False)
class Recorded:
    """A run or a sweep of an experiment, as its `configs.json` has it."""

    folder: Path
    name: str
    overrides: tuple[str, ...]
    config: str
    digest: str
    points: str
    manifest: str
    plugins: tuple[str, ...]
    since: Mapping[str, Mapping[str, Any]]  # Any: JSON


def recorded(folder: Path) -> Iterator[Recorded]:
    """Yield what an experiment ran."""
    told = json.loads((folder / "configs.json").read_text(encoding="utf-8"))
    for entry in told["runs"]:
        yield Recorded(
            folder=folder,
            name=entry["name"],
            overrides=tuple(entry["overrides"]),
            config=entry["config"],
            digest=entry["digest"],
            points=entry.get("points", ""),
            manifest=entry.get("manifest", ""),
            plugins=tuple(entry.get("plugins", ())),
            since=told.get("since", {}),
        )


RUNS = tuple(run for folder in FOLDERS if (folder / "configs.json").is_file() for run in recorded(folder))
NAMES = tuple(f"{run.folder.name}/{run.name}" for run in RUNS)


@cache
def host() -> PluginHost:
    """Return a host with what is installed."""
    return PluginHost.discover()


@pytest.fixture(autouse=True)
def any_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let configs name the data's folder; nothing is read there."""
    monkeypatch.setenv("GRAPHRAG_DATA", "data")


def as_it_was(tree: Mapping[str, Any], since: Mapping[str, Mapping[str, Any]]) -> Tree:
    """Return a config without the changes that are known; `"now"` guards against a second change."""
    whole: Tree = json.loads(json.dumps(tree))
    for key, change in since.items():
        *parents, last = key.split(".")
        at: Any = whole
        for parent in parents:
            at = at.get(parent, {})
        if last not in at or at[last] != change["now"]:
            continue
        if "was" in change:
            at[last] = change["was"]
        else:
            del at[last]
    return whole


def flat(tree: object, key: str = "") -> dict[str, object]:
    """Return the values of a config by dotted key."""
    if not isinstance(tree, Mapping) or not tree:
        return {key: tree}
    return {
        name: value
        for part, inner in tree.items()
        for name, value in flat(inner, f"{key}.{part}" if key else str(part)).items()
    }


def changes(stored: object, now: object) -> str:
    """Return a line for each key whose value differs."""
    old, new = flat(stored), flat(now)
    lines = [
        f"  {key}: was {old.get(key, 'not there')!r}, is {new.get(key, 'not there')!r}"
        for key in dict.fromkeys([*old, *new])
        if key not in old or key not in new or old[key] != new[key]
    ]
    return "\n".join(lines or ["  the order of keys"])


def one_for_each_value(points: Iterable[SweepPoint]) -> Iterator[SweepPoint]:
    """Yield the first point that has a value of a swept key, for each of them: files are slow to compose."""
    seen: set[tuple[str, str]] = set()
    for point in points:
        if not seen.issuperset(point.values.items()):
            seen.update(point.values.items())
            yield point


@cache
def composed(run: Recorded) -> Mapping[int, tuple[Mapping[str, str], Tree]]:
    """Return values and config of the points that are looked at, by number; a run is point 0.

    Raises:
        ConfigError: A config is not valid any more.
    """
    if not run.points:
        settings = load_settings(run.overrides, host=host())
        return {0: ({}, as_it_was(without_trackers(settings.tree), run.since))}
    space = sweep_space(run.overrides, host=host())
    return {
        point.number: (point.values, as_it_was(without_trackers(settings.tree), run.since))
        for point, settings in point_settings(space, one_for_each_value(space.points()))
    }


def needs_plugins(run: Recorded) -> None:
    """Skip a run whose plugins are not installed."""
    there = {plugin["name"] for plugin in host().report().to_dict(timings=False)["plugins"]}
    if missing := [name for name in run.plugins if name not in there]:
        pytest.skip(f"the plugin {missing[0]} is not installed")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_every_experiment_has_what_the_rules_of_the_folder_ask_for(folder: Path) -> None:
    for name in ("README.md", "command.sh", "config.yaml", "configs.json"):
        assert (folder / name).is_file(), f"{folder.name} has no {name}"
    assert any((folder / "results").iterdir())
    assert next(recorded(folder)).config == "config.yaml"


@pytest.mark.parametrize("run", RUNS, ids=NAMES)
def test_a_config_composes_to_what_was_measured(run: Recorded) -> None:
    needs_plugins(run)
    stored = (run.folder / run.config).read_text(encoding="utf-8")
    assert hashlib.sha256(stored.encode("utf-8")).hexdigest() == run.digest, (
        f"{run.folder.name}/{run.config} was edited: findings keep the config they were made with"
    )
    _, now = composed(run)[0]
    text = to_yaml(now)
    assert hashlib.sha256(text.encode("utf-8")).hexdigest() == run.digest, (
        f"{run.folder.name}/{run.name} was measured with another config:\n"
        f"{changes(yaml.safe_load(stored), yaml.safe_load(text))}\n"
        "Measure anew in a new folder; then note the change under `since` in configs.json of the old one."
    )


@pytest.mark.parametrize(
    "run",
    [run for run in RUNS if run.points],
    ids=[n for n, run in zip(NAMES, RUNS, strict=True) if run.points],
)
def test_every_value_that_was_swept_composes_to_what_was_measured(run: Recorded) -> None:
    needs_plugins(run)
    with (run.folder / run.points).open(encoding="utf-8", newline="") as file:
        stored = {int(row["point"]): row["config"] for row in csv.DictReader(file)}
    assert sweep_space(run.overrides, host=host()).size == len(stored)
    other = [
        dict(values)
        for number, (values, tree) in composed(run).items()
        if tree_digest(tree) != stored[number]
    ]
    assert not other, f"points were measured with another config, first {other[0]}"


@pytest.mark.parametrize(
    "run",
    [run for run in RUNS if run.manifest],
    ids=[n for n, run in zip(NAMES, RUNS, strict=True) if run.manifest],
)
def test_overrides_are_those_of_the_manifest(run: Recorded) -> None:
    manifest = json.loads((run.folder / run.manifest).read_text(encoding="utf-8"))
    assert tuple(manifest["request"]["overrides"]) == run.overrides


def test_a_changed_default_is_told_by_its_key() -> None:
    then, now = {"seed": {"k": 20, "use": "hybrid"}}, {"seed": {"k": 10, "use": "hybrid"}, "links": {}}
    assert changes(then, now) == "  seed.k: was 20, is 10\n  links: was 'not there', is {}"


def test_a_known_change_is_undone_once() -> None:
    since = {"seed.k": {"now": 10, "was": 20}, "seed.new": {"now": 1}}
    assert as_it_was({"seed": {"k": 10, "new": 1}}, since) == {"seed": {"k": 20}}
    assert as_it_was({"seed": {"k": 5, "new": 2}}, since) == {"seed": {"k": 5, "new": 2}}
