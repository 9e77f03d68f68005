from __future__ import annotations

import io
import json
import re
import time
import zipfile
from collections import Counter, defaultdict
from functools import cache
from xml.etree import ElementTree

import pytest

from graphrag_pipeline import GraphSourceError
from graphrag_pipeline.graph.sources.archimate import zipped as archimate_zip
from graphrag_pipeline.graph.sources.archimate.source import ArchiMateGraph
from tests.graph.sources.files import DATA, edges, node, only_edge, said, shared, written
from tests.graph.sources.files import load as load_with_cells

NATIVE = (
    '<archimate:model xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
    'xmlns:archimate="http://www.archimatetool.com/archimate" name="Plant" id="m" version="5.0.0">'
    "{}</archimate:model>"
)
EXCHANGE = (
    '<model xmlns="http://www.opengroup.org/xsd/archimate/3.0/" identifier="id-m" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><name>Plant</name>{}</model>'
)
XSI_TYPE = "{http://www.w3.org/2001/XMLSchema-instance}type"


def load(source, path, **params):
    """Load a model without Zachman cells, which would be one more property of every node."""
    return load_with_cells(source, path, **{"zachman": None, **params})


def native(tmp_path, *elements, after="", **params):
    folder = f'<folder name="All" id="f">{"".join(elements)}</folder>{after}'
    return load(ArchiMateGraph, written(tmp_path / "m.archimate", NATIVE.format(folder)), **params)


def exchange(tmp_path, elements="", relations="", after="", **params):
    content = f"<elements>{elements}</elements><relationships>{relations}</relationships>{after}"
    return load(ArchiMateGraph, written(tmp_path / "m.xml", EXCHANGE.format(content)), **params)


def element(type_, id_="a", more="", inside=""):
    return f'<element xsi:type="archimate:{type_}" id="{id_}" {more}>{inside}</element>'


def relation(type_, source, target, id_="r", more="", inside=""):
    return element(f"{type_}Relationship", id_, f'source="{source}" target="{target}" {more}', inside)


def ex_element(type_, id_, inside="<name>A</name>"):
    return f'<element identifier="{id_}" xsi:type="{type_}">{inside}</element>'


def ex_relation(type_, source, target, id_="id-r", more="", inside=""):
    ends = f'source="{source}" target="{target}"'
    return f'<relationship identifier="{id_}" {ends} xsi:type="{type_}" {more}>{inside}</relationship>'


CREW = element("BusinessActor", "x1", 'name="Crew"')
INTAKE = element("ApplicationService", "s1", 'name="Intake"')


# -- elements --------------------------------------------------------------------------------------


def test_elements_get_their_zachman_cells_unless_that_is_turned_off(tmp_path):
    path = written(tmp_path / "m.archimate", NATIVE.format(element("Goal") + element("Grouping", "b")))
    index, report = load_with_cells(ArchiMateGraph, path)
    assert node(index, "a").properties["zachman_cell"] == "executive:why"
    assert "zachman_cell" not in node(index, "b").properties
    assert report.notes[-1] == "nodes that the table archimate gave a Zachman cell: 1 (confidence: high 1)"


def test_an_element_is_a_node_with_its_layer_folder_and_documentation(tmp_path):
    deep = f'<folder name="Business" type="business"><folder name="North">{CREW}</folder></folder>'
    docs = element("DataObject", "d", 'name="Log"', "<documentation>What\nhappened</documentation>")
    index, report = native(tmp_path, docs, after=deep)
    crew = node(index, "x1")
    assert (crew.node_type, crew.label, crew.namespace) == ("BusinessActor", "Crew", "archimate")
    assert crew.properties == {"folder": "Business/North", "layer": "business"}
    assert node(index, "d").properties == {
        "documentation": "What\nhappened",
        "folder": "All",
        "layer": "application",
    }
    assert report.findings == ()
    assert report.notes == ("model 'Plant': Archi's native format, version 5.0.0",)


@pytest.mark.parametrize(
    ("older", "current", "layer"),
    [
        ("InfrastructureService", "TechnologyService", "technology"),
        ("InfrastructureFunction", "TechnologyFunction", "technology"),
        ("InfrastructureInterface", "TechnologyInterface", "technology"),
        ("CommunicationPath", "Path", "technology"),
        ("Network", "CommunicationNetwork", "technology"),
    ],
)
def test_element_types_of_archimate_2_get_their_current_name(tmp_path, older, current, layer):
    index, report = native(tmp_path, element(older, "a", 'name="A"'))
    assert node(index, "a").node_type == current
    assert node(index, "a").properties == {"folder": "All", "layer": layer, "original_type": older}
    assert said(report) == [
        "repaired ×1: a type of an older ArchiMate got its current name; original_type keeps it"
    ]


