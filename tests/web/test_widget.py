"""The widget: its traits, its answers, what is shown without a kernel, and the module that it shares with the page."""

from typing import Any

import pytest
from support import tiny_heads
from support.web import WEIGHTS

from unmask import Explainer, Explanation
from unmask.models.formula import FormulaModel
from unmask.render.html.document import sheet
from unmask.render.html.module import MODULES, page_script, view_module, view_style
from unmask.web.widget import ExplanationWidget

EXPLAINER = Explainer.from_adapter(FormulaModel.weighted_words(WEIGHTS))
TEXT = "a good but bad film"


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, Any]]:
    """What widgets send to their views."""
    messages = list[tuple[Any, Any]]()
    monkeypatch.setattr(ExplanationWidget, "send", lambda _, content, buffers=None: messages.append((content, buffers)))
    return messages


def ask(widget: ExplanationWidget, route: str, **body: Any) -> None:
    widget.receive(widget, {"id": 7, "route": route, "body": {"text": TEXT, "model": "ignored here", **body}}, [])


def test_it_begins_with_the_explanation_and_all_choices() -> None:
    widget = EXPLAINER.widget(TEXT, unit="token")
    assert [unit["score"] for unit in widget.explanation["units"]] == [0.0, -2.0, 0.0, 3.0, 0.0]  # for "negative"
    assert widget.explanation["captions"]["sentences"]
    assert widget.state == {"question": {"text": TEXT}, "settings": {"model": "weighted-words", "unit": "token"}}
    assert widget.catalog["models"][0]["labels"] == ["negative", "positive"]
    assert {"sig", "ig"} <= {method["name"] for method in widget.catalog["methods"]}
    assert widget.connection == "ok"


@pytest.mark.parametrize(
    ("task", "architecture", "more", "labels"),
    [
        ("question_answering", "bert", {"text_pair": "the film is not bad at all"}, ["question", "context"]),
        ("similarity", "mpnet", {"text_pair": "it isn't dull"}, ["first text", "second text"]),
        ("multiple_choice", "bert", {"choices": ["dull", "not bad"]}, ["prompt", "choice 1", "choice 2"]),
    ],
)
def test_other_texts_are_part_of_the_question(
    task: str, architecture: str, more: dict[str, Any], labels: list[str], sent: list[tuple[Any, Any]]
) -> None:
    widget = tiny_heads.explainer(task, architecture).widget("what is it?", unit="token", **more)
    assert widget.state["question"] == {"text": "what is it?", **more}
    assert set(widget.state["settings"]) == {"model", "unit"}
    assert [segment.name for segment in widget.result.segments] == labels
    widget.receive(widget, {"id": 1, "route": "predict", "body": {**widget.state["question"], "masked": [[0]]}}, [])
    assert sent[0][0]["event"] == "result"


def test_it_answers_as_the_server_does(sent: list[tuple[Any, Any]]) -> None:
    widget = EXPLAINER.widget(TEXT)
    ask(widget, "predict", masked=[[1], [1, 3]], target="positive", scale="log_odds")
    ((message, _),) = sent
    assert (message["id"], message["event"]) == (7, "result")
    assert [point["change"] for point in message["data"]["results"]] == [-2.0, 1.0]


def test_a_new_explanation_is_kept(sent: list[tuple[Any, Any]]) -> None:
    widget = EXPLAINER.widget(TEXT)
    ask(widget, "explain", text="fine", captions=True)
    assert widget.result.text == "fine"
    assert sent[0][0]["data"] == widget.explanation


def test_an_error_is_a_sentence(sent: list[tuple[Any, Any]]) -> None:
    widget = EXPLAINER.widget(TEXT)
    ask(widget, "explain", method="sgi")
    message, _ = sent[0]
    assert message["event"] == "error"
    assert "did you mean 'sig'" in message["data"]["message"]


def test_a_cancelled_question_is_not_answered(sent: list[tuple[Any, Any]]) -> None:
    widget = EXPLAINER.widget(TEXT)
    widget.receive(widget, {"cancel": 3}, [])
    assert sent == []


def test_files_are_drawn_from_what_is_shown(sent: list[tuple[Any, Any]]) -> None:
    widget = EXPLAINER.explain(TEXT).widget()
    ask(widget, "render", format="html")
    ask(widget, "render", format="svg", mode="dark")
    ask(widget, "render", format="png")
    (html, _), (svg, _), (_, (png,)) = sent
    assert html["data"] == widget.result.to_html()
    assert svg["data"].startswith("<?xml") or svg["data"].startswith("<svg")
    assert png.startswith(b"\x89PNG")


def test_an_explanation_needs_no_model(sent: list[tuple[Any, Any]]) -> None:
    explanation = EXPLAINER.explain(TEXT)
    widget = explanation.widget()
    assert widget.connection == "none"
    assert widget.result == explanation
    ask(widget, "predict", masked=[[1]])
    assert sent[0][0]["data"] == {"message": "this widget has no model", "hint": "use explainer.widget(text)"}


def test_without_a_kernel_the_last_explanation_is_html(sent: list[tuple[Any, Any]]) -> None:
    widget = EXPLAINER.widget(TEXT)
    ask(widget, "explain", text="fine <b>film</b>", captions=True)
    data, _ = widget._repr_mimebundle_()
    assert data["text/html"] == Explanation.from_dict(widget.result.to_dict())._repr_html_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert "fine" in data["text/html"]
    assert "<b>film" not in data["text/html"]


def test_the_look_is_that_of_all_drawings() -> None:
    assert view_style().startswith(sheet("default"))


def test_the_module_is_one_file_without_imports() -> None:
    module = view_module()
    assert "import {" not in module
    assert module.count("export ") == 1
    assert module.endswith("export default view_module.default;\n")


@pytest.mark.parametrize("names", [("static_text",), ("static_index", "static_answer", "static_text")])
def test_a_page_from_disk_holds_the_same_modules_once_each(names: tuple[str, ...]) -> None:
    script = page_script(*names)
    assert "import {" not in script
    assert "export " not in script
    shared = ("dom", "numbers", *(["words", "blocks", "matrix"] if "static_answer" in names else []))
    for name in shared:
        assert script.count(f"const {name}_module =") == view_module().count(f"const {name}_module =") == 1


def test_modules_of_the_view_are_short_and_write_no_markup() -> None:
    for path in sorted(MODULES.iterdir(), key=lambda path: path.name):
        source = path.read_text(encoding="utf-8")
        assert len(source.splitlines()) <= 300
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", '"style"', ".style."):
            assert word not in source
