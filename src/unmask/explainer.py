"""The public entry point: texts in, explanations out."""

import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self, Unpack

from .attribution.attribute import unit_infos
from .attribution.deciding_sets import default_sets
from .attribution.estimate import Estimate, estimate
from .attribution.keywords import known_keywords
from .attribution.pairs import ValueSettings, find_interactions
from .attribution.session import Given, ModelSession, Options, Settings, check_several
from .attribution.wrong_predictions import wrong_texts
from .bulk.into import Into, attempt_texts, explained
from .errors import ArgumentError
from .methods.base import Method
from .methods.dig import DIG
from .methods.registry import resolve_methods
from .methods.spec import format_spec
from .models.adapter import Adapter
from .models.huggingface.loading import embedded_model, load
from .models.huggingface.opening import open_model
from .progress import Reporting, check_progress
from .results.comparison import Comparison, Over, compare_over, compared_setting
from .results.explanation import Explanation
from .results.interactions import Interactions
from .results.metadata import Unit
from .tasks.answer_targets import NEXT
from .tasks.targets import TargetName, as_list
from .text.request import AnyText, Failure, Messages, Request, TextLike, as_request, with_pair

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from .executors.base import ExecutionEngine
    from .experiments.config import EvaluationOptions
    from .experiments.examples import ExampleLike
    from .models.huggingface.function import ReadoutFunction
    from .results.evaluation import Evaluation
    from .studies.sig2023.paths import PathComparison

__all__ = ["Explainer", "Options", "Settings"]


