"""The report and status of a run in a folder. Opens no model."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from pkgutil import resolve_name

from ..errors import InputError
from ..methods.registry import resolve_methods
from ..methods.spec import format_spec
from ..metrics.controls import GREEDY_UNITS
from ..results.atomic_io import is_path
from ..results.evaluation import Evaluation
from ..results.report import References, Report, ReportCell
from ..results.rows import GREEDY, RANDOM, find_row
from ..studies import all_studies
from .config import plan_config
from .identity import LEFT, PLAN, ModelRecord, model_fact, texts_fact
from .plan import Pair, Plan
from .results import Results, load_results
from .store import Store
from .stored_paths import content_hashes, located_plan, pair_note

CHANGED = "the model's files changed during this run; results computed with the old files are kept but not shown"


@dataclass(frozen=True, slots=True)
class PairStatus:
    """The progress of one pair (a dataset and a model) with one baseline."""

    name: str
    baseline: str
    planned: int  # results: texts times work items; 0 before the pair starts
    missing: int
    is_begun: bool
    failures: tuple[str, ...]  # one line per reason


def plan_of(store: Store) -> Plan:
    """The plan of the last run in a folder."""
    found, folder = store.fact(PLAN), store.path.parent
    if found is None:
        raise InputError(
            f"the run in {str(folder)!r} has not started", hint="start it with unmask run or unmask evaluate --run"
        )
    return located_plan(Plan.from_dict(found), folder)


def has_begun(store: Store) -> bool:
    """Whether the run has stored its plan."""
    return store.fact(PLAN) is not None


def reference_of(plan: Plan, name: str | None) -> str | None:
    """Return the row that the others are compared with. Rejects unknown names."""
    return find_row(name, _rows(plan))


def report(store: Store, plan: Plan, *, reference: str | None = None, times: bool = False) -> Report:
    """Build a report of a plan's results so far."""
    reference = reference_of(plan, reference)
    cells = tuple(_cell(store, plan, pair, baseline) for pair, baseline in product(plan.pairs(), plan.baselines))
    known = [cell.evaluation for cell in cells if cell.evaluation is not None]
    return Report(
        plan=plan.name,
        protocol=plan.protocol,
        top=plan.top,
        cells=cells,
        unit=known[0].unit if known else plan.unit or "word",
        references=_published_figures(plan),
        reference=reference,
        times=times,
        methods=_rows(plan),
    )


def _published_figures(plan: Plan) -> References | None:
    """Return published results to compare with, from the first study that has any."""
    places = filter(None, (study.references for study in all_studies()))
    return next(filter(None, (resolve_name(place)(plan) for place in places)), None)


def status(store: Store, plan: Plan) -> Iterator[PairStatus]:
    """Count results and list failures, pair by pair."""
    for pair, baseline in product(plan.pairs(), plan.baselines):
        results = pair_results(store, plan, pair, baseline)
        if results is None:
            yield PairStatus(pair.name, baseline, 0, 0, is_begun=False, failures=())
        else:
            failures = tuple(_describe_failures(results.evaluation))
            yield PairStatus(pair.name, baseline, results.planned, results.missing, True, failures)


def left(store: Store) -> float | None:
    """The seconds left, as estimated by the last run; None if unknown."""
    found = store.fact(LEFT)
    return None if found is None else float(found)


def _rows(plan: Plan) -> tuple[str, ...]:
    """The rows of a report, in the order of the plan."""
    methods = resolve_methods(plan.methods[plan.protocol], seed=plan.seed)
    given = dict.fromkeys(dataset.given for dataset in plan.datasets if dataset.given is not None)
    return (*map(format_spec, methods), *given, *(name for name in (RANDOM, GREEDY) if name in plan.controls))


def pair_results(store: Store, plan: Plan, pair: Pair, baseline: str) -> Results | None:
    """Return the stored results of a pair with one baseline; None before the pair starts."""
    kept = pair_note(store, partial(model_fact, plan, baseline=baseline), pair)
    notes = pair_note(store, texts_fact, pair)
    if kept is None or notes is None:
        return None
    with store.reading_results():
        return load_results(store, plan_config(plan, pair, ModelRecord.from_dict(kept)), notes)


def _cell(store: Store, plan: Plan, pair: Pair, baseline: str) -> ReportCell:
    results = pair_results(store, plan, pair, baseline)
    record = None if results is None else results.model
    has_changed = record is not None and len(content_hashes(store, pair, record.dtype)) > 1
    notes = (CHANGED if has_changed else None, _other_texts(store, plan, pair))
    return ReportCell(
        dataset=pair.dataset.name,
        model=pair.model,
        source=_shown(pair.source, record),
        baseline=baseline,
        evaluation=None if results is None else results.evaluation,
        lengths=() if results is None else results.lengths,
        max_units={GREEDY: GREEDY_UNITS, **(results.max_units if results is not None else {})},
        scores={} if results is None else results.scores,
        planned=len(pair_note(store, texts_fact, pair) or ()),
        dtype=record.dtype if record else None,
        note="; ".join(filter(None, notes)) or None,
    )


def _shown(source: str, record: ModelRecord | None) -> str:
    """Return the model's name, or the last part of its path.

    >>> _shown("/models/bert", None), _shown("somebody/bert", None), _shown("bert", None)
    ('bert', 'somebody/bert', 'bert')
    """
    if record is not None:
        return record.name
    return re.split(r"[/\\]", source.rstrip("/\\"))[-1] if is_path(source) else source


def _other_texts(store: Store, plan: Plan, pair: Pair) -> str | None:
    """Return a note if `max_tokens` selects other texts with this model's tokenizer than with the first model's."""
    if pair.dataset.max_tokens is None:
        return None
    first = next(one for one in plan.pairs() if one.dataset == pair.dataset)
    theirs, ours = (pair_note(store, texts_fact, one) for one in (first, pair))
    if theirs is None or ours is None or theirs == ours:
        return None
    shared = sum(one in theirs for one in ours)
    return (
        f"not the same texts as for {first.model}, because max_tokens depends on the tokenizer: "
        f"{shared:,} in common, out of {len(ours):,} and {len(theirs):,}"
    )


def _describe_failures(evaluation: Evaluation) -> Iterator[str]:
    """Describe each reason for failure in one line, with the rows it affects and the first text that failed."""
    names = {failure.example: failure.name for failure in evaluation.failures}
    texts: dict[tuple[str, str | None], list[int]] = {}
    for failure in evaluation.failures:
        texts.setdefault((failure.reason, failure.row), []).append(failure.example)
    alike: dict[tuple[str, tuple[int, ...]], list[str]] = {}
    for (reason, row), examples in texts.items():
        alike.setdefault((reason, tuple(sorted(set(examples)))), []).extend([row] if row else [])
    for (reason, places), rows in alike.items():
        under = f" under {', '.join(rows)}" if rows else ""
        first = names[places[0]]
        several = f"{len(places):,} texts{under}, first {first}"
        yield f"{several if len(places) > 1 else first + under}: {reason}"
