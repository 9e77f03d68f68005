"""Every check of a plugin, in order: the plugin layer's own, its config options, and the contract kit."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from graphrag_pipeline.errors import PluginError, Problem
from graphrag_pipeline.plugin.causes import cause
from graphrag_pipeline.plugin.checkup import Remark, check_component, check_hooks, components_of, titled
from graphrag_pipeline.plugin.files import same_file_key
from graphrag_pipeline.plugin.records import BUILTIN, ComponentInfo, ConfigSource, PluginRecord

if TYPE_CHECKING:
    from graphrag_pipeline.plugin.host import PluginHost
    from graphrag_pipeline.testing.running import Checked

SUFFIX = ".yaml"


def chosen(target: str | None, host: PluginHost) -> tuple[PluginRecord, ...]:
    """Return the plugins that are meant; a file is loaded into the host first.

    Args:
        target: A name, a distribution, a file or a directory; None means all but the built-in one.
        host: Where plugins are.

    Raises:
        PluginError: There is no such plugin or file.
    """
    if target is None:
        return tuple(record for record in host.report().plugins if record.source != BUILTIN)
    if target.endswith(".py") or os.sep in target or Path(target).is_dir():
        if not Path(target).exists():
            hint = "Paths are relative to the directory the command is given in."
            raise PluginError(f"There is no plugin file {target}.", where="[NAME|FILE]", hint=hint)
        host.add_files([target])
        key = same_file_key(target)
        files = (record for record in host.report().plugins if record.source in ("file", "environment"))
        return tuple(record for record in files if same_file_key(record.path) == key)
    records = host.report().plugins
    found = tuple(record for record in records if target in (record.name, record.distribution))
    if not found:
        names = ", ".join(record.name for record in records)
        raise PluginError(f"There is no plugin {target!r}.", where="[NAME|FILE]", hint=f"Plugins: {names}.")
    return found


def check_plugins(
    records: Sequence[PluginRecord],
    host: PluginHost,
    *,
    contract: bool = True,
    timeout_s: float | None = None,
) -> tuple[Remark, ...]:
    """Return what every check says of some plugins.

    Args:
        records: The plugins.
        host: Where they are.
        contract: Whether the contract kit runs their components.
        timeout_s: Seconds for one check of the kit; None sets no limit.
    """
    return tuple(remark for record in records for remark in _check(record, host, contract, timeout_s))


def _check(
    record: PluginRecord, host: PluginHost, contract: bool, timeout_s: float | None
) -> Iterator[Remark]:
    yield from check_hooks(record)
    if record.status != "loaded":
        return
    infos = components_of(record, host)
    for info in infos:
        yield from check_component(info, host)
    for source in host.config_sources():
        if source.plugin == record.name:
            yield from _check_config(source, infos, host)
    if not contract:
        return
    if record.name == BUILTIN:
        told = "the built-in components are held to it by this project's own tests"
        yield Remark(record.name, "contract", "skipped", told=told)
        return
    from graphrag_pipeline.testing.checking import check_components

    for info, checked in check_components(record, infos, host, timeout_s):
        yield from _told(record, titled(info), checked)


def _only_a_user_knows(problem: Problem, infos: Sequence[ComponentInfo]) -> bool:
    """Whether a problem is what a component says of its defaults alone."""
    for info in infos:
        try:
            info.params()
        except ValidationError as error:
            if problem.what in cause(error):
                return True
    return False


def _told(record: PluginRecord, component: str, checked: tuple[Checked, ...] | str) -> Iterator[Remark]:
    if isinstance(checked, str):
        yield Remark(record.name, "contract", "skipped", component, checked)
        return
    failed = [each for each in checked if each.status == "failed"]
    for fault in _by_cause(failed):
        yield Remark(record.name, "contract", "fault", component, fault)
    if not failed:
        passed = sum(each.status == "passed" and not each.told for each in checked)
        yield Remark(record.name, "contract", "ok", component, f"{passed} checks")
    for each in checked:
        if each.status == "passed" and each.told:
            yield Remark(record.name, "contract", "ok", component, each.told)


def _by_cause(failed: Sequence[Checked]) -> Iterator[str]:
    """Yield a fault for each check that failed; those that failed in one line of the component are one."""
    there = Counter(each.at for each in failed if each.at)
    told: set[str] = set()
    for each in failed:
        if each.at in told:
            continue
        told |= {each.at} - {""}
        others = there[each.at] - 1
        noun = "check fails" if others == 1 else "checks fail"
        yield f"{each.check}: {each.told}" + (f" {others} more {noun} there." if others > 0 else "")


def _check_config(source: ConfigSource, infos: Sequence[ComponentInfo], host: PluginHost) -> Iterator[Remark]:
    from graphrag_pipeline.config.checking import check_file
    from graphrag_pipeline.config.component_root import KINDS
    from graphrag_pipeline.config.messages import nearest
    from graphrag_pipeline.config.roots import Root, conf_root

    own, built_in = Root(source.plugin, source.path), Root("conf", conf_root())
    groups = [*built_in.groups(), *KINDS]
    for file in sorted(source.path.rglob(f"*{SUFFIX}")):
        option = file.relative_to(source.path).as_posix().removesuffix(SUFFIX)
        group = option.rpartition("/")[0]
        problems = check_file(file, host=host)
        wanted = [problem for problem in problems if _only_a_user_knows(problem, infos)]
        faults = [f"{problem.key}: {problem.what}" for problem in problems if problem not in wanted]
        near = nearest(group, groups)
        if group and group not in groups and near:
            faults.append(f"there is no group {group!r}, did you mean {near!r}?")
        if built_in.has(option):
            faults.append(f"it hides the built-in option {group}={option.rpartition('/')[2]}: rename it")
        for fault in faults:
            yield Remark(source.plugin, "config", "fault", option, fault)
        for problem in wanted if not faults else ():
            yield Remark(source.plugin, "config", "skipped", option, f"a user must say more: {problem.what}")
        if not problems and not faults:
            yield Remark(source.plugin, "config", "ok", option)
    if not any(own.groups()):
        told = f"{source.path} holds no config group: put files into a directory named like one, such as seed"
        yield Remark(source.plugin, "config", "fault", told=told)
