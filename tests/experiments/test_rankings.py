"""A method with a ranking of its own is evaluated by that ranking, not by the size of its scores."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest
from support import slow_metrics, slow_reference, tiny

from unmask import Explainer, Request
from unmask.experiments.examples import Example, annotations_of, example_with_scores
from unmask.experiments.plan import Plan
from unmask.experiments.scheduler import Run
from unmask.methods import Method, RecursiveSIG
from unmask.methods.spec import format_spec
from unmask.metrics.faithfulness import METRICS
from unmask.metrics.registry import Measure
from unmask.questions import Asking, Instance, Scores
from unmask.results.comparison import kendall

PLAN = """
methods = ["sig", "recursive_sig:share=0.5,pool=none"]
operators = ["remove"]
controls = ["random"]
[datasets.films]
source = "films.jsonl"
[models]
bert = "BERT"
"""
TEXTS = ["not bad, a lovely film! the mysteries of cinema", "junk food cinema at its greasiest!"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Backwards(Method):
    """Scores that grow along the text, and the opposite ranking."""

    name: ClassVar[str] = "backwards"

    def ask(self, instance: Instance) -> Asking:
        yield from ()
        count = len(instance.units)
        return Scores(instance.whole.new_tensor(range(count, 0, -1)), ranking=tuple(reversed(range(count))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Forwards(Method):
    """The same scores, and no ranking."""

    name: ClassVar[str] = "forwards"

    def ask(self, instance: Instance) -> Asking:
        yield from ()
        return Scores(instance.whole.new_tensor(range(len(instance.units), 0, -1)))


@pytest.mark.parametrize("operator", ["remove", "mask"])
def test_metrics_are_those_of_the_first_units_of_the_ranking(operator: str) -> None:
    explainer = tiny.explainer("bert")
    found = explainer.evaluate(TEXTS, methods=[Backwards()], operators=operator, top=0.3).row("backwards")
    for at, text in enumerate(TEXTS):
        units, ids = slow_reference.places(explainer.tokenizer, text, "word")
        target = int(slow_reference.outputs(explainer.model, ids).argmax())
        token = None if operator == "remove" else explainer.tokenizer.mask_token_id
        expected = slow_metrics.corrected_figures(
            explainer.model,
            list(ids),
            [list(unit) for unit in units],
            list(range(len(units))),  # the last unit is the first of the ranking
            target=target,
            operator=token,
            share=0.3,
        )
        figures = [float(found.values[Measure(metric, operator, 0.3)][at]) for metric in METRICS]
        assert figures == pytest.approx(expected, abs=1e-9)


def test_agreement_with_rationales_is_that_of_the_ranking() -> None:
    explainer = tiny.explainer("bert")
    text = "the film is not bad"
    label = explainer.explain(text).prediction.label
    example = Example(Request(text), label, annotations_of([{"mask": [0, 0, 0, 1, 1], "label": label}]))
    values = explainer.evaluate([example], methods=[Backwards()], operators="remove").row("backwards").values
    assert values[Measure("auprc")] == [1.0]  # the two marked units come first
    assert values[Measure("token_f1")] == [1.0]


def test_a_run_stores_the_ranking_and_resumes_with_it(tmp_path: Path) -> None:
    """Scores of one run; metrics, which need the ranking, of a later one."""
    tiny.model("bert").float().save_pretrained(tmp_path / "bert")
    tiny.tokenizer("bert").save_pretrained(tmp_path / "bert")
    lines = [json.dumps({"text": text}) for text in TEXTS]
    (tmp_path / "films.jsonl").write_text("\n".join(lines), encoding="utf-8")
    written = PLAN.replace("BERT", str(tmp_path / "bert"))
    (tmp_path / "plan.toml").write_text(written, encoding="utf-8")
    (tmp_path / "more.toml").write_text(written.replace('["remove"]', '["remove", "mask"]'), encoding="utf-8")
    for name in ("plan.toml", "more.toml"):
        run = Run(tmp_path / "run", Plan.load(tmp_path / name), device="cpu")
        run.go()
    (cell,) = run.report().cells
    explainer = Explainer.from_pretrained(tmp_path / "bert", device="cpu")
    method = RecursiveSIG(share=0.5, pool=None)
    expected = explainer.evaluate(TEXTS, methods=[method, "sig"], operators=["remove", "mask"])
    assert cell.evaluation is not None
    row = format_spec(method)
    for operator in ("remove", "mask"):
        for metric in METRICS:
            measure = Measure(metric, operator, expected.top)
            theirs = expected.row(row).values[measure]
            assert cell.evaluation.row(row).values[measure] == pytest.approx(theirs, abs=1e-6)
    explained = [explainer.explain(text, method=method) for text in TEXTS]
    ranks = [one.ranking for one in explained if one.ranking is not None]
    positions = [tuple(-float(ranking.index(unit)) for unit in range(len(ranking))) for ranking in ranks]
    scores = [explainer.explain(text).scores for text in TEXTS]
    taus = [kendall(one, other) for one, other in zip(positions, scores, strict=True)]
    found = [kendall(one or (), other or ()) for one, other in zip(cell.scores[row], cell.scores["sig"], strict=True)]
    assert found == pytest.approx(taus)


def test_imported_explanations_keep_their_ranking() -> None:
    explainer = tiny.explainer("bert")
    explained = explainer.explain(TEXTS[0], method=Backwards())
    example = example_with_scores(explained.to_dict())
    found = explainer.evaluate([example], methods=["sig", Backwards()], operators="remove")
    for metric in METRICS:
        measure = Measure(metric, "remove", found.top)
        (given,) = (row for row in found.rows if row.kind == "given")
        assert given.values[measure] == pytest.approx(found.row("backwards").values[measure])


def test_a_comparison_compares_rankings() -> None:
    explainer = tiny.explainer("bert")
    found = explainer.compare(TEXTS[0], methods=[Backwards(), Forwards()])
    assert found.agreements == (1.0, -1.0)
