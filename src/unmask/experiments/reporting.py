"""A folder of results as a report, and how far the run in it is: no model is opened for either."""

import re
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..errors import InputError
from ..methods.registry import resolve_methods
from ..methods.spec import format_spec
from ..metrics.greedy import UNITS
from ..results.atomic_io import is_path
from ..results.evaluation import Evaluation
from ..results.report import Report, ReportCell
from ..results.rows import GREEDY, RANDOM, find_row
from .model_record import ModelRecord
from .plan import Pair, Plan
from .references import references_of
from .results import load_results
from .store import Store
from .store_keys import LEFT, PLAN, texts_fact

CHANGED = "this model's folder had other contents in this run too: their results are kept, and not shown"


@dataclass(frozen=True, slots=True)
class PairStatus:
    """How far one pair under one baseline is."""

    name: str
    baseline: str
    planned: int  # results, texts times cells; 0 where they cannot be counted yet
    missing: int
    is_begun: bool
    failures: tuple[str, ...]  # one line for each reason


@contextmanager
def reading(place: Path | Store) -> Iterator[Store]:
    """The store of a folder; or one that is open, since to open a large one takes its time."""
    if isinstance(place, Store):
        yield place
        return
    with closing(Store(place, reading=True)) as store:
        yield store


def plan_of(place: Path | Store) -> Plan:
    """The plan that was last run in a folder."""
    with reading(place) as store:
        found, folder = store.fact(PLAN), store.path.parent
    if found is None:
        raise InputError(f"the run in {str(folder)!r} has not begun", hint="unmask evaluate ... --run FOLDER begins it")
    return Plan.from_dict(found)


def has_begun(store: Store) -> bool:
    """Whether a run knows what it is to do."""
    return store.fact(PLAN) is not None


def reference_of(plan: Plan, name: str | None) -> str | None:
    """The row with which the others of a plan's report are compared; refused where it has none of that name."""
    return find_row(name, _rows(plan))


def report(place: Path | Store, plan: Plan, *, reference: str | None = None, times: bool = False) -> Report:
    """What a plan asked for, as far as it is there."""
    reference = reference_of(plan, reference)
    with reading(place) as store:
        cells = tuple(_cell(store, plan, pair, baseline) for pair, baseline in _places(plan))
    known = [cell.evaluation for cell in cells if cell.evaluation is not None]
    return Report(
        plan=plan.name,
        protocol=plan.protocol,
        top=plan.top,
        cells=cells,
        unit=known[0].unit if known else plan.unit or "word",
        references=references_of(plan),
        reference=reference,
        times=times,
        methods=_rows(plan),
    )


def status(place: Path | Store, plan: Plan) -> Iterator[PairStatus]:
    """What is done and what failed, pair by pair."""
    with reading(place) as store:
        for pair, baseline in _places(plan):
            found = load_results(store, plan, pair, baseline)
            is_begun, failures = found.evaluation is not None, tuple(_failing(found.evaluation))
            yield PairStatus(pair.name, baseline, found.results, found.missing, is_begun, failures)


def left(place: Path | Store) -> float | None:
    """Seconds that are left, as the last run in a folder noted; None where it is not known."""
    with reading(place) as store:
        found = store.fact(LEFT)
    return None if found is None else float(found)


def _rows(plan: Plan) -> tuple[str, ...]:
    """Methods and controls, as the plan has them."""
    methods = resolve_methods(plan.methods[plan.protocol], seed=plan.seed)
    return (*map(format_spec, methods), *(name for name in (RANDOM, GREEDY) if name in plan.controls))


def _places(plan: Plan) -> Iterator[tuple[Pair, str]]:
    return ((pair, baseline) for pair in plan.pairs() for baseline in plan.baselines)


def _cell(store: Store, plan: Plan, pair: Pair, baseline: str) -> ReportCell:
    found = load_results(store, plan, pair, baseline)
    return ReportCell(
        dataset=pair.dataset.name,
        model=pair.model,
        source=_shown(pair.source, found.about),
        baseline=baseline,
        evaluation=found.evaluation,
        lengths=found.lengths,
        max_units={GREEDY: UNITS, **found.max_units},
        scores=found.scores,
        planned=found.planned,
        dtype=found.about.dtype if found.about else None,
        note="; ".join(filter(None, (CHANGED if found.other else None, _other_texts(store, plan, pair)))) or None,
    )


def _shown(source: str, about: ModelRecord | None) -> str:
    """The model's name; of what can only be a path, its last part. Whatever is on the disk.

    >>> _shown("/models/bert", None), _shown("somebody/bert", None), _shown("bert", None)
    ('bert', 'somebody/bert', 'bert')
    """
    if about is not None:
        return about.name
    return re.split(r"[/\\]", source.rstrip("/\\"))[-1] if is_path(source) else source


def _other_texts(store: Store, plan: Plan, pair: Pair) -> str | None:
    """Where each model's tokenizer counts for `max_tokens`: how far it chose other texts than the first one's."""
    if pair.dataset.max_tokens is None:
        return None
    first = next(one for one in plan.pairs() if one.dataset == pair.dataset)
    theirs, ours = (store.fact(texts_fact(one)) for one in (first, pair))
    if theirs is None or ours is None or theirs == ours:
        return None
    shared = sum(one in theirs for one in ours)
    return (
        f"not the texts of {first.model}, since each tokenizer counts max_tokens itself: "
        f"{shared:,} in common, of {len(ours):,} and {len(theirs):,}"
    )


def _failing(evaluation: Evaluation | None) -> Iterator[str]:
    """A line for each reason and the rows that failed on the same texts; the rows are left out where it is all."""
    if evaluation is None:
        return
    names = {one.example: one.name for one in evaluation.failures}
    places: dict[tuple[str, str | None], list[int]] = {}
    for one in evaluation.failures:
        places.setdefault((one.reason, one.row), []).append(one.example)
    alike: dict[tuple[str, tuple[int, ...]], list[str | None]] = {}
    for (reason, row), examples in places.items():
        alike.setdefault((reason, tuple(sorted(set(examples)))), []).append(row)
    for (reason, texts), rows in alike.items():
        some = _some(rows, evaluation)
        under = f" under {', '.join(some)}" if some else ""
        first = names[texts[0]]
        which = f"{first}{under}" if len(texts) == 1 else f"{len(texts):,} texts{under}, the first is {first}"
        yield f"{which}: {reason}"


def _some(rows: Sequence[str | None], evaluation: Evaluation) -> tuple[str, ...]:
    """The rows, unless it is all of them."""
    named = tuple(row for row in rows if row is not None)
    return () if None in rows or {row.name for row in evaluation.rows} <= set(named) else named
