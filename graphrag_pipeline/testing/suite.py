"""The suite that every kind's suite extends: what holds for each component, whatever it does.

A plugin author writes a class with one method::

    class TestHalfLife(SignalSuite):
        def make(self) -> HalfLife:
            return HalfLife()

and pytest runs every check on it. The kit itself needs no pytest; :mod:`.running` runs a suite without.
"""

from __future__ import annotations

import pickle
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, NoReturn
from unittest import SkipTest

from graphrag_pipeline.model.component import Params
from graphrag_pipeline.plugin.causes import cause, place
from graphrag_pipeline.plugin.component_checks import component_faults
from graphrag_pipeline.plugin.kinds import KINDS
from graphrag_pipeline.testing.growth import grows_faster
from graphrag_pipeline.testing.plain import plain

__tracebackhide__ = True  # pytest then shows the author's frames and the sentence, not the kit's

CHECK = "test_"
"""How the name of a check starts."""


class ContractError(AssertionError):
    """A component does not keep its contract; the text says what to change, in one sentence."""


def raised_at(error: BaseException) -> str:
    """Return ``file:line`` where a component raised; empty when that is unknown, or the kit did."""
    at = "" if isinstance(error, ContractError) else place(error)
    file = Path(at.rpartition(":")[0])
    return "" if file.absolute().parent == Path(__file__).parent else at


@dataclass(frozen=True, slots=True)
class Case:
    """One call that a component must stand.

    Args:
        subject: What is special about it: ``ordinary``, ``empty graph``, ``unicode`` …
        name: What a message calls it, unique within a suite.
        arguments: Makes the arguments, new ones each time.
    """

    subject: str
    name: str
    # Any: what a kind's method takes.
    arguments: Callable[[], tuple[Any, ...]]