@pytest.mark.parametrize(
    ("type_", "more", "kind"),
    [("Junction", "", "and"), ("Junction", 'type="or"', "or"), ("OrJunction", "", "or")],
)
def test_a_junction_tells_its_kind(tmp_path, type_, more, kind):
    index, _ = native(tmp_path, element(type_, "j", f'name="J" {more}'))
    assert node(index, "j").node_type == "Junction"
    assert node(index, "j").properties == {"folder": "All", "layer": "other", "junction_type": kind}


def test_exchange_files_tell_the_kind_of_a_junction_by_its_type(tmp_path):
    index, _ = exchange(tmp_path, ex_element("OrJunction", "id-a") + ex_element("AndJunction", "id-b"))
    assert [node(index, id_).properties["junction_type"] for id_ in ("id-a", "id-b")] == ["or", "and"]


def test_a_type_that_archimate_does_not_have_stays_and_is_noted(tmp_path):
    index, report = native(tmp_path, element("Bogus", "a", 'name="A"'), relation("Odd", "a", "a"))
    assert node(index, "a").node_type == "Bogus"
    assert "layer" not in node(index, "a").properties
    assert edges(index) == ["a -Odd-> a"]
    assert report.notes[-1] == "types that ArchiMate 3 does not have: Bogus, Odd"


def test_empty_and_padded_names_are_told(tmp_path):
    index, report = native(tmp_path, element("Goal", "a"), element("Goal", "b", 'name=" Grow  "'))
    assert [node(index, id_).label for id_ in "ab"] == ["a", "Grow"]
    assert said(report) == [
        "blank ×1: a node's label is empty; its id is shown",
        "repaired ×1: spaces around a name were taken off",
    ]


def test_a_repeated_id_is_merged_and_an_element_without_one_skipped(tmp_path):
    again = element("Goal", "a", 'name="New"')
    index, report = native(
        tmp_path, element("Goal", "a", 'name="Old"'), again, '<element xsi:type="archimate:Goal" name="B"/>'
    )
    assert (index.node_count, node(index, "a").label) == (1, "New")
    assert report.duplicate_ids == ("a",)
    assert report.counts()["skipped"] == 1


# -- properties and specializations ----------------------------------------------------------------


def test_properties_keep_their_names_and_repeated_ones_are_lists(tmp_path):
    own = (
        '<property key="cost" value="3"/><property key="tag" value="x"/><property key="tag" value="y"/>'
        '<property key="layer" value="top"/><property key="empty"/><property value="lost"/>'
    )
    index, report = native(tmp_path, element("Goal", "a", 'name="A"', own))
    assert node(index, "a").properties == {
        "folder": "All",
        "layer": "motivation",
        "cost": "3",
        "tag": ["x", "y"],
        "property:layer": "top",
        "empty": "",
    }
    assert said(report) == ["blank ×1: a property has no name; it is left out"]


def test_an_element_may_have_several_specializations(tmp_path):
    profiles = '<profile id="p1" name="Microservice"/><profile id="p2" name="Legacy"/>'
    service = element("ApplicationService", "s1", 'name="Intake" profiles="p1 p2 p3"')
    index, report = native(tmp_path, service, after=profiles)
    assert node(index, "s1").properties["specializations"] == ["Microservice", "Legacy", "p3"]
    assert said(report) == ["repaired ×1: a specialization is not declared; its id stands for its name"]


