"""The prose of a report: title, warnings, the settings behind the numbers, and what was not computed and why."""

from collections.abc import Iterator, Sequence
from typing import Any

from ...results.evaluation import Evaluation
from ...results.report import Report, ReportCell, RowCoverage
from ...results.rows import GREEDY
from .figures import cell_title

SETTINGS = ("function", "unit", "target", "scale", "seed", "dtype", "max_length")
NO_LIMIT = "the model's limit"
RIGHT = dict.fromkeys(("predicted", "max"), " and the model is right")
RIGHT_ABOUT_IT = f"{RIGHT['max']}, where the target is the gold label"


def settings(cell: ReportCell) -> dict[str, Any]:
    """The settings of a cell; all None if nothing was computed."""
    return {name: getattr(cell if name == "dtype" else cell.evaluation, name, None) for name in SETTINGS}


def shared_facts(report: Report) -> dict[str, str]:
    """The settings that all numbers depend on and all cells share."""
    facts = {"protocol": report.protocol, "top": f"{report.top:.0%} of the units", "unit": report.unit}
    facts |= _alike(report)
    if not report.plan:
        (evaluation,) = report.evaluations
        length, model = evaluation.rationale_length, evaluation.model
        facts |= {"baseline": ", ".join(evaluation.baselines), "hash": model.hash.removeprefix("sha256:")[:12]}
        facts |= {} if length is None else {"chosen for F1": counted(length, "unit")}
        return {"model": model.name, "texts": f"{evaluation.examples:,}", **facts}
    texts = f"{sum(cell.planned for cell in report.cells):,} in {counted(len(report.cells), 'cell')}"
    return {"plan": report.plan, **facts, "texts": texts, **report.facts}


def own_facts(report: Report, cell: ReportCell) -> dict[str, str]:
    """Those of the cell's settings that are not the same in every cell."""
    alike = _alike(report)
    return {name: value for name, value in _settings_in_words(cell).items() if name not in alike}


def _alike(report: Report) -> dict[str, str]:
    first, *others = [_settings_in_words(cell) for cell in report.cells if cell.evaluation] or [{}]
    return {name: first[name] for name in first if all(other.get(name) == first[name] for other in others)}


def _settings_in_words(cell: ReportCell) -> dict[str, str]:
    known = settings(cell) if cell.evaluation else {}
    known |= {"max_length": NO_LIMIT} if known and known["max_length"] is None else {}
    return {name: str(value) for name, value in known.items() if value is not None}


def agreed_texts(cell: ReportCell, texts: int) -> str:
    """The number of texts on which agreement with rationales is computed, and how they were chosen."""
    target, kind = (getattr(cell.evaluation, name, None) for name in ("target", "plausibility"))
    right = RIGHT.get(str(target), RIGHT_ABOUT_IT) if kind == "correct" else ""
    return f"{counted(texts, 'text')} on which annotators agree{right}"


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "text"), counted(2000, "text")
    ('1 text', '2,000 texts')
    """
    return f"{number:,} {noun}{'s' * (number != 1)}"


def truncated(evaluation: Evaluation) -> str:
    """A note on how many texts are longer than the model's limit; empty if none are."""
    if not evaluation.truncated:
        return ""
    texts = "1 text is" if evaluation.truncated == 1 else f"{evaluation.truncated:,} texts are"
    return f"{texts} longer than the model's limit; the truncated part was not evaluated"


def missing(cells: Sequence[ReportCell], names: Sequence[str], operator: str | None) -> Iterator[str]:
    """Notes on what was not computed: one note for all rows of a model that share a reason."""
    for cell in cells:
        if cell.evaluation is None:
            texts = f": 0 of {cell.planned:,} texts" if cell.planned else ""
            yield f"{cell.model}: not run yet{texts}"
            continue
        if operator not in (None, *cell.evaluation.operators):
            yield f"{cell.model}: not evaluated by {operator}"
            continue
        rows_by_reason: dict[str, list[str]] = {}
        for name in names:
            if reason := _reason(cell.coverage(name, operator)):
                rows_by_reason.setdefault(reason, []).append(name)
        for reason, rows in rows_by_reason.items():
            # Greedy may be missing for other reasons.
            is_all = {*rows, GREEDY} >= set(names) and rows != [GREEDY]
            yield f"{cell.model}: {reason}" if is_all else f"{cell.model}: {', '.join(rows)} {reason}"


def cell_notes(cells: Sequence[ReportCell]) -> Iterator[str]:
    """Notes on the number of truncated texts in these cells, and the notes of the cells themselves."""
    for cell in cells:
        if cell.evaluation and (note := truncated(cell.evaluation)):
            yield f"{cell.model}: {note}"
        if cell.note:
            yield f"{cell.model}: {cell.note}"


def _reason(coverage: RowCoverage) -> str:
    """How many texts a row covers, and why the others are missing; empty if it covers all."""
    if coverage.is_whole:
        return ""
    parts = [f"computed for {coverage.done:,} of {coverage.planned:,} texts"]
    if coverage.first is not None:
        first = "the first, " if coverage.failed > 1 else ""
        parts.append(f"{coverage.failed:,} failed ({first}{coverage.first.name}: {coverage.first.reason})")
    if coverage.long:
        exceed = "exceeds" if coverage.long == 1 else "exceed"
        parts.append(f"{coverage.long:,} {exceed} the limit of {coverage.max_units} units")
    if coverage.missing:
        parts.append(f"{coverage.missing:,} not run yet")
    return "; ".join(parts)


def title(report: Report) -> str:
    """The title, which counts the datasets, models, methods and texts."""
    methods = sum(kind != "control" for kind in report.kinds.values())
    if not report.plan:
        (evaluation,) = report.evaluations
        texts = evaluation.examples - len({failure.example for failure in evaluation.failures if failure.row is None})
        return f"{counted(methods, 'method')} evaluated on {counted(texts, 'text')}"
    datasets, models = ({getattr(cell, name) for cell in report.cells} for name in ("dataset", "model"))
    counts = (counted(len(datasets), "dataset"), counted(len(models), "model"), counted(methods, "method"))
    return f"{report.plan}: {', '.join(counts)}"


def verdicts(report: Report) -> Iterator[str]:
    """The verdict on each cell, with the cell's name if there are several."""
    for cell in report.cells:
        if cell.evaluation:
            place = f"{cell_title(cell)}: " if len(report.cells) > 1 else ""
            yield f"{place}{cell.evaluation.verdict}"


def paragraphs(report: Report) -> Iterator[str]:
    """Notes to read before the tables: failed and truncated texts, and each warning once, with its cells."""
    for evaluation in () if report.plan else report.evaluations:  # a plan's report lists them below its tables
        if evaluation.failures:
            first, failed = evaluation.failures[0], len({failure.example for failure in evaluation.failures})
            where = f"{first.name} under {first.row}" if first.row else first.name
            yield f"{failed:,} of {evaluation.examples:,} texts failed; the first, {where}: {first.reason}"
        if note := truncated(evaluation):
            yield f"{note}."
    places: dict[str, list[str]] = {}
    for cell in report.cells:
        for warning in cell.evaluation.warnings if cell.evaluation else ():
            places.setdefault(warning, []).append(f"{cell.dataset}/{cell.model}")
    for warning, names in places.items():
        is_all = len(names) == len(report.cells)
        yield warning if is_all else f"{', '.join(dict.fromkeys(names))}: {warning}"
