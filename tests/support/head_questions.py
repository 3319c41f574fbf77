"""What is asked of each kind of model that is no classifier: a body of the server's routes by task."""

from typing import Any

TEXT, PROMPT = "the film is not bad at all", "the film is"
QUESTION, CONTEXT = "what is not bad?", f"{TEXT}. it isn't dull"
BLANK = "the film is [MASK] bad at all"
CHOICES = ["a lovely friendship", "junk food", "it isn't dull"]
BODIES: dict[str, dict[str, Any]] = {
    "token_classification": {"text": TEXT},
    "question_answering": {"text": QUESTION, "text_pair": CONTEXT},
    "fill_mask": {"text": BLANK},
    "multiple_choice": {"text": PROMPT, "choices": CHOICES},
    "similarity": {"text": QUESTION, "text_pair": CONTEXT},
    "text2text": {"text": TEXT, "continuation": "it isn't dull"},
}
MODELS = {  # on a server
    "tagger": "token_classification",
    "reader": "question_answering",
    "filler": "fill_mask",
    "chooser": "multiple_choice",
    "encoder": "similarity",
    "writer": "text2text",
}
