"""What is public, and what is slow to import only when it is used."""

import subprocess
import sys

import pytest

import unmask

PUBLIC = [
    "Comparison",
    "Contrast",
    "Estimate",
    "Evaluation",
    "Example",
    "Explainer",
    "Explanation",
    "Failure",
    "Interactions",
    "Progress",
    "RayEngine",
    "Request",
    "Segment",
    "__version__",
]


def test_the_public_names() -> None:
    assert sorted(unmask.__all__) == PUBLIC
    assert dir(unmask) == unmask.__all__
    for name in PUBLIC:
        assert getattr(unmask, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Explane'"):
        unmask.Explane  # noqa: B018


@pytest.mark.parametrize(
    "script",
    [
        "import unmask",
        "import unmask; unmask.Contrast('a', 'b'); unmask.Explanation",
        "import unmask.methods; unmask.methods.DeepLift",
        "from unmask.cli import main; sys.argv[1:] = ['--help']; main()",
        "from unmask.cli import main; sys.argv[1:] = ['explain', '--help']; main()",
        "from unmask.cli import main; sys.argv[1:] = ['--version']; main()",
        "from unmask.cli import main; sys.argv[1:] = ['methods']; main()",
        "from unmask.cli import main; sys.argv[1:] = ['explain']; main()",
    ],
)
def test_torch_is_not_imported(script: str) -> None:
    check = (
        f"import sys\ntry:\n  {script}\nexcept SystemExit: pass\n"
        "heavy = {'captum', 'torch', 'transformers'} & set(sys.modules)\nassert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", check], check=True, capture_output=True)
