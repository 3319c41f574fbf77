"""Run the paper's experiment and its table of steps, on the three models and the three datasets of ../shared.

.venv/bin/python benchmarks/paper_experiment.py corrected sst2    # also rotten_tomatoes, imdb: 100, 100 and 20 texts
.venv/bin/python benchmarks/paper_experiment.py paper sst2        # 20, 20, and 5 of at most 120 tokens; 50 steps
.venv/bin/python benchmarks/paper_experiment.py paper steps

Results are stored in .results/experiment; rerun to resume. Cheap methods come first, so tables are available early.
`--without sdig` skips a method, and the tables say so.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from findings import open_with_finding
from timing import MODELS, SHARED

from unmask.experiments.plan import Plan
from unmask.experiments.scheduler import Run, RunProgress
from unmask.results.report import Report

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / ".results" / "experiment"
PAGES = ROOT / "docs" / "results" / "paper-experiment"
SINGLE = ROOT / "docs" / "results" / "faithfulness"
PLACES = {
    **{model.removesuffix("-sst2"): str(SHARED / "models" / model) for model in MODELS},
    "sst2": str(SHARED / "data" / "sst2" / "test.tsv.gz"),
    "rotten_tomatoes": str(SHARED / "data" / "rotten_tomatoes" / "test.tsv.gz"),
    "imdb": str(SHARED / "data" / "imdb" / "test_sample.jsonl.gz"),
}
LIMITS: dict[str, dict[str, dict[str, Any]]] = {
    "corrected": {"sst2": {"limit": 100}, "rotten_tomatoes": {"limit": 100}, "imdb": {"limit": 20}},
    "paper": {"sst2": {"limit": 20}, "rotten_tomatoes": {"limit": 20}, "imdb": {"limit": 5, "max_tokens": 120}},
}
MAX_UNITS = {  # below the plan's own bounds: SDIG on a third of these texts costs a tenth of SDIG on all
    ("corrected", "sst2"): {"sdig": 16},
    ("corrected", "rotten_tomatoes"): {"sdig": 16},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("protocol", choices=LIMITS)
    parser.add_argument("table", choices=("sst2", "rotten_tomatoes", "imdb", "steps"))
    parser.add_argument("--without", action="append", default=[], help="methods and controls to skip")
    parser.add_argument("--threads", type=int)
    given = parser.parse_args()
    if given.threads:
        torch.set_num_threads(given.threads)
    plan, folder = planned(given.protocol, given.table), KEPT / f"{given.protocol}-{given.table}"
    Run(folder, without(plan, given.without)).go(progress=tell)
    report = Run(folder, plan).report(reference="sig")
    PAGES.mkdir(parents=True, exist_ok=True)
    page = PAGES / f"{folder.name}.md"
    report.save(page, layout="steps" if given.table == "steps" else "paper")
    open_with_finding(page)
    if folder.name == "corrected-sst2":
        save_one_by_one(report)


def save_one_by_one(report: Report) -> None:
    """Write a page for each model with baseline mask: all shares, positions relative to greedy, and differences."""
    for cell in report.cells:
        if cell.baseline == "mask" and cell.evaluation is not None:
            page = SINGLE / f"{cell.model}.md"
            replace(cell.evaluation, reference=report.reference).save(page)
            open_with_finding(page)


def planned(protocol: str, table: str) -> Plan:
    """The shipped plan on local models and files, with fewer texts."""
    plan = Plan.load("paper-steps") if table == "steps" else Plan.load("paper").only([table])
    names = {*(one.name for one in plan.datasets), *(one.name for one in plan.models)}
    plan = plan.under(protocol).mapped({name: place for name, place in PLACES.items() if name in names})
    datasets = tuple(replace(one, **LIMITS[protocol][one.name]) for one in plan.datasets)
    return replace(plan, datasets=datasets, max_units={**plan.max_units, **MAX_UNITS.get((protocol, table), {})})


def without(plan: Plan, names: Sequence[str]) -> Plan:
    """The plan without some methods and controls."""
    methods = tuple(one for one in plan.methods[plan.protocol] if one.partition(":")[0] not in names)
    controls = tuple(one for one in plan.controls if one not in names)
    return replace(plan, methods={plan.protocol: methods}, controls=controls)


def tell(doing: RunProgress) -> None:
    print(f"{doing.share:.1%}, {doing.seconds:.0f} s, {doing.left:.0f} s left: {doing.what}", flush=True)


if __name__ == "__main__":
    main()
