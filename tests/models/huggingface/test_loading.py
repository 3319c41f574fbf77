"""Models from folders, and what a damaged or missing one says."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError, RevisionNotFoundError
from safetensors.torch import load_file, save_file
from support import tiny
from transformers import (
    BertConfig,
    BertForNextSentencePrediction,
    BertForQuestionAnswering,
    BertForTokenClassification,
    BertModel,
    CLIPTextConfig,
    CLIPTextModel,
    LlamaConfig,
    LlamaForTokenClassification,
    T5Config,
    T5ForConditionalGeneration,
    pipeline,
)
from transformers.utils import logging

from unmask import Explainer
from unmask.errors import ArgumentError, ModelError, UnmaskWarning


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "tiny-bert"
    tiny.model("bert").to(torch.bfloat16).save_pretrained(folder)
    tiny.tokenizer("bert").save_pretrained(folder)
    return folder


@pytest.fixture
def folder(saved: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(saved, tmp_path / "tiny-bert"))


def test_float32_unless_told_otherwise(saved: Path) -> None:
    assert Explainer.from_pretrained(saved, device="cpu").model.dtype is torch.float32
    assert Explainer.from_pretrained(saved, device="cpu", dtype="float64").model.dtype is torch.float64
    assert Explainer.from_pretrained(saved, device="cpu", dtype="auto").model.dtype is torch.bfloat16
    assert Explainer.from_pretrained(str(saved), device="cpu", dtype=torch.float16).model.dtype is torch.float16
    with pytest.raises(ArgumentError, match="unknown dtype 'float23'; did you mean 'float32'"):
        Explainer.from_pretrained(saved, dtype="float23")


def test_the_libraries_settings_are_left_alone(saved: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = (logging.get_verbosity(), logging.is_progress_bar_enabled())
    Explainer.from_pretrained(saved, device="cpu")
    assert (logging.get_verbosity(), logging.is_progress_bar_enabled()) == before
    assert capfd.readouterr() == ("", "")


def test_a_device_that_is_not_there_is_refused(saved: Path) -> None:
    with pytest.raises(ArgumentError, match="device 'gpu' cannot be used here"):
        Explainer.from_pretrained(saved, device="gpu")


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"has no config\.json"):
        Explainer.from_pretrained(tmp_path)


def test_a_file_is_no_model(saved: Path) -> None:
    with pytest.raises(ModelError, match="is a file; a model is a folder"):
        Explainer.from_pretrained(saved / "config.json")


@pytest.mark.parametrize("damaged", ["config.json", "model.safetensors", "tokenizer.json"])
def test_damaged_files(folder: Path, damaged: str) -> None:
    (folder / damaged).write_bytes(b"not what it was")
    with pytest.raises(ModelError, match="cannot load the model 'tiny-bert'"):
        Explainer.from_pretrained(folder)


def test_a_folder_without_weights(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    with pytest.raises(ModelError, match="cannot load the model 'tiny-bert'"):
        Explainer.from_pretrained(folder)


def test_a_folder_without_a_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()
    (folder / "tokenizer_config.json").unlink()
    with pytest.raises(ModelError, match="'tiny-bert' has no tokenizer vocabulary"):
        Explainer.from_pretrained(folder)


def test_a_head_that_was_never_trained_is_refused(folder: Path) -> None:
    config = BertConfig.from_pretrained(folder)
    shutil.rmtree(folder)
    BertModel(config).save_pretrained(folder)
    tiny.tokenizer("bert").save_pretrained(folder)
    record = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(record | {"architectures": ["BertForSequenceClassification"]}))
    with pytest.raises(ModelError, match="its classification head is untrained"):
        Explainer.from_pretrained(folder)


def layers_key(config: dict[str, Any]) -> str:
    return next(key for key in ("num_hidden_layers", "n_layer", "n_layers", "num_layers") if key in config)


@pytest.mark.parametrize("architecture", ["bert", "roberta", "distilbert", "gpt2", "xlnet", "deberta-v3", "t5"])
def test_weights_of_the_encoder_that_go_unused_are_refused(architecture: str, tmp_path: Path) -> None:
    place = saved_as(architecture, tmp_path / "fewer-layers")
    config = json.loads((place / "config.json").read_text())
    (place / "config.json").write_text(json.dumps(config | {layers_key(config): 1}))
    with pytest.raises(
        ModelError, match=r"'fewer-layers' has \d+ weights \(.*\.1\..*, \.\.\.\) that the model does not"
    ):
        Explainer.from_pretrained(place)


def test_weights_of_another_head_are_told(folder: Path) -> None:
    plain = Explainer.from_pretrained(folder, device="cpu").explain(tiny.TEXTS[0]).scores
    other = {"cls.predictions.bias": torch.zeros(4), "qa_outputs.weight": torch.zeros(2, 4)}
    with_weights(folder, other)
    with pytest.warns(UnmaskWarning, match=r"'tiny-bert' has 2 weights \(cls\.predictions\.bias, qa_outputs\.weight\)"):
        explainer = Explainer.from_pretrained(folder, device="cpu")
    assert explainer.explain(tiny.TEXTS[0]).scores == plain


def test_an_unused_pooler_is_told(tmp_path: Path) -> None:
    place = saved_as("roberta", tmp_path / "with-pooler")
    with_weights(place, {"roberta.pooler.dense.weight": torch.zeros(3, 3)})
    with pytest.warns(UnmaskWarning, match=r"1 weight \(roberta\.pooler\.dense\.weight\) .* it has no effect"):
        Explainer.from_pretrained(place, device="cpu")


def test_tables_of_old_checkpoints_are_nothing_to_tell(tmp_path: Path) -> None:
    place = saved_as("gpt2", tmp_path / "old")
    old = {"transformer.h.0.attn.bias": torch.ones(1, 1, 4, 4), "transformer.h.0.attn.masked_bias": torch.zeros(1)}
    with_weights(place, old)
    Explainer.from_pretrained(place, device="cpu")  # a warning would be an error


def test_sizes_that_do_not_fit_are_named(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"intermediate_size": 2 * config["intermediate_size"]}))
    with pytest.raises(ModelError) as error:
        Explainer.from_pretrained(folder)
    first = "bert.encoder.layer.0.intermediate.dense.bias"
    sizes = f"[{config['intermediate_size']}] in the checkpoint but [{2 * config['intermediate_size']}]"
    assert f"does not match its config.json: {first} is {sizes} according to config.json" in str(error.value)
    assert "report" not in str(error.value)


def test_a_missing_weight_of_the_encoder_is_no_untrained_head(folder: Path) -> None:
    key = "bert.encoder.layer.0.attention.self.query.weight"
    with_weights(folder, {}, without=key)
    with pytest.raises(
        ModelError, match=r"lacks 1 weight \(bert\.encoder.*query\.weight\) of the encoder: it is incomplete"
    ):
        Explainer.from_pretrained(folder)


def saved_as(architecture: str, place: Path) -> Path:
    tiny.model(architecture).save_pretrained(place)
    tiny.tokenizer(architecture).save_pretrained(place)
    return place


def with_weights(folder: Path, more: dict[str, torch.Tensor], *, without: str | None = None) -> None:
    weights = load_file(folder / "model.safetensors") | more
    weights.pop(without or "", None)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


SIZES: dict[str, Any] = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}
SPECIAL = {"bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0}


def save_tiny(model_class: Any, config_class: Any, folder: Path) -> Any:
    sizes = {"d_model": 8, "d_kv": 4, "d_ff": 8, "num_layers": 1, "num_heads": 2, "decoder_start_token_id": 0}
    more = sizes if config_class is T5Config else {}
    model = model_class(config_class(vocab_size=len(tiny.tokenizer("bert")), **SIZES, **SPECIAL, **more))
    model.save_pretrained(folder)
    tiny.tokenizer("bert").save_pretrained(folder)
    return model


@pytest.mark.parametrize(
    ("model_class", "config_class", "task", "kind"),
    [
        (BertForTokenClassification, BertConfig, "token_classification", "a token classifier"),
        (BertForQuestionAnswering, BertConfig, "question_answering", "a question-answering model"),
        (LlamaForTokenClassification, LlamaConfig, "token_classification", "a token classifier"),
        (T5ForConditionalGeneration, T5Config, "text2text", "a sequence-to-sequence model"),
    ],
)
def test_the_task_is_told_from_the_head(
    model_class: Any, config_class: Any, task: str, kind: str, tmp_path: Path
) -> None:
    save_tiny(model_class, config_class, tmp_path / "other")
    assert Explainer.from_pretrained(tmp_path / "other").task == task
    with pytest.raises(ModelError) as error:
        Explainer.from_pretrained(tmp_path / "other", task="classification")
    classifier = "sequence classifier (...ForSequenceClassification)"
    assert str(error.value).startswith(f"'other' is {kind} ({model_class.__name__}), not a {classifier}")
    assert error.value.hint == f"remove the task, or use {task}"


@pytest.mark.parametrize(
    ("model_class", "config_class", "kind"),
    [
        (BertModel, BertConfig, "a model without a head"),
        (CLIPTextModel, CLIPTextConfig, "a model without a head"),  # transformers has no such classifier
        (BertForNextSentencePrediction, BertConfig, "a bert model"),
    ],
)
def test_a_model_with_an_unknown_head_is_named(model_class: Any, config_class: Any, kind: str, tmp_path: Path) -> None:
    save_tiny(model_class, config_class, tmp_path / "other")
    with pytest.raises(ModelError) as error:
        Explainer.from_pretrained(tmp_path / "other")
    message = str(error.value)
    assert message.startswith(f"'other' is {kind} ({model_class.__name__}), not a sequence classifier (...For")
    assert "token classifier (...ForTokenClassification), " in message
    assert "explainer = Explainer.from_function(model, tokenizer, readout)" in str(error.value.hint)


@pytest.mark.parametrize(
    "name",
    ["/no/such/folder", "./nothing", "a/b/c", "~/model", "", "nothing/", "../nothing", "my model", "a--b/c", "x/.y"],
)
def test_a_path_that_is_nowhere_is_said_at_once(name: str) -> None:
    with pytest.raises(ModelError, match="no such folder"):
        Explainer.from_pretrained(name)


def test_a_name_in_a_folder_that_exists_is_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "models").mkdir()
    monkeypatch.setattr("unmask.models.huggingface.loading.AutoConfig.from_pretrained", lambda *_, **__: 1 / 0)
    with pytest.raises(ModelError) as error:
        Explainer.from_pretrained("models/minilm")
    reason = "which is read as a path because the folder 'models' exists"
    assert str(error.value) == f"no such folder: 'models/minilm', {reason}"
    assert error.value.hint == (
        'check the path; if you mean the hub\'s models/minilm, add --revision main (in Python: revision="main")'
    )


def test_a_revision_makes_it_a_name_on_the_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "models").mkdir()
    with pytest.raises(ModelError, match="at revision 'main': no such folder, not in the cache, and the hub cannot"):
        Explainer.from_pretrained("models/minilm", revision="main")


def test_a_name_that_is_nowhere() -> None:
    message = "no such folder, not in the cache, and the hub cannot be reached"
    with pytest.raises(ModelError) as error:
        Explainer.from_pretrained("nobody/no-such-model", revision="main")
    assert str(error.value) == f"cannot load the model 'nobody/no-such-model' at revision 'main': {message}"
    assert error.value.hint == "give a folder, or connect to the network once"


def test_the_hubs_variables_are_left_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "empty"))
    before = {name: value for name, value in os.environ.items() if name.startswith("HF_")}
    with pytest.raises(ModelError, match="the hub cannot be reached"):
        Explainer.from_pretrained("nobody/no-such-model")
    assert {name: value for name, value in os.environ.items() if name.startswith("HF_")} == before


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (GatedRepoError, "it is gated on the hub"),
        (RepositoryNotFoundError, "no such name on the hub, or it is private"),
        (RevisionNotFoundError, "the hub has no such revision"),
    ],
)
def test_what_the_hub_says_is_one_sentence(
    kind: type[Exception], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError("an essay\nof several lines") from kind.__new__(kind)

    monkeypatch.setattr("unmask.models.huggingface.loading.AutoConfig.from_pretrained", refused)
    with pytest.raises(ModelError, match=message) as error:
        Explainer.from_pretrained("nobody/model")
    assert "essay" not in str(error.value)


def test_a_revision_is_for_the_hub(saved: Path) -> None:
    with pytest.raises(ArgumentError, match="revision 'main' needs a hub name"):
        Explainer.from_pretrained(saved, revision="main")


def test_messages_do_not_show_the_path(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    with pytest.raises(ModelError, match="tiny-bert") as error:
        Explainer.from_pretrained(folder)
    assert str(folder.parent) not in str(error.value)


def test_a_pipeline_is_explained_by_its_own_parts(saved: Path) -> None:
    pipe = pipeline("text-classification", model=str(saved), device="cpu")
    explainer = Explainer.from_pipeline(pipe, max_length=20)
    assert (explainer.model, explainer.tokenizer) == (pipe.model, pipe.tokenizer)
    prediction = explainer.explain(tiny.TEXTS[0]).prediction
    (found,) = pipe(tiny.TEXTS[0])[:1]
    assert prediction.label == found["label"]
    assert prediction.probabilities[found["label"]] == pytest.approx(found["score"], rel=0.05)  # in bfloat16
    with pytest.raises(ArgumentError, match="needs a pipeline with a model and a tokenizer, not BertForSequence"):
        Explainer.from_pipeline(pipe.model)


class Evil:
    """A pickle that would run code when it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.path,)


