"""Add the rows of some methods to the pages of docs/results/faithfulness, without running the other methods again.

.venv/bin/python benchmarks/faithfulness_rows.py two_sided recursive_sig

This is for pages whose results are no longer stored. SIG is evaluated again along with the new methods; if one of its
figures differs from the page, nothing is written. Results are stored in .results/faithfulness-rows; rerun to resume.
"""

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import torch
from faithfulness import PAGES, PART
from findings import open_with_finding
from paper_experiment import planned, tell
from timing import explainer_of
from tqdm import tqdm

from unmask.experiments.examples import embedded_examples
from unmask.experiments.scheduler import Run
from unmask.results.evaluation import Evaluation

KEPT = Path(__file__).resolve().parents[1] / ".results" / "faithfulness-rows"
REFERENCE, AFTER = "sig", "shapley"  # the row that must not change, and the row after which new ones are inserted
MODELS = ("embedded", "distilbert", "roberta", "bert")
FEWER = "sdig"  # was measured on fewer texts
SECONDS = "per text: seconds"
BETTER = {"↓": min, "↑": max}
NOTE = """The rows {rows} were added later, on the same texts, by `benchmarks/faithfulness_rows.py`.
That run also measured sig again, with the same results. The positions of the new rows between random and greedy
are computed from the means on this page. The running times of the new rows were not measured.

"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("method", nargs="+")
    parser.add_argument("--model", choices=MODELS, action="append", help="update only these models' pages")
    parser.add_argument("--threads", type=int)
    given = parser.parse_args()
    if given.threads:
        torch.set_num_threads(given.threads)
    KEPT.mkdir(parents=True, exist_ok=True)
    for name in given.model or MODELS:
        methods = [REFERENCE, *given.method]
        found = built_in(methods) if name == "embedded" else shared(name, methods)
        found.save(KEPT / f"{name}.md")
        page, new = PAGES / f"{name}.md", (KEPT / f"{name}.md").read_text(encoding="utf-8")
        page.write_text(with_rows(page.read_text(encoding="utf-8"), new, given.method), encoding="utf-8")
        open_with_finding(page)


def built_in(methods: Sequence[str]) -> Evaluation:
    """The methods on the sentences in the package, part by part."""
    explainer, texts = explainer_of("embedded"), embedded_examples()
    length = explainer.evaluate(texts, methods=["random:seed=0"], operators="remove", controls=()).rationale_length
    assert length is not None
    parts = []
    for start in tqdm(range(0, len(texts), PART)):
        kept = KEPT / f"embedded-{'-'.join(methods)}-{start}.json"
        if not kept.exists():
            explainer.evaluate(
                texts[start : start + PART],
                methods=list(methods),
                baseline="mask",
                reference=REFERENCE,
                rationale_length=length,
                controls=(),
            ).save(kept)
        parts.append(Evaluation.load(kept))
    return Evaluation.merged(parts)


def shared(name: str, methods: Sequence[str]) -> Evaluation:
    """The methods on a shared model and the sentences of paper_experiment.py."""
    plan = replace(
        planned("corrected", "sst2").only([f"sst2/{name}"]),
        methods={"corrected": tuple(methods)},
        baselines=("mask",),
        controls=(),
    )
    run = Run(KEPT / "run", plan)
    run.go(progress=tell)
    (cell,) = run.report(reference=REFERENCE).cells
    assert cell.evaluation is not None
    return replace(cell.evaluation, reference=REFERENCE)


def with_rows(page: str, new: str, methods: Sequence[str]) -> str:
    """The page with the rows of these methods in every table of methods."""
    if already := [method for method in methods if f"\n| {_escaped(method)} |" in page]:
        raise SystemExit(f"the page has these rows already: {', '.join(already)}")
    sections = dict(_sections(new))
    parts = list[str]()
    for heading, lines in _sections(page):
        at = [number for number, line in enumerate(lines) if line.startswith("|")]
        if at and _cells(lines[at[0]])[0] == "method":
            old = [_cells(line) for line in lines[at[0] : at[-1] + 1] if line.startswith("|")]
            others = [_cells(line) for line in sections.get(heading, []) if line.startswith("|")]
            table = (
                _positions(parts, old, methods) if heading.startswith("## Position") else _merged(old, others, methods)
            )
            lines = [*lines[: at[0]], *("| " + " | ".join(row) + " |" for row in table), *lines[at[-1] + 1 :]]
        parts.append("\n".join([heading, *lines]))
    head, _, rest = "\n".join(parts).lstrip("\n").partition("\n## ")
    return f"{head}\n{NOTE.format(rows=' and '.join(methods))}## {rest}"


def _sections(page: str) -> Iterator[tuple[str, list[str]]]:
    heading, lines = "", list[str]()
    for line in page.split("\n"):
        if line.startswith("## "):
            yield heading, lines
            heading, lines = line, []
        else:
            lines.append(line)
    yield heading, lines


def _cells(line: str) -> list[str]:
    """Return the cells of a row, with percentages in the current style, without a space."""
    return [part.strip().replace(" %", "%") for part in re.split(r"(?<!\\)\|", line.strip()[1:-1])]


def _merged(old: list[list[str]], new: list[list[str]], methods: Sequence[str]) -> list[list[str]]:
    """Return a table with new rows; a new row that is better becomes the bold one."""
    header, rows = old[0], {row[0]: dict(zip(new[0], map(_plain, row), strict=True)) for row in new[2:]}
    _check_same(old, rows)
    added = [
        [row.get(column, "—") if column != SECONDS else "—" for column in header]
        for row in map(rows.get, map(_escaped, methods))
        if row
    ]
    at = next(number for number, row in enumerate(old) if row[0] == AFTER) + 1
    table = [*old[:at], *added, *old[at:]]
    for column, title in enumerate(header):
        best = [row for row in old if row[column].startswith("**")]
        if best:
            ranked = [*best, *(row for row in added if "°" not in row[column] and row[column] != "—")]
            arrow = BETTER[title[-1]]
            first = arrow(_mean(row[column]) for row in ranked)
            for row in ranked:
                is_best = _mean(row[column]) == first
                row[column] = re.sub(r"^(\S+)", r"**\1**", _plain(row[column])) if is_best else _plain(row[column])
    return table


def _check_same(old: list[list[str]], rows: dict[str, dict[str, str]]) -> None:
    """Exit if the reference's figures differ from those on the page."""
    for row in old[2:]:
        if row[0] == REFERENCE and REFERENCE in rows:
            known = dict(zip(old[0], map(_plain, row), strict=True))
            other = {column: (known[column], rows[REFERENCE].get(column)) for column in known}
            changed = {column: pair for column, pair in other.items() if column != SECONDS and pair[0] != pair[1]}
            if changed:
                raise SystemExit(f"{REFERENCE} differs from the page: {changed}")


