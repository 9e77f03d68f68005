"""The suite of trackers."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from graphrag_pipeline.testing import graphs
from graphrag_pipeline.testing.suite import Case, ComponentSuite
from graphrag_pipeline.tracking.contract import RunStatus, TrackedEnd, TrackedRun, TrackedStep

__tracebackhide__ = True


@dataclass(frozen=True, slots=True)
class Told:
    """One run as a tracker is told of it."""

    run: TrackedRun
    steps: tuple[TrackedStep, ...]
    end: TrackedEnd | None


def _run(name: str = "demo", **rest: Any) -> TrackedRun:
    config = {"query": {"k": 10, "persona": None}, "score": {"weights": {"label_match": 0.5}}}
    return TrackedRun(run_id=f"id-{name}", name=name, config=config, tags={"graph": "0" * 64}, **rest)


def _steps(count: int = 3) -> tuple[TrackedStep, ...]:
    return tuple(TrackedStep(place, f"q{place}", values={"nDCG@10": 0.25 * place}) for place in range(count))


class TrackerSuite(ComponentSuite):
    """The contract of a tracker. ``make`` returns one that keeps things in ``self.folder`` or in memory."""

    kind = "tracker"

    def cases(self) -> Iterator[Case]:
        """Yield runs that end in every way."""
        done = TrackedEnd("finished", values={"nDCG@10": 0.25}, manifest={"kind": "run", "queries": 3})
        failed = TrackedStep(1, "q1", status="failed", error="StageError: no answer")
        yield self._case("ordinary", "a run that finishes", Told(_run(steps=3), _steps(), done))
        yield self._case("ordinary", "a step that failed", Told(_run("partly"), (*_steps(1), failed), done))
        yield self._case("ordinary", "a run of no steps", Told(_run("nothing"), (), done))
        statuses: tuple[RunStatus, ...] = ("failed", "interrupted")
        for status in statuses:
            end = TrackedEnd(status, error="Ctrl-C\nsecond line")
            yield self._case("ordinary", f"a run that is {status}", Told(_run(status), _steps(1), end))
        yield self._case(
            "ordinary",
            "a run that is tried again",
            Told(_run("again"), _steps(1), None),
            Told(_run("again"), _steps(), done),
        )
        sweep, point = _run("sweep", kind="sweep", steps=1), _run("point", kind="point", parent="id-sweep")
        yield Case(
            "ordinary",
            "a sweep of one point",
            lambda: (("nested", Told(sweep, (), done), Told(point, _steps(), done)),),
        )
        odd = [text for text in graphs.ODD_TEXTS if text]
        steps = tuple(TrackedStep(place, text, values={text: 1.0}) for place, text in enumerate(odd))
        yield self._case("unicode", "names of any text", Told(_run("Größe 北条 🧑‍🔬\n"), steps, done))

    def _case(self, subject: str, name: str, *runs: Told) -> Case:
        return Case(subject, name, lambda: (("in turn", *runs),))

    def ask(self, component: Any, arguments: tuple[Any, ...]) -> object:
        """Tell it of all runs; what it returns is ignored."""
        how, *runs = arguments[0]
        if how == "nested":
            outer, inner = runs
            component.start(outer.run)
            self._tell(component, inner)
            component.finish(outer.run, outer.end)
        else:
            for told in runs:
                self._tell(component, told)
        return None

    def _tell(self, component: Any, told: Told) -> None:
        component.start(told.run)
        for step in told.steps:
            component.log(told.run, step)
        if told.end is not None:
            component.finish(told.run, told.end)

    def test_unicode(self) -> None:
        """Any text may be a name, a key and an error."""
        self.hold("unicode")

    def test_it_can_be_pickled(self) -> None:
        """Its parameters can be sent to another process; a tracker itself stays where it is."""
        with self.guarded("pickle of its parameters", "give them types that can be pickled"):
            pickle.loads(pickle.dumps(getattr(self.component, "params", None)))
