"""The models of a plan: opened one at a time, and known again without being opened."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..metrics.perturbations import OPERATORS

if TYPE_CHECKING:
    from ..attribution.session import ModelSession
    from .evaluate import EvaluationConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRecord:
    """What must be known of a model under one baseline to tell which of its results are there."""

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

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> "ModelRecord":
        """What `to_dict` gave."""
        return cls(**{**record, **{name: tuple(record[name]) for name in ("labels", "operators", "warnings")}})


def signature(source: str) -> str:
    """What changes when a folder's files do: their names, sizes and times; of a hub's name, the commit that is here."""
    folder = Path(source)
    if not folder.exists():
        return f"hub:{source}:{_commit(source)}"
    files = sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else [folder]
    said = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    return f"files:{hashlib.sha256(repr(said).encode()).hexdigest()[:16]}"


def _commit(name: str) -> str | None:
    """Of a hub model that was downloaded."""
    from huggingface_hub import try_to_load_from_cache

    found = try_to_load_from_cache(name, "config.json")
    return Path(found).parent.name if isinstance(found, str) else None


def model_record(session: "ModelSession", contest: "EvaluationConfig", source: str) -> ModelRecord:
    """What is known of a model that is open."""
    used, config = session.adapter.model_info(), contest.config
    module = getattr(session.adapter, "module", None)
    return ModelRecord(
        signature=signature(source),
        name=used.name,
        hash=used.hash,
        dtype=str(getattr(module, "dtype", "float64")).removeprefix("torch."),
        function=getattr(session.adapter, "function", "the model"),
        labels=session.head.labels,
        unit="token, special ones too" if session.every_token else config.unit,
        target=str(config.target),
        scale=session.head.scale(config.scale),
        baseline=config.baseline.name,
        baseline_id=config.baseline.id,
        operators=contest.exam.operators,
        operator_ids={name: _token(session, name) for name in contest.exam.operators},
        max_length=session.max_length or session.adapter.limit,
        activation=session.head.activation,
        warnings=() if config.baseline.warning is None else (config.baseline.warning,),
    )


def _token(session: "ModelSession", operator: str) -> int | None:
    """None where units are taken out, or by what the protocol says itself."""
    known = OPERATORS.get(operator)
    return session.adapter.baseline(known.token).id if known and known.token else None


def operations(session: "ModelSession") -> float:
    """Of one token's pass: two for each weight that it meets."""
    module = getattr(session.adapter, "module", None)
    return 1e6 if module is None else 2.0 * float(module.num_parameters(exclude_embeddings=True))
