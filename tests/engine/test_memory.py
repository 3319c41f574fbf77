"""A long text stays under a gigabyte above the model."""

import subprocess
import sys

import pytest

SCRIPT = """
import resource
from unmask import Explainer
explainer = Explainer.default(device="cpu")
explainer.explain("warm up")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
explanation = explainer.explain("a lovely film that is not dull " * 120, sets="none")
assert explanation.truncated and explanation.passes.forward > 500, explanation.passes
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print((after - before) * 1024)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak of memory in Linux's unit")
def test_five_hundred_tokens() -> None:
    found = subprocess.run([sys.executable, "-c", SCRIPT], check=True, capture_output=True, text=True)
    assert int(found.stdout) < 1_000_000_000