def test_exchange_properties_go_by_the_name_of_their_definition(tmp_path):
    def own(ref, value):
        return f'<property propertyDefinitionRef="{ref}"><value>{value}</value></property>'

    definitions = "".join(
        f'<propertyDefinition identifier="{id_}" type="{kind}"><name>{name}</name></propertyDefinition>'
        for id_, kind, name in [
            ("p1", "number", "cost"),
            ("p2", "boolean", "live"),
            ("p3", "string", "Specialization"),
            ("p4", "string", "note"),
        ]
    )
    inside = (
        f"<name>A</name><properties>{own('p1', '3.5')}{own('p1', 'dear')}{own('p2', 'true')}"
        f"{own('p3', 'Legacy')}{own('p4', '7')}{own('p9', 'z')}</properties>"
    )
    index, report = exchange(
        tmp_path,
        ex_element("Goal", "id-a", inside),
        after=f"<propertyDefinitions>{definitions}</propertyDefinitions>",
    )
    assert node(index, "id-a").properties == {
        "layer": "motivation",
        "cost": [3.5, "dear"],
        "live": True,
        "note": "7",
        "p9": "z",
        "specializations": ["Legacy"],
    }
    assert said(report) == [
        "repaired ×1: the value of a property is no number; it is kept as text",
        "repaired ×1: a property is not defined; its id stands for its name",
    ]


# -- relations -------------------------------------------------------------------------------------


def test_a_named_relation_keeps_kind_name_and_properties(tmp_path):
    index, _ = native(
        tmp_path,
        CREW,
        INTAKE,
        relation("Flow", "x1", "s1", "f", 'name="sends report"', '<property key="cost" value="3"/>'),
    )
    edge = only_edge(index)
    assert (edge.source_id, edge.edge_type, edge.target_id) == ("x1", "Flow", "s1")
    assert edge.properties == {"id": "f", "name": "sends report", "cost": "3"}


@pytest.mark.parametrize(
    ("older", "current"),
    [("UsedBy", "Serving"), ("Realisation", "Realization"), ("Specialisation", "Specialization")],
)
def test_older_names_of_relations_are_mapped(tmp_path, older, current):
    index, report = native(tmp_path, CREW, INTAKE, relation(older, "x1", "s1"))
    assert edges(index) == [f"x1 -{current}-> s1"]
    assert only_edge(index).properties == {"id": "r", "original_type": older}
    assert report.counts()["repaired"] == 1


@pytest.mark.parametrize(
    ("type_", "more", "properties"),
    [
        ("Access", "", {"access_type": "write"}),
        ("Access", 'accessType="1"', {"access_type": "read"}),
        ("Access", 'accessType="2"', {"access_type": "access"}),
        ("Access", 'accessType="3"', {"access_type": "read-write"}),
        ("Influence", 'strength="++"', {"strength": "++"}),
        ("Association", 'directed="true"', {"directed": True}),
        ("Association", "", {}),
    ],
)
def test_what_only_some_relations_have_is_kept(tmp_path, type_, more, properties):
    index, _ = native(tmp_path, CREW, INTAKE, relation(type_, "x1", "s1", "r", more))
    assert only_edge(index).properties == {"id": "r", **properties}


@pytest.mark.parametrize(
    ("type_", "more", "properties"),
    [
        ("Access", 'accessType="ReadWrite"', {"access_type": "read-write"}),
        ("Access", "", {}),
        ("Influence", 'modifier="-"', {"strength": "-"}),
        ("Association", 'isDirected="true"', {"directed": True}),
    ],
)
def test_exchange_files_say_the_same_in_other_words(tmp_path, type_, more, properties):
    index, _ = exchange(
        tmp_path, ex_element("Goal", "id-a"), ex_relation(type_, "id-a", "id-a", "id-r", more)
    )
    assert only_edge(index).properties == {"id": "id-r", **properties}


def test_an_end_that_is_missing_dangles_and_no_end_is_skipped(tmp_path):
    lacking = '<element xsi:type="archimate:FlowRelationship" id="r2" source="x1"/>'
    index, report = native(tmp_path, CREW, relation("Flow", "x1", "ghost"), lacking)
    assert (index.node_count, index.edge_count, index.dangling_edges) == (1, 1, 1)
    assert report.of("skipped")[0].what == "an edge without a source or a target"


def test_a_relation_to_a_relation_ends_at_a_node_that_stands_for_it(tmp_path):
    index, report = native(
        tmp_path,
        CREW,
        INTAKE,
        element("Goal", "c", 'name="Calm"'),
        relation("Assignment", "x1", "s1", "r1", "", "<documentation>By law</documentation>"),
        relation("Association", "r1", "c", "r2"),
        relation("Influence", "c", "r2", "r3", 'name="helps"'),
    )
    inner = node(index, "r1")
    assert (inner.node_type, inner.label) == ("Relationship", "Crew -Assignment-> Intake")
    assert inner.properties == {"relation_type": "Assignment", "documentation": "By law"}
    assert node(index, "r2").label == "r1 -Association-> Calm"
    assert edges(index) == [
        *("x1 -Assignment-> s1", "r1 -source-> x1", "r1 -target-> s1"),
        *("r1 -Association-> c", "r2 -source-> r1", "r2 -target-> c"),
        "c -Influence-> r2",
    ]
    assert index.dangling_edges == 0
    assert report.account.made == {"nodes and edges for relations that are an end of another relation": 6}


