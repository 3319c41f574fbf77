"""What the routes answer, against the same asked in Python and against closed forms."""

import json
from typing import Any

import pytest
from starlette.testclient import TestClient
from support.web import WEIGHTS, client_of, events_of, weighted_words

from unmask import Comparison, Explainer, Explanation
from unmask.models.formula import FormulaModel
from unmask.results.interactions import Interactions

TEXT = "a good and fine film , not bad"
WORDS = TEXT.split()


@pytest.fixture(scope="module")
def client() -> Any:
    with client_of(weighted_words(), weighted_words()) as opened:
        yield opened


@pytest.fixture(scope="module")
def explainer() -> Explainer:
    return Explainer.from_adapter(FormulaModel.weighted_words(WEIGHTS))


def posted(client: TestClient, route: str, **body: Any) -> Any:
    response = client.post(f"/api/{route}", json=body)
    assert response.status_code == 200, response.text
    return response.json()


def without_times(record: Any) -> Any:
    """A record without what differs from run to run."""
    if isinstance(record, dict):
        return {key: without_times(value) for key, value in record.items() if key not in ("seconds", "passes")}
    return [without_times(one) for one in record] if isinstance(record, list) else record


def as_json(record: Any) -> Any:
    return json.loads(json.dumps(record))


def test_explain_answers_the_json_of_save(client: TestClient, explainer: Explainer) -> None:
    answer = posted(client, "explain", text=TEXT)
    assert without_times(answer) == without_times(as_json(explainer.explain(TEXT).to_dict()))
    assert Explanation.from_dict(answer).scores == explainer.explain(TEXT).scores


@pytest.mark.parametrize(
    "settings",
    [
        {"method": "shapley:permutations=6", "seed": 3, "target": "positive"},
        {"target": {"label": "positive", "against": "negative"}, "scale": "probability", "unit": "token"},
        {"target": 0, "baseline": "zero", "sets": "none"},
    ],
)
def test_settings_mean_what_they_mean_in_python(
    client: TestClient, explainer: Explainer, settings: dict[str, Any]
) -> None:
    from unmask import Contrast

    target = settings["target"]
    same = {**settings, "target": Contrast(**target) if isinstance(target, dict) else target}
    assert without_times(posted(client, "explain", text=TEXT, **settings)) == without_times(
        as_json(explainer.explain(TEXT, **same).to_dict())
    )


def test_captions_are_the_sentences_of_the_drawing(client: TestClient) -> None:
    captions = posted(client, "explain", text=TEXT, captions=True)["captions"]
    assert captions["prediction"].startswith("Prediction: ")
    assert captions["sentences"] == [one["sentence"] for one in captions["sets"]] != []


def test_a_click_changes_the_value_by_the_weight_of_the_word(client: TestClient) -> None:
    masked = [[1], [1, 3], {"all_but": [1]}, [], list(range(len(WORDS)))]
    answer = posted(client, "predict", text=TEXT, masked=masked, target="positive")
    total = sum(WEIGHTS.get(word, 0.0) for word in WORDS)
    assert answer["whole"]["value"] == pytest.approx(total)
    assert [one["value"] for one in answer["results"]] == pytest.approx([total - 2, total - 3, 2.0, total, 0.0])
    assert [one["change"] for one in answer["results"]] == pytest.approx([-2.0, -3.0, 2 - total, 0.0, -total])
    assert answer["units"] == len(WORDS)
    assert [one["label"] for one in answer["results"][2:3]] == ["positive"]
    for one in answer["results"]:
        assert sum(one["probabilities"].values()) == pytest.approx(1.0)


def test_the_target_is_that_of_the_text_as_written(client: TestClient) -> None:
    answer = posted(client, "predict", text="good film", masked=[[0]], replaced={"1": "bad"})
    assert answer["target"] == "positive"
    assert answer["results"][0]["value"] == pytest.approx(-3.0)
    assert answer["results"][0]["label"] == "negative"


def test_scores_are_the_changes_of_single_clicks(client: TestClient) -> None:
    scores = [unit["score"] for unit in posted(client, "explain", text=TEXT)["units"]]
    singles = posted(client, "predict", text=TEXT, masked=[[at] for at in range(len(WORDS))])["results"]
    assert [-one["change"] for one in singles] == pytest.approx(scores)


def test_a_replaced_word_is_read_in_its_place(client: TestClient) -> None:
    answer = posted(
        client, "predict", text=TEXT, masked=[[], [1], [3]], replaced={"1": "very bad", "7": ""}, target="positive"
    )
    # a very bad and fine film , not: -3 + 1 - 0.5
    assert [one["value"] for one in answer["results"]] == pytest.approx([-2.5, 0.5, -3.5])
    assert answer["texts"] == ["a very bad and fine film , not "]
    found = {unit["text"]: unit["from"] for unit in answer["replaced_units"]}
    assert found["very bad"] == [1]
    assert found["not"] == [6]


