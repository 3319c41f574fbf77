"""The view as a notebook widget: it uses the page's module, with messages instead of HTTP. Drawing needs no model."""

from collections.abc import Callable, Mapping
from typing import Any

from ..errors import InputError, UnmaskError
from ..render.html.module import view_module, view_style
from ..results.explanation import Explanation
from .captions import caption_records

try:
    import anywidget
    import traitlets
except ModuleNotFoundError as error:
    raise InputError(
        f"a widget needs {error.name}, which is not installed", hint="pip install 'unmask[notebook]'"
    ) from error

Run = Callable[[str, Mapping[str, Any]], dict[str, Any]]  # (route, body) -> response, like `run_now`
NO_MODEL: dict[str, Any] = {"models": [], "methods": [], "limits": {"text": 50_000}}
CAPTIONS = "captions"


class ExplanationWidget(anywidget.AnyWidget):
    """An explanation in which the reader can mask, lock and replace words.

    `state` holds the reader's choices and edits; `explanation` is the JSON of the explanation shown, with captions.
    Without a kernel, a notebook shows the last explanation as HTML.
    """

    _esm = view_module()
    _css = view_style()
    catalog = traitlets.Dict().tag(sync=True)
    state = traitlets.Dict(allow_none=True, default_value=None).tag(sync=True)
    explanation = traitlets.Dict(allow_none=True, default_value=None).tag(sync=True)
    connection = traitlets.Enum(("ok", "lost", "none"), default_value="none").tag(sync=True)
    has_link = traitlets.Bool(default_value=False).tag(sync=True)

    def __init__(self, explanation: dict[str, Any], *, run: Run | None = None, **traits: Any) -> None:
        """Show an explanation; `run` answers requests about it."""
        super().__init__(explanation=explanation, connection="none" if run is None else "ok", **traits)
        self._run = run
        self.on_msg(self.receive)

    def __repr__(self) -> str:
        """The explanation shown."""
        return f"ExplanationWidget({self.result!r})"

    @classmethod
    def of(cls, explanation: Explanation) -> "ExplanationWidget":
        """A widget without a model, limited to what the stored scores can tell."""
        record = {**explanation.to_dict(), CAPTIONS: caption_records(explanation)}
        return cls(record, catalog=NO_MODEL, state={"question": {"text": explanation.text}})

    @property
    def result(self) -> Explanation:
        """The explanation shown."""
        return Explanation.from_dict({name: value for name, value in self.explanation.items() if name != CAPTIONS})

    def receive(self, _: object, content: Any, __: object) -> None:
        """Answer a request from the view, as the server's routes do."""
        if "route" not in content:  # a cancellation: the request was already answered
            return
        try:
            data, buffers = self._answer(content["route"], content["body"])
            self.send({"id": content["id"], "event": "result", "data": data}, buffers)
        except UnmaskError as error:
            problem = {"message": str(error), "hint": getattr(error, "hint", None)}
            self.send({"id": content["id"], "event": "error", "data": problem})

    def _answer(self, route: str, body: dict[str, Any]) -> tuple[Any, list[bytes]]:
        if route == "render":
            return self._draw(body["format"], body.get("mode"))
        if self._run is None:
            raise InputError("this widget has no model", hint="use explainer.widget(text)")
        answer = self._run(route, {name: value for name, value in body.items() if name != "model"})
        if route == "explain":
            self.explanation = answer
        return answer, []

    def _draw(self, form: str, mode: str | None) -> tuple[Any, list[bytes]]:
        if form == "html":
            return self.result.to_html(), []
        if form == "svg":
            return self.result.to_svg(mode=mode or "light"), []
        return None, [self.result.to_png(mode=mode or "light")]

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The widget, plus the last explanation as HTML for readers without a kernel."""
        drawn = super()._repr_mimebundle_(**kwargs)
        if drawn is None or self.explanation is None:
            return drawn
        data, metadata = drawn if isinstance(drawn, tuple) else (drawn, {})
        return {**data, "text/html": self.result._repr_html_()}, metadata
