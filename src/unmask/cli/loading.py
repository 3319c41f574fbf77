"""The model that a command explains."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .exit_codes import say

if TYPE_CHECKING:
    from ..explainer import Explainer


def loaded(model: str | None, *, quiet: bool, **options: Any) -> "Explainer":
    """The model of that name, else the one in the package; a hub may be slow to answer, and a person is told."""
    if model is not None and not Path(model).exists() and is_watched(quiet=quiet):
        say(f"note: looking for {model!r} on the hub and in its cache")
    from ..explainer import Explainer  # slow: it brings torch
    from ..models.huggingface.loading import embedded_model

    return Explainer.from_pretrained(model or embedded_model(), **options)


def is_watched(*, quiet: bool) -> bool:
    """Whether a person reads standard error and wants to hear more than errors."""
    return not quiet and sys.stderr is not None and sys.stderr.isatty()