# -- languages -------------------------------------------------------------------------------------

NAMES = (
    '<name xml:lang="nl">Dijk</name><name xml:lang="en-GB">Dyke</name><name>Wall</name>'
    '<documentation xml:lang="en">Keeps water out</documentation>'
    '<documentation xml:lang="nl">Houdt</documentation>'
)


@pytest.mark.parametrize(
    ("language", "label", "others", "documentation"),
    [
        (None, "Dijk", {"label_en-GB": "Dyke", "label_other": "Wall"}, "Keeps water out"),
        ("en", "Dyke", {"label_nl": "Dijk", "label_other": "Wall"}, "Keeps water out"),
        ("NL", "Dijk", {"label_en-GB": "Dyke", "label_other": "Wall"}, "Houdt"),
        ("fi", "Dijk", {"label_en-GB": "Dyke", "label_other": "Wall"}, "Keeps water out"),
    ],
)
def test_the_label_is_in_the_language_asked_for(tmp_path, language, label, others, documentation):
    index, _ = exchange(tmp_path, ex_element("Facility", "id-a", NAMES), language=language)
    properties = node(index, "id-a").properties
    assert node(index, "id-a").label == label
    assert {key: value for key, value in properties.items() if key.startswith("label_")} == others
    assert properties["documentation"] == documentation


# -- exchange files --------------------------------------------------------------------------------


def test_folders_of_an_exchange_file_are_a_path(tmp_path):
    tree = (
        "<organizations><item><label>Business</label><item><label>North</label>"
        '<item identifierRef="id-a"/></item></item>'
        '<item><label>Rest</label><item identifierRef="id-b"/></item></organizations>'
    )
    index, _ = exchange(tmp_path, ex_element("Goal", "id-a") + ex_element("Goal", "id-b"), after=tree)
    assert [node(index, id_).properties["folder"] for id_ in ("id-a", "id-b")] == ["Business/North", "Rest"]


def test_version_2_is_read_with_labels_and_lower_case_references(tmp_path):
    content = (
        '<model xmlns="http://www.opengroup.org/xsd/archimate" identifier="id-1" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><name>Water</name><elements>'
        '<element identifier="id-a" xsi:type="InfrastructureService"><label>Cut leaks</label><properties>'
        '<property identifierref="p"><value>3</value></property></properties></element></elements>'
        '<relationships><relationship identifier="id-r" source="id-a" target="id-a" '
        'xsi:type="UsedByRelationship"><label>helps</label></relationship></relationships>'
        '<propertydefs><propertydef identifier="p" name="cost" type="string"/></propertydefs>'
        '<organization><item><label>Tech</label><item identifierref="id-a"/></item></organization>'
        '<views><view identifier="id-v"><label>Main</label>'
        '<node identifier="n" elementref="id-a"/></view></views>'
        "</model>"
    )
    index, report = load(ArchiMateGraph, written(tmp_path / "m.xml", content), views=True)
    assert node(index, "id-a").label == "Cut leaks"
    assert node(index, "id-a").properties == {
        "folder": "Tech",
        "layer": "technology",
        "cost": "3",
        "original_type": "InfrastructureService",
    }
    assert edges(index) == ["id-a -Serving-> id-a", "id-v -shows-> id-a"]
    assert index.edge(0).properties["name"] == "helps"
    assert report.notes[0] == "model 'Water': an ArchiMate exchange file, version 2"


def test_layout_that_is_wrong_does_not_matter(tmp_path):
    views = (
        '<views><diagrams><view identifier="id-v" xsi:type="Diagram"><name>Main</name>'
        '<node identifier="id-n" elementRef="id-a" xsi:type="Element" x="1" y="two" w="3"/></view>'
        "</diagrams></views>"
    )
    index, report = exchange(tmp_path, ex_element("Goal", "id-a"), after=views, views=True)
    assert edges(index) == ["id-v -shows-> id-a"]
    assert report.findings == ()


