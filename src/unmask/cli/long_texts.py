"""Options for long texts: how much of a text is read, and how much is scored."""

from dataclasses import dataclass
from typing import Any

from ..errors import ArgumentError
from . import options as shared
from .options import ASKED, option

BUDGETS = ("detail_rows", "rows", "seconds")


@dataclass(frozen=True, kw_only=True)
class LongTextOptions(shared.CommandOptions):
    """How much of a long text is read, and how much is scored."""

    long: str | None = option(
        ASKED,
        "How to read texts over the model's length limit: cut (truncate), or windows (read it all; classifiers only).",
        show_default="cut",
    )
    detail: str | None = option(ASKED, "With sentence+word, score sentences, then words in those that matter most.")
    detail_rows: int | None = option(
        ASKED, "Score at most this many words for --detail.", min=1, show_default="four per sentence"
    )
    rows: int | None = option(ASKED, "Stop --detail after this many passes, including those for sentences.", min=1)
    seconds: float | None = option(ASKED, "Stop --detail after this many seconds per text, in total.", min=0)

    def long_settings(self) -> dict[str, Any]:
        """The settings that were given."""
        given = [name for name in BUDGETS if getattr(self, name) is not None]
        if given and self.detail is None:
            raise ArgumentError(f"--{given[0].replace('_', '-')} needs --detail sentence+word")
        return self.settings("long", "detail", *BUDGETS)
