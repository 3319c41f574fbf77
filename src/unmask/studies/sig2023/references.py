"""The paper's figures beside ours if the model is the published one, else a note that it is not."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ...metrics.faithfulness import METRICS
from .published import has_figures, is_published, papers_settings, published, published_steps

if TYPE_CHECKING:
    from ...experiments.plan import Plan
    from ...results.report import Report, ReportCell

OTHERS = "figures are not comparable with the paper's"
OTHER_MODELS = f"These are not the published models, so their {OTHERS}."


@dataclass(frozen=True, slots=True)
class PublishedFigures:
    """The paper's figures for these pairs of dataset and model, which use the published models."""

    label: ClassVar[str] = "paper"

    pairs: frozenset[tuple[str, str]]

    def is_published(self, cell: "ReportCell") -> bool:
        """Whether the model is the published one for this dataset."""
        return (cell.dataset, cell.model) in self.pairs

    def figures(self, cell: "ReportCell", row: str) -> Mapping[str, float]:
        """The published log-odds, comprehensiveness and sufficiency of a row, where there are any."""
        theirs = published(cell.dataset, cell.model, cell.baseline_used, row) if self.is_published(cell) else None
        return {} if theirs is None else {metric: getattr(theirs, metric) for metric in METRICS}

    def step_figures(self, cell: "ReportCell", row: str) -> Mapping[str, float]:
        """The same with |Delta| from the paper's table of steps."""
        theirs = published_steps(cell.dataset, cell.model, cell.baseline_used, row) if self.is_published(cell) else None
        if theirs is None:
            return {}
        return {metric: getattr(theirs, metric) for metric in METRICS} | {"absolute_delta": theirs.delta}

    def notes(self, report: "Report", cells: "Sequence[ReportCell]") -> Iterator[str]:
        """How the published figures compare with ours, or why there are none."""
        if not any(has_figures(cell.dataset, cell.model) for cell in cells):
            return
        others = [cell.model for cell in cells if not self.is_published(cell)]
        if len(others) == len(cells):
            yield OTHER_MODELS
            return
        texts = max(cell.planned for cell in cells)
        ours = "the one text" if texts == 1 else f"the {texts:,} texts"
        yield f"paper: the published figure, over all texts of the paper; ours is over {ours} of this run."
        if report.protocol != "paper":
            yield f"The published figures use the protocol 'paper'; ours use {report.protocol!r}."
        if others:
            yield f"{', '.join(others)}: not the published model, so its {OTHERS}."
        methods = [name for name, kind in report.kinds.items() if kind == "method"]
        without = [name for name in methods if not any(self.figures(cell, name) for cell in cells)]
        settings = {name: theirs for name in without if (theirs := papers_settings(name))}
        if absent := [name for name in without if name not in settings]:
            yield f"The paper has no figures for {', '.join(absent)}."
        if settings:
            elsewhere = ", ".join(f"{name} as {theirs}" for name, theirs in settings.items())
            yield f"The paper has {elsewhere}: the settings differ, so its figures are not shown."


def references_of(plan: "Plan") -> PublishedFigures | None:
    """The paper's figures, if it has any for a dataset and model of the plan."""
    pairs = [(pair.dataset.name, pair.model, pair.source) for pair in plan.pairs()]
    if not any(has_figures(dataset, model) for dataset, model, _ in pairs):
        return None
    known = ((dataset, model) for dataset, model, source in pairs if is_published(source, dataset, model))
    return PublishedFigures(frozenset(known))
