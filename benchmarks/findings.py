"""Titles and findings of the pages that reports and evaluations write: a page opens with what was found."""

from pathlib import Path

# By a page's name: its title, and the finding in one sentence.
FINDINGS = {
    "corrected-sst2": (
        "SST-2, protocol corrected: three models, ten methods",
        "With words removed, Shapley values lead by log-odds and comprehensiveness; the order of IG and SIG varies.",
    ),
    "corrected-rotten_tomatoes": (
        "Rotten Tomatoes, protocol corrected: three models, ten methods",
        "With words removed, Shapley values lead on all three models, and IG is ahead of SIG on bert and distilbert.",
    ),
    "corrected-imdb": (
        "IMDB, protocol corrected: three models, ten methods",
        "On long reviews SIG has the best sufficiency on all three models, and is clearly ahead of IG on roberta.",
    ),
    "paper-sst2": (
        "SST-2, protocol paper: three models, eight methods",
        "Under the paper's protocol SIG is best in seven of nine columns, SDIG in the other two.",
    ),
    "paper-rotten_tomatoes": (
        "Rotten Tomatoes, protocol paper: three models, eight methods",
        "Under the paper's protocol SIG or SDIG is best in every column but one.",
    ),
    "paper-imdb": (
        "IMDB, protocol paper: three models, eight methods",
        "Under the paper's protocol SIG is best in most columns; these are five reviews.",
    ),
    "paper-steps": (
        "Steps, protocol paper: BERT on SST-2",
        "Exact SIG gives the metrics of SIG with 50 steps at a fiftieth of the passes.",
    ),
    "embedded": (
        "The built-in model: twelve methods on 480 sentences",
        "With words removed, Shapley values lead on every faithfulness metric; DIG and GradientShap agree best with "
        "annotators.",
    ),
    "distilbert": (
        "distilbert-sst2: ten methods on 100 sentences",
        "With words removed, Shapley values lead; IG, GradientShap and leave_one_in are close behind.",
    ),
    "roberta": (
        "roberta-sst2: ten methods on 100 sentences",
        "With words removed, Shapley values lead by log-odds and comprehensiveness, and SIG comes second.",
    ),
    "bert": (
        "bert-sst2: ten methods on 100 sentences",
        "With words removed, Shapley values lead by log-odds and comprehensiveness, leave_one_in by sufficiency.",
    ),
}


def open_with_finding(page: Path) -> None:
    """Give a page that was just written its title and its finding."""
    title, finding = FINDINGS[page.stem]
    _, _, rest = page.read_text(encoding="utf-8").partition("\n\n")
    page.write_text(f"# {title}\n\n**{finding}**\n\n{rest}", encoding="utf-8")