class ComponentSuite:
    """Checks of one component. Every method whose name starts with ``test_`` is one."""

    kind: ClassVar[str]
    """Name of the component's kind."""
    exceptions: ClassVar[Mapping[str, str]] = {}
    """Checks that do not hold for this component, by name, each with the reason; they are skipped."""
    sizes: ClassVar[tuple[int, int]] = (250, 2000)
    """Sizes between which the growth of the cost is measured."""
    alone: ClassVar[bool] = False
    """Whether other processes ask this suite only, and not every one of its module at once."""
    folder: Path
    """An empty folder, for the files that a component reads or writes; new for each check."""

    # Any: components have no base class in common.
    def make(self) -> Any:
        """Return a new component; the one method that a suite of your own must have."""
        raise NotImplementedError(f"{type(self).__name__}.make must return a new component")

    # -- what a kind says --------------------------------------------------------------------------

    def cases(self) -> Iterator[Case]:
        """Yield every call that the component must stand."""
        raise NotImplementedError

    def ask(self, component: Any, arguments: tuple[Any, ...]) -> object:
        """Return what the component says; the first method of its kind, unless a suite says otherwise."""
        return getattr(component, KINDS[self.kind].methods[0])(*arguments)

    def judge(self, case: Case, arguments: tuple[Any, ...], answer: Any) -> None:
        """Raise a ContractError for an answer that the contract forbids."""

    def grown(self, size: int) -> Callable[[], tuple[Any, ...]] | None:
        """Return what makes arguments of a size; None where nothing can grow."""
        return None

    # -- pytest and the kit's own runner call these --------------------------------------------------

    def setup_method(self, method: Callable[[], None]) -> None:
        """Make the folder; skip a check that the suite excepts.

        Raises:
            SkipTest: The check does not hold for this component, and the suite says why.
            ContractError: An exception is of no check, or without a reason.
        """
        for name, why in self.exceptions.items():
            if not (name.startswith(CHECK) and callable(getattr(self, name, None)) and why.strip()):
                raise ContractError(
                    f"{type(self).__name__}.exceptions names {name!r}: name a check of this suite, and why."
                )
        if reason := self.exceptions.get(method.__name__):
            raise SkipTest(reason)
        self.folder = Path(tempfile.mkdtemp(prefix="graphrag-contract-"))

    def teardown_method(self, method: Callable[[], None]) -> None:
        """Remove the folder."""
        if "folder" in self.__dict__:
            shutil.rmtree(self.folder, ignore_errors=True)

    # -- what checks are made of ---------------------------------------------------------------------

    @cached_property
    def component(self) -> Any:
        """The component that most checks of this suite ask."""
        with self.guarded("make()", "let make() return a component that is ready to be asked"):
            return self.make()

    @property
    def title(self) -> str:
        """Kind and name, as messages have them."""
        return f"{KINDS[self.kind].title} {getattr(self.component, 'name', type(self.component).__name__)!r}"

    def refuse(self, what: str, fix: str) -> NoReturn:
        """Raise the error that says what is wrong and what to change."""
        # What a pipeline refused is in the sentence; a second traceback would only repeat it.
        raise ContractError(f"The {self.title} {what}: {fix}.") from None

    @contextmanager
    def guarded(self, when: str, fix: str) -> Iterator[None]:
        """Turn whatever is raised inside into the sentence that tells of it."""
        try:
            yield
        except (ContractError, SkipTest, KeyboardInterrupt):
            raise
        except BaseException as error:
            told = cause(error)
            said = told if told.startswith(type(error).__name__) else f"{type(error).__name__}: {told}"
            at = raised_at(error)
            said = f"{' '.join(said.split())[:300]}{f' ({at})' if at else ''}"
            who = f"The {KINDS[self.kind].title} of {type(self).__name__}"
            raise ContractError(f"{who} raised {said} for {when}: {fix}.") from error

    def call(self, component: Any, case: Case) -> tuple[tuple[Any, ...], object]:
        """Return the arguments of a case and what the component says to them."""
        arguments = case.arguments()
        with self.guarded(case.name, "answer such input, if only with nothing"):
            return arguments, self.ask(component, arguments)

    def told(self, answer: object) -> str:
        """Return an answer as text that is equal for equal answers, wherever the folder is."""
        return plain(answer).replace(str(self.folder), "")

    def answers(self, component: Any, backwards: bool = False) -> dict[str, str]:
        """Return every answer as text, by case; the cases forwards or backwards."""
        cases = list(self.cases())
        return {
            case.name: self.told(self.call(component, case)[1])
            for case in (reversed(cases) if backwards else cases)
        }

    def hold(self, subject: str) -> None:
        """Judge the answers to all cases of a subject."""
        cases = [case for case in self.cases() if case.subject == subject]
        assert cases, f"{type(self).__name__} has no case of {subject}"
        for case in cases:
            arguments, answer = self.call(self.component, case)
            self.judge(case, arguments, answer)

    def same(self, first: Mapping[str, str], second: Mapping[str, str], what: str, fix: str) -> None:
        """Refuse when two sets of answers differ; the message names the first case that does."""
        for name, said in first.items():
            if second.get(name, said) != said:
                self.refuse(f"{what} for {name}", fix)

    # -- what holds for every component --------------------------------------------------------------

    def test_it_is_a_component_of_its_kind(self) -> None:
        """Name, Params, constructor and methods are what the kind asks for."""
        faults = component_faults(type(self.component), KINDS[self.kind])
        if faults:
            raise ContractError("; ".join(faults))

    def test_ordinary_input_gets_a_right_answer(self) -> None:
        """The answer is what the contract says."""
        self.hold("ordinary")

    def test_parameters_survive_a_file(self) -> None:
        """Parameters written to a config and read again are the same."""
        params = getattr(self.component, "params", None)
        if (
            isinstance(params, Params)
            and type(params).model_validate_json(params.model_dump_json()) != params
        ):
            self.refuse(
                "has parameters that change when they are written and read again",
                "let each be of a type that YAML can hold, or give it a serializer",
            )

    def test_it_can_be_pickled(self) -> None:
        """A copy that went to another process gives the same answers."""
        with self.guarded(
            "pickle", "keep locks, files, lambdas and local classes out of it, or give it __reduce__"
        ):
            copy = pickle.loads(pickle.dumps(self.component))
        self.same(
            self.answers(self.component),
            self.answers(copy),
            "answers differently after pickling",
            "let everything that decides an answer be in its parameters or in what is pickled",
        )

    def test_two_runs_agree(self) -> None:
        """The same component asked twice, and a new one, say the same."""
        first = self.answers(self.component)
        fix = "use no random numbers, clock or memory address; take a seed as a parameter"
        self.same(first, self.answers(self.component), "answers differently the second time", fix)
        self.same(first, self.answers(self.make()), "answers differently when it is made again", fix)

    def test_earlier_calls_leave_no_trace(self) -> None:
        """An answer does not depend on what was asked before."""
        self.same(
            self.answers(self.make()),
            self.answers(self.make(), backwards=True),
            "remembers earlier calls: the order of the calls changes its answer",
            "keep nothing between calls that depends on a query, a graph or candidates",
        )

    def test_hash_seeds_change_nothing(self) -> None:
        """Other processes, with other hash seeds, give the same answers."""
        from graphrag_pipeline.testing.fresh import answers_elsewhere, digests

        here = digests(self.answers(self.component))
        for told in answers_elsewhere(type(self)):
            if isinstance(told, str):
                self.refuse(
                    f"cannot be asked in another process ({told})", "let make() need nothing but the folder"
                )
            self.same(
                here,
                told,
                "answers differently in another process, where hashes are others",
                "let no answer depend on the order of a set or on hash(); sort, or use dict.fromkeys",
            )

    def test_input_stays_as_it_was(self) -> None:
        """Nothing that the component is given is changed."""
        for case in self.cases():
            arguments = case.arguments()
            before = [plain(argument) for argument in arguments]
            try:
                self.ask(self.component, arguments)
            except (ValueError, TypeError) as error:
                if "read-only" in str(error) or "does not support item assignment" in str(error):
                    self.refuse(f"writes to what it is given ({case.name})", "work on a copy")
                raise
            for number, (argument, was) in enumerate(zip(arguments, before, strict=True), 1):
                if plain(argument) != was:
                    self.refuse(f"changes its argument {number} ({case.name})", "work on a copy")

    def test_cost_grows_no_faster_than_the_input(self) -> None:
        """Eight times the input takes about eight times as long, not sixty-four times."""
        small, large = map(self.grown, self.sizes)
        if small is None or large is None:
            return
        with self.guarded(f"an input of size {self.sizes[1]}", "answer such input, if only with nothing"):
            factor = grows_faster(
                lambda arguments: self.ask(self.component, arguments),
                small,
                large,
                self.sizes[1] / self.sizes[0],
            )
        if factor:
            self.refuse(
                f"took {factor:.0f} times as long for {self.sizes[1] // self.sizes[0]} times the input",
                "look nothing up by searching a list, and compare no candidate with all others",
            )
