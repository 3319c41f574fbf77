"""The terminal drawing, exactly, at fixed widths. Renew with: scripts/test tests/golden --renew."""

import io
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from rich.console import Console

from unmask import Contrast, Explainer, Explanation, Request
from unmask.models.closed_form import ClosedForm
from unmask.parts import MethodUsed, ModelUsed
from unmask.render.terminal import drawing
from unmask.targets import Head

HERE = Path(__file__).parent
WEIGHTS = {
    "gripping": 2.5,
    "beautifully": 1.25,
    "shot": 0.3,
    "dull": -1.75,
    "Never": -0.4,
    "lovely": 0.01,
    "dreadful": -9.0,
}


def explanation(text: str | Request, head: Head | None = None, **settings: object) -> Explanation:
    adapter = ClosedForm.weighted_words(WEIGHTS)
    adapter.head = head or adapter.head
    max_length = settings.pop("max_length", None)
    explainer = Explainer.from_adapter(adapter, max_length=max_length)  # type: ignore[arg-type]
    found = explainer.explain(text, **settings)  # type: ignore[arg-type]
    return replace(found, model=ModelUsed("weighted-words", "sha256:0123456789abcdef"))


def cases() -> dict[str, Explanation]:
    short = explanation("A gripping, beautifully shot film. Never dull.")
    redundant = replace(explanation("lovely lovely film"), at_baseline=(0.0, -5.0))
    return {
        "short": short,
        "against": explanation("dull film"),
        "redundant": redundant,
        "long": explanation("A gripping film, beautifully shot, and never once dull or slow. " * 9),
        "contrast": short.toward(Contrast("negative", "positive"), scale="probability"),
        "contrast-of-log-odds": short.toward(Contrast("negative", "positive")),
        "max": short.toward("max"),
        "hostile": explanation("gripping\x1b[31m\x07 film\u202e [bold]dull[/bold]\nshot"),
        "one-word": explanation("gripping"),
        "pair": explanation(Request("A gripping film.", text_pair="Never dull, beautifully shot.")),
        "pair-cut": explanation(Request("A gripping film.", text_pair="Never dull."), max_length=5),
        "sentences": explanation("A gripping film. Never dull. Beautifully shot.", unit="sentence"),
        "spans": explanation(Request("A gripping, beautifully shot film.", spans=[(2, 10), (12, 28)])),
        "several-labels": explanation("gripping film", Head(("comedy", "drama"), "sigmoid")),
        "no-label": explanation("dull film", Head(("comedy", "drama"), "sigmoid"), target="drama"),
        "value": replace(
            explanation("gripping film"),
            outputs=("value",),
            activation="none",
            scale="value",
            target="value",
            whole=(3.25,),
            at_baseline=(0.75,),
            without=((0.75,), (3.0,)),
            scores=(2.5, 0.25),
        ),
        "unread": explanation("gripping film " + "and more of the same " * 60, max_length=3),
        "all-zero": explanation("it is what it is"),
        "warned": replace(
            short,
            truncated=True,
            unread=12,
            warnings=("evil \x1b[31m baseline", "the text was cut at 8 tokens: its last 12 characters were not read"),
            method=MethodUsed("some_method", {"steps": 50}, uses_baseline=False),
        ),
    }


def drawn(found: Explanation, *, width: int, color: bool) -> str:
    text = io.StringIO()
    system: Literal["truecolor"] | None = "truecolor" if color else None
    console = Console(
        file=text, width=width, color_system=system, force_terminal=color, highlight=False, legacy_windows=False
    )
    console.print(drawing(found))
    return text.getvalue()


@pytest.mark.parametrize("form", ["60", "100", "100-color"])
@pytest.mark.parametrize("name", cases())
def test_drawings(name: str, form: str, request: pytest.FixtureRequest) -> None:
    width, _, color = form.partition("-")
    found = drawn(cases()[name], width=int(width), color=bool(color))
    path = HERE / "terminal" / f"{name}-{form}.txt"
    if request.config.getoption("--renew"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(found, encoding="utf-8", newline="")
    assert found == path.read_text(encoding="utf-8")
    plain = drawn(cases()[name], width=int(width), color=False)
    assert max(map(len, plain.splitlines())) <= int(width)
    assert "\x1b" not in plain
