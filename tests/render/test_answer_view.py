"""What the drawing of an answer shows, against the explanation and against numbers worked out by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest
from support.written_answers import answers, contrast, prompt, with_detail, written

from unmask import Explanation
from unmask.render.answer_matrix import scores_toward
from unmask.render.answer_view import strongest_columns, strongest_rows, view_answer
from unmask.render.answer_words import answer_words
from unmask.render.likelihood import times_less_likely
from unmask.results.metadata import OutputToken

STORY = answers()["answer"]


@pytest.mark.parametrize("name", ["answer", "answer-chat", "answer-documents", "answer-all"])
@pytest.mark.parametrize("phrase", ["very sad", "mommy", (0, 8), 4])
def test_columns_of_the_matrix_add_up_to_the_scores_of_a_phrase(name: str, phrase: str) -> None:
    found = answers()[name]
    toward, view = found.toward(phrase), view_answer(found)
    assert view.matrix is not None
    weights = view_answer(toward).weights
    assert scores_toward(view.matrix, weights) == pytest.approx(toward.scores, abs=1e-12, nan_ok=True)


def test_cells_that_do_not_exist_are_left_out() -> None:
    found = answers()["answer-all"]
    view, (first,) = view_answer(found), [at for at, unit in enumerate(found.units) if unit.text == "was"]
    assert view.matrix is not None
    assert np.isnan(view.matrix[first]).tolist() == [True, True] + [False] * 7
    assert math.isnan(scores_toward(view.matrix, [1, 1, *[0] * 7])[first])


@pytest.mark.parametrize(
    ("lost", "says"),
    [
        (math.log(40), "40 times less likely"),
        (-math.log(40), "40 times more likely"),
        (math.log(1.04), "about as likely"),
        (math.log(1.06), "1.1 times less likely"),
        (math.log(2), "2 times less likely"),
        (math.log(9.96), "10 times less likely"),
        (math.log(123), "120 times less likely"),
        (math.log(8_185), "8,200 times less likely"),
        (math.log(999_999), "1 million times less likely"),
        (math.log(3.25e9), "3.2 billion times less likely"),
        (math.log(5e12), "5 trillion times less likely"),
        (math.log(1e15), "10¹⁵ times less likely"),
        (2000.0, "10⁸⁶⁹ times less likely"),
        (math.nan, "about as likely"),
    ],
)
def test_factors_are_rounded_to_what_people_say(lost: float, says: str) -> None:
    assert times_less_likely(lost) == says


def test_the_sentence_is_about_the_unit_without_which_most_is_lost() -> None:
    def log_probability(odds: float) -> float:
        return -math.log1p(math.exp(-odds))

    (lost,) = [at for at, unit in enumerate(STORY.units) if unit.text == "lost"]
    assert STORY.without is not None
    gone = [log_probability(STORY.whole[at]) - log_probability(STORY.without[lost][at]) for at in (2, 3)]
    factor = float(f"{math.exp(sum(gone)):.2g}")
    assert view_answer(STORY.toward("very sad")).sentences == [
        f'Without the word "lost", "very sad" is {factor:g} times less likely.'
    ]


def test_without_the_documents() -> None:
    found = answers()["answer-documents"]
    assert found.without_context is not None
    lost = sum(
        math.log1p(math.exp(-without)) - math.log1p(math.exp(-odds))
        for odds, without in zip(found.whole, found.without_context.outputs, strict=True)
    )
    says = f"Without the documents, the answer is {math.exp(lost):.2g} times less likely."
    assert view_answer(found).context_sentence == says


def test_a_contrast_is_said_relative_to_the_other_continuation() -> None:
    view = view_answer(contrast())
    factor = round(math.exp(0.5 + 2.0))
    said = f'Without the word "lost", "She was sad." is {factor} times less likely relative to "She was happy."'
    assert view.sentences == [said]
    assert view.weights == (1.0, -1.0)
    assert view_answer(replace(contrast(), activation="sequence_mean")).sentences == []  # means are no probabilities


def test_one_of_two_continuations_stands_alone() -> None:
    view = view_answer(contrast().toward(" She was happy."))
    assert (view.weights, view.is_contrast, view.title) == ((0.0, 1.0), True, '"She was happy."')
    assert view.sentences == ['Without the word "lost", "She was happy." is 7.4 times more likely.']


def test_a_block_has_the_effect_of_masking_all_of_it() -> None:
    found = answers()["answer-chat"]
    view = view_answer(found)
    assert [block.name for block in view.blocks] == ["system", "user 1", "assistant", "user 2"]
    whole = np.array(found.whole)
    for at, block in enumerate(view.blocks):
        lost = float((np.logaddexp(0, -(whole - 0.3 * (at + 1))) - np.logaddexp(0, -whole)).sum())
        assert block.score == pytest.approx(lost)
        assert block.effect == times_less_likely(lost)
        assert "".join(piece.span.text for piece in block.pieces) == found.texts[at]
    assert max(abs(block.strength) for block in view.blocks) == 1.0


def test_a_block_that_is_never_masked_says_so_and_one_of_an_older_file_nothing() -> None:
    found = answers()["answer-chat"]
    assert found.without_segments is not None
    fixed = tuple((unit, row) for unit, row in zip(found.units, found.without or (), strict=True) if unit.segment)
    units, rows = zip(*fixed, strict=True)
    scores = found.scores[-len(units) :]
    segments = (None, *found.without_segments[1:])
    view = view_answer(replace(found, units=units, without=rows, scores=scores, without_segments=segments))
    assert (view.blocks[0].effect, view.blocks[0].number, view.blocks[0].score) == ("never masked", "", None)
    older = view_answer(replace(found, without_segments=None))
    assert {(block.score, block.number, block.effect) for block in older.blocks} == {(None, "", "")}


def test_words_that_were_not_computed_are_no_zeros() -> None:
    found = with_detail()
    view = view_answer(found)
    pieces = [piece for block in view.blocks for piece in block.pieces]
    begun = [piece.sentence.text for piece in pieces if piece.sentence]
    assert begun == [unit.text for unit in found.units]
    shown = {piece.span.text: piece.span.number for piece in pieces if piece.span.score is not None}
    assert (shown["lost"], shown["car"]) == ("+2.19", "–")
    assert view.keys["shades"][-1] == "14 of 19 words were not computed."
    assert [view.unit_names[at] for at in strongest_rows(view, 3)] == ["Lily lost her ball.", "lost", ". (It)"]


def words(found: Explanation) -> list[tuple[str, tuple[int, ...]]]:
    return [(word.text, word.tokens) for word in answer_words(found)]


def test_an_answer_is_selected_in_words() -> None:
    assert words(STORY) == [
        ("She", (0,)),
        (" ", ()),
        ("was", (1,)),
        (" ", ()),
        ("very", (2,)),
        (" ", ()),
        ("sad", (3,)),
        (".", (4,)),
        ("\n", (5,)),
        ("Her", (6,)),
        (" ", ()),
        ("mommy", (7, 8)),
    ]
    chances = [token.probability for token in STORY.output_tokens]
    assert next(answer_words(written([("prompt", "a")], (" mom", "my")))).probability == pytest.approx(
        math.prod(chances[:2])
    )


def test_parts_of_a_character_are_one_word_and_special_tokens_have_names() -> None:
    found = prompt()
    spans = [("\ufffd", 0, 1), ("🙂", 0, 1), ("</s>", 1, 1)]
    tokens = tuple(OutputToken(at, name, start, end, 0.5) for at, (name, start, end) in enumerate(spans))
    outputs = tuple(name for name, _, _ in spans)
    made = replace(
        found,
        outputs=outputs,
        output_tokens=tokens,
        continuation="🙂",
        target_outputs=(0, 1, 2),
        whole=(0.0,) * 3,
        at_baseline=(0.0,) * 3,
        without=((0.0,) * 3,) * len(found),
    )
    assert words(made) == [("🙂", (0, 1)), ("</s>", (2,))]


def test_on_other_scales_tokens_stand_alone() -> None:
    odds = STORY.toward(7, scale="log_odds")
    assert ("mom", (7,)) in words(odds)
    assert view_answer(odds).sentences[0].startswith('Without the word "')


def test_the_strongest_outputs_are_those_of_the_target() -> None:
    view = view_answer(STORY.toward("very sad"))
    assert strongest_columns(view, range(len(view.units)), 1) == [3]
    assert strongest_columns(view, range(len(view.units)), 9) == [2, 3]
