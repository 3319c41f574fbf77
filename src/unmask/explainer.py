"""The front door: texts in, explanations out."""

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence, Sized
from typing import TYPE_CHECKING, Any, Self, TypedDict, Unpack

from .asking import Answered, Wanted, asking, explanation
from .comparison import Comparison, Over, compared
from .engine import Job
from .errors import ArgumentError, UnmaskError
from .estimate import Estimate, estimate
from .explanation import Explanation
from .methods.dig import DIG
from .methods.spelling import spelled
from .methods.table import methods_named
from .models.adapter import Adapter
from .models.hugging_face import HuggingFaceAdapter
from .models.loading import embedded, loaded
from .opened import Interruptible, Opened, check_several
from .probes import Method
from .progress import Reporting, check_progress, reporting
from .request import Failure, Request, TextLike
from .targets import Contrast, TargetName

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from .contests import Judging
    from .evaluation import Evaluation
    from .examples import ExampleLike
    from .ways import Ways


class Options(TypedDict, total=False):
    """What every way to an Explainer takes.

    `batch_tokens`: the token budget of a batch. `max_length`: read fewer tokens of a text than the model could.
    `labels`: names for the outputs, where the model has only LABEL_0.
    """

    batch_tokens: int | None
    max_length: int | None
    labels: Sequence[str] | None


class Settings(TypedDict, total=False):
    """What can be asked of an explanation; see the README for the values of each.

    `method`: a name or a method object. `unit`: what moves as a whole. `target`: what is explained. `scale`: in which
    measure. `baseline`: what a unit is replaced by.
    """

    method: str | Method
    unit: str
    target: TargetName
    scale: str
    baseline: str


