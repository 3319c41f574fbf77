"""Calls `unmask.experiments.reporting` for a folder."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from unmask.experiments import reporting
from unmask.experiments.plan import Plan
from unmask.experiments.reporting import PairStatus
from unmask.experiments.store import Store
from unmask.results.report import Report


def plan_of(folder: Path) -> Plan:
    with closing(Store(folder, reading=True)) as store:
        return reporting.plan_of(store)


def report(folder: Path, plan: Plan, **options: Any) -> Report:
    with closing(Store(folder, reading=True)) as store:
        return reporting.report(store, plan, **options)


def status(folder: Path, plan: Plan) -> Iterator[PairStatus]:
    with closing(Store(folder, reading=True)) as store:
        yield from reporting.status(store, plan)


def left(folder: Path) -> float | None:
    with closing(Store(folder, reading=True)) as store:
        return reporting.left(store)
