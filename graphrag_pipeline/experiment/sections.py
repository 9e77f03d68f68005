"""What a comparison says, as tables of text that any form of output can take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from graphrag_pipeline.experiment.comparison import Comparison, Pair, Standing
from graphrag_pipeline.experiment.halves import Choice
from graphrag_pipeline.experiment.resampling import Interval


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a column.

    Args:
        text: The words.
        right: Whether the column is aligned to the right, as numbers are.
        free: Whether its cells are names that may be long.
    """

    text: str
    right: bool = True
    free: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell with significance letters, or a star."""

    text: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """One table.

    Args:
        title: What it is of.
        columns: Headings.
        rows: A cell a column.
        note: How to read it.
    """

    title: str
    columns: tuple[Heading, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str


def sections(found: Comparison) -> Iterator[Section]:
    """Yield the tables of a comparison, the most important first."""
    yield _means(found)
    yield _pairs(found)
    if found.split is not None:
        yield _split(found)
    if found.contrasts:
        yield _contrasts(found)


def _means(found: Comparison) -> Section:
    by_run: dict[str, dict[str, Standing]] = {}
    for standing in found.standings:
        by_run.setdefault(standing.run, {})[standing.measure] = standing
    columns = [Heading("run", right=False, free=True)]
    for measure in found.measures:
        columns += [Heading(measure, right=False), Heading("95%", right=False)]
    rows = [
        (Cell(run), *(cell for measure in found.measures for cell in _standing_cells(of_run[measure])))
        for run, of_run in by_run.items()
    ]
    if found.baseline is None:
        note = "Runs that share a letter do not differ significantly (Holm, 0.05)."
    else:
        note = f"*: differs significantly from {found.baseline} (Holm, 0.05)."
    if found.split is not None:
        note += " Over all queries: in-sample for the run that is best here."
    return Section(f"Means over {_queries(found.queries)}", tuple(columns), tuple(rows), note)


def _standing_cells(standing: Standing) -> tuple[Cell, Cell]:
    return Cell(number(standing.mean), standing.letters), Cell(interval(standing.interval))


def _pairs(found: Comparison) -> Section:
    columns = (
        Heading("measure", right=False),
        Heading("first", right=False, free=True),
        Heading("second", right=False, free=True),
        *map(Heading, ("difference", "95%", "p", "Holm", "BH", "d", "win/tie/loss", "wins", "detectable")),
    )
    rows = tuple(_pair_cells(pair) for pair in found.pairs)
    note = (
        "Differences are first minus second. wins: share of queries, a tie counting half."
        " detectable: the smallest true difference that this many queries show 4 times in 5."
    )
    return Section("Paired differences", columns, rows, note)


def _pair_cells(pair: Pair) -> tuple[Cell, ...]:
    found = pair.paired
    texts = (
        pair.measure,
        pair.first,
        pair.second,
        signed(found.difference),
        interval(found.interval, sign=True),
        p_value(found.p),
        p_value(pair.holm),
        p_value(pair.benjamini_hochberg),
        "–" if found.effect is None else f"{found.effect + 0.0:+.2f}",
        f"{found.wins}/{found.ties}/{found.losses}",
        f"{found.win_share:.0%}",
        "–" if found.detectable is None else number(found.detectable),
    )
    return tuple(map(Cell, texts))


def _split(found: Comparison) -> Section:
    assert found.split is not None
    a, b = found.split.queries_a, found.split.queries_b
    columns = (
        Heading("measure", right=False),
        Heading("chosen on A", right=False, free=True),
        Heading("A (in-sample)"),
        Heading("B (held out)"),
        Heading("95%"),
        Heading("against", right=False, free=True),
        *map(Heading, ("its B", "difference on B", "95%", "p", "Holm")),
    )
    rows = tuple(_choice_cells(choice) for choice in found.split.choices)
    note = "Report the figures of B; that of A is too high on average, since the run was chosen for it."
    return Section(
        f"Chosen on half A ({_queries(a)}), reported on half B ({_queries(b)})", columns, rows, note
    )


def _choice_cells(choice: Choice) -> tuple[Cell, ...]:
    texts = (
        choice.measure,
        choice.chosen,
        number(choice.in_sample),
        number(choice.held_out),
        interval(choice.interval),
        choice.rival,
        number(choice.rival_held_out),
        signed(choice.against.difference),
        interval(choice.against.interval, sign=True),
        p_value(choice.against.p),
        p_value(choice.holm),
    )
    return tuple(map(Cell, texts))


def _contrasts(found: Comparison) -> Section:
    names = tuple(Heading(run) for run in found.runs)
    columns = (Heading("measure", right=False), Heading("query", right=False, free=True), *names)
    rows = tuple(
        (Cell(contrast.measure), Cell(contrast.query), *(Cell(number(value)) for value in contrast.values))
        for contrast in found.contrasts
    )
    return Section("Queries that differ most", columns, rows, "By the largest value minus the smallest.")


def number(value: float) -> str:
    """Return a value with four digits; below that, no measure of a few hundred queries says anything."""
    return f"{value + 0.0:.4f}"


def signed(value: float) -> str:
    """Return a difference with its sign; one that rounds to nothing has none."""
    text = f"{value:+.4f}"
    return "0.0000" if float(text) == 0 else text


def interval(found: Interval | None, *, sign: bool = False) -> str:
    """Return an interval, or a dash where there is none."""
    if found is None:
        return "–"
    shown = signed if sign else number
    return f"[{shown(found.low)}, {shown(found.high)}]"


def p_value(value: float) -> str:
    """Return a p-value; one that would round to 0 says below what it is, for it never is 0."""
    return "<0.0001" if value < 0.0001 else f"{value:.4f}"


def _queries(count: int) -> str:
    return f"{count} {'query' if count == 1 else 'queries'}"