def _positions(parts: Sequence[str], old: list[list[str]], methods: Sequence[str]) -> list[list[str]]:
    """The table of positions between random and greedy, from the means in the tables above it."""
    tables = {}
    for operator, part in zip(("remove", "mask"), parts[-2:], strict=True):
        lines = [_cells(line) for line in part.split("\n") if line.startswith("|")]
        tables[operator] = {row[0]: dict(zip(lines[0], row, strict=True)) for row in lines[2:]}

    def position(method: str, column: str) -> str:
        operator, _, metric = column.partition(": ")
        table, title = tables[operator], f"top 20%: {metric}"
        mine, floor, best = (_mean(table[row][title]) for row in (method, "random", "greedy"))
        return f"{(mine - floor) / (best - floor):.0%}" + "°" * ("°" in table[method][title])

    for row in (one for one in old[2:] if one[0] != FEWER):  # rounded means give the same as all texts did
        for column, known in zip(old[0][1:], row[1:], strict=True):
            assert abs(int(known.rstrip("°%")) - int(position(row[0], column).rstrip("°%"))) <= 1, (row, column)
    added = [[name, *(position(name, column) for column in old[0][1:])] for name in map(_escaped, methods)]
    at = next(number for number, row in enumerate(old) if row[0] == AFTER) + 1
    return [*old[:at], *added, *old[at:]]


def _plain(cell: str) -> str:
    return cell.replace("**", "")


def _mean(cell: str) -> float:
    found = re.match(r"-?\d+(?:\.\d+)?", _plain(cell))
    assert found is not None, cell
    return float(found[0])


def _escaped(name: str) -> str:
    return name.replace("_", "\\_")


if __name__ == "__main__":
    main()
