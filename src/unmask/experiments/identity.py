"""What a stored result is known by: a digest of all that can change its numbers, and of nothing else.

Digests and names of notes are made from plain values that a plan gives and a store keeps: not from a batch size, a
device or a place in a plan. No model is opened here.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..metrics.perturbations import OPERATORS
from ..metrics.plausibility import Annotation
from ..metrics.protocols import resolve_protocol
from ..text.request import Request

if TYPE_CHECKING:
    from ..attribution.attribute import AttributionConfig
    from ..attribution.session import ModelSession
    from .plan import Pair, Plan

SCHEMA = 1  # of what is digested, and of the numbers: raised when a number would come out otherwise
PLAN = "plan"  # the note of the plan that was last run
LEFT = "left"  # of the seconds to go
ADDED = ("rationale", "given")  # keys that datasets have since then: notes made without them are found again


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRecord:
    """What must be known of a model under one baseline to find its results without opening it."""

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
    operator_ids: Mapping[str, int | None]  # of the token that an operator puts in a unit's place
    max_length: int | None  # tokens that are read of a text; None where nothing bounds them
    activation: str | None
    warnings: tuple[str, ...] = ()  # of the baseline

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> "ModelRecord":
        """What `dataclasses.asdict` gave."""
        return cls(**{**record, **{name: tuple(record[name]) for name in ("labels", "operators", "warnings")}})

    @classmethod
    def of(
        cls, session: "ModelSession", config: "AttributionConfig", operators: Sequence[str], signature: str = ""
    ) -> "ModelRecord":
        """What is known of a model that is open."""
        info, module = session.adapter.model_info(), getattr(session.adapter, "module", None)
        return cls(
            signature=signature,
            name=info.name,
            hash=info.hash,
            dtype=str(getattr(module, "dtype", "float64")).removeprefix("torch."),
            function=getattr(session.adapter, "function", "the model"),
            labels=session.head.labels,
            unit=session.unit_name(config.unit),
            target=str(config.target),
            scale=session.head.scale(config.scale),
            baseline=config.baseline.name,
            baseline_id=config.baseline.id,
            operators=tuple(operators),
            operator_ids={name: _token(session, name) for name in operators},
            max_length=session.max_length or session.adapter.limit,
            activation=session.head.activation,
            warnings=() if config.baseline.warning is None else (config.baseline.warning,),
        )

    def scores_digest(self, method: str, settings: Mapping[str, Any], target: str | int) -> bytes:
        """Of a method's scores of every text, from this baseline; also where it has no use for it: Delta has."""
        return self._digest(method, settings, target, self.scale, self.baseline, self.baseline_id)

    def control_digest(self, name: str, settings: Mapping[str, Any], target: str | int) -> bytes:
        """Of a control, which has no scores: neither baseline nor scale of the attributions change it."""
        return self._digest(name, settings, target, "probability", None, None)

    def _digest(self, method: str, settings: Mapping[str, Any], target: str | int, *scores: Any) -> bytes:
        names = ("dtype", "function", "labels", "unit", "max_length")
        function = {"model": self.hash, **{name: getattr(self, name) for name in names}}
        scale, baseline, baseline_id = scores
        query = {"function": function, "method": method, "settings": dict(settings), "target": target}
        return digest("scores", query | {"scale": scale, "baseline": baseline, "baseline_id": baseline_id})


def _token(session: "ModelSession", operator: str) -> int | None:
    """None where units are removed, or the protocol has operators of its own."""
    known = OPERATORS.get(operator)
    return session.adapter.baseline(known.token).id if known and known.token else None


def signature(source: str, revision: str | None = None) -> str:
    """What changes when a folder's files do: their names, sizes and times; of a hub name, the commit that is here."""
    folder = Path(source)
    if not folder.exists():
        return f"hub:{source}:{_commit(source, revision)}"
    files = sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else [folder]
    stamps = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    return f"files:{hashlib.sha256(repr(stamps).encode()).hexdigest()[:16]}"


def _commit(name: str, revision: str | None) -> str | None:
    """Of a hub model that was downloaded."""
    from huggingface_hub import try_to_load_from_cache

    path = try_to_load_from_cache(name, "config.json", revision=revision)
    return Path(path).parent.name if isinstance(path, str) else None


def metrics_digest(scores: bytes, protocol: str, operator: str, **more: Any) -> bytes:
    """Of the metrics of these scores, by one operator."""
    return digest("judgments", scores.hex(), protocol, operator, more)


def text_digest(request: Request) -> bytes:
    """Of a text, its pair, its own spans and what is fixed in it."""
    spans = None if request.spans is None else [list(span) for span in request.spans]
    fixed = [list(span) for span in request.fixed]
    return digest("text", request.text, request.text_pair, spans, fixed, _typed(request.target), *request.texts[2:])


def labelled_digest(text: bytes, label: str | int) -> bytes:
    """Of a text with its gold label: where accuracy counts."""
    return digest("labelled", text.hex(), _typed(label))


def marked_digest(labelled: bytes, annotations: Sequence[Annotation]) -> bytes:
    """Of a text with its gold label and people's marks: where agreement with them counts."""
    return digest("marked", labelled.hex(), [[list(map(int, one.mask)), one.label] for one in annotations])


def given_digest(text: bytes, scores: Sequence[float], operator: str | None) -> bytes:
    """Of a text with scores from elsewhere."""
    return digest("given", text.hex(), list(scores), operator)


def digest(*parts: Any) -> bytes:
    """Of plain values; of anything else, by what it prints."""
    content = json.dumps([SCHEMA, *parts], sort_keys=True, ensure_ascii=True, allow_nan=False, default=repr)
    return hashlib.sha256(content.encode()).digest()[:16]


def _typed(value: Any) -> list[str]:
    """A value that is not another one which is written alike: 1 is a place, and "1" may be a label."""
    return [type(value).__name__, str(value)]


def model_fact(plan: "Plan", pair: "Pair", baseline: str) -> str:
    """Of a `ModelRecord`: the settings that it holds are in the name."""
    names = ("protocol", "dtype", "max_length", *resolve_protocol(plan.protocol).settings)
    settings = {name: getattr(plan, name) for name in names} | ({"labels": pair.labels} if pair.labels else {})
    return f"{model_facts(pair.address)}{baseline}:{_short_digest(settings)}"


def model_facts(address: str) -> str:
    """How all of one model begin."""
    return f"model:{address}:"


def texts_fact(pair: "Pair") -> str:
    """Of which texts a dataset has; where a tokenizer chooses them, also of whose tokenizer it is."""
    chooser = None if pair.dataset.max_tokens is None else pair.address
    settings = {name: value for name, value in asdict(pair.dataset).items() if name not in ADDED or value is not None}
    return f"texts:{_short_digest([settings, chooser])}"


def counts_fact(model: str) -> str:
    """Of how many tokens the tokenizer of the model of that content makes of whole texts."""
    return f"counts:{model}"


def sizes_fact(model: ModelRecord) -> str:
    """Of how long texts are for a model."""
    return f"sizes:{model.hash}:{model.unit}:{model.max_length}"


def hash_fact(address: str, dtype: str, content: str = "") -> str:
    """Of each content that a model's folder had; the beginning of all of them."""
    return f"hash:{address}:{dtype}:{content}"


def _short_digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]
