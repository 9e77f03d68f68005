"""Queries with rules of their own: each distinct set of rules is a pipeline, made before anything runs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.datasets.dataset import Question
from graphrag_pipeline.model.faults import said_of
from graphrag_pipeline.pipeline.gates import gate_of, gate_problems
from graphrag_pipeline.pipeline.plan import Plan, build_step
from graphrag_pipeline.pipeline.runner import Pipeline
from graphrag_pipeline.pipeline.spec import ComponentSpec, PipelineSpec
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.stages.filters.rules.shape import RulesParams

NO_RULES = "A slot takes rules with the filter rules; filter=rules 'filter.rule={all: []}' lets all pass."
# Any throughout: rules are JSON data until they are checked.


def narrowed(
    pipeline: Pipeline, spec: PipelineSpec, host: PluginHost, questions: Iterable[Question]
) -> Mapping[str, Pipeline]:
    """Return the pipeline of each query that has rules of its own, by query id.

    A rule holds beside the one that the config has for the slot: a query narrows what is kept, and cannot
    widen it.

    Args:
        pipeline: The pipeline of the config; all share its graph and the components of other slots.
        spec: What it was built from.
        host: Where components are.
        questions: The queries.

    Raises:
        DatasetError: A slot is none of the order, or takes no rules, or a rule is wrong. Nothing ran yet.
    """
    made: dict[str, Pipeline] = {}
    found: dict[str, Pipeline] = {}
    for question in questions:
        if question.filters:
            key = json.dumps(question.filters, sort_keys=True)
            if key not in made:
                made[key] = _pipeline(pipeline, narrowed_spec(spec, question), question, host)
            found[question.query_id] = made[key]
    return found


def narrowed_spec(spec: PipelineSpec, question: Question) -> PipelineSpec:
    """Return what to build for a query that has rules of its own; see :func:`narrowed`.

    Raises:
        DatasetError: A slot is none of the order, or takes no rules, or a rule is wrong.
    """
    slots = dict(spec.slots)
    used = dict.fromkeys([*spec.order, *filter(None, map(gate_of, spec.slots.values()))])
    for slot, rule in question.filters.items():
        where = f"query {question.query_id!r}, filters.{slot}"
        component = slots.get(slot) if slot in used else None
        if component is None or not isinstance(component.params, RulesParams):
            raise _no_place(slot, component, slots, used, where)
        slots[slot] = replace(component, params=_both(component.params, rule, where))
    kinds = {slot: component.kind for slot, component in slots.items()}
    for problem in gate_problems(slots, kinds):
        raise DatasetError(
            f"{problem.what}.", where=f"query {question.query_id!r}, filters", hint=problem.hint
        )
    return replace(spec, slots=slots)


def _no_place(
    slot: str,
    component: ComponentSpec | None,
    slots: Mapping[str, ComponentSpec],
    used: Iterable[str],
    where: str,
) -> DatasetError:
    what = f"There is no slot {slot!r} in this pipeline."
    if component is not None:
        what = f"The slot {slot} has the component {component.use!r}, which takes no rules."
    fit = [name for name in used if name in slots and isinstance(slots[name].params, RulesParams)]
    hint = f"Slots that take rules: {', '.join(fit)}." if fit else NO_RULES
    return DatasetError(what, where=where, hint=hint)


def _both(params: RulesParams, rule: Mapping[str, Any], where: str) -> RulesParams:
    try:
        own = RulesParams.model_validate({"rule": rule})
        return params.model_copy(
            update={"rule": RulesParams.model_validate({"rule": {"all": [params.rule, own.rule]}}).rule}
        )
    except ValidationError as error:
        problem = error.errors()[0]
        at = ".".join(map(str, problem["loc"][1:]))
        raise DatasetError(
            f"The rule is wrong{f' at {at}' if at else ''}: {said_of(problem)}.", where=where
        ) from error


def _pipeline(pipeline: Pipeline, spec: PipelineSpec, question: Question, host: PluginHost) -> Pipeline:
    steps = []
    for step in pipeline.plan.steps:
        slot = step.place.slot
        touched = slot in question.filters or gate_of(spec.slots[slot]) in question.filters
        steps.append(build_step(slot, spec, host, {}) if touched else step)
    return Pipeline(
        Plan(tuple(steps)),
        pipeline.index,
        host,
        query=pipeline.query,
        personas=pipeline.personas,
        anchors=pipeline.anchors,
    )