@pytest.mark.parametrize(
    ("written_id", "native_id"),
    [
        ("id-2d33", "2d33"),
        ("id-37d5bc4b", "37d5bc4b"),
        ("id-9b56e3eb-a43f-4545-8554-67ad2952bb58", "9b56e3eb-a43f-4545-8554-67ad2952bb58"),
        # Archi itself gives these with the prefix.
        ("id-34b271d20e4d4b848671f4e6c994f50a", "id-34b271d20e4d4b848671f4e6c994f50a"),
        ("id-a447c3b2", "id-a447c3b2"),
        ("id-4948-110-4942", "id-4948-110-4942"),
        ("a447c3b2", "a447c3b2"),
    ],
)
def test_a_prefix_that_archi_put_before_an_id_is_taken_off(tmp_path, written_id, native_id):
    index, _ = exchange(
        tmp_path, ex_element("Goal", written_id), ex_relation("Flow", written_id, written_id, "id-x")
    )
    assert list(index.ids) == [native_id]
    assert edges(index) == [f"{native_id} -Flow-> {native_id}"]
    index, _ = exchange(tmp_path, ex_element("Goal", written_id), exchange_ids="written")
    assert list(index.ids) == [written_id]


def test_numbers_lose_their_prefix_only_where_other_ids_have_none(tmp_path):
    index, _ = exchange(tmp_path, ex_element("Goal", "id-650") + ex_element("Goal", "id-b"))
    assert list(index.ids) == ["id-650", "id-b"]
    index, report = exchange(tmp_path, ex_element("Goal", "id-650") + ex_element("Goal", "b93703cf"))
    assert list(index.ids) == ["650", "b93703cf"]
    assert report.notes[1].startswith("1 ids lost the prefix 'id-', which Archi puts")


def test_two_ids_never_become_one(tmp_path):
    index, _ = exchange(tmp_path, ex_element("Goal", "id-2d33") + ex_element("Goal", "2d33"))
    assert list(index.ids) == ["id-2d33", "2d33"]


# -- views -----------------------------------------------------------------------------------------

VIEW = element(
    "ArchimateDiagramModel",
    "v1",
    'name="Main" viewpoint="layered"',
    '<child xsi:type="archimate:Group" id="g"><child xsi:type="archimate:DiagramObject" id="o1" '
    'archimateElement="x1"><documentation>no one\'s</documentation></child></child>'
    '<child xsi:type="archimate:DiagramObject" id="o2" archimateElement="s1"/>'
    '<child xsi:type="archimate:DiagramObject" id="o3" archimateElement="x1"><sourceConnection/></child>'
    "<documentation>Overview</documentation>",
)


def test_views_are_left_out_by_default_and_counted(tmp_path):
    index, report = native(tmp_path, CREW, INTAKE, VIEW)
    assert (index.node_count, index.edge_count) == (2, 0)
    assert report.account.left == {"views; graph.views=true makes them nodes": 1}
    assert report.findings == ()


def test_views_show_each_element_once(tmp_path):
    index, report = native(tmp_path, CREW, INTAKE, VIEW, views=True)
    view = node(index, "v1")
    assert (view.node_type, view.label) == ("View", "Main")
    assert view.properties == {"folder": "All", "documentation": "Overview", "viewpoint": "layered"}
    assert edges(index) == ["v1 -shows-> x1", "v1 -shows-> s1"]
    assert report.account.left == {
        "elements that a view shows again": 1,
        "notes, groups, lines and pictures in views": 2,
    }


def test_a_model_with_nothing_but_views_is_an_empty_graph(tmp_path):
    index, report = native(tmp_path, VIEW)
    assert (index.node_count, index.edge_count) == (0, 0)
    assert report.notes[-1] == "the model has views and no elements"


# -- archives --------------------------------------------------------------------------------------


def zipped(path, members, method=zipfile.ZIP_DEFLATED):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return written(path, made.getvalue())


def test_a_zipped_model_is_the_same_graph(tmp_path):
    content = NATIVE.format(f'<folder name="All">{CREW}</folder>')
    plain, _ = load(ArchiMateGraph, written(tmp_path / "m.archimate", content))
    path = zipped(tmp_path / "z.archimate", {"model.xml": content, "images/1.png": b"\x89PNG"})
    index, _ = load(ArchiMateGraph, path)
    assert index.digest == plain.digest


