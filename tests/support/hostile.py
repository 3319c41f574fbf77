"""Names and texts that try to control a terminal, a page or a spreadsheet, and functions to detect whether they did."""

import unicodedata

NAMES = {
    "a title of the terminal": "\x1b]0;owned\x07",
    "a link of the terminal": "\x1b]8;;http://evil.example\x1b\\click\x1b]8;;\x1b\\",
    "the clipboard of the terminal": "\x1b]52;c;cm0gLXJm\x07",
    "a cleared screen": "\x1b[2J\x1b[H",
    "a color": "\x1b[31mred\x1b[0m",
    "control sequences of one character": "\x9b31m\x9d0;owned\x9c",
    "markup of rich": "[red]x[/red] [bold] [/] [link=http://evil.example]y[/link]",
    "an emoji of rich": ":boom: :warning:",
    "a second line": "films\nFAKE: 100%, Finished.",
    "a line over a line": "films\rFAKE: 100%",
    "deleted characters": "good\b\b\b\bbad \x7f",
    "a change of direction": "film\u202egnp.exe\u2066x\u2069",
    "a line separator": "films\u2028FAKE\u2029FAKE\x85FAKE",
    "invisible characters": "fi\u200blms\ufeff\u00ad\U000e0041",
    "a script": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "the end of an attribute": '" onmouseover="alert(1)" x=\'',
    "a formula": '=HYPERLINK("http://evil.example")',
    "a format string": "{0.__class__} {line} %s %n $HOME `id`",
}
TEXTS = NAMES | {
    "NULs": "good\0 film\0",
    "what XML forbids": "good \ufffe\uffff film \x0b\x0c",
    "a lone surrogate": "good \ud800 film",
    "the end of a document": "</p></main></body></html>]]><!-- <style>*{display:none}</style>",
    "entities": "&lt;b&gt; &#0; &amp &#x1b;[31m",
    "a javascript address": "javascript:alert(1) [x](javascript:alert(1)) ![y](data:text/html,<script>)",
    "commands of LaTeX": "\\input{/etc/passwd} \\write18{id} $x^2$ 100% & # _ ~ ^ { } \\",
    "a table of Markdown": "a | b\n---|---\n# heading\n* item `code` **bold** <u>x</u>",
    "a data SVG": "<svg onload=alert(1)><foreignObject><body xmlns='http://www.w3.org/1999/xhtml'/></svg>",
    "stacked accents": "g" + "\u0301" * 300 + "ood film",
}
ALLOWED = "\n\u200c\u200d"


def steering(text: str, allowed: str = ALLOWED) -> set[str]:
    """The characters of a text that control the program that displays it."""
    kinds = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    return {one for one in set(text) - set(allowed) if unicodedata.category(one) in kinds}


def toml(text: str) -> str:
    """A basic string of TOML."""
    escaped = (one if one.isprintable() and one not in '"\\' else f"\\U{ord(one):08x}" for one in text)
    return f'"{"".join(escaped)}"'
