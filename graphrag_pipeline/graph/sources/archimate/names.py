"""The names of ArchiMate's elements and relations: those of version 3, and what older files call them.

The layers are those of the ArchiMate 3.2 specification (https://pubs.opengroup.org/architecture/archimate3-doc/);
``other`` are the elements that stand outside of them.
"""

from __future__ import annotations

from typing import NamedTuple

_LAYERS = {
    "strategy": "Resource Capability ValueStream CourseOfAction",
    "business": (
        "BusinessActor BusinessRole BusinessCollaboration BusinessInterface BusinessProcess BusinessFunction "
        "BusinessInteraction BusinessEvent BusinessService BusinessObject Contract Representation Product"
    ),
    "application": (
        "ApplicationComponent ApplicationCollaboration ApplicationInterface ApplicationFunction "
        "ApplicationInteraction ApplicationProcess ApplicationEvent ApplicationService DataObject"
    ),
    "technology": (
        "Node Device SystemSoftware TechnologyCollaboration TechnologyInterface Path CommunicationNetwork "
        "TechnologyFunction TechnologyProcess TechnologyInteraction TechnologyEvent TechnologyService "
        "Artifact"
    ),
    "physical": "Equipment Facility DistributionNetwork Material",
    "motivation": (
        "Stakeholder Driver Assessment Goal Outcome Principle Requirement Constraint Meaning Value"
    ),
    "implementation": "WorkPackage Deliverable ImplementationEvent Plateau Gap",
    "other": "Grouping Location Junction",
}
LAYERS = {name: layer for layer, names in _LAYERS.items() for name in names.split()}
"""Layer of each element type."""

RELATIONS = frozenset(
    [
        *("Composition", "Aggregation", "Assignment", "Realization"),
        *("Serving", "Access", "Influence", "Association"),
        *("Triggering", "Flow", "Specialization"),
    ]
)

_ELEMENTS_BEFORE_3 = {
    "InfrastructureFunction": "TechnologyFunction",
    "InfrastructureInterface": "TechnologyInterface",
    "InfrastructureService": "TechnologyService",
    "CommunicationPath": "Path",
    "Network": "CommunicationNetwork",
}
_RELATIONS_BEFORE_3 = {
    "UsedBy": "Serving",
    "Realisation": "Realization",
    "Specialisation": "Specialization",
}
_JUNCTIONS = {"Junction": "and", "AndJunction": "and", "OrJunction": "or"}
"""What a type says of the kind of its junction."""

_ACCESS = {
    "": "write",
    "0": "write",
    "1": "read",
    "2": "access",
    "3": "read-write",
    "access": "access",
    "read": "read",
    "write": "write",
    "readwrite": "read-write",
}

SUFFIX = "Relationship"


class Named(NamedTuple):
    """A type by its current name, and by the name in the file where an older ArchiMate had another one."""

    name: str
    older: str = ""


def bare(written: str) -> str:
    """Return the value of an ``xsi:type`` without its prefix."""
    return written.rpartition(":")[2].strip()


def element_type(written: str) -> Named:
    """Return the type of an element."""
    if written in _JUNCTIONS:
        return Named("Junction")
    current = _ELEMENTS_BEFORE_3.get(written)
    return Named(written) if current is None else Named(current, written)


def relation_type(written: str) -> Named:
    """Return the type of a relation."""
    name = written.removesuffix(SUFFIX)
    current = _RELATIONS_BEFORE_3.get(name)
    return Named(name) if current is None else Named(current, name)


def junction_type(written: str, kind: str) -> str:
    """Return ``and`` or ``or`` for a junction, and the empty text for anything else.

    Args:
        written: Its type.
        kind: What its attribute ``type`` says, the empty text when it has none.
    """
    return kind or _JUNCTIONS[written] if written in _JUNCTIONS else ""


def access_type(written: str) -> str:
    """Return what an access relation does: ``read``, ``write``, ``read-write``, or merely ``access``.

    Archi writes numbers and leaves out 0; the exchange format writes names.
    """
    return _ACCESS.get(written.strip().lower(), written)
