"""The models of a plan: opened one at a time, and known again without being opened."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..evaluating import Contest
    from ..opened import Opened


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
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
    def from_dict(cls, record: Mapping[str, Any]) -> "About":
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


def about(opened: "Opened", contest: "Contest", source: str) -> About:
    """What is known of a model that is open."""
    used, wanted = opened.adapter.used(), contest.wanted
    module = getattr(opened.adapter, "module", None)
    return About(
        signature=signature(source),
        name=used.name,
        hash=used.hash,
        dtype=str(getattr(module, "dtype", "float64")).removeprefix("torch."),
        function=getattr(opened.adapter, "function", "the model"),
        labels=opened.head.labels,
        unit="token, special ones too" if opened.every_token else wanted.unit,
        target=str(wanted.target),
        scale=wanted.head.scale(wanted.scale),
        baseline=wanted.baseline.name,
        baseline_id=wanted.baseline.id,
        operators=contest.exam.operators,
        operator_ids={name: _token(opened, name) for name in contest.exam.operators},
        max_length=opened.max_length or opened.adapter.limit,
        activation=opened.head.activation,
        warnings=() if wanted.baseline.warning is None else (wanted.baseline.warning,),
    )


def _token(opened: "Opened", operator: str) -> int | None:
    """None where units are taken out, or by what the protocol says itself."""
    return opened.adapter.baseline(operator).id if operator in ("mask", "pad", "unk") else None


def operations(opened: "Opened") -> float:
    """Of one token's pass: two for each weight that it meets."""
    module = getattr(opened.adapter, "module", None)
    return 1e6 if module is None else 2.0 * float(module.num_parameters(exclude_embeddings=True))
