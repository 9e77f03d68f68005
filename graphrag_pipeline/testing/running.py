"""Running a suite without pytest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal
from unittest import SkipTest

from graphrag_pipeline.stages.time_limit import LateError, TimedCalls
from graphrag_pipeline.testing.suite import CHECK, ComponentSuite, raised_at


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of one check.

    Args:
        check: Its name.
        status: What became of it.
        told: Why it failed or was skipped, in one sentence; empty when it passed.
        at: ``file:line`` where the component raised; empty when it did not, or nobody knows where.
    """

    check: str
    status: Literal["passed", "failed", "skipped"]
    told: str = ""
    at: str = ""


def checks_of(suite: type[ComponentSuite]) -> tuple[str, ...]:
    """Return the names of a suite's checks, the common ones first, as they are written."""
    names = dict.fromkeys(name for base in reversed(suite.__mro__) for name in vars(base))
    return tuple(name for name in names if name.startswith(CHECK) and callable(getattr(suite, name)))


def run_suite(suite: type[ComponentSuite], timeout_s: float | None = None) -> tuple[Checked, ...]:
    """Run every check of a suite, each on a new object of it; nothing but an interrupt ends the run.

    Args:
        suite: The suite.
        timeout_s: Seconds for one check. One that takes longer has failed; it is left behind in a thread of
            its own, and those after it are skipped. None sets no limit.
    """
    if timeout_s is None:
        return tuple(_run(suite(), name) for name in checks_of(suite))
    names, done = checks_of(suite), list[Checked]()
    calls = TimedCalls("contract check")
    for place, name in enumerate(names):
        made = suite()
        try:
            done.append(calls.within(timeout_s, partial(_run, made, name)))
        except LateError:
            made.teardown_method(getattr(made, name))
            done.append(Checked(name, "failed", f"it did not end within {timeout_s:g} s"))
            skipped = names[place + 1 :]
            return (*done, *(Checked(each, "skipped", f"{name} did not end") for each in skipped))
    return tuple(done)


def _run(suite: ComponentSuite, name: str) -> Checked:
    check: Callable[[], None] = getattr(suite, name)
    try:
        suite.setup_method(check)
        check()
    except SkipTest as skipped:
        return Checked(name, "skipped", str(skipped))
    except (Exception, SystemExit) as error:  # noqa: BLE001  # a component may raise anything
        at = raised_at(error.__cause__ or error)
        if isinstance(error, AssertionError):
            return Checked(name, "failed", str(error), at)
        return Checked(name, "failed", f"{type(error).__name__}: {error}{f' ({at})' if at else ''}", at)
    finally:
        suite.teardown_method(check)
    return Checked(name, "passed")