@pytest.mark.parametrize(
    ("members", "method", "what"),
    [
        ({"word/document.xml": "<w/>"}, zipfile.ZIP_DEFLATED, "no model.xml, so it is no model of Archi"),
        ({"model.xml": b"x" * (64 << 20)}, zipfile.ZIP_DEFLATED, "would have 67,108,864 bytes"),
        ({"model.xml": NATIVE.format("")}, zipfile.ZIP_LZMA, "a method that Archi does not use"),
        ({"model.xml": "<model>"}, zipfile.ZIP_STORED, "no ArchiMate model"),
    ],
)
def test_archives_that_are_no_model_or_a_trap_are_refused(tmp_path, members, method, what):
    path = zipped(tmp_path / "m.archimate", members, method)
    start = time.perf_counter()
    with pytest.raises(GraphSourceError, match=what):
        load(ArchiMateGraph, path)
    assert time.perf_counter() - start < 1


def test_a_damaged_archive_is_refused(tmp_path):
    whole = zipped(tmp_path / "m.archimate", {"model.xml": NATIVE.format(CREW)}).read_bytes()
    for damaged in (whole[:-30], whole[:40] + b"\0" * 40 + whole[80:], b"PK\x03\x04"):
        with pytest.raises(GraphSourceError):
            load(ArchiMateGraph, written(tmp_path / "d.archimate", damaged))


def test_an_archive_of_a_great_many_members_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(archimate_zip, "MOST_MEMBERS", 3)
    path = zipped(tmp_path / "m.archimate", {"model.xml": NATIVE.format(""), **dict.fromkeys("abc", "")})
    with pytest.raises(GraphSourceError, match="some 4 members"):
        load(ArchiMateGraph, path)


# -- refused ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (
            '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"/>',
            "its root is <graphml> in the namespace http://graphml.graphdrawing.org/xmlns",
        ),
        ('<model xmlns="urn:other"/>', "its root is <model> in the namespace urn:other"),
        ("<model/>", "its root is <model> without a namespace"),
        (NATIVE.format("<folder>"), "not well-formed XML"),
        ("<!DOCTYPE html><html></html>", "looks like an HTML page, not an ArchiMate model"),
        ("", "not an ArchiMate model"),
        ('<!DOCTYPE m [<!ENTITY a "aa">]>' + NATIVE.format("&a;"), "entities are not expanded"),
        (NATIVE.format("<folder>" * 600 + "</folder>" * 600), "more than 500 levels deep"),
    ],
)
def test_what_is_no_model_is_refused_with_its_root_or_place(tmp_path, content, what):
    path = written(tmp_path / "m.archimate", content)
    with pytest.raises(GraphSourceError) as refused:
        load(ArchiMateGraph, path)
    assert what in str(refused.value)
    assert str(path) in refused.value.where


# -- real files ------------------------------------------------------------------------------------

MODELS = DATA / "archimate"
LARGE = {"commonsandbox", "ing-archi-hey-blue", "vera-4-1"}
"""Read by some tests only, for the time; the third has ids of every kind."""
PAIRED = (
    sorted({path.parent.name for path in MODELS.glob("*/model.xml")} - LARGE) + ["vera-4-1"] * MODELS.is_dir()
)
REIFIED = {"everything": (2, 4)}
"""Nodes and edges made for relations of relations."""
IMPORTED = {"cloud-native-architecture", "psnmodelmate", "toop-goopra"}
"""Models whose native ids have a prefix before a digit, since they were imported from an exchange file."""


@cache
def once(path, **params):
    """Load a large file a single time for all tests."""
    loaded = ArchiMateGraph(ArchiMateGraph.Params(path=str(path), **params)).load()
    return loaded.graph, loaded.report


def counted(path):
    """Count elements, relations and views of a native file without any of our code."""
    kinds: Counter[str] = Counter()
    for found in ElementTree.parse(path).getroot().iter("element"):
        type_ = found.get(XSI_TYPE, "")
        kinds[
            "relation" if type_.endswith("Relationship") else "view" if "Model" in type_ else "element"
        ] += 1
    return kinds


