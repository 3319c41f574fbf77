"""The digests that identify stored results. They cover everything that can change a number, and nothing else.

They are computed from plain values of a plan and a store, not from batch sizes, devices or the order of texts. Opens
no model.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ..errors import UnmaskError
from ..metrics.perturbations import OPERATORS
from ..metrics.protocols import resolve_protocol
from ..text.request import NAMES, Request
from ..text.segmentation import GIVEN
from .examples import Example

if TYPE_CHECKING:
    from ..attribution.attribute import AttributionConfig
    from ..attribution.session import ModelSession
    from .plan import Pair, Plan

SCHEMA = 1  # incremented when the digested values or any numbers change
PLAN = "plan"  # note: the plan of the last run
LEFT = "left"  # note: the seconds left
THREADS = "threads"  # note: the number of torch threads
TextKey: TypeAlias = Literal["text", "labelled", "marked", "given"]  # what a text's digest includes
ADDED = ("rationale", "given", "continuation")  # newer keys, omitted from digests if unset so that old notes stay valid


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRecord:
    """The data needed to find the results of a model with one baseline, without opening the model."""

    signature: str
    name: str
    hash: str
    dtype: str
    function: str
    labels: tuple[str, ...]
    unit: str
    target: str
    scale: str
    baseline: str
    baseline_id: int | None
    operators: tuple[str, ...]
    operator_ids: Mapping[str, int | None]  # the token that replaces a deleted unit
    max_length: int | None  # tokens per text; None: unlimited
    activation: str | None
    warnings: tuple[str, ...] = ()  # about the model and the baseline

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> "ModelRecord":
        """Read what `dataclasses.asdict` wrote."""
        return cls(**{**record, **{name: tuple(record[name]) for name in ("labels", "operators", "warnings")}})

    @classmethod
    def of(
        cls, session: "ModelSession", config: "AttributionConfig", operators: Sequence[str], signature: str = ""
    ) -> "ModelRecord":
        """Describe an open model."""
        info, module = session.adapter.model_info(), getattr(session.adapter, "module", None)
        tokens = {name: OPERATORS[name].token for name in operators if name in OPERATORS}  # a protocol may have others
        head = session.text_heads
        ids = {name: session.adapter.baseline(token).id for name, token in tokens.items() if token}
        return cls(
            signature=signature,
            name=info.name,
            hash=info.hash,
            dtype=str(getattr(module, "dtype", "float64")).removeprefix("torch."),
            function=getattr(session.adapter, "function", "the model"),
            labels=head.labels,
            unit=session.unit_name(config.unit),
            target=str(config.target),
            scale=head.scale(config.scale),
            baseline=config.baseline.name,
            baseline_id=config.baseline.id,
            operators=tuple(operators),
            operator_ids={name: ids.get(name) for name in operators},
            max_length=session.max_length or session.adapter.limit,
            activation=head.activation,
            warnings=config.warnings,
        )

    def scores_digest(self, method: str, settings: Mapping[str, Any], target: str | int, **instead: Any) -> bytes:
        """Return the digest of a method's scores. It always includes the baseline, because Delta uses it.

        Args:
            instead: Values that replace the scale and the baseline.
        """
        names = ("dtype", "function", "labels", "unit", "max_length")
        function = {"model": self.hash, **{name: getattr(self, name) for name in names}}
        query = {"function": function, "method": method, "settings": dict(settings), "target": target}
        scores = {"scale": self.scale, "baseline": self.baseline, "baseline_id": self.baseline_id}
        return digest("scores", {**query, **scores, **instead})


def signature(source: str, revision: str | None = None) -> str:
    """Return a string of the names, sizes and times of a folder's files; for a hub name, of the downloaded commit."""
    folder = Path(source)
    if not folder.exists():
        from huggingface_hub import try_to_load_from_cache

        path = try_to_load_from_cache(source, "config.json", revision=revision)
        return f"hub:{source}:{Path(path).parent.name if isinstance(path, str) else None}"
    files = sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else [folder]
    stamps = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    return f"files:{hashlib.sha256(repr(stamps).encode()).hexdigest()[:16]}"


