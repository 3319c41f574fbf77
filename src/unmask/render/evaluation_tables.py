"""An evaluation as tables: what stands in which cell, and what must be said beside it."""

from collections.abc import Iterator, Sequence

from ..metrics.faithfulness import METRICS
from ..metrics.registry import ERRORS, KNOWN, PLAUSIBILITY, Measure, metrics_of
from ..metrics.statistics import Summary
from ..results.evaluation import Evaluation
from ..results.rows import GREEDY, RANDOM, WORDS, EvaluationRow
from . import judged
from .judged import AREAS, NOTHING, OWN, SAID
from .tables import Cell, Column, Document, Table


def document(evaluation: Evaluation) -> Document:
    """All tables of an evaluation."""
    found = [_figures(evaluation, operator) for operator in evaluation.operators]
    if judged.row(evaluation, RANDOM) and judged.row(evaluation, GREEDY):
        found.append(_ways(evaluation))
    found += _grids(evaluation)
    found.append(_curve(evaluation, evaluation.operators[0]))
    if evaluation.reference is not None and judged.row(evaluation, evaluation.reference):
        found.append(_differences(evaluation, evaluation.reference))
    found.append(_errors(evaluation))
    if (words := judged.row(evaluation, WORDS)) is not None:
        found.append(_fading(evaluation, words))
    return Document(_title(evaluation), facts(evaluation), tuple(found), tuple(_paragraphs(evaluation)))


def facts(evaluation: Evaluation) -> dict[str, str]:
    """What all figures depend on."""
    found = {
        "model": evaluation.model.name,
        "protocol": evaluation.protocol,
        "function": evaluation.function,
        "texts": f"{evaluation.examples:,}",
        "unit": evaluation.unit,
        "target": evaluation.target,
        "scale of the attributions": evaluation.scale,
        "baseline of the attributions": ", ".join(evaluation.baselines),
        "top": f"{evaluation.top:.0%} of the units",
        "seed": str(evaluation.seed),
        "hash": evaluation.model.hash,
    }
    if evaluation.rationale_length is not None:
        found["chosen for F1"] = judged.chosen(evaluation.rationale_length)
    return found


def _title(evaluation: Evaluation) -> str:
    methods = sum(row.kind in ("method", "given") for row in evaluation.rows)
    texts = evaluation.examples - len({one.example for one in evaluation.failures if one.row is None})
    return f"{methods} method{'s' * (methods != 1)} judged on {texts:,} text{'s' * (texts != 1)}"


def _paragraphs(evaluation: Evaluation) -> Iterator[str]:
    if evaluation.protocol == "paper":
        yield judged.as_published(evaluation.function)
    if evaluation.failures:
        first, texts = evaluation.failures[0], len({one.example for one in evaluation.failures})
        where = f" under {first.row}" if first.row else ""
        share = f"{texts:,} of {evaluation.examples:,} texts failed"
        yield f"{share}; the first, {first.name}{where}: {first.reason}"
    if evaluation.truncated:
        longer = "1 text is" if evaluation.truncated == 1 else f"{evaluation.truncated:,} texts are"
        yield f"{longer} longer than the model reads; what was cut off is not judged."
    yield from evaluation.warnings


def _figures(evaluation: Evaluation, operator: str) -> Table:
    """The three metrics and their areas by one operator; people's marks and the cost beside the first."""
    is_first, top = operator == evaluation.operators[0], f"top {evaluation.top:.0%}"
    shown = [(Measure(metric, operator, evaluation.top), top) for metric in metrics_of("faithfulness", "derived")]
    shown += [(Measure(metric, operator), "AOPC") for metric in AREAS]
    if is_first and evaluation.rationale_length is not None:
        shown += [(Measure(metric), "people") for metric in PLAUSIBILITY]
    rows = [row for row in evaluation.rows if row.kind != "robustness"]
    columns = [Column("method", align="left"), *(judged.column(measure, group) for measure, group in shown)]
    cells = [[judged.name(row)] for row in rows]
    for measure, _ in shown:
        for line, cell in zip(cells, judged.compared(evaluation, rows, measure), strict=True):
            line.append(cell)
    if is_first:
        columns += [Column("passes", "per text"), Column("seconds", "per text")]
        for line, row in zip(cells, rows, strict=True):
            line += _cost(row)
    controls = [at for at, row in enumerate(rows) if row.kind == "control"]
    return Table(
        judged.by(operator),
        tuple(columns),
        tuple(map(tuple, cells)),
        tuple(_notes(evaluation, rows, operator)),
        frozenset(controls[:1]),
    )


