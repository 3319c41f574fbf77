"""The sentences of a drawing as data, so that the page shows the same sentences as the HTML."""

from dataclasses import asdict
from typing import Any

import numpy as np

from ..render.answer_view import view_answer
from ..render.html.answers import answer_state
from ..render.view import view_explanation
from ..results.answers import head_of, is_answer
from ..results.explanation import Explanation
from ..tasks.grouped import GroupedHead
from ..tasks.task import task_facts


def caption_records(explanation: Explanation) -> dict[str, Any]:
    """The sentences of the drawing, the steps of the sets, and how the task names what it predicts.

    For an answer, also the data that its view is drawn from, as in a stand-alone page; for predicted spans, the indices
    of their outputs.
    """
    facts = task_facts(explanation.task)
    answer = view_answer(explanation) if is_answer(explanation) else None
    view = answer or view_explanation(explanation)
    return {
        "prediction": view.prediction_sentence,
        "sentences": view.decisions or (answer.sentences if answer else []),
        "score": view.meaning,
        "key": view.key("shades"),
        "remarks": list(view.remarks),
        "notes": [*view.notes, *view.sets_notes],
        "display": asdict(facts.display) | {"spans": facts.spans},
        "sets": [
            {
                "kind": one.kind,
                "sentence": one.sentence,
                "steps": [{"unit": step.unit, "number": step.number, "sentence": step.sentence} for step in one.steps],
            }
            for one in view.sets
        ],
        "span_outputs": _span_outputs(explanation),
        **({"answer": answer_state(answer, "shades", level=3)} if answer else {}),
    }


def _span_outputs(explanation: Explanation) -> list[list[int]]:
    head = head_of(explanation)
    if not isinstance(head, GroupedHead):
        return []
    return [list(outputs) for outputs in head.predicted_spans(np.array(explanation.whole))]