@shared
@pytest.mark.parametrize("path", sorted(MODELS.glob("*/model.archimate")), ids=lambda path: path.parent.name)
def test_real_native_models_have_every_element_and_relation(path):
    (model,) = [m for m in json.loads((MODELS / "models.json").read_text()) if m["dir"] == path.parent.name]
    told, kinds = model["model.archimate"], counted(path)
    index, report = once(path)
    more = REIFIED.get(path.parent.name, (0, 0))
    assert (kinds["element"], kinds["relation"]) == (told["elements"], told["relations"])
    assert (index.node_count, index.edge_count) == (told["elements"] + more[0], told["relations"] + more[1])
    assert report.account.read["views"] == kinds["view"]
    assert index.dangling_edges == 0
    assert sum("label is empty" in finding.what for finding in report.of("blank")) == (
        model["unnamed_elements"] > 0
    )


@shared
@pytest.mark.parametrize("name", PAIRED)
def test_both_files_of_a_model_give_one_graph(name):
    native, _ = once(MODELS / name / "model.archimate")
    ids = "written" if name in IMPORTED else "native"
    exchanged, _ = once(MODELS / name / "model.xml", exchange_ids=ids)

    def nodes(index):
        found = {one.node_id: (one.node_type, one.label) for one in index.all_nodes()}
        # What stands for a relation has the labels of its ends, and padding is no part of them.
        return {id_: (type_, re.sub(r"\s+", " ", label)) for id_, (type_, label) in found.items()}

    def relations(index):
        kept = ("id", "access_type", "strength", "directed", "junction_type")
        return Counter(
            (
                edge.source_id,
                edge.edge_type,
                edge.target_id,
                str([edge.properties.get(key) for key in kept]),
            )
            for edge in index.all_edges()
        )

    assert nodes(native) == nodes(exchanged)
    assert relations(native) == relations(exchanged)


@shared
def test_views_show_what_people_judged_relevant_for_them_and_junctions():
    judged = defaultdict(set)
    for line in (MODELS / "view_qrels.dev.txt").read_text().splitlines():
        query, _, element_id, _ = line.split()
        judged[query].add(element_id)
    models = {query.split("/")[0] for query in judged} - LARGE
    shown = defaultdict(set)
    for model in sorted(models):
        index, _ = once(MODELS / model / "model.archimate", views=True)
        for edge in index.all_edges():
            if edge.edge_type == "shows" and node(index, edge.target_id).node_type != "Junction":
                shown[f"{model}/{edge.source_id}"].add(edge.target_id)
    asked = [query for query in judged if query.split("/")[0] in models]
    assert len(asked) == 142
    assert [query for query in asked if judged[query] != shown[query]] == []


@shared
@pytest.mark.parametrize(
    ("file", "counts"),
    [
        ("archimate/archi-testdata/Archisurance.archimate", (122, 177)),
        ("archimate/archi-testdata/compatibility_test3.archimate", (2, 1)),
        ("archimate/archi-testdata/model_zipped.archimate", (0, 0)),
        ("archimate/archi-testdata/Sample1.xml", (2, 1)),
        ("bug_files/archi/Sample1_exchange.xml", (2, 1)),
        ("bug_files/invented/archi_diagram_only.archimate", (0, 0)),
        ("bug_files/invented/archi_native_nested_profiles.archimate", (2, 1)),
        ("bug_files/invented/archi_native_zip.archimate", (2, 1)),
        ("bug_files/invented/archimate_exchange_prefix_reltorel.xml", (3, 4)),
        ("bug_files/invented/archimate_exchange_v2_ns.xml", (2, 1)),
    ],
)
def test_other_real_and_invented_files(file, counts):
    index, _ = load(ArchiMateGraph, DATA / file)
    assert (index.node_count, index.edge_count) == counts


@shared
def test_invented_files_keep_folders_profiles_and_properties():
    index, _ = load(ArchiMateGraph, DATA / "bug_files/invented/archi_native_nested_profiles.archimate")
    again, _ = load(ArchiMateGraph, DATA / "bug_files/invented/archi_native_zip.archimate")
    assert index.digest == again.digest
    assert node(index, "x1").properties["folder"] == "Business/North/Night"
    assert node(index, "s1").properties["specializations"] == ["Microservice", "Legacy"]
    assert node(index, "s1").properties["cost"] == "3"
    index, _ = load(ArchiMateGraph, DATA / "bug_files/invented/archimate_exchange_prefix_reltorel.xml")
    assert node(index, "id-a").properties == {
        "documentation": "Shift change",
        "folder": "Business/North",
        "layer": "business",
    }
    assert node(index, "id-b").label == "Logbook & “Rota”"
