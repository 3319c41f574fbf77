"""The models of a plan: opened one at a time, and known again without being opened."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..opened import Opened


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What must be known of a model to tell which of its results are there."""

    source: str
    signature: str
    name: str
    hash: str
    dtype: str
    function: str
    labels: tuple[str, ...]
    activation: str
    baselines: Mapping[str, tuple[str, int | None]]  # as a plan calls them: their own name, and their token
    operators: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> "About":
        """What `to_dict` gave."""
        baselines = {name: (found[0], found[1]) for name, found in record["baselines"].items()}
        lists = {name: tuple(record[name]) for name in ("labels", "operators")}
        return cls(**{**record, **lists, "baselines": baselines})


def signature(source: str, revision: str | None = None) -> str:
    """What changes when a folder's files do: their names, sizes and times. A hub's name stands for itself."""
    folder = Path(source)
    if not folder.is_dir():
        return f"hub:{source}@{revision or 'main'}"
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    said = [(str(path.relative_to(folder)), path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    return f"folder:{hashlib.sha256(repr(said).encode()).hexdigest()[:16]}"


def about(opened: "Opened", source: str, *, baselines: tuple[str, ...], operators: tuple[str, ...]) -> About:
    """The same of a model that is open."""
    adapter, used = opened.adapter, opened.adapter.used()
    known = {name: adapter.baseline(name) for name in baselines}
    return About(
        source=source,
        signature=signature(source),
        name=used.name,
        hash=used.hash,
        dtype=str(getattr(getattr(adapter, "module", None), "dtype", "float64")).removeprefix("torch."),
        function=getattr(adapter, "function", "the model"),
        labels=opened.head.labels,
        activation=opened.head.activation,
        baselines={name: (found.name, found.id) for name, found in known.items()},
        operators=operators,
    )


def size(opened: "Opened") -> float:
    """Twice the weights that a token meets: the operations of one token's pass."""
    module = getattr(opened.adapter, "module", None)
    if module is None:
        return 1e6
    return 2.0 * float(module.num_parameters(exclude_embeddings=True))
