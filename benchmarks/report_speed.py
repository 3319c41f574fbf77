"""Measure the time and memory that a report over 100,000 stored results takes.

PYTHONPATH=tests .venv/bin/python benchmarks/report_speed.py
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from support import filled_stores
from support.stored import plan_of, report, status

from unmask.experiments.plan import Plan
from unmask.render.reports import render

METHODS = ("sig", "ig", "dig", "sdig", "grad_x_input", "saliency", "leave_one_in", "leave_one_out", "shapley")
FORMS = (("markdown", "paper"), ("csv", "long"), ("json", "long"), ("html", "paper"))


def asked() -> Plan:
    """Two models, nine methods, two operators, a control."""
    return filled_stores.plan(METHODS, controls=("random",), operators=("remove", "mask"), baselines=("mask",))


def made(folder: Path, form: str, layout: str) -> None:
    """One report, in a process that does nothing else."""
    started = time.perf_counter()
    found = report(folder, plan_of(folder), reference="sig")
    read, size = time.perf_counter() - started, len(render(found, form, layout)) / 1e3
    all_, peak = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(f"| {form}, {layout} | {size:,.0f} kB | {read:.1f} s | {all_:.1f} s | {peak:,.0f} MB |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", type=int, default=100_000)
    parser.add_argument("--made", nargs=3, metavar=("FOLDER", "FORM", "LAYOUT"))
    given = parser.parse_args()
    if given.made:
        made(Path(given.made[0]), *given.made[1:])
        return
    with tempfile.TemporaryDirectory() as place:
        each = 2 * (len(METHODS) * 3 + 2)  # per method: scores, and metrics by two operators; the control has no scores
        filled_stores.fill(Path(place), asked(), texts=-(-given.results // each))
        count = sum(one.planned - one.missing for one in status(Path(place), asked()))
        size = (Path(place) / "results.sqlite").stat().st_size
        print(f"{count:,} results, {size / 1e6:.0f} MB\n")
        print("| format, layout | report size | reading | total | peak |\n|---|---|---|---|---|", flush=True)
        for form in FORMS:
            subprocess.run([sys.executable, __file__, "--made", place, *form], check=True)


if __name__ == "__main__":
    main()
