"""Suites of what reads files: graph sources and persona sources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.compiling import as_index
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.knowledge import KnowledgeGraph
from graphrag_pipeline.graph.sources.contract import LoadedGraph
from graphrag_pipeline.model.personas import PersonaRegistry
from graphrag_pipeline.testing.suite import Case, ComponentSuite

__tracebackhide__ = True

BROKEN: Mapping[str, bytes] = {
    "an empty file": b"",
    "bytes that are no text": bytes(range(256)) * 8,
    "text of another format": "Größe, 北条\n<not>{closed: [\n".encode(),
    "a file of nulls": b"\0" * 4096,
}
"""What is found where a good file was expected."""


class SourceSuite(ComponentSuite):
    """What both suites share; extend one of its subclasses.

    ``make`` writes what it needs into ``self.folder`` and returns a source that reads it.
    """

    def cases(self) -> Iterator[Case]:
        """Yield the one call there is."""
        yield Case("ordinary", "load()", tuple)

    @property
    def path(self) -> Path | None:
        """Where the source reads from: the parameter ``path``, None when it has none."""
        path = getattr(getattr(self.component, "params", None), "path", None)
        return Path(path) if isinstance(path, str | Path) else None

    def at(self, path: Path) -> Any:
        """Return the source with another path."""
        params = self.component.params.model_copy(update={"path": str(path)})
        return type(self.component)(params=params)

    def only_source_errors(self, path: Path, what: str, may_load: bool) -> None:
        """Refuse any error but a GraphSourceError that says where."""
        try:
            with_path = self.at(path)
            with_path.load()
        except GraphSourceError as error:
            if not error.where:
                self.refuse(
                    f"does not say where it failed ({what})",
                    "give GraphSourceError where=…, the file at least",
                )
            return
        except Exception as error:  # noqa: BLE001  # whatever it is, it is told
            fix = "turn it into a GraphSourceError with where=… and a hint"
            self.refuse(f"raised {type(error).__name__} for {what}", fix)
        if not may_load:
            self.refuse(f"says nothing of {what}", "raise a GraphSourceError with where=…")

    def test_a_missing_file_is_a_source_error(self) -> None:
        """A path that is not there raises GraphSourceError, with the place."""
        if self.path is not None:
            self.only_source_errors(self.folder / "is-not-there", "a path that is not there", may_load=False)

    def test_a_broken_file_is_a_source_error(self) -> None:
        """A file that is not what it should be raises nothing but GraphSourceError, with the place."""
        if self.path is None:
            return
        suffix = self.path.suffix
        for number, (what, content) in enumerate(BROKEN.items()):
            broken = self.folder / f"broken-{number}{suffix}"
            broken.write_bytes(content)
            self.only_source_errors(broken, what, may_load=True)
        if self.path.is_file():
            cut = self.folder / f"cut{suffix}"
            whole = self.path.read_bytes()
            cut.write_bytes(whole[: len(whole) // 2])
            self.only_source_errors(cut, "the first half of its file", may_load=True)


class GraphSourceSuite(SourceSuite):
    """The contract of a graph source."""

    kind = "graph_source"
    nodes: ClassVar[int | None] = None
    """How many nodes the sample has, where you know."""
    edges: ClassVar[int | None] = None
    """How many edges it has, where you know."""

    def ask(self, component: Any, arguments: tuple[Any, ...]) -> object:
        """Return the graph, compiled, and the report."""
        loaded = component.load()
        if isinstance(loaded, LoadedGraph):
            return as_index(loaded.graph), loaded.report
        return as_index(loaded) if isinstance(loaded, KnowledgeGraph | GraphIndex) else loaded

    def judge(self, case: Case, arguments: tuple[Any, ...], answer: Any) -> None:
        """Refuse what is no graph, and an account that does not balance."""
        index, report = answer if isinstance(answer, tuple) and len(answer) == 2 else (answer, None)
        if not isinstance(index, GraphIndex):
            self.refuse(
                f"loaded {type(index).__name__}",
                "return LoadedGraph(graph, report), or a graph of ours alone",
            )
        for name, count in (("node", self.nodes), ("edge", self.edges)):
            found = getattr(index, f"{name}_count")
            if count is not None and found != count:
                self.refuse(
                    f"loaded {found} {name}s of {count}",
                    "read every record, and report each that is left out",
                )
        account = None if report is None else report.account
        if account is not None and not (
            account.balanced and (account.nodes, account.edges) == (index.node_count, index.edge_count)
        ):
            self.refuse(
                "has an account of rows that does not add up", "count each row as node, edge, skipped or part"
            )

    def test_the_fingerprint_is_that_of_the_content(self) -> None:
        """Where there is one: a text, the same for the same content."""
        prints = [getattr(source, "fingerprint", None) for source in (self.component, self.make())]
        if callable(prints[0]) and callable(prints[1]):
            first, second = prints[0](), prints[1]()
            if not isinstance(first, str) or first != second:
                self.refuse(
                    "has another fingerprint for the same content", "digest the content, no time and no path"
                )


class PersonaSourceSuite(SourceSuite):
    """The contract of a persona source."""

    kind = "persona_source"

    def judge(self, case: Case, arguments: tuple[Any, ...], answer: Any) -> None:
        """Refuse what is no registry."""
        if not isinstance(answer, PersonaRegistry):
            self.refuse(f"loaded {type(answer).__name__}", "return PersonaRegistry(personas, skipped)")
