"""The widget for a text, connected to the model that explains it."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from ..attribution.session import ModelSession
from ..text.request import Messages
from .computations import run_now
from .limits import Limits
from .listing import method_records, model_record
from .widget import ExplanationWidget

OTHER_TEXTS = ("text_pair", "choices")


def explainer_widget(session: ModelSession, text: str | Messages, given: Mapping[str, Any]) -> ExplanationWidget:
    """Explain a text in a widget, and answer the reader's requests in this process."""
    name = session.adapter.model_info().name
    question: dict[str, Any] = {"text": text} if isinstance(text, str) else {"messages": list(text)}
    question |= {field: given[field] for field in OTHER_TEXTS if field in given}
    settings = {field: value for field, value in given.items() if field not in OTHER_TEXTS}
    run = partial(run_now, session)
    explanation = run("explain", {**question, **settings, "captions": True})
    catalog = {
        "models": [model_record(session, name)],
        "methods": method_records(),
        "limits": {"text": Limits().text},
    }
    state: dict[str, Any] = {"question": question, "settings": {"model": name, **settings}}
    return ExplanationWidget(explanation, run=run, catalog=catalog, state=state)
