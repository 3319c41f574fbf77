"""Documents with tables of figures, drawn by several tests."""

from unmask.render.tables import Column, Picture, Table, TableCell, TableDocument

BARS = (
    '<svg xmlns="http://www.w3.org/2000/svg" role="img" width="760" height="60" viewBox="0 0 760 60">'
    '<title>bars</title><rect width="760" height="60" fill="#ffffff"/>'
    '<rect x="20" y="20" width="500" height="20" fill="#2166ac"/></svg>'
)
METHODS = (
    "sig",
    "sig_path steps=50",
    "ig steps=50",
    "dig",
    "sdig",
    "gradient_shap samples=25",
    "grad_x_input",
    "saliency",
    "deeplift",
    "leave_one_in",
    "shapley permutations=25",
    "random",
)
HINTS = {
    "log-odds": "how much the log-odds fall when the words with the largest scores are masked; lower is better",
    "compr.": "comprehensiveness: how much the probability falls without those words; higher is better",
    "suff.": "sufficiency: how much it falls with those words alone; lower is better",
    "time": "seconds per text, one thread",
}
COLUMNS = (
    Column("method", align="left"),
    *(
        Column(title, group=group, hint=HINTS[title])
        for group in ("SST-2", "IMDB")
        for title in ("log-odds", "compr.", "suff.")
    ),
    Column("passes"),
    Column("time", hint=HINTS["time"]),
)


def small() -> TableDocument:
    """A document that uses every feature of a table once."""
    columns = (Column("method", align="left"), Column("AUC", "words", hint="higher is better"), Column("n", "words"))
    rows = (
        (TableCell("sig"), TableCell("0.912", "[0.90, 0.92]", is_best=True), TableCell("200")),
        (TableCell("random", is_faint=True), TableCell("-0.05"), TableCell("—", is_faint=True)),
    )
    table = Table("Agreement", columns, rows, notes=("Bold: the best.",), rules=frozenset({1}))
    return TableDocument(
        "Evaluation", {"model": "tiny", "seed": "1"}, (table,), ("Two methods.",), (Picture("Bars", BARS),)
    )


def large() -> TableDocument:
    """A document like that of an evaluation: two tables, twelve methods, eight columns of figures with intervals."""
    words = Table("Top fifth of the words masked", COLUMNS, _rows(1.0), notes=("Bold: the best of its column.",))
    spans = Table(
        "Top fifth of the sentences masked",
        COLUMNS,
        _rows(0.5),
        notes=("Intervals: 95 %, by 2,000 bootstrap draws over texts.", "—: the method knows no sentences."),
        rules=frozenset({11}),
    )
    facts = {
        "model": "distilbert-base-uncased-finetuned-sst-2 0123456789ab",
        "texts": "200 of SST-2, 100 of IMDB",
        "scale": "log_odds",
        "baseline": "mask [MASK]",
        "bootstrap draws": "2,000",
        "seed": "1",
    }
    said = "How far the words that a method finds important are those on which the model's answer rests."
    return TableDocument("Faithfulness of twelve methods", facts, (words, spans), (said,), (Picture("Log-odds", BARS),))


def hostile(text: str) -> TableDocument:
    """A document with this text in every field."""
    columns = (Column(text, align="left", hint=text), Column(text, group=text, hint=text))
    rows = (
        (TableCell(text, text), TableCell(text, text, is_best=True)),
        (TableCell(text, is_faint=True), TableCell(text)),
    )
    table = Table(text, columns, rows, notes=(text,), rules=frozenset({1}))
    return TableDocument(text, {text: text}, (table, table), (text,), (Picture(text, BARS),))


def _rows(strength: float) -> tuple[tuple[TableCell, ...], ...]:
    return tuple(_row(name, at, strength) for at, name in enumerate(METHODS))


def _row(name: str, at: int, strength: float) -> tuple[TableCell, ...]:
    share, is_random = strength * (1.04 - at / 11), name == "random"
    means = [-2.5 * share, 0.61 * share, 0.31 * share, -1.8 * share, 0.45 * share, 0.22 * share]
    figures = (_figure(mean, is_best=at == 0, is_faint=is_random) for mean in means)
    passes = TableCell("—", is_faint=True) if is_random else TableCell(f"{50 * (at + 1):,}")
    return (
        TableCell(name, is_faint=is_random),
        *figures,
        passes,
        TableCell(f"{0.013 * (at + 1):.2f} s", is_faint=is_random),
    )


def _figure(mean: float, *, is_best: bool, is_faint: bool) -> TableCell:
    return TableCell(f"{mean:.3f}", f"[{mean - 0.041:.2f}, {mean + 0.043:.2f}]", is_best=is_best, is_faint=is_faint)
