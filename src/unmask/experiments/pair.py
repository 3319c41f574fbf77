"""A dataset of a plan with a model to evaluate on it."""

from dataclasses import dataclass

from ..errors import InputError
from ..results.atomic_io import expand_user, is_path, path_kind
from .plan_parts import DatasetPlan


@dataclass(frozen=True, slots=True)
class Pair:
    """A dataset and a model to evaluate on it."""

    dataset: DatasetPlan
    model: str  # the model's name in tables
    source: str  # the model's folder or hub name
    labels: tuple[str, ...] | None = None
    revision: str | None = None
    task: str | None = None

    def check_there(self) -> None:
        """Reject a missing file or folder. Does not contact the hub."""
        if self.dataset.is_file and path_kind(expand_user(self.dataset.source)) != "file":
            raise InputError(
                f"dataset {self.dataset.name!r}: no such file: {self.dataset.source!r}",
                hint=f"use another file: -f FILE, or with a plan --map {self.dataset.name}=FILE",
            )
        if is_path(self.source) and path_kind(expand_user(self.source)) != "folder":
            raise InputError(
                f"model {self.model!r}: no such folder: {self.source!r}",
                hint=f"use another folder: --model FOLDER, or with a plan --map {self.model}=FOLDER; "
                "for a model on the hub, add a revision",
            )

    @property
    def address(self) -> str:
        """The source with its revision."""
        return self.source if self.revision is None else f"{self.source}@{self.revision}"

    @property
    def name(self) -> str:
        """The name that `Plan.only` accepts, such as `sst2/bert`."""
        return f"{self.dataset.name}/{self.model}"
