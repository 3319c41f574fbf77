"""What the routes answer for taggers, readers, fillings, choices and pairs, against plain runs of the models."""

import math
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from starlette.testclient import TestClient
from support import tiny_heads
from support.head_questions import BLANK, BODIES, CHOICES, CONTEXT, PROMPT, QUESTION, TEXT
from support.plain_heads import (
    ARCHITECTURES,
    choice_shares,
    cosine,
    filling_shares,
    parts,
    span_share,
    tag_shares,
    word_spans,
)
from support.web import client_of

from unmask import Request
from unmask.attribution.session import ModelSession
from unmask.models.huggingface.opening import open_model
from unmask.text.spans import Span

EXACT = 1e-9
Edits = dict[str, str]


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with client_of(*(ModelSession(open_model(*parts(task))) for task in BODIES)) as opened:
        yield opened


def asked(client: TestClient, route: str, task: str, **body: Any) -> Any:
    return client.post(f"/api/{route}", json={**BODIES[task], **body, "model": f"model {list(BODIES).index(task)}"})


def posted(client: TestClient, route: str, task: str, **body: Any) -> Any:
    response = asked(client, route, task, **body)
    assert response.status_code == 200, response.text
    return response.json()


def as_request(body: dict[str, Any]) -> Request:
    if "choices" not in body:
        return Request(body["text"], text_pair=body.get("text_pair"), continuation=body.get("continuation"))
    named = [(f"choice {at}", choice) for at, choice in enumerate(body["choices"], 1)]
    return Request(segments=[("prompt", body["text"]), *named])


# every task


@pytest.mark.parametrize("task", BODIES)
def test_explain_answers_the_scores_of_python(client: TestClient, task: str) -> None:
    answer = posted(client, "explain", task, captions=True)
    architecture = ARCHITECTURES.get(task, "bert")
    same = tiny_heads.explainer(task, architecture).explain(as_request(BODIES[task]))
    assert answer["task"] == task
    assert [unit["score"] for unit in answer["units"]] == pytest.approx(same.scores, abs=EXACT)
    assert answer["prediction"]["label"] == same.prediction.label
    assert answer["captions"]["display"]["spans"] == {
        "token_classification": "entities",
        "question_answering": "answer",
    }.get(task)


@pytest.mark.parametrize("task", BODIES)
def test_scores_are_the_changes_of_single_clicks(client: TestClient, task: str) -> None:
    units = posted(client, "explain", task)["units"]
    singles = posted(client, "predict", task, masked=[[at] for at in range(len(units))])["results"]
    assert [-one["change"] for one in singles] == pytest.approx([unit["score"] for unit in units], abs=EXACT)


def test_models_say_what_they_read_and_which_scales_apply(client: TestClient) -> None:
    records = dict(zip(BODIES, client.get("/api/models").json()["models"], strict=True))
    assert {task: one["inputs"] for task, one in records.items()} == {
        "token_classification": {"text": ["text"]},
        "question_answering": {"pair": ["question", "context"]},
        "fill_mask": {"text": ["text"], "pair": ["first text", "second text"]},
        "multiple_choice": {"choices": ["prompt", "choice 1"]},
        "similarity": {"pair": ["first text", "second text"]},
        "text2text": {"text": ["source"]},
    }
    assert {task for task, one in records.items() if one["is_generative"]} == {"text2text"}
    assert {task for task, one in records.items() if one["is_decided"]} == {"multiple_choice", "similarity"}
    assert [task for task, one in records.items() if one["labels"]] == ["similarity"]
    assert {one["task"] for one in records.values()} == set(BODIES)
    assert "log_probability" in records["token_classification"]["scales"]
    for one in records.values():
        assert all({"title"} < set(example) for example in one["examples"])
    assert all("[MASK]" in example["text"] for example in records["fill_mask"]["examples"])


def test_a_method_that_the_model_does_not_support_is_refused_with_the_reason(client: TestClient) -> None:
    response = asked(client, "explain", "similarity", method="deeplift")
    assert (response.status_code, response.json()["error"]["code"]) == (422, "argument")
    assert "deeplift does not support this model" in response.json()["error"]["message"]
    assert "ig and gradient_shap" in response.json()["error"]["hint"]


@pytest.mark.parametrize(
    ("task", "can_remove"),
    [("token_classification", False), ("question_answering", False), ("fill_mask", True), ("multiple_choice", True)],
)
def test_only_methods_and_baselines_that_apply_are_listed(client: TestClient, task: str, can_remove: bool) -> None:
    record = client.get("/api/models").json()["models"][list(BODIES).index(task)]
    assert {"sig", "ig", "two_sided"} <= set(record["methods"])
    assert ("leave_one_out" in record["methods"]) is can_remove
    assert asked(client, "explain", task, method="leave_one_out").status_code == (200 if can_remove else 422)
    assert ("ignored" in record["baselines"]) is can_remove
    assert asked(client, "explain", task, baseline="ignored").status_code == (200 if can_remove else 422)