def _notes(evaluation: Evaluation, rows: Sequence[EvaluationRow], operator: str) -> Iterator[str]:
    if operator == evaluation.operators[0]:
        yield "Means with 95 % bootstrap intervals; the best method of a column is bold."
        shares = ", ".join(f"{100 * share:g}" for share in evaluation.curve)
        yield f"AOPC: the mean over {shares} % of the units; shares that are equally many units count once"
        yield from (SAID[row.name] for row in rows if row.name in SAID)
        if evaluation.rationale_length is not None:
            yield f"people: {judged.agreed(evaluation, judged.count(rows[0], Measure('auprc')))}"
    yield from _fewer(evaluation, rows, operator)
    if any(judged.is_own(row, Measure(metric, operator)) for row in rows for metric in METRICS):
        yield judged.OWN_SAID


def _fewer(evaluation: Evaluation, rows: Sequence[EvaluationRow], operator: str) -> Iterator[str]:
    """Figures that are means over fewer texts than others: all of a row, or those of some metrics."""
    measures = [Measure(metric, operator, evaluation.top) for metric in METRICS]
    measures += [Measure(metric, operator) for metric in AREAS]
    counts = {row.name: {one: count for one in measures if (count := judged.count(row, one))} for row in rows}
    most = max((count for found in counts.values() for count in found.values()), default=0)
    for name, found in counts.items():
        for count in sorted({*found.values()} - {most}):
            titles = [KNOWN[one.metric].title for one, texts in found.items() if texts == count]
            some = "" if len(titles) == len(found) else f", {', '.join(titles)}"
            yield f"{name}{some}: {count:,} texts, not {most:,}"


def _cost(row: EvaluationRow) -> list[Cell]:
    if row.kind != "method" or not row.texts:
        return [NOTHING, NOTHING]
    gradients = f"({row.passes.backward / row.texts:,.0f} with gradients)" if row.passes.backward else None
    return [Cell(f"{row.passes.forward / row.texts:,.0f}", gradients), Cell(f"{row.seconds / row.texts:.3f}")]


def _ways(evaluation: Evaluation) -> Table:
    """How far each method is on the way from chance to greedy choices."""
    rows = [row for row in evaluation.rows if row.kind in ("method", "given")]
    measures = [Measure(metric, one, evaluation.top) for one in evaluation.operators for metric in METRICS]
    columns = [Column("method", align="left"), *(judged.column(one, one.operator) for one in measures)]
    cells = [(judged.name(row), *(_way(evaluation, row, measure) for measure in measures)) for row in rows]
    note = "0 % is the random row, 100 % the greedy one, on the texts for which greedy choices were computed."
    return Table("Share of the way from random to greedy", tuple(columns), tuple(cells), (note,))


def _way(evaluation: Evaluation, row: EvaluationRow, measure: Measure) -> Cell:
    share = evaluation.way(row.name, measure)
    if share is None:
        return NOTHING
    is_own = judged.is_own(row, measure)
    return Cell(f"{share:.0%}{OWN if is_own else ''}", is_faint=is_own)


def _grids(evaluation: Evaluation) -> Iterator[Table]:
    """One method under several baselines, by several operators: the diagonal measures what it is made of."""
    families: dict[str, list[EvaluationRow]] = {}
    for row in evaluation.rows:
        if row.kind == "method" and row.baseline is not None:
            families.setdefault(row.name.removesuffix(f" ({row.baseline})"), []).append(row)
    for name, rows in families.items():
        if len(rows) > 1:
            measures = [Measure(metric, one, evaluation.top) for metric in METRICS for one in evaluation.operators]
            columns = [
                Column("baseline", align="left"),
                *(Column(one.operator or "", KNOWN[one.metric].title, hint=None) for one in measures),
            ]
            cells = [(Cell(row.baseline or ""), *(_on_grid(evaluation, row, one) for one in measures)) for row in rows]
            note = f"{OWN} the diagonal: judged by its own operator"
            yield Table(
                f"{name}: the attribution's baseline, by the metric's operator", tuple(columns), tuple(cells), (note,)
            )


