"""A whole document around a page's content, with a policy that lets in nothing but its own style and script."""

import base64
import hashlib

from .escape import escaped
from .style import resource, sheet


def document(content: str, *, title: str, colors: str, style: str = "", script: str = "") -> str:
    """One self-contained document; `style` is what its content needs beyond the rules of all pages."""
    rules = "\n".join(filter(None, [sheet(colors), resource("document.css"), style]))
    return (
        "<!doctype html>\n"
        '<html lang="en">\n'
        "<head>\n"
        '<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(rules, script)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{escaped(title)}</title>\n"
        f"<style>{rules}</style>\n"
        "</head>\n"
        f'<body class="um um-document">\n{content}\n'
        f"{f'<script>{script}</script>' if script else ''}</body>\n"
        "</html>\n"
    )


def _policy(style: str, script: str) -> str:
    allowed = [f"style-src {_hash(style)}", *([f"script-src {_hash(script)}"] if script else [])]
    return "; ".join(["default-src 'none'", *allowed, "base-uri 'none'", "form-action 'none'"])


def _hash(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"