@pytest.mark.parametrize("task", BODIES)
def test_every_example_is_explained(client: TestClient, task: str) -> None:
    for example in client.get("/api/models").json()["models"][list(BODIES).index(task)]["examples"]:
        fields = {name: text for name, text in example.items() if name != "title"}
        more = {"max_new_tokens": 2} if task == "text2text" else {}
        body = {**fields, **more, "model": f"model {list(BODIES).index(task)}"}
        response = client.post("/api/explain", json=body)
        assert response.status_code == 200, response.text


# masked words


MASKED = [[1], [1, 3], [0, 1, 2, 3]]


def gone_of(answer: Any, masked: list[int]) -> list[tuple[int, Span]]:
    units = answer["units"]
    return [(units[at]["segment"], Span(units[at]["start"], units[at]["end"])) for at in masked]


def test_tags_without_some_words_are_those_of_the_plain_model(client: TestClient) -> None:
    found = posted(client, "explain", "token_classification")
    answer = posted(client, "predict", "token_classification", masked=MASKED)
    names, places, best = tiny_heads.TAGS, word_spans(TEXT), tag_shares(TEXT, []).argmax(-1).tolist()
    assert found["prediction"]["spans"]
    for point, masked in zip([answer["whole"], *answer["results"]], [[], *MASKED], strict=True):
        shares, expected = tag_shares(TEXT, gone_of(found, masked)), []
        for span in found["prediction"]["spans"]:
            inside = [at for at, one in enumerate(places) if span["start"] <= one.start < span["end"]]
            assert {names[best[at]].partition("-")[2] for at in inside} == {span["label"]}
            expected.append(float(torch.stack([shares[at, best[at]] for at in inside]).prod()))
        assert point["span_probabilities"] == pytest.approx(expected, rel=1e-9)
        assert point["target_probability"] == pytest.approx(math.prod(expected), rel=1e-9)
        now = [names[at].partition("-")[2] for at in shares.argmax(-1)]
        kinds = {places[at].start: kind for at, kind in enumerate(now) if kind}
        assert {one["start"]: one["label"] for one in point["spans"]}.items() <= kinds.items()


@pytest.mark.parametrize("target", ["predicted", "film is", [12, 15]])
def test_an_answer_without_some_words_is_that_of_the_plain_model(client: TestClient, target: Any) -> None:
    found = posted(client, "explain", "question_answering", target=target)
    (predicted,) = found["prediction"]["spans"]
    span = {"predicted": Span(predicted["start"], predicted["end"]), "film is": Span(4, 11)}.get(
        str(target), Span(12, 15)
    )
    answer = posted(client, "predict", "question_answering", target=target, masked=MASKED)
    for point, masked in zip([answer["whole"], *answer["results"]], [[], *MASKED], strict=True):
        gone = gone_of(found, masked)
        assert point["target_probability"] == pytest.approx(span_share(QUESTION, CONTEXT, span, gone), rel=1e-9)
        own = span_share(QUESTION, CONTEXT, Span(predicted["start"], predicted["end"]), gone)
        assert point["span_probabilities"] == pytest.approx([own], rel=1e-9)


def test_fillings_without_some_words_are_those_of_the_plain_model(client: TestClient) -> None:
    found = posted(client, "explain", "fill_mask")
    answer = posted(client, "predict", "fill_mask", masked=MASKED)
    for point, masked in zip([answer["whole"], *answer["results"]], [[], *MASKED], strict=True):
        shares = filling_shares(BLANK, gone_of(found, masked))
        assert len(point["probabilities"]) == 5
        assert point["probabilities"] == pytest.approx(
            {name: shares[name] for name in point["probabilities"]}, rel=1e-9
        )
        assert "target_probability" not in point


def test_choices_without_some_words_are_those_of_the_plain_model(client: TestClient) -> None:
    found = posted(client, "explain", "multiple_choice")
    answer = posted(client, "predict", "multiple_choice", masked=MASKED)
    for point, masked in zip([answer["whole"], *answer["results"]], [[], *MASKED], strict=True):
        shares = choice_shares(PROMPT, CHOICES, gone_of(found, masked))
        assert point["probabilities"] == pytest.approx(dict(zip(CHOICES, shares, strict=True)), rel=1e-9)