def _on_grid(evaluation: Evaluation, row: EvaluationRow, measure: Measure) -> Cell:
    is_own = judged.is_own(row, measure)
    return judged.figure(_summary(evaluation, row, measure), is_faint=is_own, mark=OWN if is_own else "")


def _curve(evaluation: Evaluation, operator: str) -> Table:
    """The metrics at every share of the curve, by the first operator."""
    rows = [row for row in evaluation.rows if row.kind != "robustness" and row.name != GREEDY]
    measures = [Measure(metric, operator, share) for metric in METRICS for share in evaluation.curve]
    columns = [
        Column("method", align="left"),
        *(Column(f"{100 * (one.share or 0):g} %", f"{judged.column(one, None).title}") for one in measures),
    ]
    cells = [(judged.name(row), *(_plain(_summary(evaluation, row, one)) for one in measures)) for row in rows]
    return Table(f"By share of the units ({operator})", tuple(columns), tuple(cells))


def _plain(found: Summary | None) -> Cell:
    return NOTHING if found is None else Cell(f"{found.mean:.3f}")


def _differences(evaluation: Evaluation, reference: str) -> Table:
    """Every method minus the reference on the same texts."""
    rows = [row for row in evaluation.rows if row.kind != "robustness" and row.name != reference]
    measures = [Measure(metric, one, evaluation.top) for one in evaluation.operators for metric in METRICS]
    columns = [Column("method", align="left"), *(judged.column(one, one.operator) for one in measures)]
    found = evaluation.differences([(row.name, measure) for row in rows for measure in measures])
    other = evaluation.row(reference)
    owns = {(row.name, one): judged.is_own(row, one) or judged.is_own(other, one) for row in rows for one in measures}
    cells = [
        (
            judged.name(row),
            *(judged.difference(found[row.name, one], mark=OWN if owns[row.name, one] else "") for one in measures),
        )
        for row in rows
    ]
    notes = (judged.PAIRED, judged.OWN_COMPARED) if any(owns.values()) else (judged.PAIRED,)
    return Table(f"Each method minus {reference}", tuple(columns), tuple(cells), notes)


def _errors(evaluation: Evaluation) -> Table:
    """The paper's Delta beside the error that a method knows of itself."""
    rows = [row for row in evaluation.rows if row.kind == "method"]
    columns = [Column("method", align="left"), *(judged.column(Measure(metric), None) for metric in ERRORS)]
    cells = [
        (judged.name(row), *(judged.figure(_summary(evaluation, row, Measure(one))) for one in ERRORS)) for row in rows
    ]
    return Table("Delta, and the largest residual of a unit", tuple(columns), tuple(cells), (judged.DELTA,))


def _fading(evaluation: Evaluation, words: EvaluationRow) -> Table:
    """What the model still says when words are missing at random."""
    shares = sorted({one.share for one in words.values if one.share is not None})
    pairs = list(dict.fromkeys((one.operator, one.metric) for one in words.values))
    known = [pair for pair in pairs if _summary(evaluation, words, Measure(pair[1], pair[0], shares[0]))]
    columns = [
        Column("taken at random", align="left"),
        *(Column(KNOWN[metric].title, operator, hint=KNOWN[metric].meaning) for operator, metric in known),
    ]
    cells = [
        (
            Cell(f"{share:.0%}"),
            *(judged.figure(_summary(evaluation, words, Measure(metric, one, share))) for one, metric in known),
        )
        for share in shares
    ]
    note = "Each text three times, by chance; one unit at least, so that of a short text it is a larger share."
    return Table("Is taking words away fair to this model?", tuple(columns), tuple(cells), (note,))


def _summary(evaluation: Evaluation, row: EvaluationRow, measure: Measure) -> Summary | None:
    return evaluation.summary(row.name, measure.metric, measure.operator, measure.share)
