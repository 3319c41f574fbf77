"""The candidates for a mask: the tokens that the model finds most probable, and those named by the target."""

from dataclasses import replace

from ..errors import ArgumentError
from ..models.adapter import Adapter
from ..models.huggingface.masked import MaskedAdapter
from ..tasks.fill_mask import CANDIDATES, FillingReadout
from ..tasks.scales import Contrast
from ..tasks.targets import Head, TargetName, distinct_names
from ..text.spans import Span
from .attribute import PreparedText


def with_fillings(adapter: Adapter, prepared: PreparedText) -> PreparedText:
    """Use the candidates for the mask as the outputs of the text; a text of another task is returned unchanged."""
    if not isinstance(adapter, MaskedAdapter):
        return prepared
    place = next(one for one in prepared.selection.fixed if _is_mask(adapter, prepared, one.segment, one.span))
    position = adapter.mask_position(prepared.encoded, place.span)
    given = [adapter.token(word) for word in _words(prepared.target)]
    ids = tuple(dict.fromkeys([*adapter.fillings(prepared.encoded, position, CANDIDATES), *given]))
    names = distinct_names(adapter.spell(ids))
    own = dict(zip(ids, names, strict=True))
    return replace(
        prepared,
        readout=FillingReadout((position,), ids),
        head=Head(names, "grouped"),
        target=_renamed(prepared.target, [own[one] for one in given]),
    )


def _is_mask(adapter: MaskedAdapter, prepared: PreparedText, segment: int, span: Span) -> bool:
    return prepared.encoded.segments[segment].text[slice(*span)] == adapter.mask


def _words(target: TargetName) -> list[str]:
    """Return the words named by a target; none for an index, which refers to the most probable candidates."""
    if isinstance(target, Contrast):
        return [str(one) for one in (target.label, target.against)]
    if isinstance(target, tuple):
        raise ArgumentError(f"target {target!r}: the target must be a word that fills the mask")
    return [target] if isinstance(target, str) and target not in ("predicted", "max") else []


def _renamed(target: TargetName, names: list[str]) -> TargetName:
    """Return the target with its words replaced by the names of the outputs."""
    if isinstance(target, Contrast):
        return Contrast(names[0], names[1], target.normalize)
    return names[0] if names else target
