"""Suites of what speaks to the world outside: bridges, metrics."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from graphrag_pipeline.stages.bridges.answer import read_answer
from graphrag_pipeline.testing import graphs, inputs
from graphrag_pipeline.testing.plain import plain
from graphrag_pipeline.testing.suite import Case, ComponentSuite

__tracebackhide__ = True


class BridgeSuite(ComponentSuite):
    """The contract of a bridge. ``make`` returns one whose service answers, if only a stand-in for it."""

    kind = "bridge"

    def cases(self) -> Iterator[Case]:
        """Yield texts and depths."""
        texts = [query.text for query in inputs.ordinary_queries()]
        for text in (*texts, "workflow"):
            yield Case("ordinary", f"the text {text!r:.30}", lambda text=text: (text, 3))  # type: ignore[misc]  # bound at once
        for depth in (0, 1, inputs.HUGE):
            yield Case("huge k", f"depth {depth}", lambda depth=depth: ("audit workflow", depth))  # type: ignore[misc]  # bound at once
        for text in (*graphs.ODD_TEXTS, "audit " * 2000):
            yield Case("unicode", f"the text {text!r:.30}", lambda text=text: (text, 2))  # type: ignore[misc]  # bound at once

    def ask(self, component: Any, arguments: tuple[Any, ...]) -> object:
        """Return what all three calls say."""
        text, depth = arguments
        return {
            "thought": component.graph_of_thought_query(text, depth=depth),
            "terms": component.vocab_lookup(text, namespace=""),
            "related": component.harmonic_expand(text),
        }

    def judge(self, case: Case, arguments: tuple[Any, ...], answer: Any) -> None:
        """Refuse an answer of which a pipeline would skip a part."""
        thought = answer["thought"]
        if skipped := read_answer(thought, (), (), 0.25).skipped:
            self.refuse(
                f"gives what a pipeline skips: {skipped[0]}",
                "give nodes, edges and paths as a graph file has them",
            )
        try:
            json.dumps(thought)
        except (TypeError, ValueError) as error:
            self.refuse(
                f"gives what JSON cannot hold: {error}", "give plain records: text, numbers, lists, mappings"
            )
        for call in ("terms", "related"):
            ids = answer[call]
            if not isinstance(ids, list) or not all(isinstance(entry, str) for entry in ids):
                self.refuse(
                    f"gives {type(ids).__name__} of {call}",
                    "return a list of ids from vocab_lookup and harmonic_expand",
                )

    def test_unicode(self) -> None:
        """Any text may be asked."""
        self.hold("unicode")

    def test_any_depth(self) -> None:
        """No depth and a huge depth are depths."""
        self.hold("huge k")

    def test_an_answer_may_be_changed_by_who_gets_it(self) -> None:
        """A change to one answer does not reach the next."""
        for case in self.cases():
            arguments, answer = self.call(self.component, case)
            before = plain(answer)
            thought = answer["thought"] if isinstance(answer, dict) else {}
            for part in ("nodes", "edges", "paths"):
                given = thought.get(part) if isinstance(thought, Mapping) else None
                for entry in given if isinstance(given, list) else ():
                    entry.clear()
                if isinstance(given, list):
                    given.clear()
            if plain(self.ask(self.component, arguments)) != before:
                self.refuse(f"hands out its own lists ({case.name})", "make the answer anew for each call")


class MetricSuite(ComponentSuite):
    """The contract of a metric."""

    kind = "metric"

    def cases(self) -> Iterator[Case]:
        """Yield rankings from empty to long, and judgements from none to many."""
        ranking = [f"n{place}" for place in range(20)]
        graded = {f"n{place}": 1 + place % 3 for place in (0, 3, 4, 11)}
        for name, ids, relevant in (
            ("a ranking of 20", ranking, graded),
            ("the best ranking", sorted(ranking, key=lambda entry: -graded.get(entry, 0)), graded),
            ("grades that are fractions", ranking, {"n1": 0.5, "n7": 1.5}),
            ("nothing relevant found", [f"x{place}" for place in range(5)], graded),
        ):
            yield self._case("ordinary", name, ids, relevant)
        yield self._case("one candidate", "a ranking of one", ["n0"], {"n0": 1})
        yield self._case("no candidates", "an empty ranking", [], graded)
        yield self._case("no candidates", "nothing relevant at all", ranking, {})
        yield self._case("no candidates", "nothing at all", [], {})
        odd = list(dict.fromkeys(graphs.ODD_TEXTS))
        yield self._case("unicode", "ids of any text", odd, dict.fromkeys(odd[::2], 2))

    def _case(self, subject: str, name: str, ranking: list[str], relevant: Mapping[str, float]) -> Case:
        return Case(subject, name, lambda: (list(ranking), dict(relevant)))

    def judge(self, case: Case, arguments: tuple[Any, ...], answer: Any) -> None:
        """Refuse what is no finite number."""
        if isinstance(answer, bool) or not isinstance(answer, int | float) or not math.isfinite(answer):
            self.refuse(
                f"measured {answer!r:.40} for {case.name}",
                "return a finite float, 0.0 where there is nothing to divide by",
            )

    def grown(self, size: int) -> Callable[[], tuple[Any, ...]]:
        """Return a longer ranking with more judgements."""
        ranking = [f"n{place}" for place in range(size)]
        relevant = {f"n{place}": 1 for place in range(0, size, 3)}
        return lambda: (list(ranking), dict(relevant))

    def test_one_candidate(self) -> None:
        """A ranking of one is a ranking."""
        self.hold("one candidate")

    def test_no_candidates(self) -> None:
        """Rankings and judgements may be empty."""
        self.hold("no candidates")

    def test_unicode(self) -> None:
        """Any text is an id."""
        self.hold("unicode")

    def test_better_is_higher(self) -> None:
        """The relevant ids first measure no less than the same ids last."""
        relevant = {"a": 3, "b": 2, "c": 1}
        others = [f"x{place}" for place in range(10)]
        best = self.component.measure([*relevant, *others], dict(relevant))
        worst = self.component.measure([*others, *reversed(relevant)], dict(relevant))
        if best < worst:
            self.refuse(
                "measures less for a better ranking", "let higher be better; turn it round, as in 1 - x"
            )

    def test_the_order_of_the_judgements_does_not_matter(self) -> None:
        """Judgements are a mapping: in another order they are the same."""
        for case in self.cases():
            ranking, relevant = case.arguments()
            back = dict(reversed(list(relevant.items())))
            if self.component.measure(list(ranking), relevant) != self.component.measure(list(ranking), back):
                self.refuse(
                    f"depends on the order of the judgements ({case.name})", "look grades up by id alone"
                )
