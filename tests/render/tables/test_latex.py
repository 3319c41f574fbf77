"""Tables in LaTeX, exactly."""

from dataclasses import replace

import pytest
from support.sample_tables import hostile, small

from unmask.render.tables import Column, Table, TableCell, TableDocument, render

SMALL = r"""% needs \usepackage{booktabs}; non-ASCII characters are written unchanged

\paragraph{Evaluation}

Two methods.

\begin{table}[htbp]
\centering
\caption{Agreement}
\begin{tabular}{@{}lrr@{}}
\toprule
 & \multicolumn{2}{c}{words} \\
\cmidrule(lr){2-3}
method & AUC & n \\
\midrule
sig & \textbf{0.912} {\scriptsize [0.90, 0.92]} & 200 \\
\midrule
random & -0.05 & — \\
\bottomrule
\end{tabular}
\par\smallskip\raggedright
{\small AUC: higher is better\par}
{\small Bold: the best.\par}
\end{table}

{\small model tiny · seed 1\par}
"""


def rows(*names: str) -> list[str]:
    """The lines of a table of one column with those rows, below its header."""
    table = Table("t", (Column("c", align="left"),), tuple((TableCell(name),) for name in names))
    inside = render(TableDocument("d", {}, (table,)), "latex").partition("\\midrule\n")[2]
    return inside.partition("\n\\bottomrule")[0].split("\n")


def test_the_whole_document() -> None:
    assert render(small(), "latex") == SMALL


def test_the_arrows_of_titles_are_known_to_every_engine() -> None:
    made = render(TableDocument("d", {}, (Table("t", (Column("LO ↓", hint="↑ where ≥ 0"),), ()),)), "latex")
    assert r"LO $\downarrow$ \\" in made
    assert r"$\uparrow$ where $\geq$ 0" in made


def test_groups_span_their_columns() -> None:
    groups = [None, "a", "a", None, None, "b"]
    table = Table("t", tuple(Column(str(at), group) for at, group in enumerate(groups)), ())
    made = render(TableDocument("d", {}, (table,)), "latex")
    assert r" & \multicolumn{2}{c}{a} &  &  & \multicolumn{1}{c}{b} \\" in made
    assert r"\cmidrule(lr){2-3} \cmidrule(lr){6-6}" in made


def test_a_rule_above_the_first_row_is_the_one_below_the_header() -> None:
    table = replace(small().tables[0], rules=frozenset({0}))
    assert render(TableDocument("d", {}, (table,)), "latex").count(r"\midrule") == 1


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("50% & more_x", r"50\% \& more\_x \\"),
        ("a\nb\\\\", r"a b\textbackslash{}\textbackslash{} \\"),
        ("[x]", r"{}[x] \\"),
        ("*", r"{}* \\"),
        ("% no comment", r"\% no comment \\"),
    ],
)
def test_cells_are_escaped(text: str, written: str) -> None:
    assert rows(text, "next") == [written, r"next \\"]


def test_hostile_text_adds_no_line() -> None:
    made = render(hostile("\\end{table}\n\n\\input{x} % & # $ ^ _ ~ }{"), "latex")
    plain = render(hostile("x"), "latex")
    assert len(made.split("\n")) == len(plain.split("\n"))
    assert r"\input" not in made
    assert made.count(r"\end{") == plain.count(r"\end{") == 4