def test_a_pickle_checkpoint_runs_no_code(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    torch.save({"weight": Evil(folder / "owned")}, folder / "pytorch_model.bin")
    with pytest.raises(ModelError, match="cannot load the model 'tiny-bert'"):
        Explainer.from_pretrained(folder)
    assert not (folder / "owned").exists()


def test_a_pickle_of_weights_alone_is_read(folder: Path, saved: Path) -> None:
    weights = Explainer.from_pretrained(folder, device="cpu").model.state_dict()
    (folder / "model.safetensors").unlink()
    torch.save(weights, folder / "pytorch_model.bin")
    found = Explainer.from_pretrained(folder, device="cpu").explain(tiny.TEXTS[0])
    assert found.scores == Explainer.from_pretrained(saved, device="cpu").explain(tiny.TEXTS[0]).scores


def test_remote_code_is_not_run_unless_asked(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "own", "auto_map": {"AutoConfig": "own.Config"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "own.py").write_text(f"from pathlib import Path\nPath({str(folder / 'owned')!r}).touch()\n")
    with pytest.raises(ModelError, match="cannot load the model 'tiny-bert'"):
        Explainer.from_pretrained(folder)
    assert not (folder / "owned").exists()


def save_config(model_class: str, folder: Path, **values: Any) -> Path:
    """A folder with a configuration and a tokenizer, which is enough to tell the task."""
    tiny.tokenizer("bert").save_pretrained(folder)
    (folder / "config.json").write_text(json.dumps({"architectures": [model_class], **values}))
    return folder


@pytest.mark.parametrize(
    ("model_class", "model_type", "task"),
    [
        ("Gemma3ForConditionalGeneration", "gemma3", "generation"),
        ("BertGenerationDecoder", "bert-generation", "generation"),
        ("ReformerModelWithLMHead", "reformer", "generation"),
        ("BartForConditionalGeneration", "bart", "text2text"),
        ("LlavaForConditionalGeneration", "llava", None),  # reads images
        ("WhisperForConditionalGeneration", "whisper", None),  # reads audio
    ],
)
def test_the_task_of_a_class_follows_from_its_configuration(
    model_class: str, model_type: str, task: str | None, tmp_path: Path
) -> None:
    place = save_config(model_class, tmp_path / "other", model_type=model_type)
    for asked in ("generation", "text2text"):
        with pytest.raises(ModelError) as error:
            Explainer.from_pretrained(place, task=asked)
        if asked == task:
            assert "cannot load the model 'other'" in str(error.value), "it has no weights"
        elif task is not None:
            assert error.value.hint == f"remove the task, or use {task}"
        else:
            assert str(error.value).startswith(f"'other' is a {model_type} model ({model_class}), not a ")


def test_a_class_that_transformers_cannot_load_is_told(tmp_path: Path) -> None:
    place = save_config("CLIPTextForCausalLM", tmp_path / "other", model_type="clip_text_model")
    for asked in (None, "generation"):
        with pytest.raises(ModelError) as error:
            Explainer.from_pretrained(place, task=asked)
        message = "'other' is a causal language model (CLIPTextForCausalLM), but transformers cannot load it as one"
        assert str(error.value) == message
        assert error.value.hint == "load the model yourself and pass it: Explainer(model, tokenizer)"
