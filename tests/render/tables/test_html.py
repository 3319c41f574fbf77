"""Nothing in a table can become part of a page; what is best, grouped and explained can be seen and heard."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest
from support.sample_tables import BARS, hostile, large, small

from unmask.render.tables import Column, Picture, Table, TableCell, TableDocument, render

HOSTILE = [
    "</td></table></main><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)" x=\'',
    "<!-- ]]> <style>*{display:none}</style> &lt;b&gt; &#0; &amp",
    "javascript:alert(1)\x00\x0b\x1b[31m\u202e\u2066\ufeff",
    "\ud800 lone \udfff\n\r\u2028",
]
VOID = {"meta"}


class Parsed(HTMLParser):
    """The tags and attributes' names of a page, all of them closed in order, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.skeleton: list[tuple[str, tuple[str, ...]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.skeleton.append((tag, tuple(name for name, _ in attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.skeleton.append((tag, tuple(name for name, _ in attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def content(document: TableDocument) -> str:
    return render(document, "html").partition("</style>")[2]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_becomes_a_part_of_the_page(text: str) -> None:
    made = Parsed(render(hostile(text), "html"))
    assert made.skeleton == Parsed(render(hostile("x"), "html")).skeleton
    assert not any(
        name.startswith("on") or name in ("href", "src", "style") for _, names in made.skeleton for name in names
    )
    assert "script" not in {tag for tag, _ in made.skeleton}


def test_every_field_is_there() -> None:
    text = "<script>alert('x')</script>"
    around, inside, legend = 6, 11, 2  # texts around the tables, in each of them, and below the first alone
    assert Parsed(render(hostile(text), "html")).text.count(text) == around + 2 * inside + legend
    assert content(hostile(text)).count('title="&lt;script&gt;') == 4


def test_the_policy_covers_the_style_of_tables() -> None:
    made = render(small(), "html")
    (style,) = re.findall(r"<style>(.*?)</style>", made, flags=re.DOTALL)
    assert ".um-figures" in style
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'" in made


def test_best_is_bold_and_faint_and_details_are_marked() -> None:
    made = content(small())
    assert '<td class="um-number"><b>0.912</b> <small>[0.90, 0.92]</small></td>' in made
    assert '<td class="um-number"><span class="um-faint">—</span></td>' in made
    assert made.count("<b>") == 1


def test_headers_say_what_they_stand_for() -> None:
    made = content(small())
    assert "<caption><span>Agreement</span></caption>" in made
    assert (
        '<tr><th scope="col" rowspan="2" class="um-name"><div>method</div></th><th scope="colgroup" colspan="2">'
        in made
    )
    assert '<th scope="col" class="um-number" title="higher is better">AUC</th>' in made
    assert (
        '<tr class="um-rule"><th scope="row" class="um-name"><div><span class="um-faint">random</span></div></th>'
        in made
    )


def test_without_groups_there_is_one_line_of_headers() -> None:
    table = Table("t", (Column("a"), Column("b")), ((TableCell("1"), TableCell("2")),))
    made = content(TableDocument("d", {}, (table,)))
    assert "rowspan" not in made
    assert made.count("<tr>") == 2


def test_hints_are_said_below_the_table_once() -> None:
    assert content(large()).count('<dl class="um-hints">') == 1
    assert "<div><dt>time</dt><dd>seconds per text, one thread</dd></div>" in content(large())


def test_pictures_are_embedded_as_they_are() -> None:
    assert f'<figure class="um-picture">\n<figcaption>Bars</figcaption>\n{BARS}\n</figure>' in content(small())


def test_panels_stand_beside_each_other_with_a_note_below() -> None:
    made = content(TableDocument("d", {}, (), pictures=(Picture("Bars", BARS, (BARS,), note="two & more"),)))
    assert (
        f'<div class="um-panels">\n{BARS}\n{BARS}\n</div>\n<p class="um-remark">two &amp; more</p>\n</figure>' in made
    )


def test_the_arrow_of_a_title_is_not_left_alone() -> None:
    table = Table("t", (Column("a"), Column("b ↑")), ())
    assert ">b&nbsp;↑</th>" in content(TableDocument("d", {}, (table,)))


def test_the_page_is_named_and_has_its_facts() -> None:
    made = render(small(), "html")
    assert "<title>Evaluation · unmask</title>" in made
    assert '<dl class="um-facts"><div><dt>model</dt><dd>tiny</dd></div><div><dt>seed</dt><dd>1</dd></div></dl>' in made
    assert "<dl" not in content(TableDocument("d", {}, ()))
