"""Evaluates methods on texts in memory, for an explainer."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..attribution.session import ModelSession, check_several
from ..progress import Reporting, reporting
from .config import resolve_evaluation
from .examples import ExampleLike, embedded_examples, example_of
from .runner import evaluate
from .work_items import score_items

if TYPE_CHECKING:
    from ..results.evaluation import Evaluation


def evaluate_texts(
    session: ModelSession,
    texts: Iterable[ExampleLike] | None,
    methods: Sequence[Any],
    options: Any,
    *,
    progress: Reporting = None,
) -> "Evaluation":
    """Evaluate methods on texts; if `texts` is None, on the built-in sentences."""
    if texts is not None:
        check_several(texts)
    examples = [example_of(one) for one in (embedded_examples(session.adapter.task.name) if texts is None else texts)]
    evaluation = resolve_evaluation(session, methods, options, examples=examples)
    count = sum(item.method is not None for item in score_items(evaluation.config))
    with reporting(progress, total=len(examples) * (count + 1)) as report:
        return evaluate(evaluation, examples, progress=report)
