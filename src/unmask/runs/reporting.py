"""A folder of results as a report, and how far the run in it is: no model is opened for either."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..evaluation import GREEDY, RANDOM
from ..methods.spelling import spelled
from ..methods.table import methods_named
from ..report import Cell, Report
from .assembling import Assembled, assembled
from .plan import Pair, Plan
from .published import PAPER_METHODS, is_published, published, published_steps
from .store import Store


@dataclass(frozen=True, slots=True)
class Progressed:
    """How far one pair under one baseline is."""

    name: str
    baseline: str
    planned: int  # results, texts times cells
    missing: int
    failures: tuple[str, ...]  # the reasons, each once


def plan_of(folder: Path) -> Plan:
    """The plan that was last run in a folder."""
    store = Store(folder, reading=True)
    try:
        return Plan.from_dict(store.fact("plan"))
    finally:
        store.close()


def report(folder: Path, plan: Plan, *, reference: str | None = None, times: bool = False) -> Report:
    """What a plan asked for, as far as it is there."""
    store = Store(folder, reading=True)
    try:
        cells = tuple(_cell(store, plan, pair, baseline) for pair, baseline in _places(plan))
    finally:
        store.close()
    methods = tuple(spelled(method) for method in methods_named(plan.methods[plan.protocol], seed=plan.seed))
    controls = tuple(name for name in (RANDOM, GREEDY) if name in plan.controls)
    known = [cell.evaluation for cell in cells if cell.evaluation is not None]
    return Report(
        plan=plan.name,
        protocol=plan.protocol,
        top=plan.top,
        cells=cells,
        unit=known[0].unit if known else plan.unit or "word",
        published=_published,
        published_steps=_published_steps,
        reference=reference,
        times=times,
        methods=(*methods, *controls),
        steps={"ig": "50", "gradient_shap": "50", "dig": "30", "sdig": "30"},
    )


def status(folder: Path, plan: Plan) -> Iterator[Progressed]:
    """What is done and what failed, pair by pair."""
    store = Store(folder, reading=True)
    try:
        for pair, baseline in _places(plan):
            found = assembled(store, plan, pair, baseline)
            failures = found.evaluation.failures if found.evaluation else ()
            reasons = tuple(dict.fromkeys(one.reason for one in failures))
            yield Progressed(pair.name, baseline, found.results, found.missing, reasons)
    finally:
        store.close()


def _places(plan: Plan) -> Iterator[tuple[Pair, str]]:
    return ((pair, baseline) for pair in plan.pairs() for baseline in plan.baselines)


def _cell(store: Store, plan: Plan, pair: Pair, baseline: str) -> Cell:
    found = assembled(store, plan, pair, baseline)
    return Cell(
        dataset=pair.dataset.name,
        model=pair.model,
        source=Path(pair.source).name if Path(pair.source).exists() else pair.source,
        baseline=baseline,
        evaluation=found.evaluation,
        lengths=found.lengths,
        scores=found.scores,
        planned=found.planned,
        note=_note(found),
    )


def _note(found: Assembled) -> str | None:
    if not found.other:
        return None
    return "the content of this model's folder has changed since: results of what it held before are kept and not shown"


def _published(dataset: str, model: str, source: str, baseline: str, row: str) -> tuple[float, float, float] | None:
    if not is_published(source, dataset, model):
        return None
    found = published(dataset, model, baseline, PAPER_METHODS.get(row, row))
    return None if found is None else (found.log_odds, found.comprehensiveness, found.sufficiency)


def _published_steps(
    dataset: str, model: str, source: str, baseline: str, row: str
) -> tuple[float, float, float, float] | None:
    if not is_published(source, dataset, model):
        return None
    found = published_steps(dataset, model, baseline, row)
    return None if found is None else (found.log_odds, found.comprehensiveness, found.sufficiency, found.delta)
