"""Errors that say why the model failed on an input."""

from torch import Tensor

from ..errors import MemoryLimitError, ModelError, UnmaskError, first_line
from ..text.spans import shorten
from .forward import PendingRow, is_out_of_memory


def not_finite(row: PendingRow, outputs: Tensor | None) -> ModelError:
    """Build the error for outputs that are not finite, or for a gradient if `outputs` is None."""
    is_altered = row.perturbation.moved or row.perturbation.dropped
    how = ", with some words replaced," if is_altered else ""
    name = shorten(row.text.encoded.segments[0].text)
    if outputs is None:
        return ModelError(f"the model's gradient for {name!r}{how} is not finite")
    return ModelError(f"the model's outputs for {name!r}{how} are not finite: {outputs.tolist()}")


def explained(error: Exception, row: PendingRow) -> UnmaskError:
    """Turn a model's exception into an error about its input."""
    if isinstance(error, UnmaskError):
        return error
    if is_out_of_memory(error):
        return MemoryLimitError(
            f"a text of {row.length} tokens does not fit in memory ({first_line(error)})",
            hint="use a smaller dtype, a smaller max_length or a shorter text",
        )
    failure = ModelError(f"the model failed on this text: {first_line(error)}")
    failure.__cause__ = error.with_traceback(None)
    return failure
