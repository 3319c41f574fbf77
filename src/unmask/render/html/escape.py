"""The one way in which any text, label or message gets into a page."""

import html

from ..captions import number
from ..escape import shown


def escaped(text: str) -> str:
    """The text as it can stand in an element or in a quoted attribute; what would steer the page is spelled out.

    >>> escaped("<b title='x'>" + chr(0))
    '&lt;b title=&#x27;x&#x27;&gt;\\\\x00'
    """
    return html.escape(shown(text), quote=True)


def signed(score: float) -> str:
    """A score with its sign; the minus is the one that is read aloud.

    >>> signed(-0.25)
    '−0.250'
    """
    return number(score).replace("-", "−")
