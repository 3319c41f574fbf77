"""Figures published elsewhere, to stand beside those of a report. A study registers them by name."""

from importlib import import_module
from typing import TYPE_CHECKING

from ..results.report import References

if TYPE_CHECKING:
    from .plan import Plan

REFERENCES = {"sig2023": "unmask.studies.sig2023.references:references_of"}  # functions of a plan


def references_of(plan: "Plan") -> References | None:
    """The figures of the first study that has any for this plan."""
    for place in REFERENCES.values():
        module, _, name = place.partition(":")
        references: References | None = getattr(import_module(module), name)(plan)
        if references is not None:
            return references
    return None
