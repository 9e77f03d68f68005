"""Files made to exhaust a reader, each in a process of its own: refused or read in a second and 100 MB."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.graph.sources.apart import Readers, readers

Read = Callable[[str, Path], str]
MIB = 1 << 20
GRAPHML = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph>%s</graph></graphml>'
GEXF = '<gexf version="1.3"><graph><nodes>%s</nodes></graph></gexf>'
ARCHI = (
    '<archimate:model xmlns:archimate="http://www.archimatetool.com/archimate" name="m">%s</archimate:model>'
)
RDF = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="urn:e:">%s</rdf:RDF>'
XML = {"graphml": GRAPHML, "gexf": GEXF, "archimate": ARCHI, "rdf": RDF}
BOMB = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="measures memory in /proc")


@pytest.fixture(scope="module")
def processes() -> Iterator[Readers]:
    with readers() as started:
        yield started


@pytest.fixture
def read(processes: Readers, tmp_path: Path) -> Read:
    """Load a file in a process that must not take more than two seconds and 100 MB; return what came of it.

    On the machine that this was written on the slowest takes one: a slower one must not fail by its speed.
    """

    def read_it(source: str, path: Path) -> str:
        found = processes.read(source, path, tmp_path / "answer.json")
        assert found.mb < 100, found
        assert found.seconds < 2, found
        return found.said

    return read_it


def write_around(path: Path, text: str) -> None:
    """Write a text with a value of a hundred megabytes in the place of its `%s`."""
    start, _, end = text.partition("%s")
    with path.open("wb") as file:
        file.write(start.encode())
        for _ in range(100):
            file.write(b"x" * MIB)
        file.write(end.encode())


def document(source: str, body: str, doctype: str = "") -> str:
    """An XML document of a format."""
    return '<?xml version="1.0"?>' + doctype + XML[source] % body


@pytest.mark.parametrize("source", XML)
def test_an_entity_bomb_is_refused(read, tmp_path, source):
    path = tmp_path / "g.xml"
    path.write_text(document(source, "&a11;", f'<!DOCTYPE g [<!ENTITY a0 "aa">{BOMB}]>'))
    said = read(source, path)
    assert said.startswith("refused: ")
    assert "entit" in said


@pytest.mark.parametrize("source", XML)
def test_no_other_file_is_ever_shown(read, tmp_path, source):
    secret = tmp_path / "secret.txt"
    secret.write_text("hunter2")
    path = tmp_path / "g.xml"
    path.write_text(document(source, "&f;", f'<!DOCTYPE g [<!ENTITY f SYSTEM "{secret.as_uri()}">]>'))
    said = read(source, path)
    assert said.startswith("refused: ")
    assert "hunter2" not in said


@pytest.mark.parametrize(
    ("source", "element"),
    [
        ("graphml", '<node id="%s"/>'),
        ("graphml", '<node id="a"><data key="k">%s</data></node>'),
        ("gexf", '<node id="a" label="%s"/>'),
        ("archimate", '<folder name="%s"/>'),
        ("rdf", '<rdf:Description rdf:about="urn:a"><e:p>%s</e:p></rdf:Description>'),
    ],
)
def test_a_value_of_a_hundred_megabytes_is_refused(read, tmp_path, source, element):
    path = tmp_path / "g.xml"
    write_around(path, document(source, element))
    assert read(source, path).startswith("refused: ")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("nodelink", '{"links": [], "nodes": [{"id": "a", "note": "%s"}]}'),
        ("json", '{"nodes": [{"node_id": "a", "node_type": "t", "label": "%s"}]}'),
        ("openie", '{"id": "p", "text": "%s"}\n'),
        ("neo4j", '{"type":"node","id":"0","labels":["U"],"properties":{"name":"%s"}}\n'),
        ("csv", 'source,target\n"%s",b\n'),
        ("gml", 'graph [ node [ id 1 label "%s" ] ]'),
        ("rdf", '<urn:a> <urn:b> "%s" .\n'),
    ],
)
def test_a_text_of_a_hundred_megabytes_is_refused(read, tmp_path, source, text):
    path = tmp_path / ("g.nt" if source == "rdf" else "g")
    write_around(path, text)
    assert read(source, path).startswith("refused: ")


NESTED: dict[str, Callable[[], str]] = {
    "nodelink": lambda: '{"links": [], "nodes": ' + "[" * 200_000,
    "json": lambda: '{"nodes": ' + "[" * 200_000 + "]" * 200_000 + "}",
    "neo4j": lambda: '{"a":' * 100_000,
    "gml": lambda: "graph [ " + "a [ " * 200_000,
    "graphml": lambda: document("graphml", '<node id="a">' * 200_000),
    "gexf": lambda: document("gexf", '<node id="a"><nodes>' * 100_000),
    "archimate": lambda: document("archimate", '<folder name="a">' * 200_000),
    "rdf": lambda: document("rdf", "<rdf:Description><e:p>" * 100_000),
}


@pytest.mark.parametrize("source", NESTED)
def test_what_is_nested_without_end_is_refused(read, tmp_path, source):
    path = tmp_path / ("g.rdf" if source == "rdf" else "g")
    path.write_text(NESTED[source]())
    assert read(source, path).startswith("refused: ")


def test_a_zip_bomb_is_refused(read, tmp_path):
    path = tmp_path / "g.archimate"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("model.xml", "w") as member,
    ):
        for _ in range(600):
            member.write(b" " * MIB)
    assert path.stat().st_size < MIB
    assert read("archimate", path).startswith("refused: ")


def test_a_zip_that_lies_about_its_size_is_refused(read, tmp_path):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("model.xml", b" " * (50 * MIB))
    lie = held.getvalue().replace((50 * MIB).to_bytes(4, "little"), (1000).to_bytes(4, "little"))
    path = tmp_path / "g.archimate"
    path.write_bytes(lie)
    assert read("archimate", path).startswith("refused: ")


def parquet(path: Path, texts: list[str], encoding: str, **options: str) -> Path:
    """Write a table of edges that have a text each, which is encoded so."""
    arrow, files = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    ends = {"source": ["a"] * len(texts), "target": ["b"] * len(texts)}
    files.write_table(
        arrow.table({**ends, "text": texts}),
        path,
        use_dictionary=False,
        column_encoding={"source": "PLAIN", "target": "PLAIN", "text": encoding},
        **{"compression": "none", **options},
    )
    return path


@pytest.mark.parametrize(
    "options", [{}, {"use_dictionary": False}, {"use_dictionary": False, "compression": "none"}]
)
@pytest.mark.parametrize("texts", [["x" * 8 * MIB] * 7, [letter * 8 * MIB for letter in "abcdefg"]])
def test_a_parquet_file_of_a_few_huge_values_is_refused(read, tmp_path, texts, options):
    arrow, files = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "g.parquet"
    table = arrow.table({"source": ["a"] * 7, "target": ["b"] * 7, "text": texts})
    files.write_table(table, path, **options)
    said = read("parquet", path)
    assert said.startswith("refused: A row is longer than 4 MiB.")
    assert f"{path}: column 'text'" in said
    assert "hint:  No node or edge needs such a value" in said


def test_long_values_that_a_parquet_file_packs_too_well_are_refused(read, tmp_path):
    texts = [chr(ord("a") + at) * 2 * MIB for at in range(24)]
    said = read("parquet", parquet(tmp_path / "g.parquet", texts, "PLAIN", compression="snappy"))
    assert said.startswith("refused: The file says that it holds far more")
    assert "column 'text'" in said


def test_rows_of_megabytes_are_read_from_parquet(read, tmp_path):
    texts = [f"{at}" + "y" * MIB for at in range(8)]
    assert read("parquet", parquet(tmp_path / "g.parquet", texts, "PLAIN")).startswith("[")


@pytest.mark.parametrize(
    ("texts", "encoding", "options"),
    [
        (["x" * 65_536] * 1000, "DELTA_BYTE_ARRAY", {}),
        (["x" * 65_536] * 1000, "DELTA_BYTE_ARRAY", {"data_page_version": "2.0"}),
        (["x" * MIB] * 60, "DELTA_BYTE_ARRAY", {}),
        (["x" * MIB] * 60, "DELTA_BYTE_ARRAY", {"compression": "zstd"}),
        (["x" * MIB] * 60, "DELTA_LENGTH_BYTE_ARRAY", {"compression": "zstd"}),
        (["x" * MIB] * 60, "PLAIN", {"compression": "zstd"}),
    ],
)
def test_a_parquet_file_that_expands_is_refused_before_it_is_decoded(
    read, tmp_path, texts, encoding, options
):
    said = read("parquet", parquet(tmp_path / "g.parquet", texts, encoding, **options))
    assert said.startswith("refused: The file says that it holds far more")
    assert str(tmp_path) in said
    assert "hint:" in said


def test_the_end_of_a_parquet_file_may_not_hold_millions_of_values(read, tmp_path):
    # Field 2, the schema, as a list of 1,990,000 numbers.
    end = b"\x29\xf5\xf0\xba\x79" + b"\x02" * 1_990_000 + b"\0"
    path = tmp_path / "g.parquet"
    path.write_bytes(b"PAR1" + end + len(end).to_bytes(4, "little") + b"PAR1")
    assert read("parquet", path).startswith("refused: ")


@pytest.mark.parametrize(
    ("header", "row", "what"),
    [
        ("source,target\n", '"a"b\n', "a row whose quotes are wrong"),
        ("source,target\n", '"\n"x\n', "a row whose quotes are wrong"),
        ("source,target\n", ",\n", "an edge without a source or a target"),
        ("id,label\n", ",\n", "a node without an id"),
        ("source,target\n", "a\n", "an edge without a source or a target"),
        ("source,target\n", "\n", "lines are blank"),
    ],
)
def test_a_table_of_nothing_but_wrong_rows_is_refused_soon(read, tmp_path, header, row, what):
    path = tmp_path / "g.csv"
    path.write_text(header + row * (20 * MIB // len(row)))
    said = read("csv", path)
    assert said.startswith("refused: Nearly all")
    assert what in said
    assert f"{path}:2" in said or "where: " in said


RDF_SIZE = 4 * MIB


def much(start: str, form: str, end: str = "") -> str:
    """A text of four megabytes: a form again and again, with a number in it."""
    forms = (form.replace("%", str(at)) for at in range(RDF_SIZE // len(form)))
    return start + "".join(forms) + end


PREFIX = "@prefix e: <urn:e:> . "
DENSE: dict[str, Callable[[], str]] = {
    "empty lists in a list.ttl": lambda: much(f"{PREFIX} e:a e:b (", "()", ") ."),
    "digits in a list.ttl": lambda: much(f"{PREFIX} e:a e:b (", "1 ", ") ."),
    "blank nodes with a type.ttl": lambda: much(PREFIX, "[]a e:t."),
    "blank nodes at both ends.ttl": lambda: much(PREFIX, "[]e:t[]."),
    "the same again.ttl": lambda: much(f"{PREFIX} e:a e:b 1", ",1", " ."),
    # Three of the four megabytes: what may be named grows with the file, and four are at the edge.
    "names of 200 characters.ttl": lambda: much(f"@prefix e: <urn:{'x' * 200}> . ", "e:% a e:t.\n")[
        : 3 << 20
    ],
    "names of a megabyte.ttl": lambda: much(f"@prefix e: <urn:{'x' * MIB}> . ", "e:% a e:t.\n"),
    "names beyond ASCII.ttl": lambda: much(f"@prefix e: <urn:{chr(0x1F600) * 200}> . ", "e:% a e:t.\n"),
    "elements.rdf": lambda: document("rdf", much("", "<e:a/>")),
    "elements in a literal.rdf": lambda: document(
        "rdf", much('<e:a><e:b rdf:parseType="Literal">', "<b/>", "</e:b></e:a>")
    ),
    "empty objects.jsonld": lambda: much('{"@context": {"e": "urn:e"}, "e": [', "{},", "1]}"),
    "ones.jsonld": lambda: much('{"@context": {"e": "urn:e"}, "e": [', "1,", "1]}"),
    "ids.jsonld": lambda: much('{"@graph": [', '{"@id":"%"},', "{}]}"),
    "long names.jsonld": lambda: much(
        f'{{"@context": {{"@vocab": "urn:{"x" * 400}"}}, ', '"a key %": 1, ', '"a":1}'
    ),
}


@pytest.mark.parametrize("name", DENSE)
def test_rdf_whose_shorthands_make_too_much_is_refused(read, tmp_path, name):
    path = tmp_path / f"g{Path(name).suffix}"
    path.write_text(DENSE[name]())
    said = read("rdf", path)
    assert said.startswith("refused: ")
    assert "would fill the memory" in said
    assert "hint:" in said


KEYS: dict[str, Callable[[], str]] = {
    "of an object": lambda: much('{"@context": {"@vocab": "urn:"}, ', '"k%": 1, ', '"a": 1}'),
    "of an object, IRIs": lambda: much("{", '"http://example.org/%": "value", ', '"a": 1}'),
    "of an object, again": lambda: much("{", '"k": 1, ', '"a": 1}'),
    "of an object in a list": lambda: much('{"@graph": [{"a": {}, ', '"k%": "{", ', '"a": 1}]}'),
    "of a map": lambda: much('{"@context": {"@vocab": "urn:"}, "e": {', '"k%": {"a": 1}, ', '"a": {}}}'),
    "of a context": lambda: much('{"@context": {', '"k%": "u:a", ', '"a": "u:a"}, "a": 1}'),
    "of a context of objects": lambda: much(
        '{"@context": {', '"k%": {"@id": "urn:%"}, ', '"a": "urn:a"}, "a": 1}'
    ),
}


@pytest.mark.parametrize("name", KEYS)
def test_an_object_of_too_many_keys_is_refused(read, tmp_path, name):
    path = tmp_path / "g.jsonld"
    path.write_text(KEYS[name]())
    said = read("rdf", path)
    assert said.startswith("refused: One object has ")
    assert f"{path}: near byte 0" in said
    assert "hint:  Write what the keys name as objects" in said


def terms(count: int) -> str:
    """A context of so many terms."""
    return "{" + ", ".join(f'"k{at}": "urn:{at}"' for at in range(count)) + "}"


def test_a_context_of_too_many_terms_is_refused(read, tmp_path):
    path = tmp_path / "g.jsonld"
    path.write_text(much('{"@context": [', '{"k%": "urn:a"}, ', '{"a": "urn:a"}], "a": 1}'))
    said = read("rdf", path)
    assert said.startswith("refused: A context defines ")
    assert f"{path}: near the term 'a'" in said
    assert "hint:  Leave out terms" in said


def test_contexts_whose_terms_are_held_many_times_are_refused(read, tmp_path):
    path = tmp_path / "g.jsonld"
    inner = '{"@context": {"a": "urn:a"}, "k1": ' * 90
    path.write_text(f'{{"@context": {terms(19_000)}, "k1": {inner}1{"}" * 91}')
    assert read("rdf", path).startswith("refused: Contexts within contexts define too many terms.")


def test_json_ld_of_some_thousand_terms_and_long_maps_is_read(read, tmp_path):
    path = tmp_path / "g.jsonld"
    entries = ", ".join(f'"k{at}": "{"x" * 120}"' for at in range(25_000))
    path.write_text(f'{{"@context": {terms(4000)}, "@graph": [{{"k1": 1}}, {{{entries}}}]}}')
    assert read("rdf", path).startswith("[")