def test_the_similarity_without_some_words_is_that_of_the_plain_model(client: TestClient) -> None:
    found = posted(client, "explain", "similarity")
    masked = [[1], [1, len(found["units"]) - 1]]
    answer = posted(client, "predict", "similarity", masked=masked)
    for point, gone in zip([answer["whole"], *answer["results"]], [[], *masked], strict=True):
        assert point["value"] == pytest.approx(cosine((QUESTION, CONTEXT), gone_of(found, gone)), abs=EXACT)


# replaced words

EDITS: dict[str, tuple[Edits, str, dict[int, list[int]]]] = {  # the edited text, and where each word is now
    "longer": ({"1": "friendship"}, "the friendship is not bad at all", {at: [at] for at in range(7)}),
    "shorter": ({"4": "a"}, "the film is not a at all", {at: [at] for at in range(7)}),
    "several": (
        {"1": "lovely junk food"},
        "the lovely junk food is not bad at all",
        {0: [0], 1: [1, 2, 3], **{at: [at + 2] for at in range(2, 7)}},
    ),
    "none": ({"1": ""}, "the  is not bad at all", {0: [0], **{at: [at - 1] for at in range(2, 7)}}),
    "two words": (
        {"0": "a lovely", "4": "good"},
        "a lovely film is not good at all",
        {0: [0, 1], **{at: [at + 1] for at in range(1, 7)}},
    ),
}


def split(tag: int, count: int) -> list[int]:
    """The tags of several words in place of one: an entity that begins there continues if there is a tag for that."""
    return [tag, *[{1: 2}.get(tag, tag)] * (count - 1)][:count]


@pytest.mark.parametrize("kind", EDITS)
def test_tags_are_followed_into_an_edited_text(client: TestClient, kind: str) -> None:
    edits, text, moved = EDITS[kind]
    found, best = posted(client, "explain", "token_classification"), tag_shares(TEXT, []).argmax(-1).tolist()
    answer = posted(client, "predict", "token_classification", masked=[[], [2]], replaced=edits)
    assert answer["texts"] == [text]
    places = word_spans(TEXT)
    for point, masked in zip(answer["results"], [[], [2]], strict=True):
        gone = [(0, word_spans(text)[new]) for old in masked for new in moved[old]]
        shares, expected = tag_shares(text, gone), []
        for span in found["prediction"]["spans"]:
            inside = [at for at, one in enumerate(places) if span["start"] <= one.start < span["end"] and at in moved]
            each = [
                shares[new, tag]
                for at in inside
                for new, tag in zip(moved[at], split(best[at], len(moved[at])), strict=True)
            ]
            expected.append(float(torch.stack(each).prod()) if each else math.nan)
        found_shares = [math.nan if share is None else share for share in point["span_probabilities"]]
        assert found_shares == pytest.approx(expected, rel=1e-9, nan_ok=True)


@pytest.mark.parametrize("kind", EDITS)
def test_an_answer_is_followed_into_an_edited_text(client: TestClient, kind: str) -> None:
    context = f"{TEXT}. it isn't dull"
    edits, text, moved = EDITS[kind]
    units = posted(client, "explain", "question_answering")["units"]
    before = sum(unit["segment"] == 0 for unit in units)
    replaced = {str(int(at) + before): word for at, word in edits.items()}
    edited, places, now = f"{text}. it isn't dull", word_spans(context), word_spans(f"{text}. it isn't dull")
    for first, last in ((0, 2), (2, 3), (3, 5)):
        target = [places[first].start, places[last].end]
        span = Span(now[moved[first][0]].start, now[moved[last][-1]].end)
        answer = posted(client, "predict", "question_answering", target=target, masked=[[]], replaced=replaced)
        (point,) = answer["results"]
        assert point["target_probability"] == pytest.approx(span_share(QUESTION, edited, span, []), rel=1e-9)


@pytest.mark.parametrize("task", ["token_classification", "question_answering"])
def test_a_target_that_is_no_longer_in_the_text_is_refused(client: TestClient, task: str) -> None:
    units = posted(client, "explain", task)["units"]
    at = next(at for at, unit in enumerate(units) if unit["text"] == "film")
    response = asked(client, "predict", task, target=[4, 8], masked=[[]], replaced={str(at): ""})
    assert response.status_code == 422
    assert response.json()["error"]["message"] == "the edited text no longer contains the target"


def test_an_edited_question_leaves_the_answer_in_its_place(client: TestClient) -> None:
    answer = posted(
        client, "predict", "question_answering", target=[4, 8], masked=[[]], replaced={"0": "a lovely film"}
    )
    expected = span_share("a lovely film is not bad?", CONTEXT, Span(4, 8), [])
    assert answer["results"][0]["target_probability"] == pytest.approx(expected, rel=1e-9)


