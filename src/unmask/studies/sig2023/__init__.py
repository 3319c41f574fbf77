"""The paper: Sequential Integrated Gradients (Enguehard 2023)."""

from .. import Study

STUDY = Study(
    protocols={"paper": f"{__name__}.protocol:PAPER"},
    layouts={
        "paper": (f"{__name__}.tables:paper_tables", f"{__name__}.tables:paper_lines"),
        "steps": (f"{__name__}.tables:step_tables", f"{__name__}.tables:step_lines"),
    },
    plans=__name__,
    references=f"{__name__}.published:references_of",
)
