"""The request bodies. Unknown fields are rejected; the lengths of texts are checked later and get their own status."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Index = Annotated[int, Field(ge=0, le=1_000_000)]
Name = Annotated[str, Field(max_length=200)]
Span = Annotated[list[Index], Field(min_length=2, max_length=3)]


class Body(BaseModel):
    """The base class of all bodies: no unknown fields, no conversion of types, no NaN."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class Message(Body):
    """A message of a chat."""

    role: Name
    content: str


class Document(Body):
    """A document that a question is about."""

    name: Name
    text: str


class ContrastTarget(Body):
    """Why one output (or continuation) rather than another."""

    label: str | int
    against: str | int
    normalize: Literal["sum", "mean"] = "sum"


TargetField = str | int | Annotated[list[Index], Field(min_length=2, max_length=2)] | ContrastTarget


class TextBody(Body):
    """A text and its settings; give one of `text`, `messages`, and `documents` with `question`."""

    text: str | None = None
    messages: Annotated[list[Message], Field(min_length=1, max_length=200)] | None = None
    documents: Annotated[list[Document], Field(min_length=1, max_length=200)] | None = None
    question: str | None = None
    text_pair: str | None = None
    choices: Annotated[list[str], Field(min_length=2, max_length=100)] | None = Field(
        None, description="for a multiple-choice model, whose prompt is `text`"
    )
    model: Name | None = Field(None, description="a name from /api/models; by default the first")
    unit: Name | None = None
    spans: Annotated[list[Span], Field(max_length=10_000)] | None = None
    fixed: Annotated[list[Span | Name], Field(max_length=10_000)] | None = None
    target: TargetField | None = None
    scale: Name | None = None
    baseline: Name | None = None
    seed: Annotated[int, Field(ge=0, lt=2**32)] | None = None
    long: Literal["cut", "windows"] | None = None
    continuation: str | None = None
    max_new_tokens: Annotated[int, Field(ge=1)] | None = None
    include_stop: bool | None = None
    attribute_to: Literal["prompt", "all"] | None = None
    do_sample: bool | None = None
    temperature: Annotated[float, Field(ge=0.01, le=100)] | None = None
    top_k: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    top_p: Annotated[float, Field(ge=0.001, le=1)] | None = None

    def given(self) -> dict[str, Any]:
        """The fields that were given, except the model."""
        return self.model_dump(exclude_none=True, exclude={"model"})


class ExplainBody(TextBody):
    """POST /api/explain."""

    method: Name | None = None
    sets: Literal["auto", "none"] | Annotated[int, Field(ge=1, le=100_000)] | None = None
    detail: Literal["sentence+word"] | None = None
    detail_rows: Annotated[int, Field(ge=1, le=100_000)] | None = None
    captions: bool | None = Field(None, description="whether to add the sentences of the drawing")


class AllBut(Body):
    """All units except these."""

    all_but: Annotated[list[Index], Field(max_length=10_000)]


class PredictBody(TextBody):
    """POST /api/predict."""

    masked: Annotated[list[Annotated[list[Index], Field(max_length=10_000)] | AllBut], Field(min_length=1)] = Field(
        description="sets of units to mask: their indices, or all units except some"
    )
    replaced: dict[Annotated[str, Field(pattern=r"^[0-9]{1,6}$")], str] | None = Field(
        None, description="replacement texts for some units, by the unit's index"
    )


class CompareBody(TextBody):
    """POST /api/compare."""

    method: Name | None = None
    methods: Annotated[list[Name], Field(max_length=8)] | None = None
    targets: Annotated[list[TargetField], Field(max_length=8)] | None = None
    units: Annotated[list[Name], Field(max_length=8)] | None = None
    curve: bool | None = Field(None, description="whether to mask the top units of each row one by one")


class InteractionsBody(TextBody):
    """POST /api/interactions."""

    top: Annotated[int, Field(ge=2, le=16)] | None = None


class Drawing(Body):
    """How to draw a result."""

    format: Literal["html", "svg", "png", "pdf", "json"]
    palette: Literal["default", "red-green"] | None = None
    style: Literal["shades", "paper"] | None = None
    mode: Literal["light", "dark"] | None = None

    def look(self) -> dict[str, str]:
        """The settings of the theme."""
        return self.model_dump(include={"palette", "style", "mode"}, exclude_none=True)


class DrawExplanation(Drawing):
    """Draw an explanation as a file."""

    kind: Literal["explanation"]
    request: ExplainBody


class DrawComparison(Drawing):
    """Draw a comparison as a file."""

    kind: Literal["comparison"]
    request: CompareBody


class DrawInteractions(Drawing):
    """Draw interactions as a file."""

    kind: Literal["interactions"]
    request: InteractionsBody


RenderBody = Annotated[DrawExplanation | DrawComparison | DrawInteractions, Field(discriminator="kind")]


class Problem(BaseModel):
    """What is wrong, and what to do."""

    code: str
    message: str
    hint: str | None = None
    field: str | None = None


class ErrorBody(BaseModel):
    """The body of every error."""

    error: Problem