def test_fillings_of_an_edited_text_are_the_same_ones(client: TestClient) -> None:
    answer = posted(client, "predict", "fill_mask", masked=[[]], replaced={"1": "friendship"})
    shares = filling_shares(BLANK.replace("film", "friendship"), [])
    (point,) = answer["results"]
    assert list(point["probabilities"]) == answer["labels"] == list(answer["whole"]["probabilities"])
    assert point["probabilities"] == pytest.approx({name: shares[name] for name in answer["labels"]}, rel=1e-9)


def test_an_edited_choice_keeps_its_name(client: TestClient) -> None:
    units = posted(client, "explain", "multiple_choice")["units"]
    at = next(at for at, unit in enumerate(units) if unit["text"] == "junk")
    answer = posted(client, "predict", "multiple_choice", masked=[[]], replaced={str(at): "lovely"})
    assert answer["texts"] == [PROMPT, CHOICES[0], "lovely food", CHOICES[2]]
    shares = choice_shares(PROMPT, answer["texts"][1:], [])
    assert answer["results"][0]["probabilities"] == pytest.approx(dict(zip(CHOICES, shares, strict=True)), rel=1e-9)


def test_an_edited_pair_is_read_again(client: TestClient) -> None:
    answer = posted(client, "predict", "similarity", masked=[[]], replaced={"0": "a lovely"})
    expected = cosine(("a lovely is not bad?", CONTEXT), [])
    assert answer["results"][0]["value"] == pytest.approx(expected, abs=EXACT)


# bodies and files


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"choices": ["one", "two"], "text_pair": "three"}, "give text_pair or choices, not both"),
        (
            {"text": None, "messages": [{"role": "user", "content": "so"}], "choices": ["a", "b"]},
            "choices applies to text",
        ),
    ],
)
def test_choices_belong_to_a_prompt(client: TestClient, fields: dict[str, Any], message: str) -> None:
    body = {name: value for name, value in {**BODIES["multiple_choice"], **fields}.items() if value is not None}
    response = client.post("/api/explain", json={**body, "model": "model 3"})
    assert response.status_code == 422
    assert message in response.json()["error"]["message"]


def test_choices_are_counted(client: TestClient) -> None:
    assert asked(client, "explain", "multiple_choice", choices=["one"]).status_code == 422
    assert asked(client, "explain", "multiple_choice", choices=["one", "a" * 50_000]).status_code == 413


@pytest.mark.parametrize("task", BODIES)
def test_results_are_drawn_and_compared(client: TestClient, task: str) -> None:
    request = {**BODIES[task], "model": f"model {list(BODIES).index(task)}"}
    for form in ("html", "json"):
        drawn = client.post("/api/render", json={"format": form, "kind": "explanation", "request": request})
        assert drawn.status_code == 200, drawn.text
    found = posted(client, "compare", task, methods=["sig", "two_sided", "random"], curve=True)
    assert [row["name"] for row in found["rows"]] == ["sig", "two_sided", "random"]
    if task != "text2text":
        assert posted(client, "interactions", task, top=2)["chosen"]


PIECES = (
    "the",
    "film",
    "isn't",
    "not-bad",
    "😀",
    "é",
    "\n",
    "\u202bשלום",
    "[MASK]",
    "a.b",
    "?",
    "日本",
    "\x00",
    "x" * 30,
)
TARGETS = (None, "predicted", "film", "film: LOC", "entities", "answer", [0, 3], [2, 9], 7)


@pytest.mark.slow
@pytest.mark.parametrize("task", [task for task in BODIES if task != "text2text"])
def test_no_edit_makes_the_server_fail(client: TestClient, task: str) -> None:
    source = random.Random(task)

    def text(count: int) -> str:
        return " ".join(source.choice(PIECES) for _ in range(source.randint(1, count)))

    statuses = Counter[int]()
    for _ in range(200):
        body: dict[str, Any] = {name: text(8) for name in BODIES[task]}
        if "choices" in body:
            body["choices"] = [text(4), text(4)]
        if task == "fill_mask":
            body["text"] = f"{source.choice(PIECES)} {BLANK}"
        if (target := source.choice(TARGETS)) is not None:
            body["target"] = target
        edits = {str(source.randrange(4)): source.choice(["", *PIECES]) for _ in range(source.randint(0, 3))}
        masked = [[], [source.randrange(4)], {"all_but": [0]}]
        statuses[asked(client, "predict", task, **body, masked=masked, replaced=edits).status_code] += 1
    assert set(statuses) <= {200, 422}
    assert statuses[200] > 10
