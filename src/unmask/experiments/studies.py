"""Studies that ship plans and published figures; each is a package that is imported when it is first needed."""

from importlib import import_module
from typing import TYPE_CHECKING

from ..results.report import References

if TYPE_CHECKING:
    from .plan import Plan

STUDIES = {"sig2023": "unmask.studies.sig2023"}


def references_of(plan: "Plan") -> References | None:
    """The published figures to show beside a plan's own: of the first study that has any."""
    for package in STUDIES.values():
        references: References | None = import_module(f"{package}.references").references_of(plan)
        if references is not None:
            return references
    return None