def metrics_digest(scores: bytes, protocol: str, operator: str, **more: Any) -> bytes:
    """Return the digest of the metrics of these scores for one operator."""
    return digest("judgments", scores.hex(), protocol, operator, more)


@dataclass(frozen=True, slots=True)
class KeyedExample:
    """An example with digests of its text alone, and of its text with the gold label, rationale or imported scores."""

    example: Example
    keys: Mapping[TextKey, bytes]


def keyed(example: Example | UnmaskError) -> KeyedExample | UnmaskError:
    """Compute the digests of an example; an error is returned unchanged."""
    if isinstance(example, UnmaskError):
        return example
    key = labelled = text_digest(example.request)
    if example.label is not None:
        labelled = digest("labelled", key.hex(), _typed(example.label))
    keys: dict[TextKey, bytes] = {"text": key, "labelled": labelled}
    if example.annotations:
        masks = [[list(map(int, one.mask)), one.label] for one in example.annotations]
        keys["marked"] = digest("marked", labelled.hex(), masks)
    if example.scores is not None:
        keys["given"] = digest("given", key.hex(), list(example.scores), example.taken_by)
    return KeyedExample(example, keys)


def note_of(text: KeyedExample | UnmaskError) -> object:
    """Collect what a report needs about a text: digests, location, and the text's own unit, target and scores."""
    if not isinstance(text, KeyedExample):
        return {"error": str(text), "place": getattr(text, "place", None)}
    request, keys = text.example.request, {name: key.hex() for name, key in text.keys.items()}
    own: dict[str, Any] = {} if request.spans is None else {"unit": GIVEN}
    own |= {} if request.target is None else {"target": str(request.target)}
    own |= {"given": keys["given"]} if "given" in keys else {}
    note: list[Any] = [keys["text"], keys["labelled"], text.example.place, keys.get("marked"), own]
    return note if own else note[:4] if note[3] else note[:3]


def text_digest(request: Request) -> bytes:
    """Return the digest of a text with its pair, names, spans, fixed parts and target."""
    spans = None if request.spans is None else [list(span) for span in request.spans]
    fixed = [list(span) for span in request.fixed]
    parts = [request.text, request.text_pair, spans, fixed, _typed(request.target), *request.texts[2:]]
    prompt: dict[str, Any] = {} if request.continuation is None else {"continuation": request.continuation}
    if tuple(request.names) not in NAMES.values() or any(segment.fixed for segment in request.segments):
        prompt |= {"segments": [[one.name, one.role, one.fixed] for one in request.segments]}
    return digest("text", *parts, *([prompt] if prompt else []))  # keeps the digests of plain texts unchanged


def digest(*parts: Any) -> bytes:
    """Return the digest of plain values; other values are digested by their `repr`."""
    content = json.dumps([SCHEMA, *parts], sort_keys=True, ensure_ascii=True, allow_nan=False, default=repr)
    return hashlib.sha256(content.encode()).digest()[:16]


def _typed(value: Any) -> list[str]:
    """Distinguish the index 1 from "1", which may be a label."""
    return [type(value).__name__, str(value)]


def model_fact(plan: "Plan", pair: "Pair", baseline: str) -> str:
    """Return the name under which the store keeps a `ModelRecord`."""
    names = ("protocol", "dtype", "max_length", *resolve_protocol(plan.protocol).settings)
    settings = {name: plan.setting(name) for name in names} | ({"labels": pair.labels} if pair.labels else {})
    return f"model:{pair.address}:{baseline}:{_short_digest(settings)}"


def texts_fact(pair: "Pair") -> str:
    """Return the store's name for a dataset's texts; it includes the model if its tokenizer selects the texts."""
    chooser = None if pair.dataset.max_tokens is None else pair.address
    settings = {name: value for name, value in asdict(pair.dataset).items() if name not in ADDED or value is not None}
    return f"texts:{_short_digest([settings, chooser])}"


def sizes_fact(model: ModelRecord) -> str:
    """Return the name under which the store keeps text sizes."""
    return f"sizes:{model.hash}:{model.unit}:{model.max_length}"


def hash_fact(address: str, dtype: str, content: str = "") -> str:
    """Return the store's name for a hash of a model's content; without content, the prefix of all such names."""
    return f"hash:{address}:{dtype}:{content}"


def _short_digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]
