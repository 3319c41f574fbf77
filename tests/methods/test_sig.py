"""SIG alone, driven by hand: it asks for each unit at the baseline and takes a difference."""

import pickle

import torch

from unmask.methods import SIG
from unmask.methods.base import settings
from unmask.questions import Instance, Outputs, Perturbation
from unmask.tasks.targets import Head, Target


def test_it_asks_once_for_each_unit_and_subtracts() -> None:
    whole = torch.tensor([1.0, 4.0], dtype=torch.float64)
    instance = Instance(
        units=((1,), (2, 3)), whole=whole, target=Target(Head(("no", "yes")), "logit", 1), ids=(5, 6, 7, 8, 9)
    )
    asking = SIG().ask(instance)
    question = next(asking)
    assert question == Outputs((Perturbation((1,)), Perturbation((2, 3))))
    try:
        asking.send(torch.tensor([[1.0, 3.0], [0.0, 4.5]], dtype=torch.float64))
    except StopIteration as stop:
        scores = stop.value
    assert scores.values.tolist() == [1.0, -0.5]
    assert scores.without.tolist() == [[1.0, 3.0], [0.0, 4.5]]


def test_it_is_a_value() -> None:
    assert SIG() == SIG() == pickle.loads(pickle.dumps(SIG()))
    assert settings(SIG()) == {}
