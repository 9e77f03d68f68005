from __future__ import annotations

import random
import re
import time
from collections import Counter
from itertools import pairwise

import pytest

from graphrag_pipeline import GraphSourceError
from graphrag_pipeline.graph.reading import files as source_files
from graphrag_pipeline.graph.sources.rdf import blank
from graphrag_pipeline.graph.sources.rdf.source import RdfGraph
from tests.graph.sources.files import DATA, edges, load, node, only_edge, said, shared, written

pytest.importorskip("pyoxigraph")

PREFIXES = """\
@prefix : <urn:x:> .
@prefix ex: <http://example.org/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix schema: <https://schema.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
XML = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:ex="http://example.org/">'
    "{}</rdf:RDF>"
)
X = "urn:x:"


def turtle(tmp_path, text, **params):
    return load(RdfGraph, written(tmp_path / "g.ttl", PREFIXES + text), **params)


def properties(tmp_path, text, **params):
    """The properties of ``:a``."""
    index, _ = turtle(tmp_path, text, **params)
    return node(index, "urn:x:a").properties


# -- nodes -----------------------------------------------------------------------------------------


def test_a_subject_is_a_node_and_a_statement_about_another_resource_an_edge(tmp_path):
    index, report = turtle(
        tmp_path, 'ex:a a ex:Pump ; rdfs:label "Pump 4" ; ex:feeds ex:b . ex:b ex:size 3 .'
    )
    pump = node(index, "http://example.org/a")
    assert (pump.node_type, pump.label, pump.namespace) == ("Pump", "Pump 4", "ex")
    assert pump.uri == "http://example.org/a"
    assert pump.properties == {"types": ["http://example.org/Pump"]}
    assert node(index, "http://example.org/b").node_type == "resource"
    edge = only_edge(index)
    assert (edge.edge_type, edge.namespace, edge.properties) == ("feeds", "ex", {})
    assert report.account.read == {"statements": 4}
    assert report.account.made == {"resources": 2}
    assert report.account.left == {"statements that became part of a node": 3}


def test_a_resource_that_is_only_named_is_a_dangling_end(tmp_path):
    index, _ = turtle(tmp_path, ":a :owns :b .")
    assert (index.node_count, index.dangling_edges) == (1, 1)
    index, _ = turtle(tmp_path, ":a :owns :b .", unknown_ends="make")
    assert (node(index, "urn:x:b").node_type, index.dangling_edges) == ("unknown", 0)


def test_the_namespace_is_the_prefix_or_the_iri(tmp_path):
    text = "@prefix longer: <http://example.org/> . ex:a ex:p ex:b . :c ex:p <http://other.org/x#y> ."
    index, _ = turtle(tmp_path, f"{text} <http://other.org/x#y> ex:p :c .")
    assert node(index, "http://example.org/a").namespace == "ex"
    assert node(index, "http://other.org/x#y").namespace == "http://other.org/x#"
    assert node(index, "urn:x:c").namespace == "urn:x:"  # its prefix has no name
    index, _ = turtle(tmp_path, text, namespaces="iri")
    assert node(index, "http://example.org/a").namespace == "http://example.org/"
    assert index.edge(0).namespace == "http://example.org/"


@pytest.mark.parametrize(
    ("types", "told"),
    [
        ("ex:Fish, skos:Concept", "Concept"),
        ("owl:NamedIndividual, owl:Thing, ex:Fish", "Fish"),
        ("ex:Fish, ex:Animal", "Fish"),
        ("ex:Fish, rdfs:Class, owl:Class", "Class"),
        ("owl:Thing", "Thing"),
    ],
)
def test_of_several_types_one_is_the_nodes_and_all_are_kept(tmp_path, types, told):
    index, _ = turtle(tmp_path, f":a a {types} .")
    assert node(index, "urn:x:a").node_type == told
    assert len(node(index, "urn:x:a").properties["types"]) == len(types.split(","))


def test_a_node_without_a_label_goes_by_its_local_name(tmp_path):
    index, report = turtle(tmp_path, "<http://example.org/Caf%C3%A9> ex:p 1 .")
    assert [one.label for one in index.all_nodes()] == ["Café"]
    assert said(report) == ["blank ×1: a resource has no label; its local name is shown"]


# -- labels and languages --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ('rdfs:label "L" ; skos:prefLabel "P"', "P"),
        ('dct:title "T" ; foaf:name "N"', "T"),
        ('schema:name "S"', "S"),
        ('rdfs:label "Damm"@de, "Dam"@en', "Dam"),
        ('rdfs:label "Damm"@de, "Dam"', "Dam"),
        ('rdfs:label "Damm"@de, "Dyke"@en-GB', "Dyke"),
        ('rdfs:label "Padura"@fi, "Damm"@de', "Damm"),
    ],
)
def test_the_label_is_the_best_there_is(tmp_path, text, label):
    index, _ = turtle(tmp_path, f":a {text} .")
    assert node(index, "urn:x:a").label == label


@pytest.mark.parametrize(
    ("language", "label", "labels"),
    [
        (("en", ""), "Dam", {"de": "Damm", "fi": "Pato"}),
        ("fi", "Pato", {"de": "Damm", "en": "Dam"}),
        (("sv", "DE"), "Damm", {"en": "Dam", "fi": "Pato"}),
    ],
)
def test_labels_of_other_languages_are_kept(tmp_path, language, label, labels):
    index, _ = turtle(tmp_path, ':a skos:prefLabel "Dam"@en, "Damm"@de, "Pato"@fi .', language=language)
    assert (node(index, "urn:x:a").label, node(index, "urn:x:a").properties["labels"]) == (label, labels)


def test_all_other_names_are_aliases(tmp_path):
    text = (
        ':a skos:prefLabel "Dam"@en ; rdfs:label "Barrage"@en, "Dam" ; skos:altLabel "Weir"@en, "Wehr"@de .'
    )
    assert properties(tmp_path, text) == {"aliases": ["Barrage", "Wehr", "Weir"]}


def test_the_best_description_is_the_description(tmp_path):
    text = ':a rdfs:label "A" ; rdfs:comment "C" ; skos:definition "Holds water"@en, "Hält"@de .'
    assert properties(tmp_path, text) == {
        "description": "Holds water",
        "description@de": "Hält",
        "comment": "C",
    }


def test_texts_of_other_languages_have_theirs_in_the_key(tmp_path):
    assert properties(tmp_path, ':a :motto "Festina"@la, "Hurry"@en, "Run"@en .') == {
        "motto": ["Hurry", "Run"],
        "motto@la": "Festina",
    }


# -- values ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("9007199254740993", 9007199254740993),
        ('"-12"^^xsd:long', -12),
        ("0.5", 0.5),
        ("1e3", 1000.0),
        ('"INF"^^xsd:double', float("inf")),
        ("true", True),
        ('"0"^^xsd:boolean', False),
        ('"2014-10-01"^^xsd:date', "2014-10-01"),
        ('"2000-02-29Z"^^xsd:date', "2000-02-29Z"),
        ('"-0044-03-15"^^xsd:date', "-0044-03-15"),
        ('"2014-10-01T16:29:03+02:00"^^xsd:dateTime', "2014-10-01T16:29:03+02:00"),
        ('"2014-10-01T24:00:00"^^xsd:dateTime', "2014-10-01T24:00:00"),
        ('"{\\"a\\": [1]}"^^rdf:JSON', {"a": [1]}),
        ('"665"^^ex:shelf', "665"),
        ('"x", "y"', ["x", "y"]),
    ],
)
def test_typed_literals_are_values(tmp_path, literal, value):
    index, report = turtle(tmp_path, f":a rdfs:label 'A' ; :p {literal} .")
    kept = node(index, "urn:x:a").properties["p"]
    assert (kept, type(kept)) == (value, type(value))
    assert report.findings == ()


@pytest.mark.parametrize(
    "literal",
    [
        '"2014-13-45"^^xsd:date',
        '"2013-02-29"^^xsd:date',
        '"yesterday"^^xsd:dateTime',
        '"2014-10-01T25:00:00"^^xsd:dateTime',
        '"2014-10-01"^^xsd:dateTime',
        '"12.5"^^xsd:integer',
        '"١٢"^^xsd:integer',
        '"maybe"^^xsd:boolean',
        '"1e999"^^xsd:double',
        '"nan"^^xsd:double',
        '"{"^^rdf:JSON',
    ],
)
def test_a_literal_that_is_no_value_of_its_type_is_kept_as_text(tmp_path, literal):
    index, report = turtle(tmp_path, f":a rdfs:label 'A' ; :p {literal} .")
    assert node(index, "urn:x:a").properties["p"] == literal.split('"')[1]
    assert said(report) == ["repaired ×1: a literal is no value of its type; it is kept as text"]


def test_no_number_is_no_property_and_long_decimals_are_told(tmp_path):
    index, report = turtle(tmp_path, ":a rdfs:label 'A' ; :p 'NaN'^^xsd:double ; :q 0.12345678901234567890 .")
    assert node(index, "urn:x:a").properties == {"q": 0.12345678901234568}
    assert said(report) == [
        "repaired ×1: a decimal has more digits than a number holds; it is rounded",
        "blank ×1: a value is NaN, which stands for no value; it is left out",
    ]


def test_two_properties_of_one_local_name_go_by_their_iris(tmp_path):
    assert properties(tmp_path, ":a :size 1 ; ex:size 2 ; ex:types 3 ; ex:age 4 .") == {
        "urn:x:size": 1,
        "http://example.org/size": 2,
        "http://example.org/types": 3,
        "age": 4,
    }


def test_a_statement_that_comes_again_counts_once(tmp_path):
    index, report = turtle(tmp_path, ":a :p 1 ; :owns :b ; a :T . :a :p 1 ; :owns :b ; a :T .")
    assert edges(index) == ["urn:x:a -owns-> urn:x:b"]
    assert report.account.left["statements that came again"] == 3


# -- predicates ------------------------------------------------------------------------------------

OWNS = ':a :owns :b . :a :uses :b . :owns rdfs:label "possesses" ; rdfs:range :b . :p a owl:ObjectProperty .'


def test_parallel_predicates_are_parallel_edges_and_properties_no_nodes(tmp_path):
    index, report = turtle(tmp_path, OWNS)
    assert edges(index) == ["urn:x:a -owns-> urn:x:b", "urn:x:a -uses-> urn:x:b"]
    assert list(index.ids) == ["urn:x:a"]
    assert report.account.left == {"statements about properties": 3}
    assert report.notes == ("2 properties are no nodes; graph.properties_as_nodes=true makes them nodes",)


def test_properties_are_nodes_when_that_is_asked(tmp_path):
    index, _ = turtle(tmp_path, OWNS, properties_as_nodes=True)
    assert list(index.ids) == ["urn:x:a", "urn:x:owns", "urn:x:p"]
    assert edges(index)[2] == "urn:x:owns -range-> urn:x:b"


def test_edges_may_be_called_by_the_label_of_their_predicate(tmp_path):
    index, _ = turtle(tmp_path, OWNS, predicate_labels=True)
    assert edges(index) == ["urn:x:a -possesses-> urn:x:b", "urn:x:a -uses-> urn:x:b"]
    assert [edge.properties for edge in index.all_edges()] == [{"predicate": "urn:x:owns"}, {}]


# -- blank nodes -----------------------------------------------------------------------------------

BLANK = (
    ':a :at [ :city "Espoo" ; :by [ :name "Kai" ] ] . :b :at [ :city "Espoo" ; :by [ :name "Ida" ] ] .'
    " [ :city 'Espoo' ] :near [ :city 'Turku' ] ."
)


def test_blank_nodes_have_the_same_ids_whatever_their_names_and_order(tmp_path):
    first, _ = turtle(tmp_path, BLANK)
    statements = [
        '_:x1 <urn:x:city> "Turku" .',
        '_:ida <urn:x:name> "Ida" .',
        "_:b2 <urn:x:near> _:x1 .",
        '_:b2 <urn:x:city> "Espoo" .',
        "<urn:x:b> <urn:x:at> _:b0 .",
        "_:b0 <urn:x:by> _:ida .",
        '_:b0 <urn:x:city> "Espoo" .',
        "_:c <urn:x:by> _:kai .",
        '_:c <urn:x:city> "Espoo" .',
        "<urn:x:a> <urn:x:at> _:c .",
        '_:kai <urn:x:name> "Kai" .',
    ]
    second, _ = load(RdfGraph, written(tmp_path / "g.nt", "\n".join(statements)))
    assert sorted(first.ids) == sorted(second.ids)
    assert sorted(edges(first)) == sorted(edges(second))
    assert first.node_count == 8
    assert all(re.fullmatch(r"_:[0-9a-f]{16}|urn:x:[ab]", node_id) for node_id in first.ids)


def test_blank_nodes_of_two_files_do_not_meet_by_their_name(tmp_path):
    one, _ = load(RdfGraph, written(tmp_path / "1.ttl", '_:b1 <urn:x:p> "x" .'))
    two, _ = load(RdfGraph, written(tmp_path / "2.ttl", '_:b1 <urn:x:p> "y" .'))
    assert set(one.ids).isdisjoint(two.ids)


def test_blank_nodes_that_nothing_tells_apart_are_numbered(tmp_path):
    index, _ = turtle(tmp_path, ":a :has [ :n 1 ], [ :n 1 ], [ :n 1 ] .")
    first = index.ids[0]
    assert [node_id for node_id in index.ids if node_id != "urn:x:a"] == [first, f"{first}-2", f"{first}-3"]


def test_what_tells_blank_nodes_apart_may_be_some_steps_away(tmp_path):
    def chain(start, end):
        names = [f"_:{start}{step}" for step in range(5)]
        links = "".join(f"{one} :next {two} ." for one, two in pairwise(names))
        return f"{links}{names[-1]} :ends '{end}' ."

    one, _ = turtle(tmp_path, chain("a", "here") + chain("b", "there"))
    two, _ = turtle(tmp_path, chain("q", "there") + chain("r", "here"))
    assert sorted(one.ids) == sorted(two.ids)
    assert not any("-" in node_id for node_id in one.ids)


def test_blank_nodes_that_are_too_much_alike_are_numbered_in_order_and_that_is_noted(tmp_path, monkeypatch):
    monkeypatch.setattr(blank, "MOST_WORK", 100)
    chain = "".join(f"_:b{at} :next _:b{at + 1} ." for at in range(200))
    one, report = turtle(tmp_path, chain)
    two, _ = turtle(tmp_path, chain.replace("_:b", "_:c"))
    assert list(one.ids) == list(two.ids)
    assert edges(one) == edges(two)
    assert report.notes == ("201 blank nodes look alike: their ids follow their order in the file",)


def test_an_unrelated_statement_changes_no_id_of_a_blank_node(tmp_path):
    one, _ = turtle(tmp_path, BLANK)
    two, _ = turtle(tmp_path, f"{BLANK} :z :p [ :q [ :r 1 ] ], [ :q [ :r 2 ] ] .")
    assert set(one.ids) <= set(two.ids)


# -- lists, statements about statements, named graphs ------------------------------------------------


def test_a_list_of_resources_is_an_edge_to_each(tmp_path):
    index, report = turtle(tmp_path, ":a :steps ( :s1 :s2 :s1 ) ; :next :b .")
    assert edges(index) == [
        *("urn:x:a -steps-> urn:x:s1", "urn:x:a -steps-> urn:x:s2", "urn:x:a -steps-> urn:x:s1"),
        "urn:x:a -next-> urn:x:b",
    ]
    assert [edge.properties.get("position") for edge in index.all_edges()] == [1, 2, 3, None]
    assert list(index.ids) == ["urn:x:a"]
    assert report.account.left == {"statements that make up lists": 4}


def test_a_list_of_values_is_a_property_in_its_order(tmp_path):
    assert properties(tmp_path, ":a :sizes ( 3 1 2 ) ; :none () ; :tags 'x' .") == {
        "sizes": [3, 1, 2],
        "none": [],
        "tags": "x",
    }


def test_lists_that_are_more_than_that_stay_as_they_are(tmp_path):
    index, _ = turtle(
        tmp_path, ":a :mixed ( :b 1 ) . :c :shared _:l . :d :shared _:l . _:l rdf:first :e ; rdf:rest () ."
    )
    types = [edge.edge_type for edge in index.all_edges()]
    assert types == ["first", "mixed", "rest", "rest", "shared", "shared", "first", "rest"]


def test_a_list_within_a_list_is_taken_apart_within_a_chain(tmp_path):
    index, _ = turtle(tmp_path, ":a :grid ( ( :b :c ) ( :d ) ) .")
    assert Counter(edge.edge_type for edge in index.all_edges()) == {"grid": 1, "first": 3, "rest": 2}


def test_what_is_said_of_an_edge_becomes_properties_of_it(tmp_path):
    index, report = turtle(
        tmp_path,
        ":a :owns :b {| :since 1999 ; :source :c ; <urn:graphrag:weight> 0.5 ; "
        "<urn:graphrag:p:a%20b> 'x' |} . :a :uses :b .",
    )
    owns, uses = index.all_edges()
    assert (owns.edge_type, owns.weight) == ("owns", 0.5)
    assert owns.properties == {"since": 1999, "source": "urn:x:c", "a b": "x"}
    assert (uses.weight, uses.properties) == (1.0, {})
    assert report.account.left == {"statements about an edge, which became part of it": 5}


def test_what_is_said_of_something_that_is_no_edge_stays_a_node(tmp_path):
    index, _ = turtle(tmp_path, "<< :a :owns :b >> :since 1999 . :x :says <<( :a :p 'v' )>> .")
    (claim, says) = list(index.all_nodes())
    assert claim.properties == {"since": 1999, "reifies": "<<( <urn:x:a> <urn:x:owns> <urn:x:b> )>>"}
    assert says.properties == {"says": "<<( <urn:x:a> <urn:x:p> 'v' )>>"}


def test_named_graphs_are_kept(tmp_path):
    text = ":a :p 1 . :g1 { :a :owns :b . :a :q 2 } :g2 { :a :owns :b . :b :p 3 }"
    index, report = load(RdfGraph, written(tmp_path / "g.trig", PREFIXES + text))
    assert only_edge(index).properties == {"graphs": ["urn:x:g1", "urn:x:g2"]}
    assert node(index, "urn:x:a").properties["graphs"] == ["urn:x:g1", "urn:x:g2"]
    assert report.account is not None
    assert report.account.left["statements that came again"] == 1


# -- formats ---------------------------------------------------------------------------------------

SAME = {
    "g.ttl": '@prefix e: <http://example.org/> . e:a a e:T ; e:p "é" ; e:q e:b .',
    "g.nt": (
        "<http://example.org/a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://example.org/T> .\n"
        '<http://example.org/a> <http://example.org/p> "\\u00e9" .\n'
        "<http://example.org/a> <http://example.org/q> <http://example.org/b> .\n"
    ),
    "g.nq": (
        "<http://example.org/a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://example.org/T> .\n"
        '<http://example.org/a> <http://example.org/p> "é" .\n'
        "<http://example.org/a> <http://example.org/q> <http://example.org/b> .\n"
    ),
    "g.trig": '@prefix e: <http://example.org/> . { e:a a e:T ; e:p "é" ; e:q e:b . }',
    "g.rdf": XML.format(
        '<ex:T rdf:about="http://example.org/a"><ex:p>é</ex:p><ex:q rdf:resource="http://example.org/b"/></ex:T>'
    ),
    "g.jsonld": (
        '{"@context": {"@vocab": "http://example.org/", "q": {"@type": "@id"}}, '
        '"@id": "http://example.org/a", "@type": "T", "p": "é", "q": "http://example.org/b"}'
    ),
}


@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("name", SAME)
def test_every_format_gives_the_same_graph(tmp_path, name, bom):
    wanted, _ = load(RdfGraph, written(tmp_path / "wanted.ttl", SAME["g.ttl"]), namespaces="iri")
    index, _ = load(RdfGraph, written(tmp_path / name, bom + SAME[name]), namespaces="iri")
    assert [one.to_dict() for one in index.all_nodes()] == [one.to_dict() for one in wanted.all_nodes()]
    assert [one.to_dict() for one in index.all_edges()] == [one.to_dict() for one in wanted.all_edges()]


@pytest.mark.parametrize("name", [name for name in SAME if name != "g.trig"])
def test_the_format_is_found_in_the_content_or_asked_for(tmp_path, name):
    index, _ = load(RdfGraph, written(tmp_path / "unnamed", SAME[name]))
    assert index.edge_count == 1
    asked = {"ttl": "turtle", "nt": "ntriples", "nq": "nquads", "rdf": "rdfxml", "jsonld": "jsonld"}
    path = written(tmp_path / "wrong.trig", SAME[name])
    index, _ = load(RdfGraph, path, format=asked[name.partition(".")[2]])
    assert index.edge_count == 1


def test_named_graphs_in_quads_are_found_by_content(tmp_path):
    index, _ = load(RdfGraph, written(tmp_path / "q", "# quads\n<urn:a> <urn:b> <urn:c> <urn:g> .\n"))
    assert only_edge(index).properties == {"graphs": ["urn:g"]}


def test_prefixes_of_rdf_xml_are_namespaces(tmp_path):
    index, _ = load(RdfGraph, written(tmp_path / "g.rdf", SAME["g.rdf"]))
    assert node(index, "http://example.org/a").namespace == "ex"


def test_relative_iris_need_a_base(tmp_path):
    path = written(tmp_path / "g.ttl", "<a> <#b> 1 .")
    index, _ = load(RdfGraph, path, base="http://example.org/")
    assert list(index.ids) == ["http://example.org/a"]
    with pytest.raises(GraphSourceError, match=r"graph\.base=http"):
        load(RdfGraph, path)


def test_iris_that_are_none_are_taken_when_that_is_asked(tmp_path):
    path = written(tmp_path / "g.ttl", "<http://example.org/a b> <urn:p> 1 .")
    index, _ = load(RdfGraph, path, lenient=True)
    assert list(index.ids) == ["http://example.org/a b"]
    with pytest.raises(GraphSourceError, match=r"graph\.lenient=true"):
        load(RdfGraph, path)


def test_json_ld_that_says_nothing_is_remarked(tmp_path):
    index, report = load(RdfGraph, written(tmp_path / "g.jsonld", '{"name": "no context"}'))
    assert index.node_count == 0
    assert report.notes == (
        "the file makes no statements; JSON-LD makes none of keys that its @context lacks",
    )


def test_a_package_that_is_missing_is_named(tmp_path, monkeypatch):
    def missing(_name):
        raise ImportError

    monkeypatch.setattr(source_files, "import_module", missing)
    with pytest.raises(GraphSourceError, match=re.escape('pip install "graphrag-pipeline[rdf]"')):
        load(RdfGraph, written(tmp_path / "g.ttl", ""))


# -- our own export --------------------------------------------------------------------------------

OURS = """\
<urn:graphrag:node:a%20b> <urn:graphrag:id> "a b" ; <urn:graphrag:node_type> "Pump, large" ;
  rdfs:label "Pump" ; <urn:graphrag:namespace> "plant" ; <urn:graphrag:p:max%20load> 3 ;
  <urn:graphrag:p:ratio> "0.5"^^xsd:double ; <urn:graphrag:p:on> true ; <urn:graphrag:p:note> "x" ;
  <urn:graphrag:p:types> "[\\"t\\", {\\"k\\": null}]"^^<urn:graphrag:json> .
