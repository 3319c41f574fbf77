"""Write the title and the opening finding of every page made from a report or an evaluation, based on its tables.

.venv/bin/python benchmarks/findings.py    # rewrite all of them, for instance after you change this file
"""

import re
from collections import Counter
from pathlib import Path

RESULTS = Path(__file__).resolve().parents[1] / "docs" / "results"
FOLDERS = ("paper-experiment", "faithfulness")
DATASETS = {"sst2": "SST-2", "rotten_tomatoes": "Rotten Tomatoes", "imdb": "IMDB"}
MODELS = {"embedded": "the built-in model", **{name: f"{name}-sst2" for name in ("bert", "distilbert", "roberta")}}
CONTROLS = ("random", "greedy")
NOTHING = "—"  # a figure that was not computed
ABOUT_PEOPLE = ("rationales: ", "people: ")  # columns of agreement with annotators; "people" in older pages

Table = list[dict[str, str]]  # a row's cells by column


def open_with_finding(page: Path) -> None:
    """Replace the title and the finding of a page."""
    text = page.read_text(encoding="utf-8")
    _, _, rest = text.partition("\n\n")
    rest = rest if not rest.startswith("**") else rest.partition("\n\n")[2]
    page.write_text(f"{opening(page.stem, text)}\n\n{rest}", encoding="utf-8")


def opening(name: str, text: str) -> str:
    """The title and the finding of a page of that name."""
    table = first_table(text)
    return f"# {_title(name, text, table)}\n\n**{_finding(name, table)}**"


def first_table(text: str) -> Table:
    """The first Markdown table, without escapes."""
    lines = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)
    if lines is None:
        raise ValueError("the page has no table")
    header, _, *rows = [_cells(line) for line in lines[0].splitlines()]
    return [dict(zip(header, row, strict=True)) for row in rows]


def _cells(line: str) -> list[str]:
    parts = re.split(r"(?<!\\)\|", line.strip()[1:-1])
    return [re.sub(r"\\(.)", r"\1", part.strip()) for part in parts]


def _title(name: str, text: str, table: Table) -> str:
    methods = _count(len([row for row in table if row["method"] not in CONTROLS]), "method")
    if name in MODELS:
        texts = re.search(r"· texts ([\d,]+)", text)
        title = f"{MODELS[name]}: {methods} on {texts[1] if texts else 'all'} sentences"
        return title[0].upper() + title[1:] if name == "embedded" else title
    protocol, _, dataset = name.partition("-")
    if dataset == "steps":
        return f"Number of steps, protocol {protocol}: BERT on SST-2"
    models = {column.partition(":")[0] for column in table[0] if ":" in column}
    return f"{DATASETS[dataset]}, protocol {protocol}: {_count(len(models), 'model')}, {methods}"


def _finding(name: str, table: Table) -> str:
    if name.endswith("-steps"):
        return _steps(table)
    about = "Under the paper's protocol" if name.startswith("paper-") else "With words removed"
    columns = [column for column in table[0] if any(_is_best(row[column]) for row in table)]
    people = [column for column in columns if column.startswith(ABOUT_PEOPLE)]
    metrics = [column for column in columns if column not in people]
    whole = [column for column in metrics if not any(row[column] == NOTHING for row in table if not _is_control(row))]
    found = f"{about}, {_leaders(table, whole)}{_incomplete(len(metrics) - len(whole))}"
    return f"{found}. By agreement with annotators, {_leaders(table, people)}." if people else f"{found}."


def _leaders(table: Table, columns: list[str]) -> str:
    """Which methods have the best figure, and in how many columns."""
    best = Counter(row["method"] for row in table for column in columns if _is_best(row[column]))
    (first, most), *others = best.most_common()
    more = "".join(f", {name} in {count}" for name, count in others)
    ties = " (a tie counts for each method)" if best.total() > len(columns) else ""
    return f"{first} is best in {most} of {len(columns)} columns{more}{ties}"


def _steps(table: Table) -> str:
    """Exact SIG against SIG with the most steps."""
    exact = next(row for row in table if row["method"] == "sig")
    stepped = max((row for row in table if row["method"] == "sig_path"), key=lambda row: int(row["steps"]))
    metrics = [column for column in exact if column[-1] in "↓↑"]
    both = [column for column in metrics if exact[column] != NOTHING != stepped[column]]
    same = sum(exact[column] == stepped[column] for column in both)
    passes = next(column for column in exact if column.startswith("passes"))
    return (
        f"Exact SIG takes {exact[passes]} passes per text, SIG with {stepped['steps']} steps takes {stepped[passes]}; "
        f"they have the same figure in {same} of the {len(both)} metrics computed for both."
    )


def _incomplete(columns: int) -> str:
    """The number of columns without a winner, because some methods were not computed."""
    return f"; {_count(columns, 'column')} not counted, because some methods were not computed" if columns else ""


def _is_control(row: dict[str, str]) -> bool:
    return row["method"] in CONTROLS


def _is_best(cell: str) -> bool:
    return cell.startswith("**")


def _count(number: int, noun: str) -> str:
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    return f"{words[number] if number < len(words) else number} {noun}{'s' * (number != 1)}"


if __name__ == "__main__":
    for folder in FOLDERS:
        for page in sorted((RESULTS / folder).glob("*.md")):
            if "method" in first_table(page.read_text(encoding="utf-8"))[0]:  # not by length
                open_with_finding(page)
