"""Suites of what works on texts: context assemblers, token counters, embedders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.contract import TokenCounter
from graphrag_pipeline.stages.scored import Context
from graphrag_pipeline.stages.tokens.words import Words
from graphrag_pipeline.testing import graphs, inputs
from graphrag_pipeline.testing.plain import plain
from graphrag_pipeline.testing.suite import Case, ComponentSuite

__tracebackhide__ = True

BUDGETS = (1, 9, 25, 70, 300, 1200, 100_000)
"""Token budgets, from what holds nothing to what holds everything."""


class Characters:
    """A token a character: no rounding hides a line break that was not counted."""

    name = "characters"

    def count(self, text: str) -> int:
        """Count the characters."""
        return len(text)


class ContextAssemblerSuite(ComponentSuite):
    """The contract of a context assembler."""

    kind = "context_assembler"

    def cases(self) -> Iterator[Case]:
        """Yield nodes of every sample graph, at budgets of every size, under two counters."""
        office, crowd, single, odd, dangling = (
            inputs.sampled()["office"],
            inputs.crowded(60),
            inputs.sampled()["single"],
            inputs.sampled()["odd"],
            inputs.sampled()["dangling"],
        )
        plain = inputs.ordinary_queries()[0]
        for counter in (Characters(), Words()):
            for budget in BUDGETS:
                told = f"{budget} tokens of {counter.name}"
                for subject, index in (("ordinary", office), ("ordinary", crowd), ("unicode", odd)):
                    name = f"{told}, {index.node_count} nodes"
                    found = inputs.walked(index, plain) if subject == "ordinary" else inputs.whole(index)
                    yield self._case(subject, name, index, found, counter, budget)
        yield self._case(
            "one candidate", "one node", single, inputs.first_nodes(single, 1), Characters(), 300
        )
        found = inputs.walked(dangling, plain)
        yield self._case(
            "dangling edges", "edges to ids that are no nodes", dangling, found, Characters(), 300
        )

    def _case(
        self,
        subject: str,
        name: str,
        index: GraphIndex,
        found: Candidates,
        counter: TokenCounter,
        budget: int,
    ) -> Case:
        query = inputs.ordinary_queries()[0]
        return Case(subject, name, lambda: (inputs.ranked(index, found), query, index, counter, budget))

    def judge(self, case: Case, arguments: tuple[Any, ...], answer: Any) -> None:
        """Refuse what is no context, and one that does not tell what it holds."""
        if not isinstance(answer, Context) or not isinstance(answer.text, str):
            self.refuse(f"returned {type(answer).__name__}", "return Context(text, written)")
        known = [scored.node_id for scored in case.arguments()[0]]
        if not 0 <= answer.written <= len(known):
            self.refuse(
                f"says it wrote {answer.written} of {len(known)} nodes", "count the nodes in the text"
            )
        ids = known[: answer.written] if answer.node_ids is None else list(answer.node_ids)
        if len(set(ids)) != answer.written or not set(ids) <= set(known):
            self.refuse(
                f"names {len(set(ids))} nodes and says it wrote {answer.written} ({case.name})",
                "let node_ids name each written node once, or leave it None when they are the first ones",
            )
        if not set(answer.left_out) <= set(known) - set(ids):
            self.refuse(
                f"gives reasons for nodes that it wrote ({case.name})", "name in left_out what is left out"
            )

    def grown(self, size: int) -> Callable[[], tuple[Any, ...]]:
        """Return what hands over more nodes, with a budget that grows as they do."""
        index, query, counter = inputs.crowded(size), inputs.ordinary_queries()[0], Characters()
        found = inputs.whole(index)
        return lambda: (inputs.ranked(index, found), query, index, counter, size * 20)

    def test_one_candidate(self) -> None:
        """One node is enough."""
        self.hold("one candidate")

    def test_dangling_edges(self) -> None:
        """Edges to ids that are no nodes do not matter."""
        self.hold("dangling edges")

    def test_unicode(self) -> None:
        """Any text may be in a label and a property."""
        self.hold("unicode")

    def test_the_budget_is_kept(self) -> None:
        """The whole text, measured by the counter, is within the budget."""
        for case in self.cases():
            arguments, answer = self.call(self.component, case)
            counter, budget = arguments[3:]
            took = counter.count(getattr(answer, "text", ""))
            if took > budget:
                self.refuse(
                    f"wrote {took} tokens where {budget} are allowed ({case.name})",
                    "measure the whole text with counter.count, headings and line breaks included",
                )


class TokenCounterSuite(ComponentSuite):
    """The contract of a token counter."""

    kind = "token_counter"

    def cases(self) -> Iterator[Case]:
        """Yield texts of every sort."""
        for text in ("Who audits the ledger?", "two words", "a", "x" * 999):
            yield Case("ordinary", f"the text {text!r:.30}", lambda text=text: (text,))  # type: ignore[misc]  # bound at once
        for text in (*graphs.ODD_TEXTS, "audit 北条 🧑‍🔬 " * 500):
            yield Case("unicode", f"the text {text!r:.30}", lambda text=text: (text,))  # type: ignore[misc]  # bound at once

    def judge(self, case: Case, arguments: tuple[Any, ...], answer: Any) -> None:
        """Refuse what is no whole number from 0."""
        if type(answer) is not int or answer < 0:
            self.refuse(f"counted {answer!r:.60} for {case.name}", "return an int that is 0 or more")

    def grown(self, size: int) -> Callable[[], tuple[Any, ...]]:
        """Return a longer text."""
        text = "Who audits 北条 the ledger? " * size
        return lambda: (text,)

    def test_unicode(self) -> None:
        """Any text can be counted."""
        self.hold("unicode")

    def test_a_longer_text_counts_no_less(self) -> None:
        """A text counts at least what its beginning counts."""
        for case in self.cases():
            (text,) = case.arguments()
            ends = sorted({*range(min(len(text), 40) + 1), len(text) // 2, len(text)})
            counts = [self.component.count(text[:end]) for end in ends]
            if counts != sorted(counts):
                self.refuse(
                    f"counts less for a longer text ({case.name})",
                    "let no text count less than its beginning, as assemblers look for what fits by halving",
                )


class EmbedderSuite(ComponentSuite):
    """The contract of an embedder."""

    kind = "embedder"
    tolerance: ClassVar[float] = 1e-5
    """How far a number may be from that of the same text in other company, as models round."""

    def cases(self) -> Iterator[Case]:
        """Yield lists of texts; none is blank, as the contract says."""
        some = ["Who audits the ledger?", "audit", "the audit plan of unit 3", "a quite different matter"]
        yield Case("ordinary", "four texts", lambda: (list(some),))
        yield Case("one candidate", "one text", lambda: (["audit"],))
        # What no model can hold, a lone surrogate, is replaced before an embedder is asked.
        odd = [text for text in graphs.ODD_TEXTS if text.strip() and "\ud800" not in text]
        yield Case("unicode", "texts of many scripts", lambda: (list(odd),))
        yield Case("unicode", "a very long text", lambda: (["audit of it all. " * 1000],))

    def judge(self, case: Case, arguments: tuple[Any, ...], answer: Any) -> None:
        """Refuse what is not one row of finite numbers per text."""
        rows = len(arguments[0])
        if not isinstance(answer, np.ndarray) or answer.dtype.kind != "f" or answer.shape[:1] != (rows,):
            shape = (
                f"{answer.dtype} {answer.shape}" if isinstance(answer, np.ndarray) else type(answer).__name__
            )
            self.refuse(f"returned {shape} for {case.name}", "return a float array with one row per text")
        if answer.ndim != 2 or not answer.shape[1] or not np.isfinite(answer).all():
            self.refuse(
                f"returned rows that are no finite numbers for {case.name}", "divide by no length of 0"
            )

    def grown(self, size: int) -> Callable[[], tuple[Any, ...]]:
        """Return more texts."""
        texts = [f"audit {place} of unit {place % 7}" for place in range(size // 2)]
        return lambda: (list(texts),)

    def test_one_candidate(self) -> None:
        """One text is enough."""
        self.hold("one candidate")

    def test_unicode(self) -> None:
        """Any text can be embedded."""
        self.hold("unicode")

    def test_a_text_has_the_same_row_in_any_company(self) -> None:
        """A row does not depend on the other texts of the call, nor on their order."""
        for case in self.cases():
            (texts,) = case.arguments()
            together = np.asarray(self.component.embed(list(texts)))
            back = np.asarray(self.component.embed(texts[::-1]))[::-1]
            alone = np.concatenate([np.asarray(self.component.embed([text])) for text in texts])
            scale = max(float(np.abs(together).max(initial=0)), 1.0)
            if any(other.shape != together.shape for other in (back, alone)) or not all(
                np.allclose(other, together, rtol=0, atol=self.tolerance * scale) for other in (back, alone)
            ):
                self.refuse(
                    f"gives a text another row in other company ({case.name})",
                    "let each row depend on its own text alone: no averages over a batch",
                )

    def test_the_fingerprint_tells_the_model(self) -> None:
        """It is a text, and the same for a component that is made again."""
        first, second = self.component.fingerprint(), self.make().fingerprint()
        if not isinstance(first, str) or not first:
            self.refuse(
                f"has the fingerprint {first!r:.60}", "return a text that names model, version and parameters"
            )
        if plain(first) != plain(second):
            self.refuse(
                "has another fingerprint when it is made again", "leave out what differs between runs"
            )
