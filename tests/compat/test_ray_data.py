"""`unmask.compat.ray_data.Explain` on batches of columns, and in Ray Data itself where that is installed."""

import json
from typing import Any

import numpy as np
import pytest

from unmask import Explainer, Explanation
from unmask.compat.ray_data import Explain
from unmask.executors.ray_start import connected

TEXTS = ["A lovely film.", "", "A dull film."]


def test_a_batch_has_the_explanations_of_its_texts() -> None:
    batch: dict[str, Any] = {"review": np.array(TEXTS, dtype=object), "id": np.arange(3)}
    found = Explain(column="review", unit="word")(batch)
    explained = list(Explainer.default().attempts(TEXTS, unit="word"))
    assert list(found["id"]) == [0, 1, 2]
    assert found["prediction"] == ["positive", "", "negative"]
    for at in (0, 2):
        direct = explained[at]
        assert isinstance(direct, Explanation)
        assert found["scores"][at] == list(direct.scores)
        assert found["units"][at] == [unit.text for unit in direct.units]
        assert Explanation.from_dict(json.loads(found["explanation"][at])).scores == direct.scores
    assert found["error"][0] == ""
    assert found["error"][1] != ""
    assert found["scores"][1] == []


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*is deprecated:DeprecationWarning")  # Ray's own, when it starts
def test_it_maps_the_batches_of_a_dataset() -> None:
    data = pytest.importorskip("ray.data", reason="needs ray[data]", exc_type=ImportError)
    with connected(None, cpus=2, debug=False):
        mapped = data.from_items([{"text": text} for text in TEXTS]).map_batches(Explain, concurrency=1, batch_size=2)
        rows = {row["text"]: row for row in mapped.take_all()}
    assert rows["A lovely film."]["prediction"] == "positive"
    assert rows[""]["error"]
    assert list(rows["A dull film."]["units"]) == ["A", "dull", "film", "."]
    assert max(rows["A dull film."]["scores"]) == rows["A dull film."]["scores"][1]
