"""The one way in which any text, label or message gets into a page."""

import html

from ..escape import shown


def escaped(text: str) -> str:
    """The text as it can stand in an element or in a quoted attribute; what would steer the page is spelled out.

    >>> escaped("<b title='x'>" + chr(0))
    '&lt;b title=&#x27;x&#x27;&gt;\\\\x00'
    """
    return html.escape(shown(text), quote=True)


def signed(score: float) -> str:
    """A score with its sign; the minus is the one that is read aloud.

    >>> [signed(score) for score in (2.5, -0.25, 0.0, -0.00001)]
    ['+2.500', '−0.250', '0.000', '−1.0e−05']
    """
    if not score:
        return "0.000"
    number = f"{score:+.3f}" if abs(score) >= 0.0005 else f"{score:+.1e}"
    return number.replace("-", "−")
