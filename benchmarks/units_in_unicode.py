"""Check that every visible character of difficult texts is in exactly one unit, whatever the tokenizer.

.venv/bin/python benchmarks/units_in_unicode.py
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.shared import LANGUAGES, json_lines
from support.tokenizer_kinds import KINDS
from support.unit_cover import checked

from unmask import Explainer, Explanation
from unmask.text.segmentation import UNITS


def counted(kind: str, texts: list[str], unit: str) -> str:
    """Count units and visible characters, after checking that each character is in exactly one unit."""
    found = [checked(kind, text, unit) for text in texts]
    return f"{sum(units for units, _ in found):,} / {sum(characters for _, characters in found):,}"


def main() -> None:
    tricky = [row["text"] for row in json_lines("unicode/tricky_unicode.jsonl.gz")]
    spoken = [row["text"] for name in LANGUAGES for row in json_lines(f"multilingual/{name}.jsonl.gz")]
    heads = [*(f"{unit}s, {len(tricky)} difficult" for unit in UNITS), f"words, {len(spoken):,} multilingual"]
    print(f"| tokenizer | {' | '.join(heads)} |\n|---|{'---|' * len(heads)}")
    for kind in KINDS:
        cells = [*(counted(kind, tricky, unit) for unit in UNITS), counted(kind, spoken, "word")]
        print(f"| {kind} | {' | '.join(cells)} |")
    asked = [*tricky, *spoken[::10]]
    made = [one for one in Explainer.default().attempts(asked) if isinstance(one, Explanation)]
    same = sum(Explanation.from_dict(json.loads(json.dumps(one.to_dict()))) == one for one in made)
    print(f"\nThe built-in model explains {len(made)} of {len(asked)} texts; {same} survive a round trip through JSON.")


if __name__ == "__main__":
    main()