class Explainer:
    """Explains the predictions of one model. Leaves the model and the tokenizer unchanged.

    Examples:
        >>> from unmask.models.formula import FormulaModel
        >>> explainer = Explainer.from_adapter(FormulaModel.weighted_words({"good": 2.0, "bad": -3.0}))
        >>> explainer.explain("a good film").scores
        (0.0, 2.0, 0.0)
    """

    model: Any
    tokenizer: Any

    @known_keywords(Options)
    def __init__(
        self, model: "PreTrainedModel", tokenizer: "PreTrainedTokenizerBase", **options: Unpack[Options]
    ) -> None:
        self._session = ModelSession(open_model(model, tokenizer), **options)
        self.model, self.tokenizer = model, tokenizer

    @classmethod
    @known_keywords(Options)
    def default(
        cls, *, task: str = "classification", device: "str | torch.device | None" = None, **options: Unpack[Options]
    ) -> Self:
        """A built-in classifier of film reviews or, with `task="generation"`, a language model that writes stories."""
        return cls(*load(embedded_model(task), device=device, task=task), **options)

    @classmethod
    @known_keywords(Options)
    def from_pretrained(
        cls,
        name: str | os.PathLike[str],
        *,
        device: "str | torch.device | None" = None,
        dtype: "str | torch.dtype | None" = None,
        revision: str | None = None,
        trust_remote_code: bool = False,
        task: str | None = None,
        **options: Unpack[Options],
    ) -> Self:
        """Load a model from a folder or the hub, by default in float32 on the best device.

        Args:
            task: For example `classification` or `generation`; inferred from the model's architecture by default.
        """
        loaded = load(
            name, device=device, dtype=dtype, revision=revision, trust_remote_code=trust_remote_code, task=task
        )
        return cls(*loaded, **options)

    @classmethod
    @known_keywords(Options)
    def from_pipeline(cls, pipeline: Any, **options: Unpack[Options]) -> Self:
        """An explainer for the classifier in a transformers pipeline."""
        if getattr(pipeline, "model", None) is None or getattr(pipeline, "tokenizer", None) is None:
            raise ArgumentError(
                f"from_pipeline needs a pipeline with a model and a tokenizer, not {type(pipeline).__name__}",
                hint='create one with transformers.pipeline("text-classification", ...)',
            )
        return cls(pipeline.model, pipeline.tokenizer, **options)

    @classmethod
    @known_keywords(Options)
    def from_function(
        cls,
        model: Any,
        tokenizer: Any,
        readout: "ReadoutFunction",
        *,
        activation: Any = None,
        **options: Unpack[Options],
    ) -> Self:
        """Explain a Hugging Face model with any head. By default, one output is a value and several are classes.

        Args:
            readout: A function of the model's output and the attention mask that returns [batch] or [batch, outputs].
            activation: What the numbers stand for: `none` (one value), `softmax` (classes) or `sigmoid` (labels).
        """
        from .models.huggingface.function import FunctionAdapter

        explainer = cls.from_adapter(FunctionAdapter(model, tokenizer, readout, activation), **options)
        explainer.model, explainer.tokenizer = model, tokenizer
        return explainer

    @classmethod
    @known_keywords(Options)
    def from_adapter(cls, adapter: Adapter, **options: Unpack[Options]) -> Self:
        """An explainer for any model that implements `unmask.models.adapter.Adapter`."""
        explainer = cls.__new__(cls)
        explainer._session = ModelSession(adapter, **options)
        explainer.model = explainer.tokenizer = None
        return explainer

    def __repr__(self) -> str:
        """The model, its task and its device."""
        adapter = self._session.adapter
        name, task = getattr(adapter, "name", type(adapter).__name__), adapter.task.name
        return f"Explainer(model={name!r}, task={task!r}, device={str(adapter.device)!r})"

    @property
    def task(self) -> str:
        """What the model does, such as `classification` or `generation`."""
        return self._session.adapter.task.name

    @known_keywords(Settings)
    def explain(
        self, text: AnyText, *, text_pair: str | None = None, progress: Reporting = None, **settings: Unpack[Settings]
    ) -> Explanation:
        """Explain one text, pair, request or chat; `sig` also finds the units that decide the prediction (`sets`)."""
        method, detail = settings.get("method", "sig"), settings.get("detail")
        settings.setdefault("sets", default_sets(method, detail=detail, task=self.task))
        (explained,) = self.explain_many([with_pair(text, text_pair)], progress=progress, **settings)
        return explained

    @known_keywords(Settings)
    def units(self, text: AnyText, **settings: Unpack[Settings]) -> tuple[Unit, ...]:
        """The units of a text, without running the model."""
        config = self._session.resolve_config(**settings)
        return unit_infos(self._session.prepare_units(as_request(text), config))

    @known_keywords(Settings)
    def explain_many(
        self,
        texts: Iterable[TextLike],
        *,
        into: Into = None,
        engine: "ExecutionEngine | None" = None,
        retry_failed: bool = False,
        progress: Reporting = None,
        **settings: Unpack[Settings],
    ) -> Iterator[Explanation]:
        """Explain many texts lazily, in order; raise at the first failure. Takes the arguments of `attempts`."""
        kept: Any = {"into": into, "engine": engine, "retry_failed": retry_failed}
        return map(explained, self.attempts(texts, progress=progress, **kept, **settings))

    @known_keywords(Settings)
    def attempts(
        self,
        texts: Iterable[TextLike],
        *,
        into: Into = None,
        engine: "ExecutionEngine | None" = None,
        retry_failed: bool = False,
        progress: Reporting = None,
        **settings: Unpack[Settings],
    ) -> Iterator[Explanation | Failure]:
        """Like `explain_many`, but yield a `Failure` for each text that fails.

        Args:
            into: A folder for the results. Missing results are computed first; then all are read from the folder.
            engine: `RayEngine(...)` to compute the results on Ray workers; by default, this process computes them.
            retry_failed: Recompute the texts that failed before.
            progress: Called after every batch with a `Progress`; `"bar"` draws a bar with the time left.
        """
        check_several(texts)
        check_progress(progress)
        config = self._session.resolve_config(**settings)
        kept: Any = {"engine": engine, "retry_failed": retry_failed}
        return attempt_texts(self._session, texts, config, into, progress=progress, **kept)

    @known_keywords(Settings)
    def wrongly_predicted(self, texts: Iterable[Given], **settings: Unpack[Settings]) -> Iterator[Given]:
        """Yield, in order, the requests whose prediction fails or differs from `label`. Takes one pass per text."""
        check_several(texts)
        return wrong_texts(self._session, texts, self._session.resolve_config(**settings))

    @known_keywords(Settings)
    def compare(
        self,
        text: AnyText,
        *,
        methods: Sequence[str | Method] = (),
        targets: Sequence[TargetName] = (),
        units: Sequence[str] = (),
        **settings: Unpack[Settings],
    ) -> Comparison:
        """Explain one text with several methods, targets or units."""
        resolved = resolve_methods(as_list(methods), seed=settings.get("seed"))
        given: dict[Over, Any] = {"method": resolved, "target": as_list(targets), "unit": as_list(units)}
        over = compared_setting(given, settings)

        def explain(one: Any) -> Explanation:
            used = {name: value for name, value in settings.items() if one != NEXT or name != "max_new_tokens"}
            return self.explain(text, **{"sets": "none", **used, over: one})

        with self._session.generate_answer.once():
            return compare_over(over, given[over], explain, names=list(map(format_spec, resolved)) or None)

    @known_keywords(ValueSettings)
    def interactions(
        self, text: str | Request, *, top: int = 8, progress: Reporting = None, **settings: Unpack[ValueSettings]
    ) -> Interactions:
        """Find which of the `top` units (by two-sided score) cover for each other and which need each other."""
        check_progress(progress)
        return find_interactions(self._session, as_request(text), settings, top=top, progress=progress)

    def widget(self, text: str | Messages, **settings: Any) -> Any:
        """A notebook widget to mask words and see the prediction change. Settings as for `explain`; needs anywidget."""
        from .web.explainer_widget import explainer_widget

        return explainer_widget(self._session, text, settings)

    @known_keywords(Settings)
    def warnings(self, **settings: Unpack[Settings]) -> tuple[str, ...]:
        """Warnings that apply to every text explained with these settings."""
        return self._session.resolve_config(**settings).warnings

    @known_keywords(ValueSettings)
    def paths(
        self, text: AnyText, *, word: int, points: int = 5, dig: DIG | None = None, **settings: Unpack[ValueSettings]
    ) -> "PathComparison":
        """Trace the paths of IG, DIG and SIG from the baseline to the text, with nearest words and predictions.

        Args:
            word: The only unit that moves along SIG's path, as an index into `Explanation.units`.
            points: The number of points on each path, including both ends.
        """
        from .studies.sig2023.paths import traced_paths

        return traced_paths(self._session, as_request(text), settings, unit=word, points=points, dig=dig or DIG())

    def ways(self, text: AnyText, *, word: int, stops: int = 5, **settings: Any) -> "PathComparison":
        """Deprecated: use `paths`."""
        warnings.warn("Explainer.ways is now Explainer.paths", DeprecationWarning, stacklevel=2)
        return self.paths(text, word=word, points=stops, **settings)

    def evaluate(
        self,
        texts: "Iterable[ExampleLike] | None" = None,
        *,
        methods: Sequence[str | Method] = (),
        progress: Reporting = None,
        **settings: "Unpack[EvaluationOptions]",
    ) -> "Evaluation":
        """Evaluate how faithful methods are to this model, with random and greedy controls.

        Args:
            texts: Strings, Requests or Examples; None for the built-in sentences with human rationales. For a language
                model, prompts with continuations: `Request(prompt, continuation=...)`.
            methods: Method names or objects; by default, the methods of the protocol.
            progress: As in `attempts`; each text counts once per method, and once more for the metrics.
        """
        from .experiments.evaluating import evaluate_texts

        check_progress(progress)
        return evaluate_texts(self._session, texts, as_list(methods), settings, progress=progress)

    @known_keywords(Settings)
    def estimate(self, texts: Iterable[TextLike], **settings: Unpack[Settings]) -> Estimate:
        """Estimate the cost of explaining these texts by timing a few batches."""
        check_several(texts)
        return estimate(texts, self._session.resolve_config(**settings), self._session)
