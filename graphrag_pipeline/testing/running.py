"""Running a suite without pytest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal
from unittest import SkipTest

from graphrag_pipeline.testing.suite import CHECK, ComponentSuite


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of one check.

    Args:
        check: Its name.
        status: What became of it.
        told: Why it failed or was skipped, in one sentence; empty when it passed.
    """

    check: str
    status: Literal["passed", "failed", "skipped"]
    told: str = ""


def checks_of(suite: type[ComponentSuite]) -> tuple[str, ...]:
    """Return the names of a suite's checks, the common ones first, as they are written."""
    names = dict.fromkeys(name for base in reversed(suite.__mro__) for name in vars(base))
    return tuple(name for name in names if name.startswith(CHECK) and callable(getattr(suite, name)))


def run_suite(suite: type[ComponentSuite]) -> tuple[Checked, ...]:
    """Run every check of a suite, each on a new object of it; nothing but an interrupt ends the run."""
    return tuple(_run(suite(), name) for name in checks_of(suite))


def _run(suite: ComponentSuite, name: str) -> Checked:
    check: Callable[[], None] = getattr(suite, name)
    try:
        suite.setup_method(check)
        check()
    except SkipTest as skipped:
        return Checked(name, "skipped", str(skipped))
    except (Exception, SystemExit) as error:  # noqa: BLE001  # a component may raise anything
        told = str(error) if isinstance(error, AssertionError) else f"{type(error).__name__}: {error}"
        return Checked(name, "failed", told)
    finally:
        suite.teardown_method(check)
    return Checked(name, "passed")
