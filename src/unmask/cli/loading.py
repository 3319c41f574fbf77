"""The model that a command explains."""

from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from .exit_codes import is_watched, say

if TYPE_CHECKING:
    from ..explainer import Explainer


OPTIONS = ("device", "dtype", "revision", "max_length", "batch_tokens")


def loaded(given: SimpleNamespace, **more: Any) -> "Explainer":
    """The model of the options, else the one in the package; a hub may be slow to answer, and a person is told."""
    if given.model is not None and not Path(given.model).exists() and is_watched(quiet=given.quiet):
        say(f"note: looking for {given.model!r} on the hub and in its cache")
    from ..explainer import Explainer  # slow: it brings torch
    from ..models.huggingface.loading import embedded_model

    options = {name: getattr(given, name) for name in OPTIONS}
    return Explainer.from_pretrained(given.model or embedded_model(), **options, **more)