class Explainer:
    """Explains one model. The model and the tokenizer are never changed, and keep their dtype and device.

    Examples:
        >>> from unmask.models.closed_form import ClosedForm
        >>> explainer = Explainer.from_adapter(ClosedForm.weighted_words({"good": 2.0, "bad": -3.0}))
        >>> explainer.explain("a good film").scores
        (0.0, 2.0, 0.0)
    """

    model: Any
    tokenizer: Any

    def __init__(
        self, model: "PreTrainedModel", tokenizer: "PreTrainedTokenizerBase", **options: Unpack[Options]
    ) -> None:
        self._opened = Opened(HuggingFaceAdapter(model, tokenizer), **options)
        self.model, self.tokenizer = model, tokenizer

    @classmethod
    def default(cls, *, device: "str | torch.device | None" = None, **options: Unpack[Options]) -> Self:
        """The model inside the package: film-review sentiment, English."""
        return cls(*loaded(embedded(), device=device), **options)

    @classmethod
    def from_pretrained(
        cls,
        name: str | os.PathLike[str],
        *,
        device: "str | torch.device | None" = None,
        dtype: "str | torch.dtype | None" = None,
        revision: str | None = None,
        trust_remote_code: bool = False,
        **options: Unpack[Options],
    ) -> Self:
        """A classifier from a folder or from the hub; float32 and the best device unless told otherwise."""
        found = loaded(name, device=device, dtype=dtype, revision=revision, trust_remote_code=trust_remote_code)
        return cls(*found, **options)

    @classmethod
    def from_pipeline(cls, pipeline: Any, **options: Unpack[Options]) -> Self:
        """The classifier and the tokenizer of a transformers pipeline."""
        if getattr(pipeline, "model", None) is None or getattr(pipeline, "tokenizer", None) is None:
            raise ArgumentError(
                f"from_pipeline takes a pipeline with a model and a tokenizer, not {type(pipeline).__name__}",
                hint='make one with transformers.pipeline("text-classification", ...)',
            )
        return cls(pipeline.model, pipeline.tokenizer, **options)

    @classmethod
    def from_adapter(cls, adapter: Adapter, **options: Unpack[Options]) -> Self:
        """Any model behind the protocol of `unmask.models.adapter`."""
        explainer = cls.__new__(cls)
        explainer._opened = Opened(adapter, **options)
        explainer.model = explainer.tokenizer = None
        return explainer

    def explain(
        self, text: str | Request, *, text_pair: str | None = None, **settings: Unpack[Settings]
    ) -> Explanation:
        """The explanation of one text, or of a pair."""
        if text_pair is not None:
            if isinstance(text, Request):
                raise ArgumentError("a Request holds its own text_pair: Request(text, text_pair=...)")
            text = Request(text, text_pair=text_pair)
        (explained,) = self.explain_many([text], **settings)
        return explained

    def explain_many(
        self,
        texts: Iterable[TextLike],
        *,
        progress: Reporting = None,
        **settings: Unpack[Settings],
    ) -> Iterator[Explanation]:
        """The explanations of many texts, lazily and in order; raises at the first text that fails."""
        return map(_explained, self.attempts(texts, progress=progress, **settings))

    def attempts(
        self,
        texts: Iterable[TextLike],
        *,
        progress: Reporting = None,
        **settings: Unpack[Settings],
    ) -> Iterator[Explanation | Failure]:
        """Like `explain_many`, with a `Failure` in the place of a text that fails.

        Args:
            progress: Called after every batch with a `Progress`; `"bar"` draws a bar with the time left.
        """
        check_several(texts)
        check_progress(progress)
        return self._attempts(texts, self._opened.wanted(**settings), progress)

    def compare(
        self,
        text: str | Request,
        *,
        methods: Sequence[str | Method] = (),
        targets: Sequence[TargetName] = (),
        units: Sequence[str] = (),
        **settings: Unpack[Settings],
    ) -> Comparison:
        """Explanations of one text that differ in their method, in their target or in their unit."""
        given: dict[Over, Sequence[Any]] = {
            "method": methods_named(_listed(methods)),
            "target": _listed(targets),
            "unit": _listed(units),
        }
        over = [name for name, values in given.items() if values]
        if len(over) != 1:
            raise ArgumentError("compare over one thing: methods=[...], targets=[...] or units=[...]")
        if over[0] in settings:
            raise ArgumentError(f"{over[0]}={settings[over[0]]!r} beside {over[0]}s: the rows have one each")
        options: dict[str, Any] = dict(settings)
        names = list(map(spelled, given["method"])) or None
        return compared(
            over[0], given[over[0]], lambda value: self.explain(text, **options | {over[0]: value}), names=names
        )

    def warnings(self, **settings: Unpack[Settings]) -> tuple[str, ...]:
        """What must be known of every text that is explained with these settings."""
        warning = self._opened.wanted(**settings).baseline.warning
        return () if warning is None else (warning,)

    def ways(
        self, text: str | Request, *, word: int, stops: int = 5, dig: DIG | None = None, **settings: Unpack[Settings]
    ) -> "Ways":
        """The text on its way from the baseline under IG, DIG and SIG: nearest words and predictions, point by point.

        Args:
            word: The unit that moves alone under SIG, counted from 0 as `Explanation.units` are.
            stops: Points of each way that are looked at, both ends among them.
        """
        from .ways import looking

        wanted = self._opened.wanted(**settings)
        asked = self._opened.asked(text if isinstance(text, Request) else Request(text), wanted)
        questions = looking(asked, wanted, unit=word, stops=stops, dig=dig or DIG())
        (outcome,) = self._opened.engine.run([Job(wanted.subject(asked), questions)])
        return outcome.unwrapped()

    def evaluate(
        self,
        texts: "Iterable[ExampleLike] | None" = None,
        *,
        methods: Sequence[str | Method] = (),
        progress: Reporting = None,
        **settings: "Unpack[Judging]",
    ) -> "Evaluation":
        """How faithful methods are to this model, between a random and a greedy control.

        Args:
            texts: Strings, Requests or Examples; None for the sentences inside the package, in which people marked
                words.
            methods: Names or method objects; those of the protocol where none is given.
            progress: As in `attempts`; it counts a text once for each method, and once when it is judged.
        """
        from .contests import check_reference, contest
        from .evaluating import evaluate
        from .examples import embedded_examples, example_of

        if texts is not None:
            check_several(texts)
        check_progress(progress)
        opened, chosen = contest(self._opened, _listed(methods), settings)
        examples = [example_of(one) for one in (embedded_examples() if texts is None else texts)]
        check_reference(chosen, examples)
        with reporting(progress, total=len(examples) * (len(chosen.contenders) + 1)) as report:
            return evaluate(opened, examples, chosen, progress=report)

    def estimate(self, texts: Iterable[TextLike], **settings: Unpack[Settings]) -> Estimate:
        """What explaining these texts will take on this machine: nothing is explained, a few batches are timed."""
        check_several(texts)
        wanted = self._opened.wanted(**settings)
        return estimate((self._opened.attempted(text, wanted) for text in texts), wanted, self._opened.engine)

    def _attempts(
        self, texts: Iterable[TextLike], wanted: Wanted, progress: Reporting
    ) -> Iterator[Explanation | Failure]:
        under_way = deque[str]()
        source = Interruptible(texts)

        def jobs() -> Iterator[Job[Answered] | UnmaskError]:
            for text in source:
                under_way.append(_text(text))
                asked = self._opened.attempted(text, wanted)
                if isinstance(asked, UnmaskError):
                    yield asked
                else:
                    yield Job(wanted.subject(asked), asking(asked, wanted))

        with reporting(progress, total=len(texts) if isinstance(texts, Sized) else None) as report:
            for index, outcome in enumerate(self._opened.engine.run(jobs(), progress=report)):
                text = under_way.popleft()
                if outcome.error is not None:
                    yield Failure(index, text, outcome.error)
                elif outcome.result is not None:
                    yield explanation(outcome.result, wanted, passes=outcome.passes, seconds=outcome.seconds)
        if source.error is not None:
            raise source.error


def _text(text: TextLike) -> str:
    return "" if isinstance(text, UnmaskError) else text.text if isinstance(text, Request) else text


def _listed(values: Any) -> Sequence[Any]:
    """Several values, or the one that stands where several may."""
    return [values] if isinstance(values, str | Contrast) else list(values)


def _explained(attempt: Explanation | Failure) -> Explanation:
    if isinstance(attempt, Failure):
        raise attempt.error
    return attempt