ex:b <urn:graphrag:id> "b" ; <urn:graphrag:node_type> "Valve" ; rdfs:label "Valve" ; a ex:Kind ;
  <urn:graphrag:namespace> "plant" ; <urn:graphrag:uri> "http://example.org/b" .
<urn:graphrag:node:a%20b> <urn:graphrag:e:plant%3A1:feeds%20%2F%3A> ex:b .
ex:b <urn:graphrag:e:knows> <urn:graphrag:node:gh%3Aost> .
"""


def test_what_our_own_export_wrote_is_read_literally(tmp_path):
    index, report = turtle(tmp_path, OURS)
    pump, valve = index.all_nodes()
    assert (pump.node_id, pump.node_type, pump.label, pump.namespace) == (
        "a b",
        "Pump, large",
        "Pump",
        "plant",
    )
    assert pump.uri == "plant:Pump, large/a b"
    assert pump.properties == {
        "max load": 3,
        "ratio": 0.5,
        "on": True,
        "note": "x",
        "types": ["t", {"k": None}],
    }
    assert (valve.node_id, valve.uri, valve.properties) == ("b", "http://example.org/b", {})
    assert edges(index) == ["a b -feeds /:-> b", "b -knows-> gh:ost"]
    assert [edge.namespace for edge in index.all_edges()] == ["plant:1", "rdf"]
    assert report.findings == ()


# -- refused ---------------------------------------------------------------------------------------


def entities(declared, used="&a;"):
    return f'<?xml version="1.0"?><!DOCTYPE r [{declared}]>' + XML.format(f"<ex:T><ex:p>{used}</ex:p></ex:T>")


BOMB = '<!ENTITY a0 "aaaaaaaaaa">' + "".join(
    f'<!ENTITY a{level + 1} "{f"&a{level};" * 10}">' for level in range(12)
)
QUOTED = "<<( <urn:a> <urn:b> " * 3000 + "<urn:c>" + " )>>" * 3000


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("g.ttl", '@prefix : <urn:x:> .\n:a :b "open .', "cannot be read as turtle"),
        ("g.ttl", b"<urn:a> <urn:b> '\xff' .", "Invalid UTF-8"),
        ("g.ttl", "<!DOCTYPE html><html></html>", "no RDF: its root is <html>"),
        ("g.ttl", b"PK\x03\x04junk", "a ZIP archive"),
        ("unnamed", "hello", "no RDF that is known"),
        ("g.ttl", "<urn:a> <urn:b> " + "(" * 60_000, "nested more than 500"),
        ("g.ttl", "<urn:a> <urn:b> " + "[<urn:b> " * 60_000, "nested more than 500"),
        ("g.ttl", f"<urn:a> <urn:b> {QUOTED} .", "nested more than 500"),
        ("g.nt", f'<urn:a> <urn:b> "{")>>" * 5000}" .\n<urn:a> <urn:b> {QUOTED} .', "nested more than 500"),
        ("g.rdf", entities(BOMB, "&a12;"), "no short plain text"),
        ("g.rdf", entities('<!ENTITY a SYSTEM "file:///etc/hostname">'), "no short plain text"),
        ("g.rdf", entities(f'<!ENTITY a "{"a" * 9999}">', "&a;" * 999), "no short plain text"),
        ("g.rdf", entities(f'<!ENTITY a "{"a" * 199}">', "&a;" * 80_000), "no short plain text"),
        ("g.rdf", entities('<!ENTITY % x "b">%x;<!ENTITY a "&b;&b;">'), "no short plain text"),
        ("g.rdf", XML.format("<ex:T><ex:p>" * 300), "more than 500 levels"),
        (
            "g.rdf",
            XML.format("<ex:T " + " ".join(f'ex:a{n}=""' for n in range(1001)) + "/>"),
            "1000 attributes",
        ),
        ("g.rdf", "<graphml xmlns='urn:g'/>", "no RDF: its root is <graphml>"),
        ("g.rdf", '<?xml version="1.0" encoding="latin-1"?>' + XML.format(""), "encoded in latin-1"),
        ("g.rdf", XML.format("<ex:T>"), "not well-formed"),
        (
            "g.jsonld",
            '{"@context": "https://schema.org/", "name": "x"}',
            "its context from https://schema.org/",
        ),
        ("g.jsonld", '{"a": [{"@context": [{"@import": "c.json"}]}]}', "its context from c.json"),
        ("g.jsonld", '{"a":' * 150 + "1" + "}" * 150, "more than 100 levels"),
        ("g.jsonld", '{"a":' * 9_000, "cannot be read as JSON"),
        ("g.jsonld", '{"@context": {"@vocab": "urn:' + "v" * 600 + '"}}', "more than 512 characters"),
        (
            "g.jsonld",
            '{"@context": {' + ",".join(f'"p{n}": "p{n + 1}:"' for n in range(9000)) + "}}",
            "by way of more than 100",
        ),
        ("g.jsonld", '{"@id": "urn:a", "urn:b": NaN}', "a number that is none"),
        ("g.jsonld", "[{]", "not valid JSON"),
    ],
)
def test_what_cannot_or_must_not_be_read_is_refused_at_once(tmp_path, name, content, what):
    path = written(tmp_path / name, content)
    start = time.perf_counter()
    with pytest.raises(GraphSourceError) as refused:
        load(RdfGraph, path)
    assert time.perf_counter() - start < 1
    assert what in str(refused.value)
    assert str(path) in refused.value.where


def test_a_mistake_is_placed_by_line_and_column(tmp_path):
    path = written(tmp_path / "g.ttl", "@prefix : <urn:x:> .\n\n:a :b c .")
    with pytest.raises(GraphSourceError) as refused:
        load(RdfGraph, path)
    assert refused.value.where == f"{path}:3:7"


def test_contexts_that_repeat_thousands_of_terms_are_refused(tmp_path):
    terms = ",".join(f'"t{n}": "urn:t{n}"' for n in range(3000))
    inner = ",".join(['{"@context": {"x": "urn:x"}, "t1": 1}'] * 3000)
    path = written(tmp_path / "g.jsonld", f'{{"@context": {{{terms}}}, "t1": [{inner}]}}')
    with pytest.raises(GraphSourceError, match="too many terms"):
        load(RdfGraph, path)


def test_a_prefix_of_megabytes_is_refused_before_it_fills_the_memory(tmp_path):
    names = "\n".join(f"a:{n} a:b a:c ." for n in range(3000))
    path = written(tmp_path / "g.ttl", f"@prefix a: <http://a/{'x' * 1_000_000}/> .\n{names}")
    with pytest.raises(GraphSourceError, match="names in the file are so long"):
        load(RdfGraph, path)


def test_entities_that_stand_for_the_start_of_an_iri_are_read(tmp_path):
    used = '<ex:T rdf:about="&ex;a"><ex:p rdf:datatype="&xsd;integer">3</ex:p></ex:T>'
    declared = '<!ENTITY ex "http://example.org/">\n<!ENTITY xsd "http://www.w3.org/2001/XMLSchema#" >'
    content = f"<!DOCTYPE rdf:RDF [{declared}]>{XML.format(used)}"
    index, _ = load(RdfGraph, written(tmp_path / "g.rdf", content))
    assert node(index, "http://example.org/a").properties["p"] == 3


def test_brackets_in_texts_are_not_nested(tmp_path):
    text = "cout << ((( [[[ \\\" '' # "
    path = written(tmp_path / "g.ttl", f'<urn:a> <urn:b> "{text * 9000}", """{text * 9000}""" .')
    index, _ = load(RdfGraph, path)
    assert len(node(index, "urn:a").properties["b"]) == 9000 * (len(text) - 1)


# -- real files ------------------------------------------------------------------------------------


@shared
@pytest.mark.parametrize(
    ("file", "counts", "dangling", "findings"),
    [
        ("skos-turtle/groups.ttl", (12, 23), 0, {}),
        ("skos-turtle/test-hierarchy.ttl", (23, 49), 2, {"repaired": 1, "blank": 3}),
        ("skos-turtle/yso.ttl", (287, 10114), 8929, {"blank": 11}),
        ("rdf-xml/groups.rdf", (12, 23), 0, {}),
        ("rdf-xml/groups.nt", (12, 23), 0, {}),
        ("jsonld/test-hierarchy.jsonld", (23, 49), 2, {"repaired": 1, "blank": 3}),
    ],
)
def test_real_files(file, counts, dangling, findings):
    index, report = load(RdfGraph, DATA / "formats" / file)
    assert (index.node_count, index.edge_count, index.dangling_edges) == (*counts, dangling)
    assert {kind: count for kind, count in report.counts().items() if count} == findings


@shared
@pytest.mark.parametrize(
    "names",
    [
        ("skos-turtle/groups.ttl", "rdf-xml/groups.rdf", "rdf-xml/groups.nt"),
        ("skos-turtle/test-hierarchy.ttl", "jsonld/test-hierarchy.jsonld"),
    ],
)
def test_real_files_of_several_formats_are_one_graph(names):
    graphs = []
    for name in names:
        index, _ = load(RdfGraph, DATA / "formats" / name, namespaces="iri")
        nodes = sorted((one.to_dict() for one in index.all_nodes()), key=lambda one: one["node_id"])
        graphs.append((nodes, sorted(str(edge.to_dict()) for edge in index.all_edges())))
    assert all(graph == graphs[0] for graph in graphs)


@shared
def test_real_labels_and_descriptions():
    index, _ = load(RdfGraph, DATA / "formats/skos-turtle/groups.ttl")
    carp = node(index, "http://www.skosmos.skos/groups/ta112")
    assert (carp.node_type, carp.label) == ("Concept", "Carp")
    assert carp.properties == {
        "description": "Carp are oily freshwater fish",
        "labels": {"fi": "Karppi"},
        "aliases": ["Golden crucian"],
        "testprop": "Test property value",
        "types": ["http://www.w3.org/2004/02/skos/core#Concept"],
    }
    assert node(index, "http://www.skosmos.skos/groups/ta114").label == "Guppy"
    index, _ = load(RdfGraph, DATA / "formats/skos-turtle/yso.ttl", language="fi")
    assert node(index, "http://www.yso.fi/onto/yso/p1051").label == "yhteiskunnalliset tapahtumat"


@shared
def test_invented_files():
    one, _ = load(RdfGraph, DATA / "bug_files/invented/rdf_bnodes_1.ttl")
    two, _ = load(RdfGraph, DATA / "bug_files/invented/rdf_bnodes_2.ttl")
    assert (one.node_count, one.edge_count, two.node_count) == (3, 2, 1)
    assert set(one.ids).isdisjoint(two.ids)
    assert node(one, "urn:x:n").label == "Dam"


def test_statements_in_any_order_give_the_same_graph(tmp_path):
    lines = [f"<urn:n{n % 7}> <urn:p{n % 3}> <urn:n{n % 5}> ." for n in range(60)]
    lines += [f"<urn:n{n % 7}> <urn:q> '{n % 4}'@en ." for n in range(40)]
    lines += [f"_:b{n} <urn:p> <urn:n{n}> ." for n in range(7)]
    seen = set()
    for seed in range(3):
        random.Random(seed).shuffle(lines)
        index, _ = load(RdfGraph, written(tmp_path / "g.ttl", "\n".join(lines)))
        nodes = sorted(str(one.to_dict()) for one in index.all_nodes())
        seen.add(str((nodes, sorted(edges(index)))))
    assert len(seen) == 1


@pytest.mark.parametrize("text", ["<urn:a> <urn:p> ( ( ) ) .", "<urn:a> <urn:p> ( <urn:b> ( ) ( 1 ) ) ."])
def test_an_empty_list_in_a_list_is_read(tmp_path, text):
    index, report = turtle(tmp_path, text)
    assert "urn:a" in index.ids
    assert report.account.balanced
