"""Which files make up a config, in merging order: Hydra's defaults list, with its refusals reworded.

Imported only when a config is composed: it loads Hydra.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hydra._internal.defaults_list import DefaultsList, create_defaults_list
from hydra.core.default_element import ResultDefault
from hydra.core.override_parser.types import Override as HydraOverride
from hydra.core.override_parser.types import OverrideType, ValueType
from hydra.errors import HydraException, MissingConfigException
from hydra.version import VersionBase
from omegaconf.errors import OmegaConfBaseException

from graphrag_pipeline.config.messages import NO_OPTION, did_you_mean
from graphrag_pipeline.config.overrides import Override, option_of
from graphrag_pipeline.config.provenance import Choice, Origin
from graphrag_pipeline.config.repository import Repository
from graphrag_pipeline.config.search_path import options_with_places
from graphrag_pipeline.errors import Problem

_TYPES = {"set": OverrideType.CHANGE, "add": OverrideType.ADD, "delete": OverrideType.DEL}


@dataclass(frozen=True, slots=True)
class Mention:
    """A place that chooses an option of a group."""

    group: str
    option: str
    origin: Origin
    is_override: bool


def settle(
    repository: Repository, primary: str, chosen: Sequence[Override]
) -> tuple[list[ResultDefault], dict[str, Choice], list[Problem]]:
    """Return the configs to merge, the option of each group, and what is wrong.

    Args:
        repository: Where configs are found.
        primary: Name of the config to start from.
        chosen: Overrides of groups, each with an option that exists.
    """
    _set_version_base()
    try:
        listed = create_defaults_list(repository, primary, [_hydra(o) for o in chosen], False, False)
    except (HydraException, OmegaConfBaseException, ValueError) as error:
        return [], {}, [_reword(error, repository, primary, chosen)]
    except RecursionError:
        hint = "a config may not list itself in its defaults, directly or through another one"
        return [], {}, [Problem("defaults", "the defaults lists go round in a circle", hint=hint)]
    choices = _choices(listed, repository, chosen)
    return listed.defaults, choices, _overruled(choices, repository, chosen)


def _set_version_base() -> None:
    # Hydra keeps one version base per process. An application that set one keeps it.
    base = VersionBase.instance()
    if not hasattr(base.getbase(), "major"):
        from packaging.version import Version

        base.setbase(Version("1.3"))


def _hydra(override: Override) -> HydraOverride:
    return HydraOverride(
        type=_TYPES[override.action],
        key_or_group=override.key,
        value_type=ValueType.ELEMENT,
        _value=option_of(override),
        package=override.package,
        input_line=override.text,
    )


def mentions(repository: Repository, chosen: Sequence[Override]) -> list[Mention]:
    """Return every choice made by the files read so far, then those made by overrides."""
    found: list[Mention] = []
    for config, document in repository.documents.items():
        parent = config.rpartition("/")[0]
        for entry in document.defaults or ():
            if not isinstance(entry.text, dict):
                continue
            [(key, option)] = entry.text.items()
            *words, group = key.split()
            absolute = group[1:] if group.startswith("/") else f"{parent}/{group}".lstrip("/")
            origin = Origin(document.name, entry.line)
            found.append(Mention(absolute, _shown(option), origin, "override" in words))
    found += [
        Mention(o.target, _shown(option_of(o)), o.origin, False) for o in chosen if o.action != "delete"
    ]
    return found


def _shown(option: object) -> str:
    return "null" if option is None else str(option)


def _choices(listed: DefaultsList, repository: Repository, chosen: Sequence[Override]) -> dict[str, Choice]:
    known = mentions(repository, chosen)
    choices: dict[str, Choice] = {}
    for group, option in listed.overrides.known_choices.items():
        if option is None:
            continue
        origins = [m.origin for m in known if m.group == group and m.option == option]
        choices[group] = Choice(option, origins[-1] if origins else Origin("conf"))
    return choices


def _overruled(
    choices: dict[str, Choice], repository: Repository, chosen: Sequence[Override]
) -> list[Problem]:
    """Find overrides that a file beat: an `override` entry of a group that has no default does that."""
    problems = []
    for override in chosen:
        option, choice = option_of(override), choices.get(override.target)
        if override.action == "delete" or option is None or choice is None or choice.option == option:
            continue
        found = [m for m in mentions(repository, ()) if m.group == override.target and m.is_override]
        where = str(found[-1].origin) if found else str(choice.origin)
        what = f"{override.text} is beaten by 'override {override.target}: {choice.option}' in a file"
        entry = f"- {override.target}: {choice.option}"
        hint = f"that file overrides a group that has no default: write '{entry}' there"
        problems.append(Problem(override.target, what, where, hint))
    return problems


def _reword(error: Exception, repository: Repository, primary: str, chosen: Sequence[Override]) -> Problem:
    lines = str(error).strip().splitlines()
    # OmegaConf adds lines about its own objects.
    text = " ".join(lines[:1] if isinstance(error, OmegaConfBaseException) else lines)
    text = " ".join(text.split())
    known = mentions(repository, chosen)
    if isinstance(error, MissingConfigException):
        return _missing(error, repository, primary, known)
    if match := re.search(r"Multiple values for (\S+)\. |(?:^|: )(\S+) appears more than once", text):
        return _chosen_twice(match[1] or match[2], known)
    if match := re.search(r"Could not override '(.+?)'\.", text):
        return _nothing_to_override(match[1], known, repository)
    return _reword_rest(text, repository, known, chosen)


def _reword_rest(
    text: str, repository: Repository, known: Sequence[Mention], chosen: Sequence[Override]
) -> Problem:
    if match := re.search(r"Could not delete '(.+?)'\.", text):
        group = match[1].partition("=")[0]
        deleting = next((str(o.origin) for o in chosen if o.action == "delete" and o.target == group), "")
        return Problem(group, "there is no such choice to take out", deleting)
    if match := re.search(r"You must specify '(.+?)'", text):
        group = match[1]
        options = ", ".join(options_with_places(repository.roots, group.partition("@")[0]))
        origin = next((str(m.origin) for m in known if m.group == group and m.option == "???"), "")
        return Problem(group, f"a choice is required: {group}=OPTION", origin, f"options: {options}")
    place = re.match(r"Duplicate _self_ defined in (\S+)", text)
    if place and (document := repository.documents.get(place[1])):
        return Problem("defaults", "_self_ is listed twice", document.name, "keep one of them")
    place = re.match(r"In '?([\w/.-]+?)'?: ?", text)
    document = repository.documents.get(place[1]) if place else None
    what = text[place.end() :] if place and document else text
    return Problem("defaults", what.split(" See https:")[0], document.name if document else "")


def _missing(
    error: MissingConfigException, repository: Repository, primary: str, known: Sequence[Mention]
) -> Problem:
    config = str(error.missing_cfg_file)
    group, _, option = config.rpartition("/")
    if config == primary:
        places = ", ".join(root.name for root in repository.roots)
        return Problem("", f"there is no config {config}.yaml", hint=f"looked in: {places}")
    places_of = options_with_places(repository.roots, group)
    origin = next((str(m.origin) for m in known if m.group == group and m.option == option), "")
    if not origin:
        origin = _place_of_name(config, repository)
    return unknown_option(group, option, origin, places_of)


def _place_of_name(config: str, repository: Repository) -> str:
    for path, document in repository.documents.items():
        parent = path.rpartition("/")[0]
        for entry in document.defaults or ():
            if isinstance(entry.text, str):
                name = entry.text.partition("@")[0]
                if config in (name.lstrip("/"), f"{parent}/{name}".lstrip("/")):
                    return str(Origin(document.name, entry.line))
    return ""


def unknown_option(group: str, option: str, origin: str, places: dict[str, str]) -> Problem:
    """Return the problem of an option that no root has."""
    if not group:
        return Problem("defaults", f"there is no config {option}.yaml", origin)
    hint = did_you_mean(option, places, "options")
    for name, place in places.items():
        hint = re.sub(rf"(?<=[:,] ){re.escape(name)}(?=,|$)", f"{name} ({place})", hint, count=1)
    return Problem(group, f"{NO_OPTION} {option!r}", origin, hint)


def _chosen_twice(group: str, known: Sequence[Mention]) -> Problem:
    found = [mention for mention in known if mention.group == group]
    values = " and ".join(f"{mention.option} ({mention.origin})" for mention in found)
    what = f"two places choose an option of this group: {values}" if found else "the group is chosen twice"
    if any(mention.origin.source.startswith("override ") for mention in found):
        option = found[-1].option
        return Problem(
            group, what, str(found[-1].origin), f"to replace the choice write {group}={option}, without +"
        )
    last = found[-1].option if found else "OPTION"
    hint = f"keep one of them, or write '- override /{group}: {last}' in the one that should win"
    return Problem(group, what, " and ".join(str(mention.origin) for mention in found), hint)


def _nothing_to_override(group: str, known: Sequence[Mention], repository: Repository) -> Problem:
    found = [mention for mention in known if mention.group == group]
    option = found[-1].option if found else "OPTION"
    if found and found[-1].is_override:
        what = f"'override {group}: {option}' overrides a group that no defaults list chooses"
        return Problem(group, what, str(found[-1].origin), f"write '- {group}: {option}', without override")
    origin = str(found[-1].origin) if found else ""
    options = ", ".join(options_with_places(repository.roots, group.partition("@")[0]))
    hint = f"write +{group}={option} to add it; options: {options}"
    return Problem(
        group, "no defaults list chooses an option of this group, so there is none to replace", origin, hint
    )