def test_compare_answers_the_json_of_save(client: TestClient, explainer: Explainer) -> None:
    answer = posted(client, "compare", text=TEXT, methods=["sig", "random"])
    same = explainer.compare(TEXT, methods=["sig", "random"])
    assert without_times(answer) == without_times(as_json(same.to_dict()))
    assert Comparison.from_dict(answer).names == ("sig", "random")
    over = posted(client, "compare", text=TEXT, targets=["positive", "negative"])
    targets = explainer.compare(TEXT, targets=["positive", "negative"])
    assert without_times(over) == without_times(as_json(targets.to_dict()))


def test_curves_follow_the_ranking_of_each_method(client: TestClient) -> None:
    curve, other = posted(client, "compare", text=TEXT, methods=["sig", "random"], curve=True, target="positive")[
        "curves"
    ]
    total = sum(WEIGHTS.get(word, 0.0) for word in WORDS)
    assert curve["counts"] == list(range(len(WORDS) + 1))
    assert curve["values"][:4] == pytest.approx([total, total - 2, total - 3, total - 3])
    assert curve["values"][-1] == pytest.approx(0.0)
    assert curve["area"] >= other["area"]


def test_interactions_answer_the_json_of_save(client: TestClient, explainer: Explainer) -> None:
    answer = posted(client, "interactions", text=TEXT, top=3)
    same = explainer.interactions(TEXT, top=3)
    assert without_times(answer) == without_times(as_json(same.to_dict()))
    assert Interactions.from_dict(answer).chosen == same.chosen


def test_progress_and_result_come_as_events(client: TestClient) -> None:
    response = client.post("/api/explain", json={"text": TEXT}, headers={"accept": "text/event-stream"})
    assert response.headers["content-type"].startswith("text/event-stream")
    names, values = zip(*events_of(response.text), strict=True)
    assert (names[0], names[1], names[-1]) == ("job", "progress", "result")
    assert without_times(values[-1]) == without_times(posted(client, "explain", text=TEXT))


def test_an_error_under_way_is_an_event(client: TestClient) -> None:
    response = client.post("/api/explain", json={"text": " "}, headers={"accept": "text/event-stream"})
    name, value = events_of(response.text)[-1]
    assert (response.status_code, name, value["status"], value["error"]["code"]) == (200, "error", 422, "text")


@pytest.mark.parametrize(
    ("form", "kind", "begins"),
    [("html", "text/html", b"<!doctype html>"), ("svg", "image/svg+xml", b"<"), ("json", "application/json", b"{")],
)
def test_results_are_drawn_as_files(client: TestClient, form: str, kind: str, begins: bytes) -> None:
    body = {"format": form, "kind": "explanation", "request": {"text": TEXT}}
    response = client.post("/api/render", json=body)
    assert response.status_code == 200, response.text
    assert response.headers["content-type"].startswith(kind)
    assert response.headers["content-disposition"] == f'attachment; filename="explanation.{form}"'
    assert response.content[:60].lower().lstrip().startswith(begins)


def test_comparisons_and_interactions_are_drawn_too(client: TestClient) -> None:
    for kind, more in (("comparison", {"methods": ["sig", "random"]}), ("interactions", {"top": 2})):
        body = {"format": "html", "kind": kind, "request": {"text": TEXT, **more}}
        assert client.post("/api/render", json=body).status_code == 200


def test_the_first_model_is_the_default_and_no_other_can_be_opened(client: TestClient) -> None:
    listed = client.get("/api/models").json()
    assert [model["name"] for model in listed["models"]] == ["model 0", "model 1"]
    assert listed["models"][0]["labels"] == ["negative", "positive"]
    assert listed["models"][0]["examples"]
    assert posted(client, "explain", text=TEXT, model="model 1")["target"] == "negative"
    response = client.post("/api/explain", json={"text": TEXT, "model": "/etc"})
    assert response.status_code == 422
    assert "/etc" not in response.text


def test_methods_are_listed_with_their_settings(client: TestClient) -> None:
    methods = {one["name"]: one for one in client.get("/api/methods").json()["methods"]}
    assert methods["sig"]["exact"] is True
    assert methods["ig"]["settings"]["steps"] == 50
    assert client.get("/healthz").json() == {"status": "ok"}


def test_the_schema_lists_every_route(client: TestClient) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    assert set(paths) == {
        *(f"/api/{name}" for name in ("explain", "predict", "compare", "interactions", "render", "models", "methods")),
        "/api/jobs/{job}",
        "/healthz",
    }
