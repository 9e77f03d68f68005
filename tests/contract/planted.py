"""Components with a planted mistake each, as people make them, and what the kit must say of each.

:data:`PLANTED` is the list; ``test_planted.py`` runs it. Each is in a component that works on a first look:
in a small test of one query over one graph most give a right answer.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from graphrag_pipeline import (
    NOWHERE,
    BridgeParams,
    Candidates,
    Component,
    Context,
    ContextParams,
    ExpanderParams,
    FileGraph,
    FileGraphParams,
    ScorerParams,
    Seed,
    Verdict,
)
from graphrag_pipeline.testing import (
    BridgeSuite,
    ComponentSuite,
    ContextAssemblerSuite,
    EmbedderSuite,
    ExpanderSuite,
    FilterSuite,
    GraphSourceSuite,
    MetricSuite,
    RerankerSuite,
    ScorerSuite,
    SeedRetrieverSuite,
    SignalSuite,
    TokenCounterSuite,
    TrackerSuite,
)


@dataclass(frozen=True)
class Mistake:
    """A planted mistake.

    Args:
        what: What the author did.
        suite: The suite of the component.
        check: The check that must catch it.
        told: A part of what the check says.
    """

    what: str
    suite: type[ComponentSuite]
    check: str
    told: str


# -- seeds ---------------------------------------------------------------------------------------------


class SetSeeds(Component):
    """Collects words in a set."""

    name = "set_seeds"

    def retrieve(self, query, index, k):
        words = set(query.text.lower().split())
        return [Seed(index.ids[at], 1.0) for word in words for at in index.find(word, 1)][:1]


class TestSetSeeds(SeedRetrieverSuite):
    def make(self) -> Any:
        return SetSeeds()


class AllSeeds(Component):
    """Forgets that k is a limit."""

    name = "all_seeds"

    def retrieve(self, query, index, k):
        return [Seed(node_id, 1.0) for node_id in index.ids]


class TestAllSeeds(SeedRetrieverSuite):
    def make(self) -> Any:
        return AllSeeds()


class WorstFirst(Component):
    """Sorts the wrong way round."""

    name = "worst_first"

    def retrieve(self, query, index, k):
        return [Seed(node_id, at / 10) for at, node_id in enumerate(list(index.ids)[:k])]


class TestWorstFirst(SeedRetrieverSuite):
    def make(self) -> Any:
        return WorstFirst()


class AsciiSeeds(Component):
    """Thinks that the world is ASCII."""

    name = "ascii_seeds"

    def retrieve(self, query, index, k):
        needle = query.text.encode("ascii").decode().lower()
        return [Seed(index.ids[at], 1.0) for at in index.find(needle, k)]


class TestAsciiSeeds(SeedRetrieverSuite):
    def make(self) -> Any:
        return AsciiSeeds()


class FirstSeed(Component):
    """Takes the first node for granted."""

    name = "first_seed"

    def retrieve(self, query, index, k):
        return [Seed(index.ids[0], 1.0)]


class TestFirstSeed(SeedRetrieverSuite):
    def make(self) -> Any:
        return FirstSeed()


# -- expanders -----------------------------------------------------------------------------------------


def _walk(seeds, index, hops, around=None):
    rows = [(seed, NOWHERE, NOWHERE, 0) for seed in seeds.node.tolist()]
    seen = set(seeds.node.tolist())
    for node, _, _, hop in rows:
        neighbours, edges = (around or index.adjacency.around)(node)
        for neighbour, edge in zip(neighbours.tolist(), edges.tolist(), strict=True) if hop < hops else ():
            if neighbour not in seen:
                seen.add(neighbour)
                rows.append((neighbour, node, edge, hop + 1))
    return rows


class TooFar(Component[ExpanderParams]):
    """Goes two hops, whatever is asked."""

    name = "too_far"
    Params = ExpanderParams

    def expand(self, seeds, query, index):
        return Candidates.of(*np.array(_walk(seeds, index, 2), dtype=np.int64).T)


class TestTooFar(ExpanderSuite):
    def make(self) -> Any:
        return TooFar()


class FarthestFirst(Component[ExpanderParams]):
    """Gives children before their parents."""

    name = "farthest_first"
    Params = ExpanderParams

    def expand(self, seeds, query, index):
        rows = sorted(_walk(seeds, index, min(query.hops, 9)), key=lambda row: -row[3])
        return Candidates.of(*np.array(rows, dtype=np.int64).T)


class TestFarthestFirst(ExpanderSuite):
    def make(self) -> Any:
        return FarthestFirst()


class PastTheGate(Component[ExpanderParams]):
    """Reads the arrays of the adjacency, and so walks past a gate."""

    name = "past_the_gate"
    Params = ExpanderParams

    def expand(self, seeds, query, index):
        near = index.adjacency

        def around(node):
            part = slice(near.start[node], near.start[node + 1])
            return near.neighbour[part], near.edge[part]

        return Candidates.of(*np.array(_walk(seeds, index, min(query.hops, 9), around), dtype=np.int64).T)


class TestPastTheGate(ExpanderSuite):
    def make(self) -> Any:
        return PastTheGate()


# -- filters -------------------------------------------------------------------------------------------


class UntypedMask(Component):
    """Makes the mask from a list, which has no dtype when it is empty."""

    name = "untyped_mask"

    def keep(self, candidates, query, index):
        keep = np.array([index.node(at).node_type != "entity" for at in candidates.node.tolist()])
        return Verdict(keep, np.zeros(len(candidates), dtype=int), ("entity",))


class TestUntypedMask(FilterSuite):
    def make(self) -> Any:
        return UntypedMask()


class AboveAverage(Component):
    """Compares each node with all others."""

    name = "above_average"

    def keep(self, candidates, query, index):
        keep = candidates.score >= (candidates.score.mean() if len(candidates) else 0)
        return Verdict(keep, np.zeros(len(candidates), dtype=int), ("below",))


class TestAboveAverage(FilterSuite):
    def make(self) -> Any:
        return AboveAverage()


# -- signals -------------------------------------------------------------------------------------------


class Relative(Component):
    """Divides by the largest, which may be 0."""

    name = "relative"

    def compute(self, candidates, query, index):
        with np.errstate(all="ignore"):
            return candidates.hop / candidates.hop.max(initial=0)


class TestRelative(SignalSuite):
    def make(self) -> Any:
        return Relative()


class ByPosition(Component):
    """Sorts by position, and forgets to sort back."""

    name = "by_position"

    def compute(self, candidates, query, index):
        return np.array([len(index.ids[at]) + at for at in sorted(candidates.node.tolist())], dtype=float)


class TestByPosition(SignalSuite):
    def make(self) -> Any:
        return ByPosition()


class Remembering(Component):
    """Keeps the labels of the first graph it sees."""

    name = "remembering"

    def __init__(self, params=None):
        super().__init__(params)
        self.lengths: dict[int, float] = {}

    def compute(self, candidates, query, index):
        for at, label in zip(candidates.node.tolist(), index.names_at(candidates.node)[2], strict=True):
            self.lengths.setdefault(at, float(len(label)))
        return np.array([self.lengths[at] for at in candidates.node.tolist()], dtype=float)


class TestRemembering(SignalSuite):
    def make(self) -> Any:
        return Remembering()


class Jitter(Component):
    """Breaks ties by luck."""

    name = "jitter"

    def compute(self, candidates, query, index):
        return np.array([random.random() for _ in range(len(candidates))], dtype=float)


class TestJitter(SignalSuite):
    def make(self) -> Any:
        return Jitter()


class AllPairs(Component):
    """Compares each candidate with each other one."""

    name = "all_pairs"

    def compute(self, candidates, query, index):
        types = index.names_at(candidates.node)[1]
        return np.array([sum(one == other for other in types) for one in types], dtype=float)


class TestAllPairs(SignalSuite):
    def make(self) -> Any:
        return AllPairs()


class LocalFunction(Component):
    """Keeps a function that cannot be sent to another process."""

    name = "local_function"

    def __init__(self, params=None):
        super().__init__(params)
        self.weigh = lambda hop: 1.0 / (1.0 + hop)

    def compute(self, candidates, query, index):
        return self.weigh(candidates.hop)


class TestLocalFunction(SignalSuite):
    def make(self) -> Any:
        return LocalFunction()


# -- scorers and rerankers -----------------------------------------------------------------------------


class MinMax(Component[ScorerParams]):
    """Scales by the spread, which is 0 when all are equal."""

    name = "min_max"
    Params = ScorerParams

    def score(self, signals, weights, candidates):
        total = np.sum([weights[name] * column for name, column in signals.items()], axis=0)
        with np.errstate(all="ignore"):
            return (total - total.min()) / (total.max() - total.min())


class TestMinMax(ScorerSuite):
    def make(self) -> Any:
        return MinMax()


class InPlace(Component[ScorerParams]):
    """Adds up in the first column."""

    name = "in_place"
    Params = ScorerParams

    def score(self, signals, weights, candidates):
        first, *rest = signals.values()
        for column in rest:
            first += column
        return first


class TestInPlace(ScorerSuite):
    def make(self) -> Any:
        return InPlace()


class OnlyTheBest(Component):
    """Gives scores to the best ones alone."""

    name = "only_the_best"

    def rerank(self, candidates, query, index):
        return np.sort(candidates.score)[::-1][:10]


class TestOnlyTheBest(RerankerSuite):
    def make(self) -> Any:
        return OnlyTheBest()


# -- bridges -------------------------------------------------------------------------------------------


class OneList(Component[BridgeParams]):
    """Hands out the list it keeps."""

    name = "one_list"
    Params = BridgeParams
    nodes: ClassVar[list[Any]] = [{"node_id": "t", "node_type": "term", "label": "Term"}]

    def graph_of_thought_query(self, query, depth=3):
        return {"nodes": self.nodes}

    def vocab_lookup(self, term, namespace=""):
        return []

    def harmonic_expand(self, concept):
        return []


class TestOneList(BridgeSuite):
    def make(self) -> Any:
        return OneList()


class PlainIds(OneList):
    """Gives ids where records are asked for."""

    name = "plain_ids"

    def graph_of_thought_query(self, query, depth=3):
        return {"nodes": ["t"]}


class TestPlainIds(BridgeSuite):
    def make(self) -> Any:
        return PlainIds()


# -- contexts, counters, embedders ---------------------------------------------------------------------


class ForgetsLineBreaks(Component[ContextParams]):
    """Counts each line alone, and joins them afterwards."""

    name = "forgets_line_breaks"
    Params = ContextParams

    def assemble(self, scored, query, index, counter, budget):
        lines: list[str] = []
        used = 0
        for node in scored:
            used += counter.count(node.label)
            if used > budget:
                break
            lines.append(node.label)
        return Context("\n\n".join(lines), len(lines))


class TestForgetsLineBreaks(ContextAssemblerSuite):
    def make(self) -> Any:
        return ForgetsLineBreaks()


class Average(Component):
    """Counts in fractions."""

    name = "average"

    def count(self, text):
        return len(text) / 4


class TestAverage(TokenCounterSuite):
    def make(self) -> Any:
        return Average()


class Distinct(Component):
    """Counts what is left after a clean-up that looks at the end."""

    name = "distinct"

    def count(self, text):
        return len(text.removesuffix("audits the ledger?"))


class TestDistinct(TokenCounterSuite):
    def make(self) -> Any:
        return Distinct()


class Centred(Component):
    """Takes the mean of the batch away."""

    name = "centred"

    def embed(self, texts):
        rows = np.array([[len(text), text.count("a"), text.count("e")] for text in texts], dtype=float)
        return rows - rows.mean(axis=0)

    def fingerprint(self):
        return "centred 1"


class TestCentred(EmbedderSuite):
    def make(self) -> Any:
        return Centred()


class Address(Centred):
    """Is another model in each process."""

    name = "address"

    def embed(self, texts):
        return np.array([[float(len(text)), 1.0] for text in texts])

    def fingerprint(self):
        return f"address {id(self)}"


class TestAddress(EmbedderSuite):
    def make(self) -> Any:
        return Address()


# -- sources, metrics, trackers ------------------------------------------------------------------------


class Trusting(FileGraph[FileGraphParams]):
    """Trusts that each line has three fields."""

    name = "trusting"
    Params = FileGraphParams

    def read(self, intake):
        for number, line in enumerate(self.path.read_text("utf-8", "replace").splitlines(), 1):
            intake.read("lines")
            source, kind, target = line.split(",")
            intake.edge(source, target, kind, at=f"{self.path}:{number}")


class TestTrusting(GraphSourceSuite):
    def make(self) -> Any:
        path = self.folder / "edges.csv"
        path.write_text("a,uses,b\nb,uses,c\n", encoding="utf-8")
        return Trusting(FileGraphParams(path=str(path)))


class SetSource(Trusting):
    """Makes nodes of a set of names."""

    name = "set_source"

    def read(self, intake):
        names = set(self.text().replace("\n", ",").strip(",").split(","))
        for number, name in enumerate(names, 1):
            intake.read("names")
            intake.node(name, "thing", name, at=f"{self.path}:{number}")


class TestSetSource(GraphSourceSuite):
    def make(self) -> Any:
        path = self.folder / "names.csv"
        path.write_text(",".join(f"name{at}" for at in range(20)), encoding="utf-8")
        return SetSource(FileGraphParams(path=str(path)))


class Precision(Component):
    """Divides by the length of the ranking, which may be 0."""

    name = "precision"

    def measure(self, ranking, relevant):
        return sum(entry in relevant for entry in ranking) / len(ranking)


class TestPrecision(MetricSuite):
    def make(self) -> Any:
        return Precision()


class FirstRank(Component):
    """The rank of the first hit: lower is better."""

    name = "first_rank"

    def measure(self, ranking, relevant):
        return float(next((at for at, entry in enumerate(ranking) if entry in relevant), len(ranking)))


class TestFirstRank(MetricSuite):
    def make(self) -> Any:
        return FirstRank()


class OneRunOnly(Component):
    """Thinks that runs come one after the other, each once."""

    name = "one_run_only"

    def __init__(self, params=None):
        super().__init__(params)
        self.counts: Counter[str] = Counter()

    def start(self, run):
        self.counts[run.run_id] += 1
        assert self.counts[run.run_id] == 1, "run exists already"

    def log(self, run, step):
        pass

    def finish(self, run, end):
        pass


class TestOneRunOnly(TrackerSuite):
    def make(self) -> Any:
        return OneRunOnly()


HASHES, RUNS = "test_hash_seeds_change_nothing", "test_two_runs_agree"
ORDINARY, BUDGET = "test_ordinary_input_gets_a_right_answer", "test_the_budget_is_kept"
PLANTED = (
    Mistake("iterates over a set", TestSetSeeds, HASHES, "another process, where hashes are others"),
    Mistake("gives more than k", TestAllSeeds, ORDINARY, "returned 60 seeds where k is 10"),
    Mistake("sorts the wrong way round", TestWorstFirst, ORDINARY, "the best first"),
    Mistake("cannot take unicode", TestAsciiSeeds, "test_unicode", "raised UnicodeEncodeError"),
    Mistake("needs a node", TestFirstSeed, "test_empty_graph", "on an empty graph"),
    Mistake("ignores max_hops", TestTooFar, "test_query_hops_are_obeyed", "stop at query.hops"),
    Mistake("puts children first", TestFarthestFirst, ORDINARY, "returned a child before its parent"),
    Mistake("walks past a gate", TestPastTheGate, "test_a_gate_is_obeyed", "index.adjacency.around"),
    Mistake("has no dtype when empty", TestUntypedMask, "test_no_candidates", "returned a mask of float64"),
    Mistake("judges by the others", TestAboveAverage, "test_each_node_is_judged_for_itself", "alone"),
    Mistake("divides by 0", TestRelative, "test_one_candidate", "returned nan for candidate 0"),
    Mistake(
        "has an order of its own", TestByPosition, "test_it_follows_the_order_of_its_candidates", "entry i"
    ),
    Mistake("keeps state", TestRemembering, "test_earlier_calls_leave_no_trace", "remembers earlier calls"),
    Mistake("uses random numbers", TestJitter, RUNS, "use no random numbers"),
    Mistake("is quadratic", TestAllPairs, "test_cost_grows_no_faster_than_the_input", "8 times the input"),
    Mistake("cannot be pickled", TestLocalFunction, "test_it_can_be_pickled", "lambdas"),
    Mistake("divides by no spread", TestMinMax, "test_signals_that_are_hard_to_divide_by", "all zeros"),
    Mistake("changes its input", TestInPlace, "test_input_stays_as_it_was", "writes to what it is given"),
    Mistake("gives too few scores", TestOnlyTheBest, ORDINARY, "one finite float64 per candidate"),
    Mistake(
        "hands out its own list", TestOneList, "test_an_answer_may_be_changed_by_who_gets_it", "own lists"
    ),
    Mistake("gives no records", TestPlainIds, ORDINARY, "nodes[0]"),
    Mistake("passes the budget", TestForgetsLineBreaks, BUDGET, "measure the whole text"),
    Mistake("counts in fractions", TestAverage, ORDINARY, "return an int"),
    Mistake("counts less for more", TestDistinct, "test_a_longer_text_counts_no_less", "its beginning"),
    Mistake(
        "looks at the batch", TestCentred, "test_a_text_has_the_same_row_in_any_company", "other company"
    ),
    Mistake("has no stable fingerprint", TestAddress, "test_the_fingerprint_tells_the_model", "made again"),
    Mistake("trusts its file", TestTrusting, "test_a_broken_file_is_a_source_error", "raised ValueError"),
    Mistake("reads into a set", TestSetSource, HASHES, "order of a set"),
    Mistake("divides by nothing", TestPrecision, "test_no_candidates", "ZeroDivisionError"),
    Mistake("prefers low values", TestFirstRank, "test_better_is_higher", "let higher be better"),
    Mistake("takes no second try", TestOneRunOnly, ORDINARY, "a run that is tried again"),
)
"""Every planted mistake."""
